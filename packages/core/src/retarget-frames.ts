import { analyseTravel } from './analyse-travel.js';
import { bakeTimes } from './bake-times.js';
import { findBendingBones } from './bending-bones.js';
import type { Clip, Track } from './clip.js';
import { findSuspects } from './find-suspects.js';
import { createGoals } from './goals/goals.js';
import { channelsOfClip } from './joint-channels.js';
import { frameTimes } from './motion.js';
import { PASSES, type PassName, type Step } from './pipeline.js';
import { copyPose, rotationOfMatrix, signRotation } from './pose.js';
import { multiplyQuaternions, quaternionAngle, slerpQuaternions } from './quaternion.js';
import { type RootMotionTrack, rootMotionTrack } from './read-travel.js';
import { createRecorder, mergeTracks, recordFrames, tracksOf } from './record-frames.js';
import { restoreJoints } from './rewritten-joints.js';
import { driverOf } from './rig-map.js';
import { type Block, createSampler, sampleFrames } from './sample-frames.js';
import type { Frame, Setup } from './setup.js';
import type { Skeleton } from './skeleton.js';

/** How far a straight line between two frames may miss a driven joint's rotation: a quarter of what is promised. */
const MISS = (0.025 * Math.PI) / 180;
/** At most so many frames are put between two. */
const MOST_INSERTED = 15;

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

function withContainer(skeleton: Skeleton, rotations: Float64Array): Float64Array {
  const all = new Float64Array(rotations.length + 4);
  all.set(rotations);
  rotationOfMatrix(all, rotations.length, skeleton.container, 0);
  return all;
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
 * where a rotation key held something that is no number; it was taken for no turn. `rootMotion` is what was taken
 * out, where it is to be given apart.
 */
export function retargetFrames(
  given: Setup,
  clip: Clip,
  passes: readonly PassName[],
  options: BakeOptions = {},
): { clip: Clip; frames: number; finite: boolean; rootMotion?: RootMotionTrack } {
  const setup: Setup = { ...given, bending: findBendingBones(given, clip) };
  let times =
    options.frameRate === undefined
      ? bakeTimes(clip, mattersTo(setup))
      : frameTimes(clip.duration, options.frameRate, clip.name);
  let { tracks, finite, travelPath } = bake(setup, clip, passes, times, options.onFrame);
  if (options.refine && options.frameRate === undefined && finite) {
    const inserted = insertTimes(setup, clip, passes, times, tracks);
    if (inserted.length > 0) {
      const { times: all, order } = mergeTimes(times, inserted);
      // Where each frame stands for itself the new ones are baked alone; a path or a plan is of all frames.
      if (isPlain(setup, passes)) {
        const between = bake(setup, clip, passes, inserted, undefined);
        tracks = mergeTracks(tracks, between.tracks, all, order);
      } else ({ tracks, finite, travelPath } = bake(setup, clip, passes, all, options.onFrame));
      times = all;
    }
  }
  return {
    clip: { name: clip.name, duration: clip.duration, tracks, morphs: [] },
    frames: times.length,
    finite,
    ...(setup.rootMotion === 'apart' &&
      travelPath &&
      setup.rootMotionFrom && {
        rootMotion: rootMotionTrack(travelPath, times, setup.rootMotionFrom.centre),
      }),
  };
}

/** The source joints whose keys the result depends on: drivers and everything above them. */
function mattersTo({ map, source, travel }: Setup): (joint: number) => boolean {
  const marked = new Uint8Array(source.skeleton.names.length);
  const mark = (joint: number) => {
    for (let at = joint; at >= 0 && !marked[at]; at = source.skeleton.parents[at]!) marked[at] = 1;
  };
  for (const pair of map.joints) {
    mark(driverOf(pair));
    if (pair.share) mark(pair.share.from);
  }
  if (travel) mark(travel.source);
  return (joint) => marked[joint] === 1;
}

/** A setup with all that is known of the clip at hand. */
function setupOfClip(setup: Setup, clip: Clip, passes: readonly PassName[], times: Float32Array): Setup {
  return {
    ...setup,
    ...channelsOfClip(setup, clip),
    bending: setup.bending ?? findBendingBones(setup, clip),
    travelPath:
      setup.rootMotion !== 'keep' && passes.includes('extractRoot')
        ? analyseTravel(setup, clip, times)
        : null,
  };
}

/** Passes that take each frame for itself, and turn joints by the source's turns alone or not at all. */
const PLAIN: ReadonlySet<PassName> = new Set(['copyRotations', 'moveJoints', 'moveRoot', 'matchGround']);

/** Whether only plain passes have anything to do. */
function isPlain(setup: Setup, passes: readonly PassName[]): boolean {
  return PASSES.every(
    (pass) => !passes.includes(pass.name) || PLAIN.has(pass.name) || pass.prepare(setup).length === 0,
  );
}

/** The loops of the passes that have anything to do: one that takes no frame has not. */
export function prepareSteps(setup: Setup, passes: readonly PassName[]): Step[] {
  const steps = PASSES.filter(({ name }) => passes.includes(name))
    .map((pass): Step => pass.prepare(setup))
    .filter((step) => step.length > 0);
  const restore = restoreJoints(setup, passes);
  return restore ? [restore, ...steps] : steps;
}

/**
 * Frames that are read and written together. Tracks lie joint after joint and passes work frame after frame:
 * going over the tracks a few frames at a time keeps their memory in reach (a third quicker than one by one).
 */
const BLOCK = 8;

function bake(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  times: Float32Array,
  onFrame: BakeOptions['onFrame'],
): { tracks: Track[]; finite: boolean; travelPath: Float64Array | null } {
  const ofClip = setupOfClip(setup, clip, passes, times);
  const steps = prepareSteps(ofClip, passes);
  const block = createBlock(setup, Math.min(BLOCK, times.length));
  const { frames } = block;
  const sampler = createSampler(clip, times, block);
  const recorder = createRecorder(ofClip, passes, times.length);
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
  }
  return { tracks: tracksOf(recorder, times), finite: sampler.finite, travelPath: ofClip.travelPath };
}

