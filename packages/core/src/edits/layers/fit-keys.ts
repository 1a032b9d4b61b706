import { lengthOf, squared } from '../../base/math/functions.js';
import { type CurveKey, compileCurve, sampleVector } from '../vector-curve.js';

/**
 * Keys of a spline that follows dense values, coarse to fine: first and last, then again and again one where it is
 * worst, until it is nowhere off by more than the tolerance (in the spirit of Lee and Shin's hierarchy of splines). The
 * spline is C2 with no slope at its ends, so that what begins and ends at nothing does so smoothly.
 * @param times Seconds, rising.
 * @param values `size` numbers a time.
 * @param tolerance Length of the difference that is allowed.
 * @returns keys; none where no value is ever farther from 0 than the tolerance.
 */
export function fitKeys(
  times: ArrayLike<number>,
  values: Float64Array,
  size: number,
  tolerance: number,
): CurveKey[] {
  const count = times.length;
  // What rounding left of nothing is nothing: outside its keys a layer must not change a bit.
  const rowOf = (k: number) => {
    const row = Array.from(values.subarray(size * k, size * k + size));
    return lengthOf(row) > 1e-9 ? row : row.map(() => 0);
  };
  let first = count;
  let last = -1;
  for (let k = 0; k < count; k++)
    if (rowOf(k).some((x) => x !== 0)) {
      first = Math.min(first, k);
      last = k;
    }
  if (last < 0) return [];
  const chosen = new Set([Math.max(0, first - 1), Math.min(count - 1, last + 1)]);
  const out = new Float64Array(size);
  for (;;) {
    const list = [...chosen].sort((a, b) => a - b);
    const keys: CurveKey[] = list.map((k) => ({ time: times[k]!, values: rowOf(k), ease: 'spline' }));
    const curve = compileCurve(keys, size);
    // One key in each stretch that is off: as many at once as are independent of each other.
    let added = false;
    for (let s = 0; s + 1 < list.length; s++) {
      let worst = tolerance;
      let at = -1;
      for (let k = list[s]! + 1; k < list[s + 1]!; k++) {
        sampleVector(out, 0, curve, times[k]!);
        let square = 0;
        for (let c = 0; c < size; c++) square += squared(out[c]! - values[size * k + c]!);
        const off = Math.sqrt(square);
        if (off > worst) {
          worst = off;
          at = k;
        }
      }
      if (at >= 0) {
        chosen.add(at);
        added = true;
      }
    }
    if (!added) {
      const largest = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      return largest <= tolerance ? [] : keys;
    }
  }
}
