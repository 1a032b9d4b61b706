import {
  type Interpolation,
  makeQuaternionsContinuous,
  quaternionAngle,
  slerpQuaternions,
} from '@stuntdouble/core/engine';
import type { Limits } from '../../limits.js';
import { CUBIC, STEP, STEP_NEXT } from '../parse/key-flags.js';
import type { UnpackBudget } from '../parse/unpack-array.js';
import { type AnimationCurve, isConstant } from './animation-curve.js';

/** Keys for a track. */
export type Resampled = { times: Float32Array; values: Float32Array; interpolation: Interpolation };

/** What the tracks of one file share. */
export type Sampling = {
  /** How many keys may still be added between the file's: a take of hours on few keys must not fill the memory. */
  added: number;
  /** Frames per second that its author worked in. */
  frameRate: number;
  /** Times of tracks, and whether there is one a frame, by the times of curves that they are from. */
  shared: Map<ArrayLike<number>, { times: Float32Array; isDense: boolean }>;
  /** How many keys there are in the tracks so far, and how many there may be. */
  keys: number;
  limits: Pick<Limits, 'keys'>;
  /** What may still be unpacked from the file; what is baked for all models at once counts, too. */
  budget: UnpackBudget;
};

/** Puts the value at a time (seconds of the file) into `out`; `hint` is the key to look at first. */
export type Evaluate = (out: Float64Array, time: number, hint?: number) => void;

/**
 * How far a line between two keys may be from the curve before frames are added: radians for turns (0.006°),
 * else of the values' size.
 */
const TOLERANCE = 1e-4;

/** How long before a jump its last value is set, where steps and lines are mixed. Frames are 10 ms and more. */
const BEFORE_JUMP = 1e-4;

/**
 * Turns curves into keys of one track: at the keys of all its curves, and at frames between them where a
 * line between neighbours would not do (cubics, large turns by angles).
 * @param size 4 for turns, 3 or 1 for numbers.
 */
export function resample(
  evaluate: Evaluate,
  size: 1 | 3 | 4,
  curves: readonly AnimationCurve[],
  span: { start: number; end: number },
  sampling: Sampling,
): Resampled {
  const { frameRate } = sampling;
  const keys = keyTimes(curves, span);
  // All that stands still does so from its first key on; a cubic that leaves and returns does not.
  if (curves.every((curve) => isConstant(curve) && !curve.modes.includes(CUBIC)))
    return finish([span.start], evaluate, size, span.start, 'linear');
  const isStep = curves.length > 0 && curves.every(({ modes }) => modes.every((mode) => mode === STEP));
  if (isStep) return finish(keys, evaluate, size, span.start, 'step', sampling);
  const hasSteps = curves.some(({ modes }) => modes.some((mode) => mode === STEP || mode === STEP_NEXT));
  if (!hasSteps && trackTimes(keys, span.start, sampling).isDense)
    return finish(keys, evaluate, size, span.start, 'linear', sampling);
  const times: number[] = [];
  const a = new Float64Array(4);
  const b = new Float64Array(4);
  const middle = new Float64Array(4);
  const line = new Float64Array(4);
  for (let k = 0; k < keys.length; k++) {
    const from = keys[k]!;
    times.push(from);
    const to = keys[k + 1];
    if (to === undefined) break;
    // A value that jumps at the next key must hold until then.
    const end = hasSteps ? Math.max(to - BEFORE_JUMP, (from + to) / 2) : to;
    const frames = Math.ceil((to - from) * frameRate - 1e-3);
    if (frames > 1 && sampling.added > 0) {
      evaluate(a, from);
      evaluate(b, end);
      let isLine = true;
      // Three places between the ends: a cubic that meets a line there is that line.
      for (let n = 1; n < 4 && isLine; n++) {
        evaluate(middle, from + ((end - from) * n) / 4);
        isLine = isOnLine(line, a, b, middle, n / 4, size);
      }
      if (!isLine) {
        const added = Math.min(frames - 1, sampling.added);
        sampling.added -= added;
        for (let n = 1; n <= added + 1; n++) {
          const frame = n <= added ? from + ((to - from) * n) / (added + 1) : end;
          refine(times, evaluate, times[times.length - 1]!, frame, size, sampling, FINEST);
          if (n <= added) times.push(frame);
        }
      }
    }
    if (hasSteps && end > times[times.length - 1]!) {
      evaluate(a, end);
      evaluate(b, to);
      if (!isSame(a, b, size)) times.push(end);
    }
  }
  return finish(times, evaluate, size, span.start, 'linear');
}

/** A frame is halved so often at most. */
const FINEST = 4;

/** Adds times between two where the way between them is no line still: fast turns about several axes. */
function refine(
  times: number[],
  evaluate: Evaluate,
  from: number,
  to: number,
  size: number,
  sampling: Sampling,
  depth: number,
): void {
  if (depth === 0 || sampling.added <= 0) return;
  const a = new Float64Array(4);
  const b = new Float64Array(4);
  const value = new Float64Array(4);
  const line = new Float64Array(4);
  evaluate(a, from);
  evaluate(b, to);
  const middle = (from + to) / 2;
  evaluate(value, middle);
  let isLine = isOnLine(line, a, b, value, 0.5, size);
  if (isLine) {
    evaluate(value, (from + middle) / 2);
    isLine = isOnLine(line, a, b, value, 0.25, size);
  }
  if (isLine) return;
  refine(times, evaluate, from, middle, size, sampling, depth - 1);
  times.push(middle);
  sampling.added--;
  refine(times, evaluate, middle, to, size, sampling, depth - 1);
}

