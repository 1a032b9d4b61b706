import { findBendingBones } from './bending-bones.js';
import { checkRetargetOptions } from './check-options.js';
import { checkScene } from './check-scene.js';
import {
  type Channel,
  type Clip,
  channelSize,
  durationOf,
  type GazeTrack,
  isStill,
  type Track,
} from './clip.js';
import { closeLoop, type LoopOptions } from './close-loop.js';
import { completeContacts, contactsOfPart, type EditedContact } from './contacts/contact-document.js';
import type { Contact } from './contacts/find-contacts.js';
import { copyData } from './copy-data.js';
import { changeSpeed, finiteClip, isPlainlyBroken, trimClip } from './edit-clip.js';
import { RetargetError, UsageError } from './errors.js';
import { gazeToEyes } from './gaze.js';
import { LONGEST_PLANNED } from './goals/plan-goals.js';
import type { KnownRig } from './known-rigs.js';
import { checkMorphMap, type MorphMap, matchMorphs } from './match-morphs.js';
import { measureClip } from './measure.js';
import { mirrorScene } from './mirror-scene.js';
import { ownKeys, ownTimes } from './own-keys.js';
import { rootAbove } from './passes/extract-root.js';
import { PASS_NAMES, type PassName } from './pipeline.js';
import { planFeetPlacing } from './plan-feet-placing.js';
import { planSomeKeys } from './plan-keys.js';
import { planLook } from './plan-look.js';
import { planLoopingGoals } from './plan-loop.js';
import type { Pose } from './pose.js';
import { quaternionAngle } from './quaternion.js';
import type { RootMotionTrack } from './read-travel.js';
import { recallSkeleton } from './recall-skeleton.js';
import { type KeyTolerance, reduceKeys } from './reduce-keys.js';
import type { ReferenceChoice } from './reference-pose.js';
import { repairKeys } from './repair-keys.js';
import type { Report } from './report.js';
import { retargetFrames } from './retarget-frames.js';
import { retargetKeys } from './retarget-keys.js';
import { retargetProducts } from './retarget-products.js';
import { chooseCharacter, type Rig } from './rig.js';
import type { RigMapDocument } from './rig-map.js';
import type { Scene } from './scene.js';
import { setUpKnown } from './set-up-scenes.js';
import type { Setup, SetupOptions } from './setup.js';
import { factsOfSetup } from './setup-facts.js';
import { isSameSkeleton } from './skeleton.js';
import { areTurns, mendClip, soundGaze, turnsOnly } from './sound-turns.js';
import type { Vec3 } from './vector.js';
import type { Warning } from './warnings.js';
import { watchWork } from './watch-work.js';

export { setUpScenes } from './set-up-scenes.js';

/** How one clip is moved: which passes run, and whether keys are kept. */
export type ClipOptions = {
  /** Which passes run; all if left out. */
  passes?: readonly PassName[];
  /**
   * `auto` keeps keys where that is exact, joint by joint, and bakes elsewhere; `keep` insists and is a wrong use
   * where some are not exact; `bake` always bakes.
   */
  keys?: 'auto' | 'keep' | 'bake';
  /** Frames per second of a bake; the source's own rate if left out. Asking for a rate asks for a bake. */
  frameRate?: number;
  /**
   * Whether the map is the user's word: then a joint that it leaves out does not move, even where both
   * skeletons are one and clips could be taken over whole.
   */
  mapIsTold?: boolean;
};

