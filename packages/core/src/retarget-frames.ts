import { analyseTravel } from './analyse-travel.js';
import { bakeTimes, CORRECTED_FILL_RATE } from './bake-times.js';
import { findBendingBones } from './bending-bones.js';
import type { Clip, Track } from './clip.js';
import { carrierOf, drivingJoints } from './driver-constants.js';
import { findSuspects, type Suspects } from './find-suspects.js';
import { createGoals } from './goals/goals.js';
import { channelsOfClip } from './joint-channels.js';
import { frameTimes } from './motion.js';
import { PASSES, type PassName, type Step } from './pipeline.js';
import { copyPose, withContainer } from './pose.js';
import { type RootMotionTrack, rootMotionTrack } from './read-travel.js';
import { createRecorder, type Recorder, recordFrames, tracksOf } from './record-frames.js';
import {
  type Baked,
  findTimesBetween,
  joinBetween,
  MOST_MISS,
  mergeTimes,
  mergeTracks,
  thinTracks,
  timesToBake,
} from './refine-frames.js';
import { restoreJoints } from './rewritten-joints.js';
import {
  type Block,
  createSampler,
  middleTime,
  type Sampler,
  sampleFrames,
  sampleStill,
} from './sample-frames.js';
import type { Frame, Setup } from './setup.js';
import { didWork } from './watch-work.js';

/** Room for one instant on its way through the passes: source at rest, target in its aligned reference. */
export function createFrame(setup: Setup): Frame {
  return {
    index: 0,
    source: copyPose(setup.source.skeleton.rest),
    sourceModelRotations: withContainer(setup.source.skeleton, setup.sourceReference.rotations),
    target: copyPose(setup.alignment.pose),
    targetModelRotations: withContainer(setup.target.skeleton, setup.alignment.model.rotations),
    travel: new Float64Array(3),
    rootMotion: new Float64Array(3),
    time: 0,
    seconds: 0,
    goals:
      setup.goals &&
      createGoals(setup.goals, setup.source.skeleton.names.length, setup.target.skeleton.names.length),
  };
}

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
  given: Setup,
  clip: Clip,
  passes: readonly PassName[],
  options: BakeOptions = {},
): { clip: Clip; frames: number; finite: boolean; mended: readonly number[]; rootMotion?: RootMotionTrack } {
  const setup: Setup = { ...given, bending: given.bending ?? findBendingBones(given, clip) };
  const driving = sourcesOf(setup, passes);
  const first =
    options.frameRate === undefined
      ? bakeTimes(clip, (joint) => driving.has(joint), setup.goalPlan ? CORRECTED_FILL_RATE : undefined)
      : frameTimes(clip.duration, options.frameRate, clip.name);
  const job: Job = { setup, clip, passes, tracks: tracksToRead(setup, clip, passes, driving) };
  const baked = bake(job, first, options.onFrame);
  const refined =
    options.refine && options.frameRate === undefined && baked.finite
      ? refine(job, baked, options.onFrame)
      : null;
  const { tracks, finite, mended, travelPath, times } = refined ?? { ...baked, times: first };
  return {
    clip: { name: clip.name, duration: clip.duration, tracks, morphs: [] },
    frames: times.length,
    finite,
    mended,
    ...(setup.rootMotion === 'apart' &&
      travelPath &&
      setup.rootMotionFrom && {
        rootMotion: rootMotionTrack(travelPath, times, setup.rootMotionFrom.centre),
      }),
  };
}

/** The source joints that frames depend on: all that drive, but for those whose turns are moved key by key. */
function sourcesOf(setup: Setup, passes: readonly PassName[]): Set<number> {
  const { map, keyed } = setup;
  if (!keyed || passes.includes('moveJoints')) return drivingJoints(setup);
  const byTarget = new Map(map.joints.map((pair) => [pair.target, pair]));
  const joints = map.joints.flatMap((pair) => {
    if (keyed.has(pair.target)) return [];
    const carrier = carrierOf(setup, byTarget, pair.target);
    return carrier ? [pair, carrier] : [pair];
  });
  const travel = passes.includes('moveRoot') ? setup.travel : null;
  return drivingJoints({ ...setup, map: { ...map, joints }, travel });
}