/** Whether curves have a key for every frame: lines between them are as good as any curve. */
export function isDense(
  curves: readonly AnimationCurve[],
  span: { start: number; end: number },
  sampling: Sampling,
): boolean {
  return trackTimes(keyTimes(curves, span), span.start, sampling).isDense;
}

/** The times of all keys within a span, and its ends, rising. */
export function keyTimes(
  curves: readonly AnimationCurve[],
  { start, end }: { start: number; end: number },
): ArrayLike<number> {
  const first = curves[0]?.times;
  // Curves of one take mostly share their times, which are the take's.
  if (first && first[0] === start && first[first.length - 1] === end) {
    let n = 1;
    while (n < curves.length && curves[n]!.times === first) n++;
    if (n === curves.length) return first;
  }
  const lists = new Set<Float64Array>();
  for (const { times } of curves) lists.add(times);
  const all = new Set<number>([start, end]);
  for (const times of lists) for (const time of times) if (time > start && time < end) all.add(time);
  const sorted = Float64Array.from(all).sort();
  // Keys nearer than float32 can tell apart are one.
  let kept = 0;
  for (const time of sorted)
    if (kept === 0 || Math.fround(time - start) > Math.fround(sorted[kept - 1]! - start))
      sorted[kept++] = time;
  return sorted.subarray(0, kept);
}

/** Times from the start of the take, the same store for the same keys; and whether no two are more than a frame apart. */
export function trackTimes(
  keys: ArrayLike<number>,
  start: number,
  { shared, frameRate }: Sampling,
): { times: Float32Array; isDense: boolean } {
  const known = shared.get(keys);
  if (known) return known;
  const times = new Float32Array(keys.length);
  let isDense = true;
  for (let k = 0; k < keys.length; k++) {
    times[k] = keys[k]! - start;
    if (k > 0 && (keys[k]! - keys[k - 1]!) * frameRate > 1 + 1e-3) isDense = false;
  }
  const made = { times, isDense };
  shared.set(keys, made);
  return made;
}

function finish(
  times: ArrayLike<number>,
  evaluate: Evaluate,
  size: number,
  start: number,
  interpolation: Interpolation,
  sampling?: Sampling,
): Resampled {
  const count = times.length;
  const out = sampling
    ? trackTimes(times, start, sampling).times
    : Float32Array.from(times, (time) => time - start);
  const values = new Float32Array(size * count);
  const value = new Float64Array(4);
  for (let k = 0; k < count; k++) {
    evaluate(value, times[k]!, k);
    for (let c = 0; c < size; c++) values[size * k + c] = value[c]!;
  }
  mendValues(values, size);
  if (size === 4) makeQuaternionsContinuous(values, count);
  return { times: out, values, interpolation };
}

/** Beyond float32 a value is broken: the one before is kept, better no motion than an endless one. */
export function mendValues(values: Float32Array, size: number): void {
  let unfinite = 0;
  for (let i = 0; i < values.length; i++) unfinite += values[i]! - values[i]!;
  if (unfinite === 0) return;
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i]!)) values[i] = i >= size ? values[i - size]! : 0;
}

/**
 * Keys without those that say nothing: null for a channel that stands at rest, one key for one that stands
 * elsewhere. A millionth of the size is what float32 files lose.
 * @param from where the value at rest begins in `rest`.
 */
export function dropStillKeys(
  keys: Resampled,
  size: 1 | 3 | 4,
  rest: ArrayLike<number>,
  from = 0,
): Resampled | null {
  const { times, values } = keys;
  let largest = 1;
  if (size < 4) {
    largest = 0;
    for (let i = 0; i < values.length; i++) {
      const value = Math.abs(values[i]!);
      if (value > largest) largest = value;
    }
  }
  const small = 1e-6 * largest;
  for (let i = size; i < values.length; i++)
    if (Math.abs(values[i]! - values[i % size]!) > small) return keys;
  let isRest = true;
  let isOpposite = size === 4;
  for (let c = 0; c < size; c++) {
    if (Math.abs(values[c]! - rest[from + c]!) > small) isRest = false;
    if (Math.abs(values[c]! + rest[from + c]!) > small) isOpposite = false;
  }
  if (isRest || isOpposite) return null;
  return { ...keys, times: times.slice(0, 1), values: values.slice(0, size) };
}

function isSame(a: Float64Array, b: Float64Array, size: number): boolean {
  let size2 = 0;
  let away = 0;
  for (let c = 0; c < size; c++) {
    size2 = Math.max(size2, Math.abs(a[c]!), Math.abs(b[c]!));
    away = Math.max(away, Math.abs(a[c]! - b[c]!));
  }
  return away <= 1e-6 * size2;
}

function isOnLine(
  line: Float64Array,
  a: Float64Array,
  b: Float64Array,
  value: Float64Array,
  u: number,
  size: number,
): boolean {
  if (size === 4) {
    slerpQuaternions(line, 0, a, 0, b, 0, u);
    return quaternionAngle(line, 0, value, 0) <= TOLERANCE;
  }
  let largest = 0;
  let away = 0;
  for (let c = 0; c < size; c++) {
    largest = Math.max(largest, Math.abs(a[c]!), Math.abs(b[c]!));
    away = Math.max(away, Math.abs(a[c]! + (b[c]! - a[c]!) * u - value[c]!));
  }
  return away <= TOLERANCE * largest;
}
