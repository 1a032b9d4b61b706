import {
  bakeTimes,
  type Clip,
  conjugateQuaternion,
  copyPose,
  createModelPose,
  type GazeTrack,
  localToModel,
  makeQuaternionsContinuous,
  multiplyQuaternions,
  quaternionAngle,
  type Rig,
  sampleClip,
  slerpQuaternions,
  UsageError,
} from '@stuntdouble/core/engine';
import type { TPose } from './t-pose.js';

/** A clip as turns of body parts from a T-pose. */
export type HumanoidClip = {
  name: string;
  /** Seconds, rising. */
  times: Float32Array;
  /** Per body part its turns relative to the one it hangs on, xyzw per time; null where it never turns. */
  rotations: (Float32Array | null)[];
  /** Where the hips are: xyz per time, metres, the floor at 0. */
  hips: Float32Array;
  /** Where the eyes look; null where nothing says so. */
  gaze: GazeTrack | null;
};

/** More frames than anybody means: nine hours at 30 a second. */
const MOST_FRAMES = 1_000_000;

/** A turn smaller than this is none: the cosine of half of a ten-thousandth of a degree. */
const STILL = 1 - 5e-13;

/**
 * Takes a clip of a rig to body parts. With Q the model rotation of the joint that plays a part,
 *   N(t) = Q(t) · Q(T)⁻¹
 * is how far it has turned from the T-pose in model space, whatever its own axes are; what is written is
 * N relative to the part above, Nₚ⁻¹ · N. Body parts then stand as in the rig's own motion, except that
 * joints between them are folded in and bones keep their length.
 * @throws UsageError where the clip is too long for any file.
 */
export function createHumanoidClip(rig: Rig, pose: TPose, clip: Clip): HumanoidClip {
  if (clip.duration * 30 > MOST_FRAMES)
    throw new UsageError(`clip "${clip.name}" is ${clip.duration} s long: more than a million frames`);
  const parts = pose.roles.length;
  const sample = createSampler(rig, pose, clip);
  const frames = refine(
    bakeTimes(clip, () => true),
    sample,
    parts,
    rig.space.height,
  );
  const times = Float32Array.from(frames, ({ time }) => time);
  const count = times.length;
  const rotations = pose.roles.map(() => new Float32Array(4 * count));
  const turns = pose.roles.map(() => false);
  const hips = new Float32Array(3 * count);
  frames.forEach(({ values }, k) => {
    hips.set(values.subarray(4 * parts), 3 * k);
    for (let i = 0; i < parts; i++) {
      rotations[i]!.set(values.subarray(4 * i, 4 * i + 4), 4 * k);
      if (Math.abs(values[4 * i + 3]!) < STILL) turns[i] = true;
    }
  });
  for (const values of rotations) makeQuaternionsContinuous(values, count);
  const kept = rotations.map((values, i) => (turns[i] ? values : null));
  return { name: clip.name, times, rotations: kept, hips, gaze: clip.gaze ?? gazeOf(pose, times, kept) };
}

/** One instant: a rotation per body part, then the place of the hips. */
type Frame = { time: number; values: Float64Array };

/** Makes the function that says how body parts stand at a time. */
function createSampler(rig: Rig, pose: TPose, clip: Clip): (time: number) => Float64Array {
  const { skeleton } = rig;
  const parts = pose.roles.length;
  const hipsJoint = pose.joints[pose.roles.indexOf('hips')]!;
  const current = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  const turned = new Float64Array(4 * parts);
  const above = new Float64Array(4);
  return (time) => {
    const values = new Float64Array(4 * parts + 3);
    sampleClip(current, clip, time, hints);
    localToModel(model, skeleton, current);
    for (let c = 0; c < 3; c++)
      values[4 * parts + c] = model.matrices[16 * hipsJoint + 12 + c]! - (c === 1 ? pose.floor : 0);
    for (let i = 0; i < parts; i++) {
      multiplyQuaternions(turned, 4 * i, model.rotations, 4 * pose.joints[i]!, pose.inverses, 4 * i);
      const parent = pose.parents[i]!;
      if (parent < 0) values.set(turned.subarray(4 * i, 4 * i + 4), 4 * i);
      else {
        conjugateQuaternion(above, 0, turned, 4 * parent);
        multiplyQuaternions(values, 4 * i, above, 0, turned, 4 * i);
      }
    }
    return values;
  };
}

/** Frames are added where a player's straight way between two of them would be further off: 0.02°. */
const MOST_OFF = (0.02 * Math.PI) / 180;
/** No frames closer than this many seconds are added: a step is a step, however it is cut. */
const SHORTEST_GAP = 1 / 400;

/** Samples at all times, and between two of them wherever players, which go straight, would miss the motion. */
function refine(
  times: Float32Array,
  sample: (time: number) => Float64Array,
  parts: number,
  height: number,
): Frame[] {
  const frames: Frame[] = [];
  const between = new Float64Array(4);
  const isOff = (a: Float64Array, b: Float64Array, middle: Float64Array) => {
    for (let i = 0; i < 4 * parts; i += 4) {
      slerpQuaternions(between, 0, a, i, b, i, 0.5);
      if (quaternionAngle(between, 0, middle, i) > MOST_OFF) return true;
    }
    for (let i = 4 * parts; i < middle.length; i++)
      // As far as the same angle moves the end of a body.
      if (Math.abs((a[i]! + b[i]!) / 2 - middle[i]!) > MOST_OFF * height) return true;
    return false;
  };
  const cut = (from: Frame, to: Frame) => {
    const time = Math.fround((from.time + to.time) / 2);
    if (to.time - from.time < 2 * SHORTEST_GAP || time <= from.time || time >= to.time) return;
    const middle = { time, values: sample(time) };
    if (!isOff(from.values, to.values, middle.values)) return;
    cut(from, middle);
    frames.push(middle);
    cut(middle, to);
  };
  for (const time of times) {
    const next = { time, values: sample(time) };
    const last = frames[frames.length - 1];
    if (last) cut(last, next);
    frames.push(next);
  }
  return frames;
}

/** The gaze that the joints of the eyes show: half way between the two. */
function gazeOf(pose: TPose, times: Float32Array, rotations: (Float32Array | null)[]): GazeTrack | null {
  const eyes = pose.roles.flatMap((role, i) => (role.endsWith('Eye') && rotations[i] ? [rotations[i]] : []));
  const [first, second] = eyes;
  if (!first) return null;
  if (!second) return { interpolation: 'linear', times, values: first };
  const values = new Float32Array(first.length);
  for (let i = 0; i < values.length; i += 4) slerpQuaternions(values, i, first, i, second, i, 0.5);
  return { interpolation: 'linear', times, values };
}
