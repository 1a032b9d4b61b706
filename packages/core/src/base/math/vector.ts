import { atan2, hypot } from './functions.js';
import type { Numbers } from './quaternion.js';

/*
 * Small vectors as tuples, for analysis that runs once per rig. Code that runs per frame uses the flat
 * kernels of quaternion.ts and matrix.ts instead.
 */

/** Three numbers: a point, a direction or an offset. */
export type Vec3 = [number, number, number];

/** Reads a vector out of a flat store. */
export function vectorAt(values: Readonly<Numbers>, i: number): Vec3 {
  return [values[i]!, values[i + 1]!, values[i + 2]!];
}

/** a + b. */
export function addVectors(a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** a − b. */
export function subtractVectors(a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** v · k. */
export function scaleVector(v: Readonly<Vec3>, k: number): Vec3 {
  return [v[0] * k, v[1] * k, v[2] * k];
}

/** The dot product. */
export function dotVectors(a: Readonly<Vec3>, b: Readonly<Vec3>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The cross product a × b. */
export function crossVectors(a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The length of a vector. */
export function vectorLength(v: Readonly<Vec3>): number {
  return hypot(v[0], v[1], v[2]);
}

/** A vector at unit length, or null where it has no direction to speak of. */
export function directionOf(v: Readonly<Vec3>): Vec3 | null {
  const length = vectorLength(v);
  return length > 1e-9 && Number.isFinite(length) ? scaleVector(v, 1 / length) : null;
}

/** The part of v that is square to a unit axis. */
export function rejectVector(v: Readonly<Vec3>, axis: Readonly<Vec3>): Vec3 {
  return subtractVectors(v, scaleVector(axis, dotVectors(v, axis)));
}

/** The angle between two vectors in radians, 0 to π, by atan2 so that small angles stay exact. */
export function vectorAngle(a: Readonly<Vec3>, b: Readonly<Vec3>): number {
  return atan2(vectorLength(crossVectors(a, b)), dotVectors(a, b));
}

/** The mean of some points; null for none. */
export function meanVector(points: readonly Readonly<Vec3>[]): Vec3 | null {
  if (points.length === 0) return null;
  let sum: Vec3 = [0, 0, 0];
  for (const point of points) sum = addVectors(sum, point);
  return scaleVector(sum, 1 / points.length);
}
