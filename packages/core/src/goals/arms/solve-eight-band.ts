/** Numbers before the diagonal in a row of the band, and all of them. */
const BEFORE = 8;
const ROW = 9;
/** Rounding may leave a little less than nothing. */
const LEAST_PIVOT = 1e-12;

/**
 * As `solveBanded` with a width of 8, written out: that is what all frames of an arm take while it is solved, and loops
 * of eight spend most of their time on being loops. By A = L·D·Lᵀ, row by row: with v = a − Σ v·L of the columns before
 * it, L = v / D and D = a − Σ v·L. The band becomes L, with 1 / D on the diagonal; b becomes x.
 */
export function solveEightBand(band: Float64Array, b: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const r = ROW * i;
    let left = band[r + BEFORE]!;
    let sum = b[i]!;
    if (i < BEFORE) {
      for (let j = 0; j < i; j++) {
        let v = band[r + BEFORE - i + j]!;
        for (let k = 0; k < j; k++) v -= band[r + BEFORE - i + k]! * band[ROW * j + BEFORE - j + k]!;
        band[r + BEFORE - i + j] = v;
      }
      for (let j = 0; j < i; j++) {
        const v = band[r + BEFORE - i + j]!;
        const l = v * band[ROW * j + BEFORE]!;
        band[r + BEFORE - i + j] = l;
        left -= v * l;
        sum -= l * b[j]!;
      }
    } else {
      const v0 = band[r]!;
      const v1 = band[r + 1]! - v0 * band[r - 56]!;
      const v2 = band[r + 2]! - v0 * band[r - 48]! - v1 * band[r - 47]!;
      const v3 = band[r + 3]! - v0 * band[r - 40]! - v1 * band[r - 39]! - v2 * band[r - 38]!;
      const v4 =
        band[r + 4]! - v0 * band[r - 32]! - v1 * band[r - 31]! - v2 * band[r - 30]! - v3 * band[r - 29]!;
      const v5 =
        band[r + 5]! -
        v0 * band[r - 24]! -
        v1 * band[r - 23]! -
        v2 * band[r - 22]! -
        v3 * band[r - 21]! -
        v4 * band[r - 20]!;
      const v6 =
        band[r + 6]! -
        v0 * band[r - 16]! -
        v1 * band[r - 15]! -
        v2 * band[r - 14]! -
        v3 * band[r - 13]! -
        v4 * band[r - 12]! -
        v5 * band[r - 11]!;
      const v7 =
        band[r + 7]! -
        v0 * band[r - 8]! -
        v1 * band[r - 7]! -
        v2 * band[r - 6]! -
        v3 * band[r - 5]! -
        v4 * band[r - 4]! -
        v5 * band[r - 3]! -
        v6 * band[r - 2]!;
      const l0 = v0 * band[r - 64]!;
      const l1 = v1 * band[r - 55]!;
      const l2 = v2 * band[r - 46]!;
      const l3 = v3 * band[r - 37]!;
      const l4 = v4 * band[r - 28]!;
      const l5 = v5 * band[r - 19]!;
      const l6 = v6 * band[r - 10]!;
      const l7 = v7 * band[r - 1]!;
      left = left - v0 * l0 - v1 * l1 - v2 * l2 - v3 * l3 - v4 * l4 - v5 * l5 - v6 * l6 - v7 * l7;
      sum =
        sum -
        l0 * b[i - 8]! -
        l1 * b[i - 7]! -
        l2 * b[i - 6]! -
        l3 * b[i - 5]! -
        l4 * b[i - 4]! -
        l5 * b[i - 3]! -
        l6 * b[i - 2]! -
        l7 * b[i - 1]!;
      band[r] = l0;
      band[r + 1] = l1;
      band[r + 2] = l2;
      band[r + 3] = l3;
      band[r + 4] = l4;
      band[r + 5] = l5;
      band[r + 6] = l6;
      band[r + 7] = l7;
    }
    band[r + BEFORE] = 1 / (left > LEAST_PIVOT ? left : LEAST_PIVOT);
    b[i] = sum;
  }
  for (let i = 0; i < count; i++) b[i] = b[i]! * band[ROW * i + BEFORE]!;
  for (let i = count - 1; i >= 0; i--) {
    const r = ROW * i;
    const x = b[i]!;
    if (i < BEFORE) for (let j = 0; j < i; j++) b[j] = b[j]! - band[r + BEFORE - i + j]! * x;
    else {
      b[i - 8] = b[i - 8]! - band[r]! * x;
      b[i - 7] = b[i - 7]! - band[r + 1]! * x;
      b[i - 6] = b[i - 6]! - band[r + 2]! * x;
      b[i - 5] = b[i - 5]! - band[r + 3]! * x;
      b[i - 4] = b[i - 4]! - band[r + 4]! * x;
      b[i - 3] = b[i - 3]! - band[r + 5]! * x;
      b[i - 2] = b[i - 2]! - band[r + 6]! * x;
      b[i - 1] = b[i - 1]! - band[r + 7]! * x;
    }
  }
}
