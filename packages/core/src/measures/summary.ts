import { sortPositive } from '../base/math/sort-positive.js';

/** A distribution of figures, with how many there were: means of several clips can be pooled. */
export type Summary = { mean: number; p99: number; worst: number; count: number };

/** Summarises figures, none of which is negative; null where there are none. */
export function summarise(values: readonly number[] | Float64Array, scale = 1): Summary | null {
  if (values.length === 0) return null;
  const sorted = sortPositive(values);
  let sum = 0;
  for (let i = 0; i < sorted.length; i++) sum += sorted[i]!;
  return {
    mean: (scale * sum) / sorted.length,
    p99: scale * sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))]!,
    worst: scale * sorted[sorted.length - 1]!,
    count: sorted.length,
  };
}

/** The middle of figures; null where there are none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = new Float64Array(values).sort();
  return sorted[sorted.length >> 1]!;
}
