import { isSameData } from './base/copy-data.js';
import { RetargetError } from './base/errors.js';
import type { Vec3 } from './base/math/vector.js';
import { partNotes, visibleWarnings, type Warning } from './base/warnings.js';
import { watchWork } from './base/watch-work.js';
import { chooseCharacter } from './body/understand/create-rig.js';
import { finiteClip, trimClip } from './clips/edit-clip.js';
import { findCalibration } from './clips/find-calibration.js';
import { findCycle } from './clips/find-cycle.js';
import { finishClip } from './clips/finish-clip.js';
import { addGaze } from './clips/gaze.js';
import { checkMorphMap, matchMorphs } from './clips/match-morphs.js';
import { mirrorKnownScene } from './clips/mirror-scene.js';
import { ownKeys } from './clips/own-keys.js';
import { pingPong } from './clips/ping-pong.js';
import { chooseClips, prepareClip } from './clips/prepare-clip.js';
import { mendClip, soundGaze } from './clips/sound-turns.js';
import { toldContacts } from './contacts/contact-document.js';
import { travelFromFeet } from './contacts/travel-from-feet.js';
import { convertToKeys, createGeneratedLayer } from './edits/layers/generated-layer.js';
import { LONGEST_PLANNED } from './goals/plan/plan-goals.js';
import { measureClip } from './measures/measure.js';
import { createReport } from './measures/report/create-report.js';
import type { Report } from './measures/report/report.js';
import { judgeResult, judgeWarnings } from './measures/verdict/verdict.js';
import { checkRetargetOptions } from './options/check-options.js';
import type { Layer } from './options/layer.js';
import { tellsJoints } from './options/rig-map-document.js';
import { extractRoot } from './passes/extract-root.js';
import { editedBodyOf } from './passes/parts/edited-target.js';
import { type RootMotionTrack, rootMotionThereAndBack } from './passes/parts/read-travel.js';
import type { RetargetOptions } from './passes/parts/told-options.js';
import { type ClipPart, compiledOf, type Setup } from './passes/pass.js';
import { checkPasses } from './passes/pipeline.js';
import { checkScene } from './scene/check-scene.js';
import { type Clip, sampleClip } from './scene/clip.js';
import { copyPose, createPose } from './scene/pose.js';
import type { Scene } from './scene/scene.js';
import { SKINNED } from './scene/skeleton.js';
import { setUpKnown } from './setup/set-up-scenes.js';
import { retargetClip } from './ways/retarget-clip.js';

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
  // 1. Options that can be meant, scenes that are whole.
  checkRetargetOptions(options);
  checkPasses(options.passes);
  options.signal?.throwIfAborted();
  checkScene(given, 'source', (name) => options.clips === undefined || options.clips.includes(name));
  checkScene(target, 'target', () => false);

  // 2. The source as it is to be seen: in a mirror, where asked to.
  const { tell, clipCount } = watchOf(given, options);
  const tellBegun = tell && (() => tell(0, clipCount, ''));
  tellBegun?.();
  const source = options.mirror ? watchWork(tellBegun, 1, () => mirrorKnownScene(given)) : given;
  if (source.characters.length === 0 && source.otherClips?.some(({ morphs }) => morphs.length > 0))
    return retargetMorphs(source, source.otherClips, target, options);

  // 3. Both characters understood, mapped, aligned, and compiled for every pass.
  const known = watchWork(tellBegun, 1, () => setUpKnown(source, target, options));
  const { setup, targetIndex } = known;

  // 4. The clips that are to be moved.
  const available = clipsOf(source, known.sourceIndex, target, targetIndex);
  const chosen = chooseClips(available, options.clips);
  const report = createReport(known);
  const told: Warning[] = [...known.warnings];
  told.push(...warningsOfOptions(source, available, options));
  told.push(...noteOfSwap(source, known.sourceIndex, target, targetIndex));

  // 5. Each clip: trimmed and cleaned, looked at and moved, its morphs and gaze with it, finished, measured.
  const clips: Clip[] = [];
  const judged: { source: Clip; result: Clip }[] = [];
  const rootMotion: (RootMotionTrack | null)[] = [];
  chosen.forEach((original, n) => {
    /** Does what takes the clip from one share of the way to another, and tells how far it is. */
    const step = <T>(from: number, to: number, amount: number, run: () => T): T => {
      const heard =
        tell && ((part: number) => tell(n + from + (to - from) * part, chosen.length, original.name));
      heard?.(0);
      return watchWork(heard, amount, run);
    };
    const { prepared, start, end, loops } = step(0, SHARE_BEGUN, expectedWork(setup, original), () => {
      const begun = beginClip(setup, original, options, told);
      return { ...begun, prepared: prepareTravel(setup, begun.prepared, options, told) };
    });
    const part = { ...options, range: [start, Math.min(end, original.duration)] as const };
    const expected = expectedWork(setup, prepared);
    const clipOptions = {
      mapIsTold: tellsJoints(options.map),
      ...options,
      measure: options.measure !== false,
    };
    const moved = step(SHARE_BEGUN, SHARE_MOVED, 3 * expected, () =>
      retargetClip(setup, prepared, clipOptions, toldContacts(original, part), partOf(part)),
    );
    const isWhole = moved.way === 'copy' && isSameData(source.morphs, target.morphs) && !options.morphs;
    const morphs = isWhole
      ? { tracks: [...prepared.morphs], warnings: [] }
      : matchMorphs(prepared.morphs, target, original.name, options.morphs);
    told.push(...morphs.warnings);
    let clip: Clip = { ...moved.clip, morphs: morphs.tracks };
    if (prepared.gaze) clip = addGaze(clip, soundGaze(prepared.gaze), setup.target);
    // Its tracks are its own already.
    if (clip.morphs.length > 0 || clip.gaze) clip = ownKeys(clip, original);
    const { height } = setup.target.space;
    const finished = step(SHARE_MOVED, FINISHED, expected, () =>
      finishClip(setup.target.skeleton, clip, loops ? options : { ...options, loop: false }, {
        travel: travelOf(setup),
        height,
      }),
    );
    step(FINISHED, FINISHED, expected, () => mendClip(finished.clip, () => 0, false));
    clips.push(finished.clip);
    const played = options.pingPong ? pingPong(prepared) : prepared;
    judged.push({ source: played, result: finished.clip });
    rootMotion.push(
      moved.rootMotion && options.pingPong
        ? rootMotionThereAndBack(moved.rootMotion, prepared.duration)
        : moved.rootMotion,
    );
    report.clips.push({
      name: clip.name,
      duration: finished.clip.duration,
      frames: moved.frames,
      way: moved.way,
      refusals: moved.refusals,
      reason: moved.reason,
      ...(start > 0 && { start }),
      ...(moved.missed !== null && { missed: (moved.missed * 180) / Math.PI }),
      ...(finished.reduced && { reduced: finished.reduced }),
      ...(moved.contacts && { contacts: moved.contacts }),
      ...(moved.constraints && { constraints: moved.constraints }),
    });
    told.push(...moved.warnings);
    if (options.measure !== false)
      report.measures.push(
        step(FINISHED, 1, 3 * expected, () => measureClip(setup, played, finished.clip, options.wholeBody)),
      );
  });
  options.signal?.throwIfAborted();
  options.onProgress?.(chosen.length, chosen.length, '');

  // 6. Clips on the target, and how they came about.
  Object.assign(report, partNotes(visibleWarnings(told)));
  const { measures, coverage, warnings } = report;
  const facts = { setup, clips: judged, measures, coverage, warnings };
  report.verdict = watchWork(tell && (() => tell(chosen.length, chosen.length, '')), 1, () =>
    judgeResult(facts),
  );
  const isApart = options.rootMotion === 'apart';
  return { scene: target, character: targetIndex, clips, ...(isApart && { rootMotion }), report };
}

