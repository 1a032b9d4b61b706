/**
 * Lets a number come to rest at zero as a critically damped spring does, exactly, however long the step:
 *
 *   x(t) = (x + (v + ω·x)·t) · e^(−ω·t),   v(t) = x′(t)
 *
 * @param rate ω, per second: after 4 / ω a tenth is left.
 */
export function springToZero(
  values: Float64Array,
  speeds: Float64Array,
  i: number,
  rate: number,
  seconds: number,
): void {
  const x = values[i]!;
  const v = speeds[i]!;
  const j = v + rate * x;
  const e = Math.exp(-rate * seconds);
  values[i] = (x + j * seconds) * e;
  speeds[i] = (v - rate * j * seconds) * e;
}
