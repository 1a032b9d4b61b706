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
  type Rig,
  sampleClip,
  slerpQuaternions,
  UsageError,
} from '@stuntdouble/core';
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
  const { skeleton } = rig;
  if (clip.duration * 30 > MOST_FRAMES)
    throw new UsageError(`clip "${clip.name}" is ${clip.duration} s long: more than a million frames`);
  const times = bakeTimes(clip, () => true);
  const count = times.length;
  const parts = pose.roles.length;
  const rotations = pose.roles.map(() => new Float32Array(4 * count));
  const turns = pose.roles.map(() => false);
  const hips = new Float32Array(3 * count);
  const hipsJoint = pose.joints[pose.roles.indexOf('hips')]!;
  const current = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  const turned = new Float64Array(4 * parts);
  const above = new Float64Array(4);
  const local = new Float64Array(4);
  for (let k = 0; k < count; k++) {
    sampleClip(current, clip, times[k]!, hints);
    localToModel(model, skeleton, current);
    for (let c = 0; c < 3; c++)
      hips[3 * k + c] = model.matrices[16 * hipsJoint + 12 + c]! - (c === 1 ? pose.floor : 0);
    for (let i = 0; i < parts; i++) {
      multiplyQuaternions(turned, 4 * i, model.rotations, 4 * pose.joints[i]!, pose.inverses, 4 * i);
      const parent = pose.parents[i]!;
      if (parent < 0) rotations[i]!.set(turned.subarray(4 * i, 4 * i + 4), 4 * k);
      else {
        conjugateQuaternion(above, 0, turned, 4 * parent);
        multiplyQuaternions(local, 0, above, 0, turned, 4 * i);
        rotations[i]!.set(local, 4 * k);
      }
      if (Math.abs(rotations[i]![4 * k + 3]!) < STILL) turns[i] = true;
    }
  }
  for (const values of rotations) makeQuaternionsContinuous(values, count);
  const kept = rotations.map((values, i) => (turns[i] ? values : null));
  return { name: clip.name, times, rotations: kept, hips, gaze: clip.gaze ?? gazeOf(pose, times, kept) };
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