/** Frames a second that corrections of constraints are looked at. */
const CORRECTION_RATE = 60;

/**
 * What the constraints of each clip change, as layers of keys that can be edited: with them in place of the constraints
 * (which are to be muted) every joint is where it was to a thousandth of the height. Times are those of the whole clips
 * of the source, whatever part is taken.
 */
export function convertConstraints(given: Scene, target: Scene, options: RetargetOptions): Layer[] {
  const { constraints, hold, goalPlaces, rootMotion, loop, reduce, range, speed, mirror, ...rest } = options;
  const layers = options.layers?.filter(({ when }) => when !== 'after');
  const shared: RetargetOptions = {
    ...rest,
    ...(layers && { layers }),
    ...{ keys: 'bake', frameRate: CORRECTION_RATE, measure: false, keepCalibration: true },
  };
  const plain = retarget(given, target, shared);
  const edited = retarget(given, target, {
    ...shared,
    ...(constraints && { constraints }),
    ...(hold && { hold }),
    ...(goalPlaces && { goalPlaces }),
  });
  const body = editedBodyOf({ pair: setUpKnown(given, target, shared).setup });
  const [before, after] = [copyPose(body.skeleton.rest), copyPose(body.skeleton.rest)];
  return edited.clips.flatMap((clip, n): Layer[] => {
    const generated = createGeneratedLayer(body);
    const frames = Math.floor(clip.duration * CORRECTION_RATE + 1e-6);
    for (let k = 0; k <= frames; k++) {
      sampleClip(before, plain.clips[n]!, k / CORRECTION_RATE);
      sampleClip(after, clip, k / CORRECTION_RATE);
      generated.add(k / CORRECTION_RATE, before, after);
    }
    const layer = convertToKeys(body, generated);
    if (Object.keys(layer.joints ?? {}).length === 0 && !layer.hips) return [];
    return [{ ...layer, name: 'made of constraints', clip: clip.name }];
  });
}

