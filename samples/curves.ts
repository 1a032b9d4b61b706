/** 0 to 1 with no speed at either end; held outside. */
export function ease(t: number): number {
  const u = Math.max(0, Math.min(1, t));
  return u * u * (3 - 2 * u);
}

/** 0 to 1 with neither speed nor acceleration at either end; held outside. */
export function easeSoftly(t: number): number {
  const u = Math.max(0, Math.min(1, t));
  return u * u * u * (u * (u * 6 - 15) + 10);
}

/** How far `t` has come from a (0) to b (1). */
export function progress(t: number, a: number, b: number): number {
  return (t - a) / (b - a);
}

/** The cubic from p to q over `span` seconds with speeds v and w at its ends, at `u` of the way. */
export function hermite(p: number, v: number, q: number, w: number, span: number, u: number): number {
  const u2 = u * u;
  const u3 = u2 * u;
  return (
    (2 * u3 - 3 * u2 + 1) * p + (u3 - 2 * u2 + u) * span * v + (-2 * u3 + 3 * u2) * q + (u3 - u2) * span * w
  );
}

/** A key of a curve: time, value, and the speed there (0 if left out). */
export type CurveKey = readonly [time: number, value: number, speed?: number];

/** A smooth curve through keys with the speeds they say; held before the first and after the last. */
export function curve(keys: readonly CurveKey[]): (t: number) => number {
  return (t) => {
    const first = keys[0]!;
    const last = keys[keys.length - 1]!;
    if (t <= first[0]) return first[1];
    if (t >= last[0]) return last[1];
    const i = keys.findIndex((key) => key[0] > t);
    const [t0, p, v = 0] = keys[i - 1]!;
    const [t1, q, w = 0] = keys[i]!;
    return hermite(p, v, q, w, t1 - t0, (t - t0) / (t1 - t0));
  };
}

/** A sine wave: `at` is the phase, in cycles, of its greatest value. */
export function wave(cycles: number, at = 0): number {
  return Math.cos(2 * Math.PI * (cycles - at));
}
