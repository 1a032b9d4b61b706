/*
 * Three numbers in a store of their own, for the solvers' scratch: a tuple would be allocated per call.
 */

/** The dot product. */
export function dotFlat(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

/** Scales to unit length and gives the length there was; 0, and all as it is, where there was no direction. */
export function normalizeFlat(v: Float64Array): number {
  const length = Math.sqrt(dotFlat(v, v));
  if (!(length > 1e-150 && length < 1e150)) return 0;
  v[0] = v[0]! / length;
  v[1] = v[1]! / length;
  v[2] = v[2]! / length;
  return length;
}

/** out = the part of v square to a unit axis. */
export function rejectFlat(out: Float64Array, v: Float64Array, axis: Float64Array): void {
  const along = dotFlat(v, axis);
  out[0] = v[0]! - along * axis[0]!;
  out[1] = v[1]! - along * axis[1]!;
  out[2] = v[2]! - along * axis[2]!;
}

/** The distance between two points in flat stores. */
export function distanceFlat(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i]! - b[j]!;
  const y = a[i + 1]! - b[j + 1]!;
  const z = a[i + 2]! - b[j + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}