/** What {@link retarget} may be told; everything has a default that needs no set-up. */
export type RetargetOptions = ClipOptions &
  SetupOptions & {
    /** The source's clips to move, by name; all if left out. */
    clips?: readonly string[];
    /** A map of the user's, or roles for joints whose names mean nothing. */
    map?: RigMapDocument;
    sourceReference?: ReferenceChoice;
    targetReference?: ReferenceChoice;
    /** Name or number of the skeleton, where a file has several. */
    sourceSkeleton?: string;
    targetSkeleton?: string;
    /** Seconds of the source clip to take, from and to. */
    range?: readonly [number, number];
    /** Whether left and right are exchanged: the motion as seen in a mirror. */
    mirror?: boolean;
    /** How many times as fast the result plays. */
    speed?: number;
    /** Whether rotation keys that stand alone a half turn off are replaced first; see {@link repairKeys}. */
    repairKeys?: boolean;
    /** Whether, and how, the last pose is made the first; see {@link closeLoop}. */
    loop?: boolean | LoopOptions;
    /** Whether, and within what tolerance, keys are left out that interpolation gives anyway; see {@link reduceKeys}. */
    reduce?: boolean | KeyTolerance;
    /**
     * What touches what and when, by the name of the source's clip and in its times, where finding it is not enough:
     * as the report gives it, edited. Where corrected; found in clips that are not named.
     */
    contacts?: Readonly<Record<string, readonly EditedContact[]>>;
    /** Which morph goes onto which, where names do not tell. */
    morphs?: MorphMap;
    /** Whether results are measured; they are if left out. */
    measure?: boolean;
    /**
     * An `AbortSignal`, or anything that throws when work should stop. It is asked many times a second in everything
     * that takes long. As all is done at once, without a pause, it must find out by itself: by a clock, or by
     * memory that threads share; or it is told by `onProgress`.
     */
    signal?: { throwIfAborted(): void };
    /**
     * Called as work goes on, many times a second: clips done so far (fractions while one is under way, and never less
     * than before), all clips, and the clip's name, which is empty while the bodies are compared.
     */
    onProgress?: (done: number, total: number, clip: string) => void;
  };

/** Clips on the target, and the report of how they came about. */
export type RetargetResult = {
  /** The target as it was read; writing puts the clips into its document. */
  scene: Scene;
  /** Which character of the scene the clips move. */
  character: number;
  clips: Clip[];
  /** Per clip what was taken out of it, where root motion is given apart (W24). */
  rootMotion?: (RootMotionTrack | null)[];
  report: Report;
};

/**
 * Moves the clips of one scene onto the character of another. Nothing of either scene is changed.
 * @throws RetargetError where there is nothing to move or nothing to move it onto; UsageError where an
 * option does not fit the files.
 */
