import { hypot } from '../base/math/functions.js';
import type { Numbers } from '../base/math/quaternion.js';
import { didWork } from '../base/watch-work.js';
import { type Clip, channelSize, type GazeTrack, type Track } from '../scene/clip.js';
import { isFiniteStore } from './edit-clip.js';

/*
 * Every turn of a result has length 1. The loops that write turns square each as they go, which costs next to nothing
 * beside the products; where one is off they come here.
 */

/** The largest number that a float32 holds. */
export const LARGEST_FLOAT = 3.4e38;

/** The square of a turn's length may be off by so much: ten times the rounding of a float32. */
export const UNIT_SQUARE = 1e-6;

/** A key whose length is off by more was not merely rounded, as by 16 bits in a compressed file: it is no turn. */
const NO_TURN = 1e-3;
/** The same of the square of its length. */
export const NO_TURN_SQUARE = 2 * NO_TURN;

/**
 * Gives turns length 1 where they lack it. One without a direction becomes that before it, else that behind, else no
 * turn.
 * @param stride How far apart they are: 4, or 12 in cubic tracks, where the slopes beside each are scaled with it.
 * @param to Behind the last number.
 * @returns whether all were turns, but for rounding.
 */
export function mendTurns(values: Numbers, stride: 4 | 12 = 4, from = 0, to = values.length): boolean {
  const side = (stride - 4) / 2;
  let areTurns = true;
  for (let i = from + side; i + 4 + side <= to; i += stride) {
    if (Math.abs(squareAt(values, i) - 1) < UNIT_SQUARE) continue;
    const length = lengthAt(values, i);
    if (!(Math.abs(length - 1) < NO_TURN)) areTurns = false;
    if (length > 1e-12 && length < Number.POSITIVE_INFINITY)
      for (let c = i - side; c < i + 4 + side; c++) values[c] = values[c]! / length;
    else standInFor(values, i, stride, to);
  }
  if (stride === 12)
    for (let i = from; i < to; i++)
      if (!Number.isFinite(values[i]!)) {
        values[i] = 0;
        areTurns = false;
      }
  return areTurns;
}

function squareAt(values: Readonly<Numbers>, i: number): number {
  const x = values[i]!;
  const y = values[i + 1]!;
  const z = values[i + 2]!;
  const w = values[i + 3]!;
  return x * x + y * y + z * z + w * w;
}

