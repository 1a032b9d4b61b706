import { UsageError } from '../base/errors.js';
import type { Warning } from '../base/warnings.js';
import { finiteClip, isPlainlyBroken } from '../clips/edit-clip.js';
import { ownKeys, ownTimes } from '../clips/own-keys.js';
import { mendClip, turnsOnly } from '../clips/sound-turns.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import type { ConstraintResult } from '../edits/constraints/constraint-report.js';
import { isPlannable, LONGEST_PLANNED } from '../goals/plan/plan-goals.js';
import type { Contact } from '../options/contact.js';
import { followSkin } from '../passes/follow-skin.js';
import { placeGoals } from '../passes/goals/place-goals.js';
import { solveLimbs } from '../passes/goals/solve-limbs.js';
import type { RootMotionTrack } from '../passes/parts/read-travel.js';
import type { ClipOptions } from '../passes/parts/told-options.js';
import { type ClipPart, type ClipPlan, compiledOf, type Setup, withoutPasses } from '../passes/pass.js';
import { PASS_NAMES, type PassName } from '../passes/pipeline.js';
import { spreadTwist } from '../passes/spread-twist.js';
import { type Clip, durationOf, type Track } from '../scene/clip.js';
import { isSameSkeleton } from '../scene/skeleton.js';
import { isStill } from '../scene/still-track.js';
import { factsOfSetup } from '../setup/setup-facts.js';
import type { ClipJob, WayName } from './clip-way.js';
import { countDropped } from './count-dropped.js';
import { correctMovedLimbs, findMovedJoints, leaveOutUnmoved, standsOnNothing } from './find-moved.js';
import { channelKey, holdReference, shortenStillTracks } from './finish-tracks.js';
import { planSomeKeys, type SomeKeys } from './keys/plan-keys.js';
import { twistTracks } from './keys/twist-tracks.js';
import { planClip } from './plan/plan-clip.js';
import { channelOf } from './pose-channels.js';
import { moveClip, type Refusal } from './ways.js';

/** A clip that was moved, and how. */
export type RetargetedClip = {
  clip: Clip;
  way: WayName;
  /** Why the ways before it were not taken. */
  refusals: Refusal[];
  /** Number of frames where baked; the largest number of keys of a track where keys were kept. */
  frames: number;
  /** How far lines between frames miss at most, in radians; null where keys were kept or nobody looked. */
  missed: number | null;
  /** Why the clip was taken over whole, or why keys were not kept; empty where they were. */
  reason: string;
  rootMotion: RootMotionTrack | null;
  /** What touched what, where feet and hands were corrected. */
  contacts: readonly Contact[] | null;
  /** How each constraint came out that was for this clip; null where there were none. */
  constraints: ConstraintResult[] | null;
  warnings: Warning[];
};

/**
 * Moves one clip by the first of the ways that does not refuse. Keys that are no numbers are left out, with a warning.
 * @param contacts What touches what in the clip, where somebody has told; found where not.
 * @param part The part of a clip that this is, for what is told in that clip's times and sides.
 * @throws UsageError where keys are to be kept and cannot be; RetargetError where a bake would take more than
 * a million frames.
 */
export function retargetClip(
  given: Setup,
  original: Clip,
  options: ClipOptions = {},
  contacts: readonly Contact[] | null = null,
  part: ClipPart | null = null,
): RetargetedClip {
  if (options.frameRate !== undefined && options.keys === 'keep')
    throw new UsageError('keys are to be kept and a frame rate is given: choose one');
  const warnings: Warning[] = [];
  const passes = options.passes ?? PASS_NAMES;
  const moving = correctMovedLimbs(given, original, part);
  const setup = options.keys === 'keep' ? withoutFollowers(moving, passes, warnings) : moving;
  const touching = contacts ?? (standsOnNothing(setup) ? [] : null);
  const jobFor = (clip: Clip) => jobOf(setup, clip, { ...options, passes }, touching, part);
  const { names } = setup.source.skeleton;
  let clip = isPlainlyBroken(original) ? withoutBrokenKeys(original, names, warnings) : original;
  let job = jobFor(clip);
  let run = moveClip(job);
  if (!run.finite) {
    clip = withoutBrokenKeys(clip, names, warnings);
    job = jobFor(clip);
    run = moveClip(job);
  }
  const { way, refusals, frames, rootMotion } = run;
  if (way !== 'copy') addTwists(setup, clip, run.clip, passes, options.keys === 'keep' ? warnings : null);
  const reason = reasonFor(way, refusals);
  const moved = way === 'copy' ? ownKeys(run.clip, original) : ownTimes(run.clip, original);
  const { names: joints, rest } = setup.target.skeleton;
  const stillOf = ({ joint, channel }: Track, c: number) => channelOf(rest, channel)[3 * joint + c]!;
  const mended = [...run.mended, ...mendClip(moved, stillOf, way === 'copy')];
  if (mended.length > 0) warnings.push(mendedWarning(clip.name, mended, joints));
  if (way !== 'copy') {
    const isWhole = options.wholeBody === true;
    const joints = findMovedJoints(setup, clip);
    if (!isWhole) leaveOutUnmoved(setup, joints, moved, way === 'frames' ? job.plan() : null);
    const holds = factsOfSetup(setup).held.length > 0;
    const written = new Set(holds ? moved.tracks.map(channelKey) : []);
    shortenStillTracks(setup, moved, joints);
    const { placed = [] } = setup.target.reference;
    if (holds)
      holdReference(setup, moved, written, isWhole ? null : new Set([...joints.carriers, ...placed]));
    warnings.push(...warningsOf(setup, clip, passes));
  }
  const { contacts: touched, constraints } = run;
  const told = new Set(setup.warnings.map(({ message }) => message));
  warnings.push(...(constraints?.warnings ?? []).filter(({ message }) => !told.has(message)));
  return {
    ...{ clip: moved, way, refusals, frames, reason, rootMotion, contacts: touched, warnings },
    constraints: constraints?.results ?? null,
    missed: run.missed ?? null,
  };
}

