import type { Track } from './clip.js';

/**
 * Rotation keys that are read when somebody asks for their values. For adapters: an engine's keys are objects all over
 * its memory, and to read them takes longer than to move them. Who reads and multiplies at once waits for the memory alone.
 */
export type DeferredTurns = {
  /** Reads every value, xyzw a key. */
  read(): Track['values'];
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