function createBlock(setup: Setup, count: number): Block {
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

/**
 * The times to add between frames where interpolating the baked locals misses what the passes would give half
 * way. The miss shrinks with the square of the step, so n parts suffice for a miss of MISS · n². Looks only
 * where a miss is possible at all: that is nowhere in most clips, and looking costs more than the bake.
 */
function insertTimes(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  times: Float32Array,
  tracks: readonly Track[],
): Float32Array {
  const suspects = findSuspects(setup, clip, times, tracks, isPlain(setup, passes), MISS);
  const inserted: number[] = [];
  if (suspects.length === 0) return Float32Array.from(inserted);
  const middles = Float32Array.from(suspects, (k) => (times[k]! + times[k + 1]!) / 2);
  const steps = prepareSteps(setupOfClip(setup, clip, passes, middles), passes);
  const block = createBlock(setup, 1);
  const frame = block.frames[0]!;
  const sampler = createSampler(clip, middles, block);
  const { skeleton } = setup.target;
  const locals = setup.alignment.pose.rotations.slice();
  const model = withContainer(skeleton, setup.alignment.model.rotations);
  const wanted = model.slice();
  const plan = planComparison(setup);
  const turned = tracks.filter(({ channel }) => channel === 'rotation');
  for (let n = 0; n < suspects.length; n++) {
    const k = suspects[n]!;
    frame.index = n;
    frame.time = middles[n]!;
    sampleFrames(sampler, block, n, 1);
    for (let m = 0; m < steps.length; m++) steps[m]!(frame);
    for (let m = 0; m < turned.length; m++) {
      const { joint, values } = turned[m]!;
      slerpQuaternions(locals, 4 * joint, values, 4 * k, values, 4 * k + 4, 0.5);
    }
    turnInModel(model, plan, locals);
    turnInModel(wanted, plan, frame.target.rotations);
    let miss = 0;
    for (let m = 0; m < plan.places.length; m++)
      if (plan.isDriven[m]!)
        miss = Math.max(miss, quaternionAngle(model, plan.places[m]!, wanted, plan.places[m]!));
    const parts = Math.min(MOST_INSERTED + 1, Math.ceil(Math.sqrt(miss / MISS)));
    for (let part = 1; part < parts; part++) {
      const time = Math.fround(times[k]! + ((times[k + 1]! - times[k]!) * part) / parts);
      // Late in a long clip a float32 may have nothing between two times.
      if (time > (inserted.at(-1) ?? 0) && time > times[k]! && time < times[k + 1]!) inserted.push(time);
    }
  }
  return Float32Array.from(inserted);
}

/** Which target joints are turned into model space to be compared: the driven ones and all above them. */
type Comparison = {
  places: Int32Array;
  parents: Int32Array;
  isDriven: Uint8Array;
  signs: Float64Array | null;
};

function planComparison({ target, map, alignment }: Setup): Comparison {
  const { parents, names } = target.skeleton;
  const driven = new Set(map.joints.map((pair) => pair.target));
  const needed = new Set<number>();
  for (const joint of driven)
    for (let at = joint; at >= 0 && !needed.has(at); at = parents[at]!) needed.add(at);
  const joints = Int32Array.from(needed).sort();
  const signs = new Float64Array(4 * names.length);
  let isMirrored = false;
  for (let i = 0; i < names.length; i++)
    isMirrored = signRotation(signs, 4 * i, alignment.pose.scales, 3 * i) || isMirrored;
  return {
    places: joints.map((joint) => 4 * joint),
    parents: joints.map((joint) => 4 * (parents[joint]! < 0 ? names.length : parents[joint]!)),
    isDriven: Uint8Array.from(joints, (joint) => (driven.has(joint) ? 1 : 0)),
    signs: isMirrored ? signs : null,
  };
}

/** Local rotations to model space, for the joints of a plan; the container's stand behind the last joint. */
function turnInModel(out: Float64Array, { places, parents, signs }: Comparison, locals: Float64Array): void {
  for (let n = 0; n < places.length; n++) {
    const i = places[n]!;
    multiplyQuaternions(out, i, out, parents[n]!, locals, i);
    if (signs !== null) multiplyQuaternions(out, i, out, i, signs, i);
  }
}

/** All times in order, and per time the frame of the first, or −1 − the frame of those inserted. */
function mergeTimes(first: Float32Array, inserted: Float32Array): { times: Float32Array; order: Int32Array } {
  const times = new Float32Array(first.length + inserted.length);
  const order = new Int32Array(times.length);
  let next = 0;
  let at = 0;
  for (let k = 0; k < first.length; k++) {
    for (; next < inserted.length && inserted[next]! < first[k]!; next++, at++) {
      times[at] = inserted[next]!;
      order[at] = -1 - next;
    }
    times[at] = first[k]!;
    order[at++] = k;
  }
  return { times, order };
}