export function retarget(given: Scene, target: Scene, options: RetargetOptions = {}): RetargetResult {
  checkRetargetOptions(options);
  const { clips: wanted } = options;
  checkScene(given, 'source', (name) => wanted === undefined || wanted.includes(name));
  checkScene(target, 'target', () => false);
  const source = options.mirror ? mirrorKnown(given) : given;
  if (source.characters.length === 0 && source.otherClips?.some(({ morphs }) => morphs.length > 0))
    return retargetMorphs(source, source.otherClips, target, options);
  const { tell, jointsOf, clipCount } = watchOf(source, target, options);
  tell?.(0, clipCount, '');
  const known = watchWork(tell && (() => tell(0, clipCount, '')), 1, () =>
    setUpKnown(source, target, options),
  );
  const { setup, sourceIndex, targetIndex } = known;
  const available = source.characters[sourceIndex]!.clips;
  if (available.length === 0) {
    const swapped = target.characters[targetIndex]!.clips.length;
    throw new RetargetError(
      `"${source.name}" has no clips to move${swapped > 0 ? `, but "${target.name}" has ${swapped}: are the two files swapped?` : ''}`,
    );
  }
  const chosen = chooseClips(available, options.clips);
  const report = reportOf(known);
  if (options.morphs) report.warnings.push(...checkMorphMap(options.morphs, source, available));
  for (const name of Object.keys(options.contacts ?? {}))
    if (!available.some((clip) => clip.name === name))
      report.warnings.push({
        code: 'option-without-effect',
        message: `contacts are told for a clip "${name}", which "${source.name}" does not have`,
      });
  if (
    setup.rootMotion === 'extract' &&
    setup.travel &&
    rootAbove(setup.target.skeleton, setup.travel.target) < 0
  )
    report.warnings.push({
      code: 'no-root-joint',
      pass: 'extractRoot',
      message: `no joint stands above "${setup.target.skeleton.names[setup.travel.target]}"; root motion stays there`,
    });
  const clips: Clip[] = [];
  const rootMotion: (RootMotionTrack | null)[] = [];
  chosen.forEach((original, n) => {
    const clip = prepareClip(original, options, report.warnings);
    const expected = jointsOf(sourceIndex, targetIndex) * RATE * Math.min(LONGEST_PLANNED, clip.duration);
    /** Does what takes the clip from one share of the way to another, and tells how far it is. */
    const step = <T>(from: number, to: number, amount: number, run: () => T): T => {
      const told =
        tell && ((part: number) => tell(n + from + (to - from) * part, chosen.length, original.name));
      told?.(0);
      return watchWork(told, amount, run);
    };
    const moved = step(0, MOVED, 3 * expected, () =>
      retargetClip({ ...setup, contacts: contactsOf(original, options) }, clip, {
        mapIsTold: options.map?.joints !== undefined,
        ...options,
      }),
    );
    if (moved.core === 'copy' && source.name === target.name && !options.morphs)
      moved.clip.morphs = [...clip.morphs];
    else {
      const morphs = matchMorphs(clip.morphs, target, original.name, options.morphs);
      moved.clip.morphs = morphs.tracks;
      report.warnings.push(...morphs.warnings);
    }
    if (clip.gaze) moved.clip = withGaze(moved.clip, soundGaze(clip.gaze), setup.target);
    // Its tracks are its own already.
    if (moved.clip.morphs.length > 0 || moved.clip.gaze) moved.clip = ownKeys(moved.clip, original);
    const reduced = step(MOVED, FINISHED, expected, () => finishClip(setup, moved, options));
    mendClip(moved.clip, () => 0, false);
    clips.push(moved.clip);
    rootMotion.push(moved.rootMotion);
    report.clips.push({
      name: moved.clip.name,
      duration: moved.clip.duration,
      frames: moved.frames,
      core: moved.core,
      reason: moved.reason,
      ...(reduced && { reduced }),
      ...(moved.contacts && { contacts: moved.contacts }),
    });
    report.warnings.push(...moved.warnings);
    if (options.measure !== false)
      report.measures.push(step(FINISHED, 1, 3 * expected, () => measureClip(setup, clip, moved.clip)));
  });
  options.signal?.throwIfAborted();
  options.onProgress?.(chosen.length, chosen.length, '');
  return {
    scene: target,
    character: targetIndex,
    clips,
    ...(setup.rootMotion === 'apart' && { rootMotion }),
    report,
  };
}

/** How far a clip is on its way when it was moved, and when its loop was closed and its keys were reduced. */
const MOVED = 0.7;
const FINISHED = 0.8;
/** Frames a second that a clip is taken to have, for how long it will take. */
const RATE = 60;

/** Whom to ask whether to go on, and to tell how far work is; and how much there is to do. */
function watchOf(source: Scene, target: Scene, { signal, onProgress, clips }: RetargetOptions) {
  let furthest = 0;
  const tell = (done: number, total: number, clip: string) => {
    signal?.throwIfAborted();
    furthest = Math.max(furthest, done);
    onProgress?.(furthest, total, clip);
  };
  const most = source.characters.reduce((count, character) => Math.max(count, character.clips.length), 1);
  return {
    tell: signal || onProgress ? tell : null,
    clipCount: clips?.length ?? most,
    jointsOf: (i: number, j: number) =>
      source.characters[i]!.skeleton.names.length + target.characters[j]!.skeleton.names.length,
  };
}

/** A scene in the mirror. Its skeletons are the objects of the last time where they are the same, and so what is known of them. */
function mirrorKnown(scene: Scene): Scene {
  const mirrored = mirrorScene(scene);
  const characters = mirrored.characters.map(({ skeleton, clips }, i) => ({
    skeleton: recallSkeleton(scene.characters[i]!.skeleton, skeleton),
    clips,
  }));
  return { ...mirrored, characters };
}

