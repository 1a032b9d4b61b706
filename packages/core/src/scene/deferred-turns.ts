import { type Numbers, normalizeQuaternion, slerpQuaternions } from '../base/math/quaternion.js';
import { type Clip, findKey, sampleTrack, type Track } from './clip.js';
import type { Pose } from './pose.js';

/**
 * Rotation keys that are read when somebody asks for their values. For adapters: an engine's keys are objects all over
 * its memory, and to read them takes longer than to move them. Who reads and multiplies at once waits for the memory alone.
 */
export type DeferredTurns = {
  /** Reads every value, xyzw a key. */
  read(): Track['values'];
  /** Writes one key, xyzw, without reading the others: for who looks at a few instants. */
  readKey(out: Numbers, o: number, k: number): void;
  /**
   * Writes M · q, of length 1, for every key q without reading all of them first, with M a 4×4 matrix, column-major. Signs follow the
   * key before.
   * @returns whether every key was a turn, but for rounding; where one was not, the keys are read.
   */
  map(out: Float32Array, matrix: Float64Array): boolean;
};

const deferred = new WeakMap<Track, DeferredTurns>();

/**
 * Makes a track of keys that are read when they are needed. The keys must be linear or steps and not all the same, and
 * nobody may change them as long as the track is in use.
 */
export function deferTurns(
  { joint, interpolation, times }: Pick<Track, 'joint' | 'interpolation' | 'times'>,
  turns: DeferredTurns,
): Track {
  let values: Track['values'] | null = null;
  const track: Track = {
    joint,
    channel: 'rotation',
    interpolation,
    times,
    // Its own, so that a copy of the track has them read.
    get values() {
      values ??= turns.read();
      return values;
    },
  };
  deferred.set(track, turns);
  return track;
}

/** The keys of a track that are read when they are needed; undefined where they are there. */
export function deferredTurns(track: Track): DeferredTurns | undefined {
  return deferred.get(track);
}

const keys = new Float64Array(8);

/**
 * Puts the pose of a clip at a time into `out`, as `sampleClip` does, and reads no more keys than that takes: for who
 * looks at a few instants of a clip that may not be read yet.
 */
export function peekClip(out: Pose, { tracks }: Clip, time: number): void {
  for (const track of tracks) peekTrack(out, track.joint, track, time);
}

/** Puts what one track has at a time into a pose, at a joint that need not be its own, and reads no more keys than that takes. */
export function peekTrack(out: Pose, joint: number, track: Track, time: number): void {
  const { channel, times, interpolation } = track;
  if (times.length === 0) return;
  const turns = deferred.get(track);
  if (!turns) {
    if (channel === 'rotation') sampleTrack(out.rotations, 4 * joint, track, time);
    else sampleTrack(channel === 'translation' ? out.translations : out.scales, 3 * joint, track, time);
    return;
  }
  const k = findKey(times, time);
  turns.readKey(keys, 0, k);
  if (k >= times.length - 1 || time <= times[k]! || interpolation === 'step')
    normalizeQuaternion(out.rotations, 4 * joint, keys, 0);
  else {
    turns.readKey(keys, 4, k + 1);
    const span = times[k + 1]! - times[k]!;
    const part = span > 0 ? (time - times[k]!) / span : 1;
    slerpQuaternions(out.rotations, 4 * joint, keys, 0, keys, 4, part);
  }
}
