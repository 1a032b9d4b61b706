import {
  middleQuaternion,
  type Numbers,
  normalizeQuaternion,
  slerpQuaternions,
} from '../../base/math/quaternion.js';
import { NO_TURN_SQUARE } from '../../clips/sound-turns.js';
import { sampleTrack, type Track } from '../../scene/clip.js';
import { sameTimes } from '../frames/sample-frames.js';

/** So many frames are gone through track by track before the next: what is read of them stays in the cache. */
export const CHUNK = 512;

/** A track that is read at frames and between them, many at a time. */
export type TrackReader = {
  track: Track;
  /** Whether its keys stand exactly on the frames and nothing but lines and steps lies between. */
  isOnFrames: boolean;
  /** The key found last, where it must be searched. */
  hint: number;
  /** Its values at the instants, where they are known already. */
  between: Float32Array | null;
};

/** Instants between frames, rising. */
export type Instants = {
  times: Float32Array;
  /** The frame before each. */
  intervals: Int32Array;
  /** How far each is on the way to the next frame, 0 to 1. */
  parts: Float64Array;
};

/** Where tracks are read: at frames, or at instants between them. */
export type ReadStage = { times: Float32Array; instants: Instants | null };

/** Prepares reading tracks at frames. `known` tells what is known already of lists of times, and is added to. */
export function createReader(
  track: Track,
  times: Float32Array,
  known: Map<Track['times'], boolean>,
): TrackReader {
  let isOnFrames = known.get(track.times);
  if (isOnFrames === undefined) {
    isOnFrames = track.times === times || sameTimes(track.times, times);
    known.set(track.times, isOnFrames);
  }
  return { track, isOnFrames: isOnFrames && track.interpolation !== 'cubic', hint: 0, between: null };
}

/** Reads a track at `count` frames or instants from place `from` on; says whether all were numbers. */
export function readTrack(
  out: Float64Array,
  reader: TrackReader,
  { times, instants }: ReadStage,
  from: number,
  count: number,
): boolean {
  if (instants === null) return readFrames(out, reader, times, from, count);
  readBetween(out, reader, instants, from, count);
  return true;
}

/**
 * Reads a track at `count` frames from frame `from` on; rotations come out at unit length.
 * @returns whether all were turns, but for rounding.
 */
export function readFrames(
  out: Float64Array,
  reader: TrackReader,
  times: Float32Array,
  from: number,
  count: number,
): boolean {
  const { track, isOnFrames } = reader;
  const size = track.channel === 'rotation' ? 4 : 3;
  if (!isOnFrames) {
    for (let k = 0; k < count; k++)
      reader.hint = sampleTrack(out, size * k, track, times[from + k]!, reader.hint);
    return true;
  }
  if (size === 4) return readTurns(out, track.values, 4 * from, count);
  const { values } = track;
  for (let i = 0; i < 3 * count; i++) out[i] = values[3 * from + i]!;
  return true;
}

function readTurns(out: Float64Array, values: Readonly<Numbers>, at: number, count: number): boolean {
  let finite = true;
  for (let i = 0; i < 4 * count; i += 4) {
    const x = values[at + i]!;
    const y = values[at + i + 1]!;
    const z = values[at + i + 2]!;
    const w = values[at + i + 3]!;
    out[i] = x;
    out[i + 1] = y;
    out[i + 2] = z;
    out[i + 3] = w;
    // Files hold unit quaternions to a float32's rounding; only those that do not are scaled.
    const square = x * x + y * y + z * z + w * w;
    if (!(Math.abs(square - 1) < 1e-6)) {
      finite = finite && Math.abs(square - 1) < NO_TURN_SQUARE;
      normalizeQuaternion(out, i, out, i);
    }
  }
  return finite;
}

/** Reads a track at `count` instants from instant `from` on. */
export function readBetween(
  out: Float64Array,
  reader: TrackReader,
  { times, intervals, parts }: Instants,
  from: number,
  count: number,
): void {
  const { track, isOnFrames, between } = reader;
  const { values, interpolation, channel } = track;
  const size = channel === 'rotation' ? 4 : 3;
  if (between !== null) for (let i = 0; i < size * count; i++) out[i] = between[size * from + i]!;
  else if (!isOnFrames) {
    for (let n = 0; n < count; n++)
      reader.hint = sampleTrack(out, size * n, track, times[from + n]!, reader.hint);
  } else if (size === 4)
    turnBetween(
      out,
      values,
      interpolation === 'step' ? 0 : 4,
      intervals.subarray(from, from + count),
      parts.subarray(from, from + count),
    );
  else
    for (let n = 0; n < count; n++) {
      const i = 3 * intervals[from + n]!;
      const part = interpolation === 'step' ? 0 : parts[from + n]!;
      for (let c = 0; c < 3; c++)
        out[3 * n + c] = values[i + c]! + part * (values[i + 3 + c]! - values[i + c]!);
    }
}

function turnBetween(
  out: Float64Array,
  values: Readonly<Numbers>,
  step: number,
  intervals: Int32Array,
  parts: Float64Array,
): void {
  for (let n = 0; n < intervals.length; n++) {
    const i = 4 * intervals[n]!;
    const j = i + step;
    const o = 4 * n;
    // Half way, as nearly always, no angle is needed.
    if (parts[n] === 0.5) middleQuaternion(out, o, values, i, values, j);
    else slerpQuaternions(out, o, values, i, values, j, parts[n]!);
  }
}