/** The contacts that were told for a clip, in the times of what is made of it; null for none. */
function contactsOf({ name, duration }: Clip, options: RetargetOptions): Contact[] | null {
  const told = options.contacts?.[name];
  if (!told) return null;
  const { range = [0, duration], speed = 1, mirror = false } = options;
  return contactsOfPart(completeContacts(told, name), { start: range[0], end: range[1], speed, mirror });
}

/** A clip of the source as it is to be moved: its part, at its speed, cleaned before anything is made of it (B19). */
function prepareClip(original: Clip, options: RetargetOptions, warnings: Warning[]): Clip {
  const part = options.range ? trimClip(original, ...options.range) : original;
  const clip = changeSpeed(part, options.speed ?? 1);
  if (!options.repairKeys) return clip;
  const { clip: repaired, repaired: count } = repairKeys(clip);
  if (count > 0)
    warnings.push({
      code: 'keys-repaired',
      message: `"${original.name}": ${count} rotation key${count > 1 ? 's stood' : ' stood'} a half turn off and ${count > 1 ? 'were' : 'was'} replaced`,
    });
  return repaired;
}

/** What is done to a clip when it is the target's: closes its loop, then leaves out what keys interpolation gives anyway. */
function finishClip(
  { target, travel, rootMotion }: Setup,
  moved: { clip: Clip },
  { loop, reduce }: RetargetOptions,
): { before: number; after: number } | null {
  if (loop) {
    const root = travel && rootMotion === 'extract' ? rootAbove(target.skeleton, travel.target) : -1;
    moved.clip = closeLoop(target.skeleton, moved.clip, {
      ...(travel && { travel: root >= 0 ? root : travel.target }),
      ...(target.space.height > 0 && { height: target.space.height }),
      ...(loop !== true && loop),
    });
  }
  if (!reduce) return null;
  const { clip, before, after } = reduceKeys(target.skeleton, moved.clip, reduce === true ? {} : reduce);
  moved.clip = clip;
  return { before, after };
}

/** Moves clips of a file that has no skeleton: morph weights alone. */
function retargetMorphs(
  source: Scene,
  available: readonly Clip[],
  target: Scene,
  options: RetargetOptions,
): RetargetResult {
  const reason = 'morph weights alone: no skeleton is needed';
  const side = {
    reference: { kind: 'rest' as const, reason },
    space: {
      up: { direction: [0, 1, 0] as Vec3, reason },
      facing: { direction: [0, 0, 1] as Vec3, reason },
      unit: { metres: 1, reason },
      height: 0,
    },
  };
  const report: Report = {
    map: { joints: [], unmapped: { source: [], target: [] } },
    source: side,
    target: side,
    alignment: {},
    rootScales: { horizontal: 1, vertical: 1, reason },
    clips: [],
    measures: [],
    warnings: [...source.warnings, ...target.warnings],
  };
  if (options.morphs) report.warnings.push(...checkMorphMap(options.morphs, source, available));
  const clips = chooseClips(available, options.clips).map((original): Clip => {
    const clip = prepareClip(finiteClip(original).clip, options, report.warnings);
    const { tracks, warnings } = matchMorphs(clip.morphs, target, clip.name, options.morphs);
    report.warnings.push(...warnings);
    const frames = tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
    report.clips.push({ name: clip.name, duration: clip.duration, frames, core: 'keys', reason: '' });
    return ownKeys({ name: clip.name, duration: clip.duration, tracks: [], morphs: tracks }, original);
  });
  if (clips.every(({ morphs }) => morphs.length === 0)) {
    const moved = morphNames(available.flatMap(({ morphs }) => morphs.map(({ morph }) => morph)));
    const there = morphNames(target.morphs.flatMap(({ names }) => names));
    throw new RetargetError(
      `"${source.name}" moves morph targets alone (${moved}), and "${target.name}" has ${there === '' ? 'none' : `none that are called like them but ${there}; give a map of morphs`}`,
    );
  }
  const character =
    target.characters.length > 0 ? chooseCharacter(target, options.targetSkeleton).character : 0;
  return { scene: target, character, clips, report };
}

