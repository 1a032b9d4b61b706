/**
 * Cholesky's factor of the lower half of a symmetric matrix of n rows, in place, each row `width` apart.
 * @returns the smallest pivot over its diagonal: how near the rows are to depending on each other. Where it is not
 * above 0 the factor cannot be used.
 */
export function factorMatrix(m: Float64Array, n: number, width: number): number {
  let least = 1;
  for (let a = 0; a < n; a++) {
    const r = a * width;
    const diagonal = m[r + a]!;
    for (let b = 0; b <= a; b++) {
      const q = b * width;
      let sum = m[r + b]!;
      for (let c = 0; c < b; c++) sum -= m[r + c]! * m[q + c]!;
      if (a !== b) m[r + b] = sum * m[q + b]!;
      else {
        const share = sum / diagonal;
        if (!(share > 0)) return 0;
        if (share < least) least = share;
        // The diagonal keeps the pivot's inverse root: products instead of divisions from here on.
        m[r + a] = 1 / Math.sqrt(sum);
      }
    }
  }
  return least;
}

/** Solves in place with a factor of {@link factorMatrix}. */
export function substitute(m: Float64Array, v: Float64Array, n: number, width: number): void {
  for (let a = 0; a < n; a++) {
    const r = a * width;
    let sum = v[a]!;
    for (let c = 0; c < a; c++) sum -= m[r + c]! * v[c]!;
    v[a] = sum * m[r + a]!;
  }
  for (let a = n - 1; a >= 0; a--) {
    let sum = v[a]!;
    for (let c = a + 1; c < n; c++) sum -= m[c * width + a]! * v[c]!;
    v[a] = sum * m[a * width + a]!;
  }
}
