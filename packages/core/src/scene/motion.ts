import { RetargetError, UsageError } from '../base/errors.js';
import { makeQuaternionsContinuous } from '../base/math/quaternion.js';

import { type Channel, type Clip, frameRateOf, sampleClip, type Track } from './clip.js';
import { copyPose, type Pose } from './pose.js';
import type { Skeleton } from './skeleton.js';

/**
 * More frames than anybody means: nine hours at 30 a second. One broken time in a file can make a clip of a
 * billion years.
 */
const MOST_FRAMES = 1_000_000;

/** Dense frames of a skeleton in local space, at a fixed rate, frame after frame. */
export type Motion = {
  skeleton: Skeleton;
  /** Frames per second. */
  frameRate: number;
  frameCount: number;
  /** xyz per joint per frame. */
  translations: Float32Array;
  /** xyzw per joint per frame. */
  rotations: Float32Array;
  /** xyz per joint per frame. */
  scales: Float32Array;
};

/**
 * The times at which a clip is baked: from 0 to its end at a rate, the end included.
 * @param name The clip's, for what is said where it is too long.
 * @throws UsageError where the rate is no rate, RetargetError where there would be more than a million frames.
 */
export function frameTimes(duration: number, frameRate: number, name?: string): Float32Array {
  if (!(frameRate > 0) || !Number.isFinite(frameRate))
    throw new UsageError(`frameRate is ${frameRate}; it must be a positive number`);
  refuseHugeBake(duration * frameRate, duration, name);
  // A clip's last key need not fall on a frame: the frame after it is kept then, standing on the last key.
  const count = Math.max(1, Math.ceil(duration * frameRate - 1e-3) + 1);
  const times = new Float32Array(count);
  for (let k = 0; k < count; k++) times[k] = Math.min(k / frameRate, Math.max(duration, 0));
  return times;
}

/**
 * Bakes a clip to dense frames. Joints without a track stand in `rest` (the skeleton's own if left out).
 * @param frameRate frames per second; the clip's own if left out.
 */
export function bakeClip(
  skeleton: Skeleton,
  clip: Clip,
  frameRate = frameRateOf(clip),
  rest: Pose = skeleton.rest,
): Motion {
  const times = frameTimes(clip.duration, frameRate, clip.name);
  const joints = skeleton.names.length;
  const motion: Motion = {
    skeleton,
    frameRate,
    frameCount: times.length,
    translations: new Float32Array(3 * joints * times.length),
    rotations: new Float32Array(4 * joints * times.length),
    scales: new Float32Array(3 * joints * times.length),
  };
  const pose = copyPose(rest);
  const hints = new Int32Array(clip.tracks.length);
  for (let frame = 0; frame < times.length; frame++) {
    sampleClip(pose, clip, times[frame]!, hints);
    motion.translations.set(pose.translations, 3 * joints * frame);
    motion.rotations.set(pose.rotations, 4 * joints * frame);
    motion.scales.set(pose.scales, 3 * joints * frame);
  }
  return motion;
}

/** Reads one frame of a motion into a pose. */
export function readFrame(out: Pose, motion: Motion, frame: number): void {
  const joints = motion.skeleton.names.length;
  const t = 3 * joints * frame;
  const r = 4 * joints * frame;
  for (let i = 0; i < 3 * joints; i++) {
    out.translations[i] = motion.translations[t + i]!;
    out.scales[i] = motion.scales[t + i]!;
  }
  for (let i = 0; i < 4 * joints; i++) out.rotations[i] = motion.rotations[r + i]!;
}

/**
 * Turns dense frames into a clip of linear tracks. Channels that never leave `rest` get no track.
 * Rotations come out continuous in sign.
 */
export function clipOfMotion(name: string, motion: Motion, rest: Pose = motion.skeleton.rest): Clip {
  const joints = motion.skeleton.names.length;
  const times = Float32Array.from({ length: motion.frameCount }, (_, k) => k / motion.frameRate);
  const tracks: Track[] = [];
  const add = (joint: number, channel: Channel, frames: Float32Array, still: Float64Array) => {
    const size = channel === 'rotation' ? 4 : 3;
    const values = new Float32Array(size * motion.frameCount);
    let moves = false;
    for (let k = 0; k < motion.frameCount; k++)
      for (let c = 0; c < size; c++) {
        const value = frames[(k * joints + joint) * size + c]!;
        values[k * size + c] = value;
        if (Math.abs(value - still[joint * size + c]!) > 1e-6 * Math.max(1, Math.abs(value))) moves = true;
      }
    if (!moves) return;
    if (channel === 'rotation') makeQuaternionsContinuous(values, motion.frameCount);
    tracks.push({ joint, channel, interpolation: 'linear', times, values });
  };
  for (let joint = 0; joint < joints; joint++) {
    add(joint, 'translation', motion.translations, rest.translations);
    add(joint, 'rotation', motion.rotations, rest.rotations);
    add(joint, 'scale', motion.scales, rest.scales);
  }
  return { name, duration: (motion.frameCount - 1) / motion.frameRate, tracks, morphs: [] };
}

/**
 * Refuses to bake what no machine holds, before anything is allocated.
 * @throws RetargetError where `frames` is more than a million or no number.
 */
export function refuseHugeBake(frames: number, duration: number, name?: string): void {
  if (frames <= MOST_FRAMES) return;
  const clip = name === undefined ? 'a clip' : `clip "${name}"`;
  throw new RetargetError(
    Number.isFinite(duration)
      ? `${clip} of ${Number(duration.toPrecision(4))} s would take more than ${MOST_FRAMES} frames; take a range of it or a lower frame rate`
      : `${clip} says it is ${duration} s long; one of its times must be broken`,
  );
}