/** The first few of some names, each once. */
function morphNames(names: readonly string[]): string {
  const different = [...new Set(names)].map((name) => `"${name}"`);
  return different.length > 6 ? `${different.slice(0, 6).join(', ')} …` : different.join(', ');
}

/**
 * Moves one clip: taken over whole where both skeletons are one, key by key where that is exact, else frame
 * by frame. The report says which, and why. Keys that are no numbers are left out, with a warning.
 * @throws UsageError where keys are to be kept and cannot be; RetargetError where a bake would take more than
 * a million frames.
 */
export function retargetClip(
  setup: Setup,
  original: Clip,
  options: ClipOptions = {},
  onPart?: (part: number) => void,
): {
  clip: Clip;
  core: 'copy' | 'keys' | 'frames';
  frames: number;
  reason: string;
  rootMotion: RootMotionTrack | null;
  /** What touched what, where feet and hands were corrected. */
  contacts: readonly Contact[] | null;
  warnings: Warning[];
} {
  if (options.frameRate !== undefined && options.keys === 'keep')
    throw new UsageError('keys are to be kept and a frame rate is given: choose one');
  const warnings: Warning[] = [];
  const { names } = setup.source.skeleton;
  let clip = isPlainlyBroken(original) ? withoutBrokenKeys(original, names, warnings) : original;
  let run = runCore(setup, clip, options, onPart);
  if (!run.finite) {
    clip = withoutBrokenKeys(clip, names, warnings);
    run = runCore(setup, clip, options, onPart);
  }
  const { core, frames, reason, rootMotion, contacts, mended } = run;
  const moved = run.core === 'copy' ? ownKeys(run.moved, original) : ownTimes(run.moved, original);
  const { names: joints, rest } = setup.target.skeleton;
  const stillOf = ({ joint, channel }: Track, c: number) => channelOf(rest, channel)[3 * joint + c]!;
  for (const joint of mendClip(moved, stillOf, core === 'copy')) mended.push(joint);
  if (mended.length > 0) warnings.push(mendedWarning(clip.name, mended, joints));
  if (core === 'copy') return { clip: moved, core, frames, reason, rootMotion, contacts, warnings };
  const written = new Set(factsOfSetup(setup).held.length > 0 ? moved.tracks.map(channelKey) : []);
  dropStillTracks(setup, moved);
  holdReference(setup, moved, written);
  if (clip.morphs.length === 0 && !movesMapped(setup, clip))
    warnings.push({
      code: 'clip-empty',
      message: `"${clip.name}" has no keys for the joints that are mapped`,
    });
  const dropped = countDropped(setup, clip, options.passes ?? PASS_NAMES);
  if (dropped > 0)
    warnings.push({
      code: 'channel-dropped',
      message: `"${clip.name}": ${dropped} translation or scale channel${dropped > 1 ? 's' : ''} ${dropped > 1 ? 'were' : 'was'} left out: body parts keep the target's lengths, and joints without a counterpart go nowhere`,
    });
  if (setup.goals && (options.passes ?? PASS_NAMES).includes('solveLimbs') && clip.duration > LONGEST_PLANNED)
    warnings.push({
      code: 'clip-too-long',
      message: `"${clip.name}" lasts ${Math.ceil(clip.duration / 60)} minutes; feet and hands are held in clips of up to ${LONGEST_PLANNED / 60} minutes: cut it with a range`,
    });
  return { clip: moved, core, frames, reason, rootMotion, contacts, warnings };
}

type CoreRun = {
  moved: Clip;
  core: 'copy' | 'keys' | 'frames';
  frames: number;
  reason: string;
  /** False where rotation keys were no numbers, or no turns. */
  finite: boolean;
  /** Joints of the target whose turns were none in some frame. */
  mended: number[];
  rootMotion: RootMotionTrack | null;
  contacts: readonly Contact[] | null;
};

