import { drivingJoints } from '../../align/driver-constants.js';
import { didWork } from '../../base/watch-work.js';
import {
  bakeTimes,
  CORRECTED_FILL_RATE,
  evenTimes,
  partTimes,
  refuseSparseBake,
} from '../../clips/bake-times.js';
import { carrierOf } from '../../map/rig-map.js';
import { applyConstraints } from '../../passes/apply-constraints.js';
import { copyRotations } from '../../passes/copy-rotations.js';
import { extractRoot } from '../../passes/extract-root.js';
import { placeGoals } from '../../passes/goals/place-goals.js';
import { moveJoints } from '../../passes/move-joints.js';
import { moveRoot } from '../../passes/move-root.js';
import { type RootMotionTrack, rootMotionTrack } from '../../passes/parts/read-travel.js';
import { type ClipPlan, compiledOf, foundOf, type Pass, type Setup, type Step } from '../../passes/pass.js';
import { PASSES, type PassName } from '../../passes/pipeline.js';
import { onlyRun, prepareSteps, restoreJoints } from '../../passes/run-passes.js';
import type { Clip, Track } from '../../scene/clip.js';
import { frameTimes } from '../../scene/motion.js';
import { factsOfSetup } from '../../setup/setup-facts.js';
import { planClip, planFrames } from '../plan/plan-clip.js';
import { findSuspects, type Suspects } from './find-suspects.js';
import { createRecorder, type Recorder, recordFrames, tracksOf } from './record-frames.js';
import {
  type Baked,
  findTimesBetween,
  joinBetween,
  MOST_LOOKED,
  MOST_MISS,
  mergeTimes,
  mergeTracks,
  someOf,
  thinTracks,
  timesToBake,
} from './refine-frames.js';
import {
  BLOCK,
  type Block,
  createBlock,
  createSampler,
  middleTime,
  type Sampler,
  sampleFrames,
  sampleStill,
} from './sample-frames.js';

/** How the frame core bakes. */
export type BakeOptions = {
  /** Frames per second; where left out the clip's own keys, none skipped. */
  frameRate?: number;
  /**
   * Whether frames are added where a straight line between two would miss a joint by more than a fortieth of
   * a degree: needed where a joint takes over the turns of several, since a product of turns is no turn at
   * constant speed. Never with a frame rate.
   */
  refine?: boolean;
  /** Whether frames are at one even rate, the source's, where none is given. */
  even?: boolean;
  /** How far lines between frames may miss a turn, in radians, before twice to four times as many are baked. */
  between?: number;
  /** Whether it is to be found how far they do. */
  looksBetween?: boolean;
  /** Called now and then with the frames done and their number. */
  onFrame?: (frame: number, count: number) => void;
};

/**
 * The frame core: samples the source, runs the passes on every frame, and gives a clip of linear keys for
 * the target. Works for every map; the key core is faster and keeps keys where it is exact. `finite` is false
 * where a rotation key held something that is no number, or no turn; it was taken for no turn. `mended` are the joints
 * that the passes gave no turn in some frame, for which others stand in. `rootMotion` is what was taken
 * out, where it is to be given apart.
 */
export function retargetFrames(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  options: BakeOptions = {},
  plan: ClipPlan = planClip(setup, clip, passes),
): {
  clip: Clip;
  frames: number;
  finite: boolean;
  mended: readonly number[];
  missed: number | null;
  rootMotion?: RootMotionTrack;
} {
  const driving = sourcesOf(setup, plan, passes);
  let first = firstTimes(setup, clip, plan, driving, options);
  const job: Job = { setup, plan, clip, passes, tracks: tracksToRead(setup, plan, clip, passes, driving) };
  let baked = bake(job, first, options.onFrame);
  while (looksBack(plan, passes)) baked = bake(job, first, options.onFrame);
  const { between } = options;
  let missed =
    (between !== undefined || options.looksBetween) && !options.refine && baked.finite
      ? missBetween(job, baked)
      : null;
  // What lines miss shrinks with the square of the step.
  for (
    let parts = 2;
    between !== undefined && missed !== null && missed > between && parts <= MOST_PARTS;
    parts++
  ) {
    const times = partTimes(first, parts);
    const denser = bake(job, times, options.onFrame);
    missed = missBetween(job, denser);
    if (missed > between && parts < MOST_PARTS) continue;
    baked = denser;
    first = times;
    break;
  }
  const refined =
    options.refine && options.frameRate === undefined && baked.finite
      ? refine(job, baked, options.onFrame)
      : null;
  const { tracks, finite, mended, travelPath, times } = refined ?? { ...baked, times: first };
  const extract = compiledOf(setup, extractRoot);
  return {
    clip: { name: clip.name, duration: clip.duration, tracks, morphs: [] },
    frames: times.length,
    finite,
    mended,
    missed,
    ...(extract?.mode === 'apart' &&
      travelPath && { rootMotion: rootMotionTrack(travelPath, times, extract.from.centre) }),
  };
}