/** Passes that read nothing of the source but the joints that drive, and the bones that bend. */
const LEAN: ReadonlySet<PassName> = new Set(['copyRotations', 'moveJoints', 'moveRoot', 'extractRoot']);

/** The tracks that are read at all: fingers that drive nothing are half of many files. */
function tracksToRead(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  driving: ReadonlySet<number>,
): Track[] {
  if (setup.pointed.length > 0 || !onlyRun(LEAN, setup, passes)) return clip.tracks;
  const bending = (setup.bending ?? []).flatMap(({ start, toEnd, toDriver }) => [
    start,
    ...toEnd,
    ...toDriver,
  ]);
  const read = new Set([...driving, ...bending]);
  return clip.tracks.filter(({ joint }) => read.has(joint));
}

/** What is baked, and which of its tracks are read for it. */
type Job = { setup: Setup; clip: Clip; passes: readonly PassName[]; tracks: readonly Track[] };

/** Bakes again between frames, where lines between keys would miss; null where none does. */
function refine(
  job: Job,
  baked: FrameBake,
  onFrame: BakeOptions['onFrame'],
): (Pick<FrameBake, 'tracks' | 'finite' | 'mended' | 'travelPath'> & { times: Float32Array }) | null {
  const { setup, clip, passes } = job;
  const { times } = baked.sampler;
  const isPlain = onlyRun(PLAIN, setup, passes);
  const suspects = findSuspects(setup, baked.sampler, baked.tracks, isPlain, MOST_MISS);
  if (suspects.intervals.length === 0) return null;
  // Where each frame stands for itself the new ones are baked alone; a path or a plan is of all frames.
  if (isPlain) return refinePlainly(job, baked, suspects);
  const middles = Float32Array.from(suspects.intervals, (k) => middleTime(times, k));
  const steps = prepareSteps(setupOfClip(setup, clip, passes, middles), passes);
  const { times: inserted } = findTimesBetween(setup, baked, suspects, steps, null);
  if (inserted.length === 0) return null;
  const merged = mergeTimes(times, inserted);
  const all = bake(job, merged.times, onFrame);
  return { ...all, tracks: thinTracks(all.tracks, times, merged), times: merged.times };
}

