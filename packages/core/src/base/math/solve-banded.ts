/**
 * Solves A·x = b for a symmetric matrix that is greater than nothing and has numbers near its diagonal alone, by
 * Cholesky's A = L·Lᵀ. Both are overwritten: the matrix by L, b by x.
 * @param band Rows of the lower half: row i has A[i][i − width] … A[i][i] in `width + 1` numbers.
 */
export function solveBanded(band: Float64Array, b: Float64Array, count: number, width: number): void {
  const size = width + 1;
  for (let i = 0; i < count; i++) {
    const row = size * i + width - i;
    const first = i > width ? i - width : 0;
    for (let j = first; j <= i; j++) {
      const other = size * j + width - j;
      let sum = band[row + j]!;
      for (let k = Math.max(first, j - width); k < j; k++) sum -= band[row + k]! * band[other + k]!;
      // Rounding may leave a little less than nothing.
      band[row + j] = j < i ? sum / band[other + j]! : Math.sqrt(sum > 1e-12 ? sum : 1e-12);
    }
  }
  for (let i = 0; i < count; i++) {
    const row = size * i + width - i;
    let sum = b[i]!;
    for (let k = i > width ? i - width : 0; k < i; k++) sum -= band[row + k]! * b[k]!;
    b[i] = sum / band[row + i]!;
  }
  for (let i = count - 1; i >= 0; i--) {
    let sum = b[i]!;
    const last = Math.min(count - 1, i + width);
    for (let k = i + 1; k <= last; k++) sum -= band[size * k + width - k + i]! * b[k]!;
    b[i] = sum / band[size * i + width]!;
  }
}