/** Whether a pass has seen in the frames what asks for baking them once more. */
function looksBack(plan: ClipPlan, passes: readonly PassName[]): boolean {
  let again = false;
  for (const pass of PASSES as readonly Pass[]) {
    const found = passes.includes(pass.name as PassName) ? foundOf(plan, pass) : null;
    if (found !== null && pass.lookBack?.(found)) again = true;
  }
  return again;
}

/** At most so many times as many frames as the source has are baked for lines that miss. */
const MOST_PARTS = 4;

function firstTimes(
  setup: Setup,
  clip: Clip,
  plan: ClipPlan,
  driving: ReadonlySet<number>,
  { frameRate, even }: BakeOptions,
): Float32Array {
  const isConstrained = foundOf(plan, applyConstraints) !== null;
  if (frameRate !== undefined) {
    refuseSparseBake(clip, frameRate, isConstrained);
    return frameTimes(clip.duration, frameRate, clip.name);
  }
  const isCorrected = foundOf(plan, placeGoals) !== null || isConstrained;
  if (!even)
    return bakeTimes(clip, (joint) => driving.has(joint), isCorrected ? CORRECTED_FILL_RATE : undefined);
  const { mapped } = factsOfSetup(setup);
  return evenTimes(clip, (joint) => mapped.has(joint), isCorrected, isConstrained);
}

/** How far lines between frames miss at most what the passes give half way, in radians, of some intervals of a bake. */
function missBetween({ setup, plan, clip, passes }: Job, baked: FrameBake): number {
  const { times } = baked.sampler;
  const isPlain = onlyRun(({ standsAlone }) => standsAlone === true, setup, plan, passes);
  const all = findSuspects(setup, plan, baked.sampler, baked.tracks, isPlain, MOST_MISS);
  const suspects = { ...all, intervals: someOf(all.intervals, MOST_LOOKED) };
  if (suspects.intervals.length === 0) return 0;
  const middles = Float32Array.from(suspects.intervals, (k) => middleTime(times, k));
  const steps = prepareSteps(setup, planFrames(setup, plan, clip, passes, middles), passes);
  return findTimesBetween(setup, baked, suspects, steps, null).worst;
}

/** The source joints that frames depend on: all that drive, but for those whose turns are moved key by key. */
function sourcesOf(setup: Setup, { keyed }: ClipPlan, passes: readonly PassName[]): Set<number> {
  const { map } = setup;
  if (!keyed || passes.includes(moveJoints.name)) return drivingJoints(setup);
  const byTarget = new Map(map.joints.map((pair) => [pair.target, pair]));
  const joints = map.joints.flatMap((pair) => {
    if (keyed.has(pair.target)) return [];
    const carrier = carrierOf(setup, byTarget, pair.target);
    return carrier ? [pair, carrier] : [pair];
  });
  const travel = passes.includes(moveRoot.name) ? setup.travel : null;
  return drivingJoints({ ...setup, map: { ...map, joints }, travel });
}

/** The tracks that are read at all: fingers that drive nothing are half of many files. */
function tracksToRead(
  setup: Setup,
  plan: ClipPlan,
  clip: Clip,
  passes: readonly PassName[],
  driving: ReadonlySet<number>,
): Track[] {
  const isPointing = (compiledOf(setup, copyRotations)?.pointed.length ?? 0) > 0;
  if (isPointing || !onlyRun(({ readsDrivers }) => readsDrivers === true, setup, plan, passes))
    return clip.tracks;
  const bending = (foundOf(plan, copyRotations) ?? []).flatMap(({ start, toEnd, toDriver }) => [
    start,
    ...toEnd,
    ...toDriver,
  ]);
  const read = new Set([...driving, ...bending]);
  return clip.tracks.filter(({ joint }) => read.has(joint));
}

/** What is baked, and which of its tracks are read for it. */
type Job = {
  setup: Setup;
  plan: ClipPlan;
  clip: Clip;
  passes: readonly PassName[];
  tracks: readonly Track[];
};