/** Bakes between frames where each stands for itself. */
function refinePlainly(job: Job, baked: FrameBake, suspects: Suspects): ReturnType<typeof refine> {
  const { setup, passes } = job;
  // Only turns are compared: what else is done to a frame waits until it is needed.
  const before = restoreJoints(setup, passes) ? 1 : 0;
  const turning = passes.includes('copyRotations') ? before + 1 : baked.steps.length;
  const recorder = createRecorder(baked.setup, passes, suspects.intervals.length);
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

/** A setup with all that is known of the clip at hand. */
function setupOfClip(setup: Setup, clip: Clip, passes: readonly PassName[], times: Float32Array): Setup {
  return {
    ...setup,
    ...channelsOfClip(setup, clip),
    travelPath:
      setup.rootMotion !== 'keep' && passes.includes('extractRoot')
        ? analyseTravel(setup, clip, times)
        : null,
  };
}

/** Passes that take each frame for itself, and turn joints by the source's turns alone or not at all. */
const PLAIN: ReadonlySet<PassName> = new Set(['copyRotations', 'moveJoints', 'moveRoot', 'matchGround']);

/** Whether no other passes have anything to do. */
function onlyRun(these: ReadonlySet<PassName>, setup: Setup, passes: readonly PassName[]): boolean {
  return PASSES.every(
    (pass) => !passes.includes(pass.name) || these.has(pass.name) || pass.prepare(setup).length === 0,
  );
}

/** The loops of the passes that have anything to do: one that takes no frame has not. */
export function prepareSteps(setup: Setup, passes: readonly PassName[]): Step[] {
  // What hangs elsewhere than its body part is placed when the root has moved, and not before that too.
  const isPlacedLater =
    setup.alignment.placed.length > 0 && passes.includes('moveRoot') && setup.travel && setup.rootMove;
  const before = isPlacedLater ? withoutPlacing(setup) : setup;
  const steps = PASSES.filter(({ name }) => passes.includes(name))
    .map((pass): Step => pass.prepare(BEFORE_ROOT.has(pass.name) ? before : setup))
    .filter((step) => step.length > 0);
  const restore = restoreJoints(setup, passes);
  return restore ? [restore, ...steps] : steps;
}

/** Passes that place joints, and run before `moveRoot`, which does so too. */
const BEFORE_ROOT: ReadonlySet<PassName> = new Set(['copyRotations', 'moveJoints']);

function withoutPlacing(setup: Setup): Setup {
  return { ...setup, alignment: { ...setup.alignment, placed: [] } };
}

/**
 * Frames that are read and written together. Tracks lie joint after joint and passes work frame after frame:
 * going over the tracks a few frames at a time keeps their memory in reach (a third quicker than one by one).
 */
export const BLOCK = 8;

type FrameBake = Baked & {
  setup: Setup;
  steps: Step[];
  finite: boolean;
  /** Joints whose turns were none in some frame. */
  mended: readonly number[];
  travelPath: Float64Array | null;
};

function bake(
  { setup, clip, passes, tracks: read }: Job,
  times: Float32Array,
  onFrame: BakeOptions['onFrame'],
): FrameBake {
  const ofClip = setupOfClip(setup, clip, passes, times);
  const steps = prepareSteps(ofClip, passes);
  const block = createBlock(setup, Math.min(BLOCK, times.length));
  const sampler = createSampler(read, times);
  sampleStill(sampler, block);
  const recorder = createRecorder(ofClip, passes, times.length);
  runFrames(steps, sampler, block, recorder, onFrame);
  const { finite } = sampler;
  const { travelPath } = ofClip;
  const tracks = tracksOf(recorder, times);
  const mended = [...recorder.mended];
  return { tracks, finite, mended, travelPath, sampler, block, setup: ofClip, steps };
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
  for (let from = 0; from < times.length; from += BLOCK) {
    const count = Math.min(BLOCK, times.length - from);
    sampleFrames(sampler, block, from, count);
    for (let b = 0; b < count; b++) {
      const frame = frames[b]!;
      frame.index = from + b;
      frame.time = times[from + b]!;
      for (let n = 0; n < steps.length; n++) steps[n]!(frame);
    }
    recordFrames(recorder, block, from, count);
    if (onFrame && from % 256 === 0) onFrame(from, times.length);
    didWork((count * (block.sources.length + block.targets.length)) / (4 * frames.length));
  }
}

/** Room for some frames that are read and written together. */
export function createBlock(setup: Setup, count: number): Block {
  // Model rotations are done with when a frame's passes are, so one store serves all.
  const first = createFrame(setup);
  const repeat = (rotations: Float64Array) => {
    const all = new Float64Array(count * rotations.length);
    for (let b = 0; b < count; b++) all.set(rotations, b * rotations.length);
    return all;
  };
  const sources = repeat(first.source.rotations);
  const targets = repeat(first.target.rotations);
  const part = (all: Float64Array, b: number) =>
    all.subarray((b * all.length) / count, ((b + 1) * all.length) / count);
  const frames = Array.from({ length: count }, (_, b) => ({
    ...first,
    source: { ...copyPose(first.source), rotations: part(sources, b) },
    target: { ...copyPose(first.target), rotations: part(targets, b) },
  }));
  return { frames, sources, targets };
}