/** Chooses the core and runs it. */
function runCore(given: Setup, clip: Clip, options: ClipOptions, onPart?: (part: number) => void): CoreRun {
  const passes = options.passes ?? PASS_NAMES;
  const keys = options.frameRate === undefined ? (options.keys ?? 'auto') : 'bake';
  const frames = clip.tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
  if (keys !== 'bake' && passes.length === PASS_NAMES.length && canCopy(given, clip, options))
    return {
      moved: { ...clip, tracks: [...clip.tracks] },
      core: 'copy',
      frames,
      reason: 'both skeletons are one',
      finite: clip.tracks.every((track) => track.channel !== 'rotation' || areTurns(track)),
      mended: [],
      rootMotion: null,
      contacts: null,
    };
  const setup: Setup = { ...given, bending: findBendingBones(given, clip) };
  const goalPlan = planLoopingGoals(setup, clip, passes);
  const { plan, reason: inexact, passes: left, products } = planSomeKeys(setup, clip, passes);
  if (keys !== 'bake' && !goalPlan && inexact === null) {
    const { clip: moved, finite } = retargetKeys(setup, clip, plan);
    return { moved, core: 'keys', frames, reason: '', finite, mended: [], rootMotion: null, contacts: null };
  }
  if (keys === 'auto' && !goalPlan && products) {
    const kept = retargetKeys(setup, clip, plan);
    const rest = retargetProducts(setup, clip, products, kept.clip.tracks);
    for (const track of rest.tracks) kept.clip.tracks.push(track);
    return {
      moved: kept.clip,
      core: 'frames',
      frames: rest.frames,
      reason: inexact ?? '',
      finite: kept.finite && rest.finite,
      mended: [],
      rootMotion: null,
      contacts: null,
    };
  }
  const held = goalPlan ? 'feet and hands are held frame by frame' : '';
  if (keys === 'keep')
    throw new UsageError(`keys of "${clip.name}" cannot be kept exactly: ${inexact ?? held}`);
  const ofClip: Setup = { ...setup, goalPlan, goals: goalPlan && setup.goals };
  ofClip.feetPlan = planFeetPlacing(ofClip, clip, passes);
  ofClip.lookPlan = planLook(ofClip, clip, passes);
  // Joints that take over one turn each keep their keys beside those that cannot.
  const kept = keys === 'auto' && !goalPlan ? retargetKeys(setup, clip, plan) : null;
  if (kept) ofClip.keyed = new Set(plan.turns.map(({ target }) => target));
  const baked = retargetFrames(ofClip, clip, kept ? left : passes, {
    // A bake that was merely asked for may be exact key by key: then nothing needs refining.
    refine: inexact !== null,
    ...(options.frameRate !== undefined && { frameRate: options.frameRate }),
    ...(onPart && { onFrame: (k: number, n: number) => onPart(k / n) }),
  });
  const reason = keys === 'bake' ? 'a bake was asked for' : (inexact ?? held);
  const { clip: moved, frames: count, rootMotion = null } = baked;
  if (kept) moved.tracks = [...kept.clip.tracks, ...moved.tracks];
  const finite = baked.finite && (kept?.finite ?? true);
  const contacts = goalPlan?.contacts ?? null;
  const mended = [...baked.mended];
  return { moved, core: 'frames', frames: count, reason, finite, mended, rootMotion, contacts };
}

/** A clip without keys that are no numbers, and with turns for those that are none. */
function withoutBrokenKeys(original: Clip, names: readonly string[], warnings: Warning[]): Clip {
  const { clip: finite, dropped } = finiteClip(original);
  const { clip, joints } = turnsOnly(finite);
  if (joints.length > 0)
    warnings.push({
      code: 'turn-not-unit',
      joint: names[joints[0]!] ?? '',
      message: `"${clip.name}" turns "${names[joints[0]!] ?? ''}"${joints.length > 1 ? ` and ${joints.length - 1} more` : ''} by quaternions whose length is not 1; they were scaled to it`,
    });
  const broken = !(clip.duration >= 0 && clip.duration < Number.POSITIVE_INFINITY);
  if (finite === original && !broken) return clip;
  warnings.push({
    code: 'value-not-finite',
    message: `"${clip.name}" holds numbers that are not finite; ${dropped === 0 ? 'they were replaced' : `${dropped} key${dropped > 1 ? 's were' : ' was'} left out`}`,
  });
  return broken ? { ...clip, duration: durationOf(clip) } : clip;
}

