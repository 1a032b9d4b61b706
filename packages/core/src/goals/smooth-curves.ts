/*
 * Curves over a clip: one number per frame of the planning grid. Everything here runs once per clip, before
 * anything is solved: smoothing what a solver has answered was measured to ruin feet (slide 0.005 → 6.7 %/s).
 */

/** A bell of weights for offsets 0, 1, 2 … frames; beyond three deviations nothing is left to speak of. */
export function bellWeights(deviation: number): Float64Array {
  const reach = Math.max(0, Math.ceil(3 * deviation));
  return Float64Array.from({ length: reach + 1 }, (_, d) =>
    deviation > 0 ? Math.exp((-d * d) / (2 * deviation * deviation)) : 1,
  );
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
  const last = values.length - 1;
  const out = new Float64Array(values.length);
  for (let k = 0; k <= last; k++) {
    let sum = 0;
    let total = 0;
    let all = 0;
    for (let j = Math.max(0, k - reach); j <= Math.min(last, k + reach); j++) {
      const b = bell[Math.abs(j - k)]!;
      sum += b * weights[j]! * values[j]!;
      total += b * weights[j]!;
      all += b;
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
  const last = values.length - 1;
  const out = new Float64Array(values.length);
  for (let k = 0; k <= last; k++) {
    let sum = 0;
    let total = 0;
    for (let j = Math.max(0, k - reach); j <= Math.min(last, k + reach); j++) {
      const b = bell[Math.abs(j - k)]!;
      sum += b * values[j]!;
      total += b;
    }
    out[k] = sum / total;
  }
  return out;
}

/** The largest value within `reach` frames of every frame. */
export function widenCurve(values: Float64Array, reach: number): Float64Array {
  const last = values.length - 1;
  const out = new Float64Array(values.length);
  for (let k = 0; k <= last; k++) {
    let most = Number.NEGATIVE_INFINITY;
    for (let j = Math.max(0, k - reach); j <= Math.min(last, k + reach); j++)
      if (values[j]! > most) most = values[j]!;
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
 * A quintic that leaves with value 0 and slope 1 (per u) and comes to rest at 0 at u = 1, with no acceleration
 * at either end: u − 6u³ + 8u⁴ − 3u⁵. What stood still is let go without a jerk by adding it to what moves on.
 */
export function slowLeave(u: number): number {
  if (u <= 0 || u >= 1) return 0;
  return u + u * u * u * (-6 + u * (8 - 3 * u));
}