/** Bakes again between frames, where lines between keys would miss; null where none does. */
function refine(
  job: Job,
  baked: FrameBake,
  onFrame: BakeOptions['onFrame'],
): (Pick<FrameBake, 'tracks' | 'finite' | 'mended' | 'travelPath'> & { times: Float32Array }) | null {
  const { setup, plan, clip, passes } = job;
  const { times } = baked.sampler;
  const isPlain = onlyRun(({ standsAlone }) => standsAlone === true, setup, plan, passes);
  const suspects = findSuspects(setup, plan, baked.sampler, baked.tracks, isPlain, MOST_MISS);
  if (suspects.intervals.length === 0) return null;
  // Where each frame stands for itself the new ones are baked alone; a path or a plan is of all frames.
  if (isPlain) return refinePlainly(job, baked, suspects);
  const middles = Float32Array.from(suspects.intervals, (k) => middleTime(times, k));
  const steps = prepareSteps(setup, planFrames(setup, plan, clip, passes, middles), passes);
  const { times: inserted } = findTimesBetween(setup, baked, suspects, steps, null);
  if (inserted.length === 0) return null;
  const merged = mergeTimes(times, inserted);
  const all = bake(job, merged.times, onFrame);
  return { ...all, tracks: thinTracks(all.tracks, times, merged), times: merged.times };
}

/** Bakes between frames where each stands for itself. */
function refinePlainly(job: Job, baked: FrameBake, suspects: Suspects): ReturnType<typeof refine> {
  const { setup, plan, passes } = job;
  // Only turns are compared: what else is done to a frame waits until it is needed.
  const before = restoreJoints(setup, plan, passes) ? 1 : 0;
  const turning = passes.includes(copyRotations.name) ? before + 1 : baked.steps.length;
  const recorder = createRecorder(setup, baked.plan, passes, suspects.intervals.length);
  const between = findTimesBetween(setup, baked, suspects, baked.steps.slice(0, turning), {
    steps: baked.steps.slice(turning),
    recorder,
  });
  if (between.times.length === 0) return null;
  const left = timesToBake(between);
  const later = left.length > 0 ? bake(job, left, undefined).tracks : null;
  const second = joinBetween(tracksOf(recorder, between.times), later, between);
  const merged = mergeTimes(baked.sampler.times, between.times);
  return {
    ...baked,
    tracks: mergeTracks(baked.tracks, second, merged, suspects.joints),
    times: merged.times,
  };
}

type FrameBake = Baked & {
  plan: ClipPlan;
  steps: Step[];
  finite: boolean;
  /** Joints whose turns were none in some frame. */
  mended: readonly number[];
  travelPath: Float64Array | null;
};

function bake(
  { setup, plan: found, clip, passes, tracks: read }: Job,
  times: Float32Array,
  onFrame: BakeOptions['onFrame'],
): FrameBake {
  const plan = planFrames(setup, found, clip, passes, times);
  const steps = prepareSteps(setup, plan, passes);
  // What is made once for all frames takes as long as one of them.
  didWork(10 * setup.map.joints.length);
  const block = createBlock(setup, plan, Math.min(BLOCK, times.length));
  const sampler = createSampler(read, times);
  sampleStill(sampler, block);
  didWork(10 * setup.map.joints.length);
  const recorder = createRecorder(setup, plan, passes, times.length);
  didWork(10 * setup.map.joints.length);
  runFrames(steps, sampler, block, recorder, onFrame);
  const { finite } = sampler;
  const travelPath = foundOf(plan, extractRoot);
  didWork(10 * setup.map.joints.length);
  const tracks = tracksOf(recorder, times);
  const mended = [...recorder.mended];
  return { tracks, finite, mended, travelPath, sampler, block, plan, steps };
}

/**
 * The loop over all frames. It stands apart from what prepares it: setups of different clips are different to the
 * compiler, which threw the loop's code away with them (35 times in the first 50 clips of a bench).
 */
function runFrames(
  steps: readonly Step[],
  sampler: Sampler,
  block: Block,
  recorder: Recorder,
  onFrame: BakeOptions['onFrame'],
): void {
  const { times } = sampler;
  const { frames } = block;
  const joints = (block.sources.length + block.targets.length) / (4 * frames.length);
  for (let from = 0; from < times.length; from += BLOCK) {
    const count = Math.min(BLOCK, times.length - from);
    sampleFrames(sampler, block, from, count);
    for (let b = 0; b < count; b++) {
      const frame = frames[b]!;
      frame.index = from + b;
      frame.time = times[from + b]!;
      for (let n = 0; n < steps.length; n++) steps[n]!(frame);
      didWork(joints);
    }
    recordFrames(recorder, block, from, count);
    if (onFrame && from % 256 === 0) onFrame(from, times.length);
  }
}