/**
 * A clip of the source as it is to be moved: without what is there for calibration, its part, at its speed, cut to its
 * cycle where it is to loop.
 */
function beginClip(
  setup: Setup,
  original: Clip,
  options: RetargetOptions,
  told: Warning[],
): { prepared: Clip; start: number; end: number; loops: boolean } {
  const { range, speed = 1, loop = false } = options;
  const begins = options.keepCalibration ? 0 : findCalibration(setup.source, original);
  let start = Math.max(0, range?.[0] ?? 0);
  let end = range?.[1] ?? Number.POSITIVE_INFINITY;
  if (begins > start && begins < end) {
    start = begins;
    told.push({
      code: 'calibration-left-out',
      message: `"${original.name}" holds a pose for calibration until ${begins.toFixed(2)} s, which was left out; keepCalibration keeps it`,
    });
  }
  const isPart = range !== undefined || start > 0;
  const partly = (from: number, to: number) =>
    isPart || loop ? { ...options, range: [from, to] as const } : options;
  const prepared = prepareClip(
    original,
    isPart ? partly(start, end) : options,
    setup.source.reference.pose,
    told,
  );
  if (!loop || options.pingPong) return { prepared, start, end, loops: false };
  const cycle = findCycle(setup.source, prepared);
  if (!cycle) {
    told.push({
      code: 'loop-not-found',
      message: `"${original.name}" was to loop, and no two of its instants match; it was left as it is`,
    });
    return { prepared, start, end, loops: false };
  }
  if (cycle.start === 0 && cycle.end >= prepared.duration) return { prepared, start, end, loops: true };
  end = start + cycle.end * speed;
  start += cycle.start * speed;
  told.push({
    code: 'loop-cut',
    message: `"${original.name}" loops from ${start.toFixed(2)} s to ${end.toFixed(2)} s, which was taken`,
  });
  return { prepared: trimClip(prepared, cycle.start, cycle.end), start, end, loops: true };
}

/** A clip with the travel that was asked for. */
function prepareTravel(
  { source, travel }: Setup,
  clip: Clip,
  options: RetargetOptions,
  told: Warning[],
): Clip {
  if (options.travel !== 'fromFeet' || !travel) return clip;
  const found = travelFromFeet(source, clip, travel.source);
  told.push(...found.warnings);
  return found.clip;
}

/** Which part of the source's clips is moved, for what is told in their times and sides. */
function partOf({ range, speed = 1, mirror = false }: RetargetOptions): ClipPart {
  return { start: range?.[0] ?? 0, speed, mirror };
}

/** How far a clip is on its way when its part was taken, when it was moved, and when its loop was closed and its keys were reduced. */
const SHARE_BEGUN = 0.05;
const SHARE_MOVED = 0.7;
const FINISHED = 0.8;
/** Frames a second that a clip is taken to have, for how long it will take. */
const COUNTED_RATE = 60;

/** Joints times frames: what one walk over a clip takes. */
function expectedWork({ source, target }: Setup, { duration }: Clip): number {
  const joints = source.skeleton.names.length + target.skeleton.names.length;
  return joints * COUNTED_RATE * Math.min(LONGEST_PLANNED, duration);
}

/** Whom to ask whether to go on, and to tell how far work is; and how many clips there are at most. */
function watchOf(source: Scene, { signal, onProgress, clips }: RetargetOptions) {
  let furthest = 0;
  const tell = (done: number, total: number, clip: string) => {
    signal?.throwIfAborted();
    furthest = Math.max(furthest, done);
    onProgress?.(furthest, total, clip);
  };
  const most = source.characters.reduce((count, character) => Math.max(count, character.clips.length), 1);
  return { tell: signal || onProgress ? tell : null, clipCount: clips?.length ?? most };
}

