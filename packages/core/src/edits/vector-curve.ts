import { type CurveEase, easeAt } from '../base/math/easing.js';

/** A key of a curve: seconds, and as many numbers as the curve has. */
export type CurveKey = { time: number; values: readonly number[]; ease: CurveEase };

/** A curve ready to be read: plain data. Held still before the first key and after the last. */
export type VectorCurve = {
  /** Numbers a key. */
  size: number;
  times: Float64Array;
  values: Float64Array;
  /** Per key how the curve goes on. */
  eases: CurveEase[];
  /** Per key the slope of splines through it. */
  slopes: Float64Array;
};

/**
 * Makes a curve of keys in rising order of time. Splines are the cubics whose second derivative is continuous (C2),
 * with no slope at the first and last key of each run of splines: they leave and reach standstill, where natural ends
 * would ring beyond them.
 */
export function compileCurve(keys: readonly CurveKey[], size: number): VectorCurve {
  const count = keys.length;
  const curve: VectorCurve = {
    size,
    times: Float64Array.from(keys, ({ time }) => time),
    values: new Float64Array(size * count),
    eases: keys.map(({ ease }) => ease),
    slopes: new Float64Array(size * count),
  };
  keys.forEach(({ values }, k) => {
    for (let c = 0; c < size; c++) curve.values[size * k + c] = values[c]!;
  });
  const isSpline = (k: number) => curve.eases[k] === 'spline' && curve.times[k + 1]! - curve.times[k]! > 1e-9;
  for (let k = 0; k < count - 1; k++) {
    let end = k;
    while (end < count - 1 && isSpline(end)) end++;
    if (end > k + 1) for (let c = 0; c < size; c++) findSlopes(curve, k, end, c);
    k = Math.max(k, end - 1);
  }
  return curve;
}

/**
 * Slopes m of the keys from `first` to `last`: equal second derivatives on both sides of each key between,
 *   m₋/h₋ + 2 m (1/h₋ + 1/h₊) + m₊/h₊ = 3 ((y − y₋)/h₋² + (y₊ − y)/h₊²),
 * m = 0 at both ends; three diagonals, solved by elimination.
 */
function findSlopes(
  { times, values, slopes, size }: VectorCurve,
  first: number,
  last: number,
  c: number,
): void {
  const above = new Float64Array(last - first + 1);
  const right = new Float64Array(last - first + 1);
  for (let k = first + 1; k < last; k++) {
    const n = k - first;
    const before = 1 / (times[k]! - times[k - 1]!);
    const after = 1 / (times[k + 1]! - times[k]!);
    const y = values[size * k + c]!;
    const sum =
      3 *
      ((y - values[size * (k - 1) + c]!) * before * before +
        (values[size * (k + 1) + c]! - y) * after * after);
    const pivot = 2 * (before + after) - before * above[n - 1]!;
    above[n] = after / pivot;
    right[n] = (sum - before * right[n - 1]!) / pivot;
  }
  for (let k = last - 1; k > first; k--)
    slopes[size * k + c] = right[k - first]! - above[k - first]! * slopes[size * (k + 1) + c]!;
}

/** Reads a curve at a time in seconds; `size` numbers into `out`. */
export function sampleVector(out: Float64Array, o: number, curve: VectorCurve, time: number): void {
  const { size, times, values, slopes, eases } = curve;
  const last = times.length - 1;
  let low = 0;
  let high = last;
  // The last key that is not after the time.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  const k = low;
  const h = k < last ? times[k + 1]! - times[k]! : 0;
  const u = h > 0 ? (time - times[k]!) / h : 0;
  const ease = eases[k]!;
  if (!(u > 0)) {
    for (let c = 0; c < size; c++) out[o + c] = values[size * k + c]!;
  } else if (ease === 'spline') {
    // Hermite's cubic of two values and two slopes.
    const v = 1 - u;
    const b = u * u * (3 - 2 * u);
    for (let c = 0; c < size; c++) {
      const a = size * k + c;
      out[o + c] =
        values[a]! +
        b * (values[a + size]! - values[a]!) +
        h * u * v * (v * slopes[a]! - u * slopes[a + size]!);
    }
  } else {
    const b = easeAt(ease, u);
    for (let c = 0; c < size; c++) {
      const a = size * k + c;
      out[o + c] = values[a]! + b * (values[a + size]! - values[a]!);
    }
  }
}
