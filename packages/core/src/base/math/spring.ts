import { exp } from './functions.js';

/**
 * Lets a number come to rest at zero as a critically damped spring does, exactly, however long the step:
 *
 *   x(t) = (x + (v + ω·x)·t) · e^(−ω·t),   v(t) = x′(t)
 *
 * @param rate ω, per second: after 4 / ω a tenth is left.
 * @param seconds t, in a store of one: as a number it would be made anew on the heap for each call.
 */
export function springToZero(
  values: Float64Array,
  speeds: Float64Array,
  i: number,
  rate: number,
  seconds: Float64Array,
): void {
  const x = values[i]!;
  const v = speeds[i]!;
  const j = v + rate * x;
  const t = seconds[0]!;
  const e = exp(-rate * t);
  values[i] = (x + j * t) * e;
  speeds[i] = (v - rate * j * t) * e;
}
