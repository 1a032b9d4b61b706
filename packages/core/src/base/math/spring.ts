import { exp } from './functions.js';

/**
 * What is left after a step, e^(−ω·t), of the last rates and steps that there were: a body that is followed asks for the
 * same ones in every frame, dozens of times. A rate has its place by its whole part.
 */
const KEPT_RATES = 64;
const rates = new Float64Array(KEPT_RATES).fill(Number.NaN);
const steps = new Float64Array(KEPT_RATES);
const lefts = new Float64Array(KEPT_RATES);

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
  // At rest it stays there.
  if (x === 0 && v === 0) return;
  const j = v + rate * x;
  const t = seconds[0]!;
  const at = rate & (KEPT_RATES - 1);
  if (rates[at] !== rate || steps[at] !== t) {
    lefts[at] = exp(-rate * t);
    rates[at] = rate;
    steps[at] = t;
  }
  const e = lefts[at]!;
  values[i] = (x + j * t) * e;
  speeds[i] = (v - rate * j * t) * e;
}