function mendedWarning(clip: string, mended: readonly number[], names: readonly string[]): Warning {
  const joints = [...new Set(mended)];
  const first = names[joints[0]!] ?? '';
  const others = joints.length > 1 ? ` and ${joints.length - 1} more` : '';
  return {
    code: 'result-mended',
    joint: first,
    message: `"${clip}" would have held no turn or no place for "${first}"${others} at times; neighbouring keys stand in`,
  };
}

/** Whether a clip has a key for some joint that drives another, or stands above one. */
function movesMapped(setup: Setup, clip: Clip): boolean {
  const { mapped } = factsOfSetup(setup);
  return clip.tracks.some(({ joint, times }) => times.length > 0 && mapped.has(joint));
}

function chooseClips(available: readonly Clip[], names: readonly string[] | undefined): Clip[] {
  if (!names) return [...available];
  return names.map((name) => {
    const clip = available.find((candidate) => candidate.name === name);
    if (!clip)
      throw new UsageError(
        `there is no clip "${name}"; there are ${available.map((c) => `"${c.name}"`).join(', ')}`,
      );
    return clip;
  });
}

/** The report so far. The setup is not the caller's to change: what it tells is copied. */
function reportOf({ setup, source, target, warnings }: ReturnType<typeof setUpKnown>): Report {
  const side = ({ rig: { reference, space }, words }: KnownRig) => ({
    reference: {
      kind: reference.kind,
      reason: words.reference.reason,
      ...(words.reference.frame && { frame: { ...words.reference.frame } }),
    },
    space: copyData(space),
  });
  return {
    map: copyData(setup.map),
    source: side(source),
    target: side(target),
    alignment: copyData(setup.alignment.limbs),
    rootScales: copyData(setup.rootScales),
    clips: [],
    measures: [],
    warnings,
  };
}

/** Whether clips can be taken over whole: one skeleton, one reference, and nothing asked for that changes them. */
function canCopy(
  { asked, source, target, rootScales, rootMotion, ground, map }: Setup,
  clip: Clip,
  { mapIsTold }: ClipOptions,
): boolean {
  if (asked || rootMotion !== 'keep' || ground || !isSameSkeleton(source.skeleton, target.skeleton))
    return false;
  if (Math.abs(rootScales.horizontal - 1) > 1e-6 || Math.abs(rootScales.vertical - 1) > 1e-6) return false;
  if (
    !map.joints.every(
      (pair) => pair.sources.length > 0 && pair.sources[pair.sources.length - 1] === pair.target,
    )
  )
    return false;
  const mapped = new Set(map.joints.map((pair) => pair.target));
  if (mapIsTold && !clip.tracks.every(({ joint }) => mapped.has(joint))) return false;
  const a = source.reference.pose.rotations;
  const b = target.reference.pose.rotations;
  for (let i = 0; i < a.length; i += 4) if (quaternionAngle(a, i, b, i) > 1e-6) return false;
  return true;
}

/** Tracks that never change become two keys, which hold the value over the whole clip. */
function dropStillTracks(setup: Setup, clip: Clip): void {
  const ends = clip.duration > 0 ? Float32Array.of(0, clip.duration) : Float32Array.of(0);
  clip.tracks = clip.tracks.filter((track) => {
    if (!isStill(track)) return true;
    const { joint, channel, interpolation, values } = track;
    const size = channelSize(channel);
    const first = interpolation === 'cubic' ? size : 0;
    if (values.length < first + size) return false;
    if (isValueOf(channelOf(setup.target.skeleton.rest, channel), size * joint, values, first, size))
      return false;
    track.interpolation = 'linear';
    track.times = ends;
    track.values = new Float32Array(size * ends.length);
    for (let i = 0; i < track.values.length; i++) track.values[i] = values[first + (i % size)]!;
    return true;
  });
}

