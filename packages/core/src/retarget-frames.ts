import { analyseTravel } from './analyse-travel.js';
import { bakeTimes } from './bake-times.js';
import { type Clip, sampleTrack, type Track } from './clip.js';
import { frameTimes } from './motion.js';
import { rootAbove } from './passes/extract-root.js';
import { PASSES, type PassName } from './pipeline.js';
import { copyPose, createModelPose, localToModel, type Pose } from './pose.js';
import { quaternionAngle, slerpQuaternions } from './quaternion.js';
import { driverOf } from './rig-map.js';
import type { Frame, Setup } from './setup.js';

/** How far a straight line between two frames may miss a driven joint's rotation: a quarter of what is promised. */
const MISS = (0.025 * Math.PI) / 180;
/** At most so many frames are put between two. */
const MOST_INSERTED = 15;

/** Room for one instant on its way through the passes: source at rest, target in its aligned reference. */
export function createFrame(setup: Setup): Frame {
  return {
    index: 0,
    source: copyPose(setup.source.skeleton.rest),
    sourceModelRotations: new Float64Array(4 * setup.source.skeleton.names.length),
    target: copyPose(setup.alignment.pose),
    targetModelRotations: setup.alignment.model.rotations.slice(),
    travel: new Float64Array(3),
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
 * the target. Works for every map; the key core is faster and keeps keys where it is exact.
 */
export function retargetFrames(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  options: BakeOptions = {},
): { clip: Clip; frames: number } {
  let times =
    options.frameRate === undefined
      ? bakeTimes(clip, mattersTo(setup))
      : frameTimes(clip.duration, options.frameRate);
  let tracks = bake(setup, clip, passes, times, options.onFrame);
  if (options.refine && options.frameRate === undefined) {
    const finer = refineTimes(setup, clip, passes, times, tracks);
    if (finer.length > times.length) {
      times = finer;
      tracks = bake(setup, clip, passes, times, options.onFrame);
    }
  }
  return { clip: { name: clip.name, duration: clip.duration, tracks, morphs: [] }, frames: times.length };
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

function prepare(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  times: Float32Array,
): ((frame: Frame) => void)[] {
  const withPath: Setup =
    setup.rootMotion !== 'keep' && passes.includes('extractRoot')
      ? { ...setup, travelPath: analyseTravel(setup, clip, times) }
      : setup;
  return PASSES.filter(({ name }) => passes.includes(name)).map((pass) => pass.prepare(withPath));
}

function bake(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  times: Float32Array,
  onFrame: BakeOptions['onFrame'],
): Track[] {
  const count = times.length;
  const steps = prepare(setup, clip, passes, times);
  const frame = createFrame(setup);
  const sampler = createSampler(clip, times, frame.source);
  const store = createRecorder(setup, passes, count, frame.target);
  for (let k = 0; k < count; k++) {
    frame.index = k;
    sampleFrame(sampler, k);
    for (let n = 0; n < steps.length; n++) steps[n]!(frame);
    store.record(k);
    if (onFrame && (k & 255) === 0) onFrame(k, count);
  }
  return store.tracks(times);
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
  const steps = prepare(setup, clip, passes, middles);
  const frame = createFrame(setup);
  const sampler = createSampler(clip, middles, frame.source);
  const pose = copyPose(setup.alignment.pose);
  const model = createModelPose(skeleton.names.length);
  const turned = tracks.filter(({ channel }) => channel === 'rotation');
  const finer: number[] = [];
  for (let k = 0; k < middles.length; k++) {
    finer.push(times[k]!);
    frame.index = k;
    sampleFrame(sampler, k);
    for (const step of steps) step(frame);
    for (const { joint, values } of turned)
      slerpQuaternions(pose.rotations, 4 * joint, values, 4 * k, values, 4 * k + 4, 0.5);
    localToModel(model, skeleton, pose);
    let miss = 0;
    for (const { target } of setup.map.joints)
      miss = Math.max(
        miss,
        quaternionAngle(model.rotations, 4 * target, frame.targetModelRotations, 4 * target),
      );
    const parts = Math.min(MOST_INSERTED + 1, Math.ceil(Math.sqrt(miss / MISS)));
    for (let n = 1; n < parts; n++) finer.push(times[k]! + ((times[k + 1]! - times[k]!) * n) / parts);
  }
  if (times.length > 0) finer.push(times[times.length - 1]!);
  return Float32Array.from(finer);
}

/** How a clip's tracks are read at given times. */
type Sampler = {
  pose: Pose;
  times: Float32Array;
  /** Rotation tracks whose keys stand exactly on the frames, which is how baked files come: read without a search. */
  turns: { values: Track['values'][]; places: Int32Array };
  /** Other tracks whose keys stand on the frames. */
  moves: Track[];
  /** Tracks whose keys must be searched, with the key found last. */
  searched: Track[];
  hints: Int32Array;
};

function createSampler(clip: Clip, times: Float32Array, pose: Pose): Sampler {
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
  const turns = tracks.filter((track) => track.channel === 'rotation' && onFrames(track));
  const searched = tracks.filter((track) => !onFrames(track));
  return {
    pose,
    times,
    turns: {
      values: turns.map(({ values }) => values),
      places: Int32Array.from(turns, ({ joint }) => 4 * joint),
    },
    moves: tracks.filter((track) => track.channel !== 'rotation' && onFrames(track)),
    searched,
    hints: new Int32Array(searched.length),
  };
}

function sameTimes(keys: Track['times'], times: Float32Array): boolean {
  if (keys.length !== times.length) return false;
  // A tenth of a microsecond is below a float32's step at a second.
  for (let k = 0; k < times.length; k++)
    if (!(Math.abs(keys[k]! - times[k]!) <= 1e-7 + 1e-6 * times[k]!)) return false;
  return true;
}

/** Writes the clip's pose at frame k into the sampler's pose. */
function sampleFrame({ pose, times, turns, moves, searched, hints }: Sampler, k: number): void {
  readTurns(pose.rotations, turns.values, turns.places, 4 * k);
  for (let n = 0; n < moves.length; n++) {
    const { values, joint, channel } = moves[n]!;
    const out = channel === 'translation' ? pose.translations : pose.scales;
    out[3 * joint] = values[3 * k]!;
    out[3 * joint + 1] = values[3 * k + 1]!;
    out[3 * joint + 2] = values[3 * k + 2]!;
  }
  for (let n = 0; n < searched.length; n++) {
    const track = searched[n]!;
    const turning = track.channel === 'rotation';
    const out = turning ? pose.rotations : track.channel === 'translation' ? pose.translations : pose.scales;
    hints[n] = sampleTrack(out, track.joint * (turning ? 4 : 3), track, times[k]!, hints[n]!);
  }
}

function readTurns(
  out: Float64Array,
  values: readonly Track['values'][],
  places: Int32Array,
  at: number,
): void {
  for (let n = 0; n < places.length; n++) {
    const from = values[n]!;
    const o = places[n]!;
    const x = from[at]!;
    const y = from[at + 1]!;
    const z = from[at + 2]!;
    const w = from[at + 3]!;
    // Files hold unit quaternions to a float32's rounding; only those that do not are scaled.
    const square = x * x + y * y + z * z + w * w;
    if (square > 0.999999 && square < 1.000001) {
      out[o] = x;
      out[o + 1] = y;
      out[o + 2] = z;
      out[o + 3] = w;
    } else {
      const k = square > 1e-24 && square < Number.POSITIVE_INFINITY ? 1 / Math.sqrt(square) : 0;
      out[o] = x * k || 0;
      out[o + 1] = y * k || 0;
      out[o + 2] = z * k || 0;
      out[o + 3] = k === 0 ? 1 : w * k;
    }
  }
}

/** Collects the target's channels that the passes write, and gives them as tracks. */
function createRecorder(setup: Setup, passes: readonly PassName[], count: number, pose: Pose) {
  const { map, travel, alignment, target } = setup;
  const turned = new Set<number>(
    passes.includes('copyRotations') ? map.joints.map((pair) => pair.target) : [],
  );
  const moved = new Set<number>(
    passes.includes('copyRotations') ? alignment.placed.map(({ joint }) => joint) : [],
  );
  if (travel && passes.includes('moveRoot')) moved.add(travel.target);
  if (travel && passes.includes('extractRoot') && setup.rootMotion === 'extract') {
    const root = rootAbove(target.skeleton, travel.target);
    if (root >= 0) {
      turned.add(root);
      moved.add(root);
    }
  }
  const turnJoints = Int32Array.from([...turned].sort((a, b) => a - b));
  const moveJoints = Int32Array.from([...moved].sort((a, b) => a - b));
  const turns = Array.from(turnJoints, () => new Float32Array(4 * count));
  const moves = Array.from(moveJoints, () => new Float32Array(3 * count));
  return {
    record(k: number): void {
      recordTurns(turns, turnJoints, pose.rotations, k);
      for (let n = 0; n < moveJoints.length; n++) {
        const values = moves[n]!;
        const i = 3 * moveJoints[n]!;
        values[3 * k] = pose.translations[i]!;
        values[3 * k + 1] = pose.translations[i + 1]!;
        values[3 * k + 2] = pose.translations[i + 2]!;
      }
    },
    tracks(times: Float32Array): Track[] {
      const tracks: Track[] = [];
      turnJoints.forEach((joint, n) => {
        tracks.push({ joint, channel: 'rotation', interpolation: 'linear', times, values: turns[n]! });
      });
      moveJoints.forEach((joint, n) => {
        tracks.push({ joint, channel: 'translation', interpolation: 'linear', times, values: moves[n]! });
      });
      return tracks;
    },
  };
}

/** Stores local rotations, each in the hemisphere of the one before. */
function recordTurns(
  turns: readonly Float32Array[],
  joints: Int32Array,
  rotations: Float64Array,
  k: number,
): void {
  const at = 4 * k;
  for (let n = 0; n < joints.length; n++) {
    const values = turns[n]!;
    const i = 4 * joints[n]!;
    let x = rotations[i]!;
    let y = rotations[i + 1]!;
    let z = rotations[i + 2]!;
    let w = rotations[i + 3]!;
    if (k > 0 && x * values[at - 4]! + y * values[at - 3]! + z * values[at - 2]! + w * values[at - 1]! < 0) {
      x = -x;
      y = -y;
      z = -z;
      w = -w;
    }
    values[at] = x;
    values[at + 1] = y;
    values[at + 2] = z;
    values[at + 3] = w;
  }
}
