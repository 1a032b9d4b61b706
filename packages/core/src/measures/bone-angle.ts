import { atan2, hypot } from '../base/math/functions.js';

/** The angle between the lines from place i to j of one body and from k to l of another; NaN where one has no length. */
export function boneAngle(
  a: Float64Array,
  i: number,
  j: number,
  b: Float64Array,
  k: number,
  l: number,
): number {
  const ux = a[j]! - a[i]!;
  const uy = a[j + 1]! - a[i + 1]!;
  const uz = a[j + 2]! - a[i + 2]!;
  const vx = b[l]! - b[k]!;
  const vy = b[l + 1]! - b[k + 1]!;
  const vz = b[l + 2]! - b[k + 2]!;
  if (!(hypot(ux, uy, uz) > 1e-9 && hypot(vx, vy, vz) > 1e-9)) return Number.NaN;
  const cross = hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  return atan2(cross, ux * vx + uy * vy + uz * vz);
}
