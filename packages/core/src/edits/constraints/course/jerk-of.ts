import { hypot } from '../../../base/math/functions.js';
import type { Correction } from './correction.js';
import type { SettledFrame } from './settled-frame.js';

/**
 * How much joints and tips jerk from three frames before one to it: the sum of their third differences, in heights.
 * @param corrections What constraints change of each frame; null for the motion as it was.
 * @param values How many numbers of a frame are looked at: those of joints come first, then tips.
 */
export function jerkAt(
  frames: readonly SettledFrame[],
  corrections: readonly Correction[] | null,
  k: number,
  values = frames[k]!.attraction.length,
): number {
  const [a, b, c, d] = [k - 3, k - 2, k - 1, k];
  const place = (n: number, i: number): number =>
    frames[n]!.attraction[i]! + (corrections ? corrections[n]!.spots[i]! : 0);
  const part = (i: number): number => place(d, i) - 3 * place(c, i) + 3 * place(b, i) - place(a, i);
  let sum = 0;
  for (let i = 0; i < values; i += 3) sum += hypot(part(i), part(i + 1), part(i + 2));
  return sum;
}

/** The same over several frames, `to` not included. */
export function jerkOf(
  frames: readonly SettledFrame[],
  corrections: readonly Correction[] | null,
  from: number,
  to: number,
  values?: number,
): number {
  let sum = 0;
  for (let k = Math.max(3, from); k < to; k++) sum += jerkAt(frames, corrections, k, values);
  return sum;
}
