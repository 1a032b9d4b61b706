/**
 * A symmetric matrix whose columns are put in an order in which most of its rows begin with zeros, and its factor, of which the
 * same numbers are zero: where columns of a tree of joints go from leaves to root, an arm has nothing to do with a leg
 * until the trunk. Of twenty joints a seventh of the products of a full factor are left, and of a row through it a third.
 */
export type Profile = {
  /** Which column of the matrix stands at a place. */
  order: Int32Array;
  /** The lower half, in that order, and per row where its first number stands. */
  factor: Float64Array;
  firsts: Int32Array;
};

/** Room for matrices of as many columns as the order has. */
export function createProfile(order: Int32Array): Profile {
  const n = order.length;
  return { order, factor: new Float64Array(n * n), firsts: new Int32Array(n) };
}

/**
 * Takes the lower half of a matrix, and writes its factor by Cholesky.
 * @returns the smallest pivot over its diagonal; where it is not above 0 the factor cannot be used.
 */
export function factorProfile({ order, factor, firsts }: Profile, matrix: Float64Array): number {
  const n = order.length;
  let least = 1;
  for (let a = 0; a < n; a++) {
    const r = a * n;
    const i = order[a]!;
    let first = a;
    for (let b = a; b >= 0; b--) {
      const j = order[b]!;
      const value = i > j ? matrix[i * n + j]! : matrix[j * n + i]!;
      factor[r + b] = value;
      if (value !== 0) first = b;
    }
    firsts[a] = first;
    const diagonal = factor[r + a]!;
    for (let b = first; b < a; b++) {
      const q = b * n;
      const start = firsts[b]!;
      let sum = factor[r + b]!;
      for (let c = start > first ? start : first; c < b; c++) sum -= factor[r + c]! * factor[q + c]!;
      factor[r + b] = sum * factor[q + b]!;
    }
    let sum = diagonal;
    for (let c = first; c < a; c++) sum -= factor[r + c]! * factor[r + c]!;
    const share = sum / diagonal;
    if (!(share > 0)) return 0;
    if (share < least) least = share;
    // The diagonal keeps the pivot's inverse root, as in `factorMatrix`.
    factor[r + a] = 1 / Math.sqrt(sum);
  }
  return least;
}

/**
 * Writes L⁻¹ v into `out` from place `o` on, v in the order of the matrix.
 * @returns where its first number stands that is not 0.
 */
export function goForwards(
  { order, factor, firsts }: Profile,
  out: Float64Array,
  o: number,
  v: Float64Array,
  at: number,
): number {
  const n = order.length;
  let begin = 0;
  while (begin < n && v[at + order[begin]!] === 0) out[o + begin++] = 0;
  for (let a = begin; a < n; a++) {
    const r = a * n;
    const first = firsts[a]!;
    let sum = v[at + order[a]!]!;
    for (let c = first > begin ? first : begin; c < a; c++) sum -= factor[r + c]! * out[o + c]!;
    out[o + a] = sum * factor[r + a]!;
  }
  return begin;
}

/** Writes L⁻ᵀ v into `out`, which is in the order of the matrix again; `v` is used up. */
export function goBackwards({ order, factor, firsts }: Profile, out: Float64Array, v: Float64Array): void {
  const n = order.length;
  for (let a = n - 1; a >= 0; a--) {
    const r = a * n;
    const x = v[a]! * factor[r + a]!;
    out[order[a]!] = x;
    for (let c = firsts[a]!; c < a; c++) v[c] = v[c]! - factor[r + c]! * x;
  }
}
