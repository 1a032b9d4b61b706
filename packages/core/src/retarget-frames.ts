import { analyseTravel } from './analyse-travel.js';
import { bakeTimes } from './bake-times.js';
import { findBendingBones } from './bending-bones.js';
import { type Channel, type Clip, sampleTrack, type Track } from './clip.js';
import { isFiniteStore } from './edit-clip.js';
import { createGoals } from './goals/goals.js';
import { channelsOfClip } from './joint-channels.js';
import { frameTimes } from './motion.js';
import { rootAbove } from './passes/extract-root.js';
import { PASSES, type PassName, type Step } from './pipeline.js';
import { copyPose, createModelPose, localToModel, rotationOfMatrix } from './pose.js';
import { normalizeQuaternion, quaternionAngle, slerpQuaternions } from './quaternion.js';
import { type RootMotionTrack, rootMotionTrack } from './read-travel.js';
import { driverOf } from './rig-map.js';
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
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  options: BakeOptions = {},
): { clip: Clip; frames: number; finite: boolean; rootMotion?: RootMotionTrack } {
  let times =
    options.frameRate === undefined
      ? bakeTimes(clip, mattersTo(setup))
      : frameTimes(clip.duration, options.frameRate, clip.name);
  let { tracks, finite, travelPath } = bake(setup, clip, passes, times, options.onFrame);
  if (options.refine && options.frameRate === undefined) {
    const finer = refineTimes(setup, clip, passes, times, tracks);
    if (finer.length > times.length) {
      times = finer;
      ({ tracks, finite, travelPath } = bake(setup, clip, passes, times, options.onFrame));
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
    bending: findBendingBones(setup, clip),
    travelPath:
      setup.rootMotion !== 'keep' && passes.includes('extractRoot')
        ? analyseTravel(setup, clip, times)
        : null,
  };
}

/** The loops of the passes that have anything to do: one that takes no frame has not. */
export function prepareSteps(setup: Setup, passes: readonly PassName[]): Step[] {
  return PASSES.filter(({ name }) => passes.includes(name))
    .map((pass) => pass.prepare(setup))
    .filter((step) => step.length > 0);
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
  const sampler = createSampler(clip, times);
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

/** Frames whose local rotations lie behind one another in two flat stores, so that tracks go in and out in one stride. */
type Block = { frames: Frame[]; sources: Float64Array; targets: Float64Array };

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
 * Adds times between frames where interpolating the baked locals misses what the passes would give half
 * way. The miss shrinks with the square of the step, so n parts suffice for a miss of MISS · n².
 */
function refineTimes(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  times: Float32Array,
  tracks: readonly Track[],
): Float32Array {
  const { skeleton } = setup.target;
  const middles = Float32Array.from(
    { length: Math.max(0, times.length - 1) },
    (_, k) => (times[k]! + times[k + 1]!) / 2,
  );
  const steps = prepareSteps(setupOfClip(setup, clip, passes, middles), passes);
  const block = createBlock(setup, 1);
  const frame = block.frames[0]!;
  const sampler = createSampler(clip, middles);
  const pose = copyPose(setup.alignment.pose);
  const model = createModelPose(skeleton.names.length);
  const wanted = createModelPose(skeleton.names.length);
  const turned = tracks.filter(({ channel }) => channel === 'rotation');
  const finer: number[] = [];
  for (let k = 0; k < middles.length; k++) {
    finer.push(times[k]!);
    frame.index = k;
    frame.time = middles[k]!;
    sampleFrames(sampler, block, k, 1);
    for (const step of steps) step(frame);
    for (const { joint, values } of turned)
      slerpQuaternions(pose.rotations, 4 * joint, values, 4 * k, values, 4 * k + 4, 0.5);
    localToModel(model, skeleton, pose);
    localToModel(wanted, skeleton, frame.target);
    let miss = 0;
    for (const { target } of setup.map.joints)
      miss = Math.max(miss, quaternionAngle(model.rotations, 4 * target, wanted.rotations, 4 * target));
    const parts = Math.min(MOST_INSERTED + 1, Math.ceil(Math.sqrt(miss / MISS)));
    for (let n = 1; n < parts; n++) finer.push(times[k]! + ((times[k + 1]! - times[k]!) * n) / parts);
  }
  if (times.length > 0) finer.push(times[times.length - 1]!);
  return Float32Array.from(finer);
}

/** How a clip's tracks are read at given times. */
type Sampler = {
  times: Float32Array;
  /** Rotation tracks whose keys stand exactly on the frames, which is how baked files come: read without a search. */
  turns: Track[];
  /** Other tracks whose keys stand on the frames. */
  moves: Track[];
  /** Tracks whose keys must be searched, with the key found last. */
  searched: Track[];
  hints: Int32Array;
  /** Whether every rotation met so far was made of numbers. */
  finite: boolean;
};

function createSampler(clip: Clip, times: Float32Array): Sampler {
  const aligned = new Map<Track['times'], boolean>();
  const onFrames = (track: Track): boolean => {
    if (track.interpolation === 'cubic') return false;
    let known = aligned.get(track.times);
    if (known === undefined) {
      known = sameTimes(track.times, times);
      aligned.set(track.times, known);
    }
    return known;
  };
  const tracks = clip.tracks.filter((track) => track.times.length > 0);
  const searched = tracks.filter((track) => !onFrames(track));
  return {
    times,
    turns: tracks.filter((track) => track.channel === 'rotation' && onFrames(track)),
    moves: tracks.filter((track) => track.channel !== 'rotation' && onFrames(track)),
    searched,
    hints: new Int32Array(searched.length),
    finite: searched.every(({ channel, values }) => channel !== 'rotation' || isFiniteStore(values)),
  };
}

function sameTimes(keys: Track['times'], times: Float32Array): boolean {
  if (keys.length !== times.length) return false;
  // A tenth of a microsecond is below a float32's step at a second.
  for (let k = 0; k < times.length; k++)
    if (!(Math.abs(keys[k]! - times[k]!) <= 1e-7 + 1e-6 * times[k]!)) return false;
  return true;
}

/** Writes the clip's poses from frame `from` on into the sources of `count` frames. */
function sampleFrames(sampler: Sampler, { frames, sources }: Block, from: number, count: number): void {
  const { times, turns, moves, searched, hints } = sampler;
  const stride = sources.length / frames.length;
  for (let n = 0; n < turns.length; n++) {
    const { values, joint } = turns[n]!;
    let o = 4 * joint;
    let at = 4 * from;
    for (let b = 0; b < count; b++) {
      const x = values[at]!;
      const y = values[at + 1]!;
      const z = values[at + 2]!;
      const w = values[at + 3]!;
      sources[o] = x;
      sources[o + 1] = y;
      sources[o + 2] = z;
      sources[o + 3] = w;
      // Files hold unit quaternions to a float32's rounding; only those that do not are scaled.
      const square = x * x + y * y + z * z + w * w;
      if (!(Math.abs(square - 1) < 1e-6)) {
        if (!Number.isFinite(square)) sampler.finite = false;
        normalizeQuaternion(sources, o, sources, o);
      }
      at += 4;
      o += stride;
    }
  }
  for (let n = 0; n < moves.length; n++) {
    const { values, joint, channel } = moves[n]!;
    for (let b = 0; b < count; b++) {
      const { translations, scales } = frames[b]!.source;
      const out = channel === 'translation' ? translations : scales;
      for (let c = 0; c < 3; c++) out[3 * joint + c] = values[3 * (from + b) + c]!;
    }
  }
  for (let n = 0; n < searched.length; n++) {
    const track = searched[n]!;
    const { channel, joint } = track;
    for (let b = 0; b < count; b++) {
      const { rotations, translations, scales } = frames[b]!.source;
      const out = channel === 'rotation' ? rotations : channel === 'translation' ? translations : scales;
      hints[n] = sampleTrack(
        out,
        joint * (channel === 'rotation' ? 4 : 3),
        track,
        times[from + b]!,
        hints[n]!,
      );
    }
  }
}

/** The target's channels that the passes write. */
type Recorder = {
  turned: Int32Array;
  turns: Float32Array[];
  moved: Int32Array;
  moves: Float32Array[];
  scaled: Int32Array;
  scales: Float32Array[];
};

function createRecorder(setup: Setup, passes: readonly PassName[], count: number): Recorder {
  const { map, travel, alignment, target } = setup;
  const copies = passes.includes('copyRotations');
  const turned = new Set<number>(copies ? map.joints.map((pair) => pair.target) : []);
  const moved = new Set<number>(copies ? alignment.placed.map(({ joint }) => joint) : []);
  if (travel && (passes.includes('moveRoot') || (setup.ground && passes.includes('matchGround'))))
    moved.add(travel.target);
  if (travel && passes.includes('extractRoot') && setup.rootMotion === 'extract') {
    const root = rootAbove(target.skeleton, travel.target);
    if (root >= 0) {
      turned.add(root);
      moved.add(root);
    }
  }
  const joins = passes.includes('moveJoints');
  for (const { target: joint } of joins ? setup.moves : []) moved.add(joint);
  const scaled = new Set<number>(joins ? setup.scalings.map(({ target: joint }) => joint) : []);
  const sorted = (joints: Set<number>) => Int32Array.from([...joints].sort((a, b) => a - b));
  return {
    turned: sorted(turned),
    turns: allocate(turned.size, 4 * count),
    moved: sorted(moved),
    moves: allocate(moved.size, 3 * count),
    scaled: sorted(scaled),
    scales: allocate(scaled.size, 3 * count),
  };
}

/** Tracks of equal length in one piece of memory: one allocation is cheaper than many. */
function allocate(tracks: number, length: number): Float32Array[] {
  // Tracks that begin a multiple of 4 KiB apart would fight for the same places in the cache.
  const stride = length % 1024 < 16 ? length + 16 : length;
  const all = new Float32Array(tracks * stride);
  return Array.from({ length: tracks }, (_, n) => all.subarray(n * stride, n * stride + length));
}

/** Stores the targets of `count` frames from frame `from` on; each rotation in the hemisphere of the one before. */
function recordFrames(recorder: Recorder, { frames, targets }: Block, from: number, count: number): void {
  const { turned, turns, moved, moves, scaled, scales } = recorder;
  const stride = targets.length / frames.length;
  for (let n = 0; n < turned.length; n++) {
    const values = turns[n]!;
    let i = 4 * turned[n]!;
    let at = 4 * from;
    let px = from > 0 ? values[at - 4]! : 0;
    let py = from > 0 ? values[at - 3]! : 0;
    let pz = from > 0 ? values[at - 2]! : 0;
    let pw = from > 0 ? values[at - 1]! : 0;
    // The sign turns where neighbours as computed lie apart: the dot products need not wait for each other.
    let sign = 1;
    for (let b = 0; b < count; b++) {
      const x = targets[i]!;
      const y = targets[i + 1]!;
      const z = targets[i + 2]!;
      const w = targets[i + 3]!;
      if (x * px + y * py + z * pz + w * pw < 0) sign = -sign;
      px = x;
      py = y;
      pz = z;
      pw = w;
      values[at] = sign * x;
      values[at + 1] = sign * y;
      values[at + 2] = sign * z;
      values[at + 3] = sign * w;
      at += 4;
      i += stride;
    }
  }
  for (let n = 0; n < moved.length + scaled.length; n++) {
    const isMove = n < moved.length;
    const values = isMove ? moves[n]! : scales[n - moved.length]!;
    const i = 3 * (isMove ? moved[n]! : scaled[n - moved.length]!);
    for (let b = 0; b < count; b++) {
      const { target } = frames[b]!;
      const store = isMove ? target.translations : target.scales;
      for (let c = 0; c < 3; c++) values[3 * (from + b) + c] = store[i + c]!;
    }
  }
}

function tracksOf(recorder: Recorder, times: Float32Array): Track[] {
  const { turned, turns, moved, moves, scaled, scales } = recorder;
  const track =
    (channel: Channel, joints: Int32Array) =>
    (values: Float32Array, n: number): Track => ({
      joint: joints[n]!,
      channel,
      interpolation: 'linear',
      times,
      values,
    });
  return [
    ...turns.map(track('rotation', turned)),
    ...moves.map(track('translation', moved)),
    ...scales.map(track('scale', scaled)),
  ];
}