/** Of numbers whose squares are none, too, and twenty times as slow. */
function lengthAt(values: Readonly<Numbers>, i: number): number {
  return hypot(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
}

/** Puts the turn before in place of one that is none, or the next that is one, or none. */
function standInFor(values: Numbers, i: number, stride: number, to: number): void {
  let from = i - stride;
  if (from < 0 || !(Math.abs(lengthAt(values, from) - 1) < NO_TURN)) {
    from = i + stride;
    while (from + 4 <= to && !(Math.abs(lengthAt(values, from) - 1) < NO_TURN)) from += stride;
  }
  const isThere = from >= 0 && from + 4 <= to;
  for (let c = 0; c < 4; c++) values[i + c] = isThere ? values[from + c]! : c === 3 ? 1 : 0;
  const side = (stride - 4) / 2;
  for (let c = 0; c < side; c++) {
    values[i - side + c] = 0;
    values[i + 4 + c] = 0;
  }
}

/**
 * Stores turns as keys from key `from` on, at length 1, each in the hemisphere of the one before.
 * @param i Where the first of them stands, and `stride` how far apart they are.
 * @returns whether all were turns, but for rounding.
 */
export function storeTurns(
  values: Float32Array,
  from: number,
  count: number,
  turns: Float64Array,
  i: number,
  stride: number,
): boolean {
  let at = 4 * from;
  let px = from > 0 ? values[at - 4]! : 0;
  let py = from > 0 ? values[at - 3]! : 0;
  let pz = from > 0 ? values[at - 2]! : 0;
  let pw = from > 0 ? values[at - 1]! : 0;
  // The sign turns where neighbours as computed lie apart: the dot products need not wait for each other.
  let sign = 1;
  let areUnit = true;
  const end = i + count * stride;
  for (let k = i; k < end; k += stride) {
    const x = turns[k]!;
    const y = turns[k + 1]!;
    const z = turns[k + 2]!;
    const w = turns[k + 3]!;
    if (x * px + y * py + z * pz + w * pw < 0) sign = -sign;
    if (!(Math.abs(x * x + y * y + z * z + w * w - 1) < UNIT_SQUARE)) areUnit = false;
    px = x;
    py = y;
    pz = z;
    pw = w;
    values[at] = sign * x;
    values[at + 1] = sign * y;
    values[at + 2] = sign * z;
    values[at + 3] = sign * w;
    at += 4;
  }
  return areUnit || mendTurns(values, 4, 4 * from, at);
}

/** Whether every key of a rotation track is a turn, but for rounding. */
export function areTurns({ values, interpolation }: Pick<Track, 'values' | 'interpolation'>): boolean {
  const stride = interpolation === 'cubic' ? 12 : 4;
  for (let i = (stride - 4) / 2; i < values.length; i += stride)
    if (!(Math.abs(squareAt(values, i) - 1) < NO_TURN) && !(Math.abs(lengthAt(values, i) - 1) < NO_TURN))
      return false;
  return stride === 4 || isFiniteStore(values);
}

/**
 * A clip whose rotation keys are turns, and the joints for which some were not; the clip itself where all are. Its
 * numbers must be finite.
 */
export function turnsOnly(clip: Clip): { clip: Clip; joints: number[] } {
  const joints: number[] = [];
  const tracks = clip.tracks.map((track): Track => {
    didWork(0.2 * track.times.length);
    if (track.channel !== 'rotation' || areTurns(track)) return track;
    joints.push(track.joint);
    return { ...track, ...withTurns(track) };
  });
  return joints.length > 0 ? { clip: { ...clip, tracks }, joints } : { clip, joints };
}

/** A gaze whose keys are turns. */
export function soundGaze(gaze: GazeTrack): GazeTrack {
  return areTurns(gaze) ? gaze : { ...gaze, ...withTurns(gaze) };
}

function withTurns({ values, interpolation }: GazeTrack): Pick<Track, 'values'> {
  const own = values.slice();
  mendTurns(own, interpolation === 'cubic' ? 12 : 4);
  return { values: own };
}

/**
 * Puts right in place what a float32 cannot hold, or what is no number: the value before stands in, else the one
 * behind, else `instead`.
 * @returns whether anything was.
 */
export function mendValues(
  { values, interpolation }: Pick<Track, 'values' | 'interpolation'>,
  size: number,
  instead: (component: number) => number,
): boolean {
  if (isFiniteStore(values)) return false;
  const stride = interpolation === 'cubic' ? 3 * size : size;
  let isMended = false;
  const isBroken = (i: number) => !(Math.abs(values[i]!) <= LARGEST_FLOAT);
  for (let i = 0; i < values.length; i++) {
    if (!isBroken(i)) continue;
    isMended = true;
    const isSlope = stride > size && Math.floor(i / size) % 3 !== 1;
    let from = i - stride;
    if (from < 0 || isBroken(from)) {
      from = i + stride;
      while (from < values.length && isBroken(from)) from += stride;
    }
    values[i] = isSlope ? 0 : from >= 0 && from < values.length ? values[from]! : instead(i % size);
  }
  return isMended;
}

/**
 * Puts right in place what must not be in a result: turns of another length than 1, numbers that a float32 does not
 * hold. The loops that turn joints see to their own, so that turns are gone over only where asked.
 * @returns the joints of which something had to be replaced, rounding apart.
 */
export function mendClip(
  { tracks, morphs, gaze }: Clip,
  rest: (track: Track, component: number) => number,
  turnsToo: boolean,
): number[] {
  const joints: number[] = [];
  for (const track of tracks) {
    const { channel, joint, interpolation, values, times } = track;
    didWork(0.2 * times.length);
    if (channel !== 'rotation') {
      if (mendValues(track, channelSize(channel), (c) => rest(track, c))) joints.push(joint);
    } else if (turnsToo && !mendTurns(values, interpolation === 'cubic' ? 12 : 4)) joints.push(joint);
  }
  for (const morph of morphs) mendValues(morph, 1, () => 0);
  if (gaze) mendTurns(gaze.values, gaze.interpolation === 'cubic' ? 12 : 4);
  return joints;
}
