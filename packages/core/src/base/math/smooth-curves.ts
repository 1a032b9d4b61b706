/*
 * Curves over a clip: one number per frame of the planning grid. Everything here runs once per clip, before
 * anything is solved: smoothing what a solver has answered was measured to ruin feet (slide 0.005 → 6.7 %/s).
 */
import { exp } from './functions.js';

/** Bells that were asked for, by their deviations, which are few; read and never written. */
const bells = new Map<number, Float64Array>();
/** More than these are not kept. */
const KEPT_BELLS = 64;

/**
 * A bell of weights for offsets 0, 1, 2 … frames; beyond three deviations nothing is left to speak of. It may be one that
 * others have too, and is not to be written to.
 */
export function bellWeights(deviation: number): Float64Array {
  let bell = bells.get(deviation);
  if (!bell) {
    bell = createBell(deviation);
    if (bells.size >= KEPT_BELLS) bells.clear();
    bells.set(deviation, bell);
  }
  return bell;
}

function createBell(deviation: number): Float64Array {
  const reach = Math.max(0, Math.ceil(3 * deviation));
  return Float64Array.from({ length: reach + 1 }, (_, d) =>
    deviation > 0 ? exp((-d * d) / (2 * deviation * deviation)) : 1,
  );
}

/** What the weights of a bell make together, on both sides. */
function sumOfBell(bell: Float64Array): number {
  let sum = bell[0]!;
  for (let d = 1; d < bell.length; d++) sum += 2 * bell[d]!;
  return sum;
}

/**
 * The weighted mean of a curve around every frame: Σ bell·w·x / Σ bell·w. Where no weight is near, the curve
 * fades to zero, as `floor` is a weight that pulls there; with 0 it holds the nearest value.
 */
export function smoothWeighted(
  values: Float64Array,
  weights: Float64Array,
  deviation: number,
  floor = 0,
): Float64Array {
  const bell = bellWeights(deviation);
  const reach = bell.length - 1;
  const whole = sumOfBell(bell);
  const last = values.length - 1;
  const out = new Float64Array(values.length);
  const products = new Float64Array(values.length);
  for (let k = 0; k <= last; k++) products[k] = weights[k]! * values[k]!;
  for (let k = 0; k <= last; k++) {
    let sum = bell[0]! * products[k]!;
    let total = bell[0]! * weights[k]!;
    let all = whole;
    if (k >= reach && k + reach <= last)
      for (let d = 1; d <= reach; d++) {
        sum += bell[d]! * (products[k - d]! + products[k + d]!);
        total += bell[d]! * (weights[k - d]! + weights[k + d]!);
      }
    else {
      all = bell[0]!;
      for (let j = Math.max(0, k - reach); j <= Math.min(last, k + reach); j++) {
        if (j === k) continue;
        const b = bell[Math.abs(j - k)]!;
        sum += b * products[j]!;
        total += b * weights[j]!;
        all += b;
      }
    }
    const pull = floor * all;
    out[k] = total + pull > 1e-12 ? sum / (total + pull) : 0;
  }
  return out;
}

/** The mean of a curve around every frame, by a bell; shorter at the ends, so that constants stay. */
export function smoothCurve(values: Float64Array, deviation: number): Float64Array {
  const bell = bellWeights(deviation);
  const reach = bell.length - 1;
  const whole = sumOfBell(bell);
  const last = values.length - 1;
  const out = new Float64Array(values.length);
  /** The first frame around that is not zero: most curves are zero most of the time, and so are their means. */
  let next = 0;
  for (let k = 0; k <= last; k++) {
    while (next <= last && (next < k - reach || values[next] === 0)) next++;
    if (next > k + reach) continue;
    let sum = bell[0]! * values[k]!;
    let total = whole;
    if (k >= reach && k + reach <= last)
      for (let d = 1; d <= reach; d++) sum += bell[d]! * (values[k - d]! + values[k + d]!);
    else {
      total = bell[0]!;
      for (let j = Math.max(0, k - reach); j <= Math.min(last, k + reach); j++) {
        if (j === k) continue;
        const b = bell[Math.abs(j - k)]!;
        sum += b * values[j]!;
        total += b;
      }
    }
    out[k] = sum / total;
  }
  return out;
}

/** Whether a curve is above a number anywhere. */
export function isAbove(values: Float64Array, least = 0): boolean {
  for (let k = 0; k < values.length; k++) if (values[k]! > least) return true;
  return false;
}

/** The largest value within `reach` frames of every frame. */
export function widenCurve(values: Float64Array, reach: number): Float64Array {
  const last = values.length - 1;
  const out = new Float64Array(values.length);
  let most = Number.NEGATIVE_INFINITY;
  let at = -1;
  for (let k = 0; k <= last; k++) {
    const from = Math.max(0, k - reach);
    const to = Math.min(last, k + reach);
    if (at < from) {
      // The largest is out of reach: all are looked at again. Else only the one that has come into it.
      most = Number.NEGATIVE_INFINITY;
      for (let j = from; j <= to; j++)
        if (values[j]! >= most) {
          most = values[j]!;
          at = j;
        }
    } else if (values[to]! >= most) {
      most = values[to]!;
      at = to;
    }
    out[k] = most;
  }
  return out;
}

/**
 * What is above zero of a value, without a kink there: the value itself from `softness` on, 0 below −softness, and
 * (x + softness)² / (4 · softness) between, which meets both with their slopes. Never less than the value or 0.
 */
export function softly(value: number, softness: number): number {
  if (!(value > -softness)) return 0;
  return value < softness ? ((value + softness) * (value + softness)) / (4 * softness) : value;
}

/** 1 at u ≤ 0, 0 at u ≥ 1, with no speed and no acceleration at either end: 1 − (6u⁵ − 15u⁴ + 10u³). */
export function fadeOut(u: number): number {
  if (u <= 0) return 1;
  if (u >= 1) return 0;
  return 1 - u * u * u * (u * (6 * u - 15) + 10);
}

/**
 * Each number becomes its {@link fadeOut}: in a store nothing is made on the heap. Written out once more, since a number
 * that goes to a function and back is made there, wherever the compiler chooses not to write the call out.
 */
export function fadeEach(values: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const u = values[i]!;
    values[i] = u <= 0 ? 1 : u >= 1 ? 0 : 1 - u * u * u * (u * (6 * u - 15) + 10);
  }
}

/**
 * A quintic that leaves with value 0 and slope 1 (per u) and comes to rest at 0 at u = 1, with no acceleration
 * at either end: u − 6u³ + 8u⁴ − 3u⁵. What stood still is let go without a jerk by adding it to what moves on.
 */
export function slowLeave(u: number): number {
  if (u <= 0 || u >= 1) return 0;
  return u + u * u * u * (-6 + u * (8 - 3 * u));
}
