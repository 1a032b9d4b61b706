import { type Numbers, normalizeQuaternion, slerpQuaternions } from '../base/math/quaternion.js';

import type { Pose } from './pose.js';
import { copyPose } from './pose.js';
import type { Skeleton } from './skeleton.js';

/** What a track animates. */
export type Channel = 'translation' | 'rotation' | 'scale';

/** How a track goes from key to key: glTF's three ways. */
export type Interpolation = 'step' | 'linear' | 'cubic';

/**
 * Keys of one channel of one joint, in the joint's local space.
 * Cubic tracks hold three values a key: in-tangent, value, out-tangent, tangents per second (glTF's
 * CUBICSPLINE).
 */
export type Track = {
  /** Index of the joint in the clip's skeleton. */
  joint: number;
  channel: Channel;
  interpolation: Interpolation;
  /** Seconds, rising. */
  times: Float32Array | Float64Array;
  /** 3 numbers a value for translation and scale, 4 (xyzw) for rotation. */
  values: Float32Array | Float64Array;
};

/** Keys of one morph target's weight. */
export type MorphTrack = {
  /** Name of the mesh (or its node) as in the file; '' for an expression of the whole face, as VRM has them. */
  mesh: string;
  /** Name of the morph target, or of the expression. */
  morph: string;
  interpolation: Interpolation;
  /** Seconds, rising. */
  times: Float32Array | Float64Array;
  /** One number a value; three a key where cubic. */
  values: Float32Array | Float64Array;
};

/**
 * Keys of a gaze: the turn of the eyes from straight ahead, as a rotation in the head's space of a body that
 * stands upright and faces +Z (yaw about +Y, pitch about +X).
 */
export type GazeTrack = Pick<Track, 'interpolation' | 'times' | 'values'>;

/** A piece of animation as files have it: keys at their own times. */
export type Clip = {
  name: string;
  /** Seconds from the clip's zero to its last key. */
  duration: number;
  tracks: Track[];
  morphs: MorphTrack[];
  /** Where the eyes look, where the file says that apart from its joints (VRM animation). */
  gaze?: GazeTrack;
};

/** How many numbers one value of a channel has. */
export function channelSize(channel: Channel): 3 | 4 {
  return channel === 'rotation' ? 4 : 3;
}

/** How many keys a track has. */
export function keyCount(track: Track | MorphTrack): number {
  return track.times.length;
}

/**
 * The index of the last key at or before `time`, at least 0. `hint` is where to look first: walking a clip
 * forwards with the last answer as hint costs nothing.
 */
export function findKey(times: Readonly<Numbers>, time: number, hint = 0): number {
  const last = times.length - 1;
  let k = Math.max(0, Math.min(hint, last));
  if (times[k]! <= time) {
    // A few steps forward is what playing needs; a jump falls through to bisection.
    for (let steps = 0; steps < 4; steps++) {
      if (k >= last || times[k + 1]! > time) return k;
      k++;
    }
  }
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Samples a track into `out` at `o`. Before the first and after the last key the value stands still.
 * Rotations come out at unit length.
 * @returns the key found, to be passed as `hint` next time.
 */
export function sampleTrack(out: Numbers, o: number, track: Track, time: number, hint = 0): number {
  const { times, values, interpolation, channel } = track;
  const size = channel === 'rotation' ? 4 : 3;
  const count = times.length;
  const stride = interpolation === 'cubic' ? 3 * size : size;
  const offset = interpolation === 'cubic' ? size : 0;
  const k = findKey(times, time, hint);
  const t0 = times[k]!;
  const a = k * stride + offset;
  if (k >= count - 1 || time <= t0 || interpolation === 'step') {
    if (size === 4) normalizeQuaternion(out, o, values, a);
    else for (let c = 0; c < 3; c++) out[o + c] = values[a + c]!;
    return k;
  }
  const span = times[k + 1]! - t0;
  const u = span > 0 ? (time - t0) / span : 1;
  const b = a + stride;
  if (interpolation === 'linear') {
    if (size === 4) slerpQuaternions(out, o, values, a, values, b, u);
    else for (let c = 0; c < 3; c++) out[o + c] = values[a + c]! + (values[b + c]! - values[a + c]!) * u;
    return k;
  }
  // Hermite basis of the glTF specification, appendix C: tangents are per second, so they take the span.
  const u2 = u * u;
  const u3 = u2 * u;
  const h0 = 2 * u3 - 3 * u2 + 1;
  const h1 = (u3 - 2 * u2 + u) * span;
  const h2 = -2 * u3 + 3 * u2;
  const h3 = (u3 - u2) * span;
  for (let c = 0; c < size; c++) {
    out[o + c] =
      h0 * values[a + c]! + h1 * values[a + size + c]! + h2 * values[b + c]! + h3 * values[b - size + c]!;
  }
  if (size === 4) normalizeQuaternion(out, o, out, o);
  return k;
}

/**
 * Puts the pose of a clip at a time into `out`. Joints and channels without a track keep what `out` holds,
 * so fill it with the rest pose first. `hints`, one per track, makes walking forwards fast.
 */
export function sampleClip(out: Pose, clip: Clip, time: number, hints?: Int32Array): void {
  const { tracks } = clip;
  for (let n = 0; n < tracks.length; n++) {
    const track = tracks[n]!;
    if (track.times.length === 0) continue;
    const { channel, joint } = track;
    const hint = hints ? hints[n]! : 0;
    const k =
      channel === 'rotation'
        ? sampleTrack(out.rotations, 4 * joint, track, time, hint)
        : sampleTrack(
            channel === 'translation' ? out.translations : out.scales,
            3 * joint,
            track,
            time,
            hint,
          );
    if (hints) hints[n] = k;
  }
}

/** Per joint 1 where a track has keys for it. */
export function trackedJoints({ tracks }: Pick<Clip, 'tracks'>, joints: number): Uint8Array {
  const tracked = new Uint8Array(joints);
  for (const { joint, times } of tracks) if (times.length > 0) tracked[joint] = 1;
  return tracked;
}

/** Keys that follow each other faster than this, a second, are no frames: they stand in one place but for rounding. */
const HIGHEST_RATE = 10_000;

/** Keys per second of a clip, read from its densest track; 30 where there is nothing to read. */
export function frameRateOf(clip: Clip): number {
  let best = 0;
  for (const { times } of clip.tracks) {
    const span = times.length > 1 ? times[times.length - 1]! - times[0]! : 0;
    const rate = (times.length - 1) / span;
    if (span > 0 && rate <= HIGHEST_RATE) best = Math.max(best, rate);
  }
  if (best === 0) return 30;
  // Times are float32 in most files: 29.9999 is 30.
  const rounded = Math.round(best);
  return rounded > 0 && Math.abs(best - rounded) < 0.02 * rounded ? rounded : best;
}

/** How long a clip is by its keys: the latest time of any track. */
export function durationOf(clip: Pick<Clip, 'tracks' | 'morphs'>): number {
  let end = 0;
  for (const { times } of [...clip.tracks, ...clip.morphs])
    if (times.length > 0) end = Math.max(end, times[times.length - 1]!);
  return end;
}

/** The pose of a clip at a time: its tracks over the rest pose. */
export function poseAt(skeleton: Skeleton, clip: Clip, time: number): Pose {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  return pose;
}