/** @throws RetargetError where there are none, which says so if the two files seem to be swapped. */
function clipsOf(source: Scene, from: number, target: Scene, to: number): readonly Clip[] {
  const available = source.characters[from]!.clips;
  if (available.length > 0) return available;
  const swapped = target.characters[to]!.clips.length;
  throw new RetargetError(
    `"${source.name}" has no clips to move${swapped > 0 ? `, but "${target.name}" has ${swapped}: are the two files swapped?` : ''}`,
  );
}

/** Whether the two files seem to be swapped though both have clips: the motion is a body's, the body is bare bones. */
function noteOfSwap(source: Scene, from: number, target: Scene, to: number): Warning[] {
  const [motion, body] = [source.characters[from]!, target.characters[to]!];
  const isSkinned = ({ skeleton }: typeof body) => skeleton.flags.some((flag) => flag & SKINNED);
  if (body.clips.length === 0 || isSkinned(body) || !isSkinned(motion)) return [];
  return [
    {
      code: 'files-swapped',
      message: `"${target.name}" has clips and no skin, "${source.name}" has a skin: if the motion of "${target.name}" was meant for "${source.name}", exchange the two; the motion comes first`,
    },
  ];
}

/** What options say of clips and morphs that are not there. */
function warningsOfOptions(
  source: Scene,
  available: readonly Clip[],
  { morphs, contacts = {}, constraints = [], layers = [] }: RetargetOptions,
): Warning[] {
  const isThere = (name: string) => available.some((clip) => clip.name === name);
  const missing = Object.keys(contacts).filter((name) => !isThere(name));
  const edited = [...constraints, ...layers].flatMap(({ clip }) =>
    clip === undefined || isThere(clip) ? [] : [clip],
  );
  return [
    ...(morphs ? checkMorphMap(morphs, source, available) : []),
    ...missing.map(
      (name): Warning => ({
        code: 'option-without-effect',
        message: `contacts are told for a clip "${name}", which "${source.name}" does not have`,
      }),
    ),
    ...[...new Set(edited)].map(
      (name): Warning => ({
        code: 'constraint-ignored',
        message: `constraints or layers are for a clip "${name}", which "${source.name}" does not have`,
      }),
    ),
  ];
}

/** The joint of the target that carries the body over the ground; null where nothing travels. */
function travelOf(setup: Setup): number | null {
  const extract = compiledOf(setup, extractRoot);
  return extract && extract.root >= 0 ? extract.root : (setup.travel?.target ?? null);
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
      up: { direction: [0, 1, 0] as Vec3, confidence: 1, reason },
      facing: { direction: [0, 0, 1] as Vec3, confidence: 1, reason },
      unit: { metres: 1, confidence: 1, reason },
      height: 0,
    },
    floor: { height: 0, confidence: 1, reason },
  };
  const report: Report = {
    map: { joints: [], unmapped: { source: [], target: [] } },
    source: side,
    target: side,
    alignment: {},
    rootScales: { horizontal: 1, vertical: 1, reason },
    clips: [],
    coverage: null,
    measures: [],
    verdict: { verdict: 'good', reasons: [] },
    notes: [],
    warnings: [],
  };
  const told: Warning[] = [...source.warnings, ...target.warnings];
  if (options.morphs) told.push(...checkMorphMap(options.morphs, source, available));
  const clips = chooseClips(available, options.clips).map((original): Clip => {
    const { clip: whole } = finiteClip(original);
    const part = prepareClip({ ...whole, tracks: [] }, options, createPose(0), told);
    const clip = options.pingPong ? pingPong(part) : part;
    const { tracks, warnings } = matchMorphs(clip.morphs, target, clip.name, options.morphs);
    told.push(...warnings);
    const frames = tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
    report.clips.push({
      name: clip.name,
      duration: clip.duration,
      frames,
      way: 'keys',
      refusals: [],
      reason: '',
    });
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
  Object.assign(report, partNotes(visibleWarnings(told)));
  report.verdict = judgeWarnings(report.warnings);
  return { scene: target, character, clips, report };
}

/** The first few of some names, each once. */
function morphNames(names: readonly string[]): string {
  const different = [...new Set(names)].map((name) => `"${name}"`);
  return different.length > 6 ? `${different.slice(0, 6).join(', ')} …` : different.join(', ');
}