/** Whether values are what a pose has at a place, but for rounding. */
function isValueOf(
  pose: Float64Array,
  at: number,
  values: Track['values'],
  first: number,
  size: number,
): boolean {
  for (let c = 0; c < size; c++) {
    const value = values[first + c]!;
    if (!(Math.abs(value - pose[at + c]!) <= 1e-7 * Math.max(1, Math.abs(value)))) return false;
  }
  return true;
}

/** A number for each channel of each joint. */
function channelKey({ joint, channel }: Pick<Track, 'joint' | 'channel'>): number {
  return 3 * joint + (channel === 'rotation' ? 0 : channel === 'translation' ? 1 : 2);
}

/**
 * Joints that nothing drives but whose aligned reference is not their rest get a key that holds the reference.
 * @param written What the passes wrote, be it still: a joint that was driven to its rest shall stay there.
 */
function holdReference(setup: Setup, clip: Clip, written: ReadonlySet<number>): void {
  const times = clip.duration > 0 ? Float32Array.of(0, clip.duration) : Float32Array.of(0);
  for (const { joint, channel, values: once } of factsOfSetup(setup).held) {
    if (written.has(channelKey({ joint, channel }))) continue;
    const values = new Float32Array(once.length * times.length);
    for (let i = 0; i < values.length; i += once.length) values.set(once, i);
    clip.tracks.push({ joint, channel, interpolation: 'linear', times, values });
  }
}

/** How many tracks moved or scaled a joint by more than a percent and show nowhere in the result. */
function countDropped(
  { travel, source, moves, scalings }: Setup,
  clip: Clip,
  passes: readonly PassName[],
): number {
  const carried = { translation: new Set<number>(), scale: new Set<number>() };
  for (let at = travel?.source ?? -1; at >= 0; at = source.skeleton.parents[at]!) carried.translation.add(at);
  if (passes.includes('moveJoints')) {
    for (const { path } of moves) for (const joint of path) carried.translation.add(joint);
    for (const { path } of scalings) for (const joint of path) carried.scale.add(joint);
  }
  return clip.tracks.filter((track) => {
    const { channel, joint, times, interpolation } = track;
    if (channel === 'rotation' || times.length === 0 || carried[channel].has(joint)) return false;
    const { values } = track;
    const still = channelOf(source.skeleton.rest, channel);
    const stride = interpolation === 'cubic' ? 9 : 3;
    const at = interpolation === 'cubic' ? 3 : 0;
    const x = still[3 * joint]!;
    const y = still[3 * joint + 1]!;
    const z = still[3 * joint + 2]!;
    // A percent of the bone: less is an exporter's rounding.
    const least = 0.01 * Math.max(1e-6, Math.abs(x), Math.abs(y), Math.abs(z));
    for (let i = at; i < values.length; i += stride)
      if (
        Math.abs(values[i]! - x) > least ||
        Math.abs(values[i + 1]! - y) > least ||
        Math.abs(values[i + 2]! - z) > least
      )
        return true;
    return false;
  }).length;
}

function channelOf(pose: Pose, channel: Channel): Float64Array {
  return channel === 'rotation'
    ? pose.rotations
    : channel === 'translation'
      ? pose.translations
      : pose.scales;
}

/** A clip that keeps a gaze, and turns the target's eyes by it where nothing else does. */
function withGaze(clip: Clip, gaze: GazeTrack, target: Rig): Clip {
  const turned = new Set(clip.tracks.map(({ joint, channel }) => (channel === 'rotation' ? joint : -1)));
  const eyes = gazeToEyes(target.skeleton, target.reference.pose, target.joints, gaze);
  return { ...clip, tracks: [...clip.tracks, ...eyes.filter(({ joint }) => !turned.has(joint))], gaze };
}
