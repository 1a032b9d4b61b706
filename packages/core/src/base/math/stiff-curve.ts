/*
 * Curves that are bent as little as may be: the nearest to given values whose speed changes least from frame to frame.
 */

/** What D₂ᵀD₂ does to a curve, D₂ its second differences: to a frame itself, and to those one and two frames off. */
const BENDS = [6, -4, 1] as const;
const BAND = 2;

/**
 * Moves the frames of a stretch to where
 *
 *   Σ |x(k + 1) − 2·x(k) + x(k − 1)|² + Σ hold(k) · |x(k) − v(k)|²
 *
 * is least, v being what stands there; all frames outside of it stay, so that the stretch is left and met with their
 * values and speeds. A frame that is held by 1 / σ⁴ is smoothed over about σ frames to either side. The equations are
 * five numbers wide and positive, so that L·D·Lᵀ solves them without pivots.
 * @param size Numbers a frame.
 * @param first The first frame of the stretch, and
 * @param last the last one: two frames from the ends of the curve at least.
 * @param hold Per frame of the stretch, above 0.
 */
export function calmStretch(
  curve: Float64Array,
  size: number,
  first: number,
  last: number,
  hold: Float64Array,
): void {
  const n = last - first + 1;
  if (n < 1) return;
  const right = new Float64Array(size * n);
  /** Of each row what stands left of the diagonal, nearest first, then the diagonal. */
  const rows = new Float64Array((BAND + 1) * n);
  for (let i = 0; i < n; i++) {
    const k = first + i;
    for (let c = 0; c < size; c++) {
      let sum = hold[i]! * curve[size * k + c]!;
      for (let d = 1; d <= BAND; d++) {
        if (i - d < 0) sum -= BENDS[d]! * curve[size * (k - d) + c]!;
        if (i + d >= n) sum -= BENDS[d]! * curve[size * (k + d) + c]!;
      }
      right[size * i + c] = sum;
    }
    // A(i, j) = Σ L(i, m)·D(m)·L(j, m), from the left.
    for (let d = Math.min(i, BAND); d >= 0; d--) {
      const j = i - d;
      let sum = BENDS[d]! + (d === 0 ? hold[i]! : 0);
      for (let m = Math.max(0, i - BAND); m < j; m++)
        sum -= lower(rows, i, m) * rows[(BAND + 1) * m + BAND]! * lower(rows, j, m);
      if (d === 0) rows[(BAND + 1) * i + BAND] = sum;
      else rows[(BAND + 1) * i + d - 1] = sum / rows[(BAND + 1) * j + BAND]!;
    }
  }
  for (let i = 0; i < n; i++)
    for (let d = 1; d <= Math.min(i, BAND); d++)
      for (let c = 0; c < size; c++)
        right[size * i + c]! -= lower(rows, i, i - d) * right[size * (i - d) + c]!;
  for (let i = n - 1; i >= 0; i--)
    for (let c = 0; c < size; c++) {
      let x = right[size * i + c]! / rows[(BAND + 1) * i + BAND]!;
      for (let d = 1; d <= Math.min(n - 1 - i, BAND); d++)
        x -= lower(rows, i + d, i) * right[size * (i + d) + c]!;
      right[size * i + c] = x;
    }
  curve.set(right, size * first);
}

/** L(i, j), up to two left of the diagonal. */
function lower(rows: Float64Array, i: number, j: number): number {
  return rows[(BAND + 1) * i + i - j - 1]!;
}