/**
 * A setup for keys that are to be kept: where a follower is placed is no line between two keys, so that none is carried
 * along, and a warning names those that stay.
 */
function withoutFollowers(setup: Setup, passes: readonly PassName[], warnings: Warning[]): Setup {
  const followers = passes.includes(followSkin.name) ? compiledOf(setup, followSkin)?.followers : undefined;
  if (!followers || isSameSkeleton(setup.source.skeleton, setup.target.skeleton)) return setup;
  const listed = listNames(followers.map(({ joint }) => setup.target.skeleton.names[joint]!));
  warnings.push({
    code: 'skin-left-behind',
    pass: followSkin.name,
    joint: setup.target.skeleton.names[followers[0]!.joint]!,
    message: `keys are kept, which cannot carry along what is skinned beside the mapped body: ${listed} stay${followers.length > 1 ? '' : 's'} behind`,
  });
  return withoutPasses(setup, [followSkin]);
}

/**
 * Adds tracks for twist joints beside keys that were moved as they are.
 * @param kept Takes a warning that names those that turn, where all keys are to be kept: none of them would be exact.
 */
function addTwists(
  setup: Setup,
  clip: Clip,
  moved: Clip,
  passes: readonly PassName[],
  kept: Warning[] | null,
): void {
  const tracks = twistTracks(setup, clip, moved, passes);
  const turning = kept ? tracks.filter((track) => !isStill(track)) : [];
  for (const track of tracks) if (!turning.includes(track)) moved.tracks.push(track);
  if (turning.length === 0) return;
  const { names } = setup.target.skeleton;
  kept!.push({
    code: 'twist-left-out',
    pass: spreadTwist.name,
    joint: names[turning[0]!.joint]!,
    message: `keys are kept, which cannot share the twist of limbs: ${listNames(turning.map(({ joint }) => names[joint]!))} stay${turning.length > 1 ? '' : 's'} still`,
  });
}

/** Names in quotes, of many the first six. */
function listNames(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length > 6
    ? `${quoted.slice(0, 6).join(', ')} and ${quoted.length - 6} more`
    : quoted.join(', ');
}

/** Why a clip went its way: why keys were not moved one by one, or need not be. */
function reasonFor(way: WayName, refusals: readonly Refusal[]): string {
  if (way === 'copy') return 'both skeletons are one';
  return way === 'keys' ? '' : (refusals.find((refusal) => refusal.way === 'keys')?.reason ?? '');
}

/** What is asked of the ways: the clip is looked at when the first of them needs to know more. */
function jobOf(
  setup: Setup,
  clip: Clip,
  {
    passes,
    keys,
    frameRate,
    between,
    measure,
    mapIsTold = false,
  }: ClipOptions & { passes: readonly PassName[] },
  contacts: readonly Contact[] | null,
  part: ClipPart | null,
): ClipJob {
  // Frames that are added between those of the clip are planned too.
  const isDenser = keys === 'refine' || between !== undefined;
  const planned = frameRate ?? (isDenser ? CONTACT_RATE : null);
  let plan: ClipPlan | null = null;
  let keyPlan: SomeKeys | null = null;
  const planOf = () => {
    plan ??= planClip(setup, clip, passes, contacts, part, planned);
    return plan;
  };
  return {
    setup,
    clip,
    passes,
    keys: frameRate === undefined ? (keys ?? 'auto') : 'bake',
    frameRate: frameRate ?? null,
    between: between === undefined ? null : (between * Math.PI) / 180,
    looksBetween: measure === true || between !== undefined,
    mapIsTold,
    plan: planOf,
    keyPlan: () => {
      keyPlan ??= planSomeKeys(setup, clip, passes, planOf());
      return keyPlan;
    },
  };
}

/** What a clip lost on its way. */
function warningsOf(setup: Setup, clip: Clip, passes: readonly PassName[]): Warning[] {
  const warnings: Warning[] = [];
  if (clip.morphs.length === 0 && !movesMapped(setup, clip))
    warnings.push({
      code: 'clip-empty',
      message: `"${clip.name}" has no keys for the joints that are mapped`,
    });
  const dropped = countDropped(setup, clip, passes);
  const channels = (count: number) =>
    `${count} translation or scale channel${count > 1 ? 's' : ''} ${count > 1 ? 'were' : 'was'} left out`;
  if (dropped.lengths > 0)
    warnings.push({
      code: 'lengths-kept',
      message: `"${clip.name}": ${channels(dropped.lengths)}, since body parts keep the target's lengths`,
    });
  if (dropped.lost > 0)
    warnings.push({
      code: 'channel-dropped',
      message: `"${clip.name}": ${channels(dropped.lost)}, since the joints have no counterpart on the target`,
    });
  const isCorrected = compiledOf(setup, placeGoals) !== null && passes.includes(solveLimbs.name);
  if (isCorrected && !isPlannable(clip)) {
    const why =
      clip.duration > LONGEST_PLANNED
        ? `; feet and hands are held in clips of up to ${LONGEST_PLANNED / 60} minutes`
        : ' and has hardly any keys; feet and hands are not held in it';
    const minutes = Math.ceil(clip.duration / 60);
    warnings.push({
      code: 'clip-too-long',
      message: `"${clip.name}" lasts ${minutes} minutes${why}: cut it with a range`,
    });
  }
  return warnings;
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
