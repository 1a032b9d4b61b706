import {
  multiplyQuaternions,
  quaternionFromAxes,
  quaternionFromAxisAngle,
  rotateVector,
  shortestArc,
  slerpQuaternions,
} from '@stuntdouble/core/engine';

/*
 * Vectors and turns as small tuples: the samples are built once, so that reading well comes before speed.
 * The kernels are core's.
 */

/** A point or direction in body space: metres, +X to the character's left, +Y up, +Z forward. */
export type Vec3 = readonly [number, number, number];

/** A unit quaternion, xyzw. */
export type Quat = readonly [number, number, number, number];

/** No turn at all. */
export const NO_TURN: Quat = [0, 0, 0, 1];

/** a + b. */
export function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** a − b. */
export function subtract(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** a times a number. */
export function scale(a: Vec3, by: number): Vec3 {
  return [a[0] * by, a[1] * by, a[2] * by];
}

/** The dot product. */
export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The cross product. */
export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The length of a vector. */
export function length(a: Vec3): number {
  return Math.sqrt(dot(a, a));
}

/** The direction of a vector; +Y for the zero vector. */
export function direction(a: Vec3): Vec3 {
  const l = length(a);
  return l > 1e-12 ? scale(a, 1 / l) : [0, 1, 0];
}

/** The point at `t` on the way from a (0) to b (1). */
export function mix(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** The same point on the other side of the body. */
export function mirror(a: Vec3): Vec3 {
  return [-a[0], a[1], a[2]];
}

const toQuat = (q: Float64Array): Quat => [q[0]!, q[1]!, q[2]!, q[3]!];

/** The product of turns: the last one is made first. */
export function turnBy(...turns: readonly Quat[]): Quat {
  const out = Float64Array.of(0, 0, 0, 1);
  for (const turn of turns) multiplyQuaternions(out, 0, out, 0, Float64Array.from(turn), 0);
  return toQuat(out);
}

/** The turn back. */
export function inverse(q: Quat): Quat {
  return [-q[0], -q[1], -q[2], q[3]];
}

/** A vector turned by q. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const out = new Float64Array(3);
  rotateVector(out, 0, Float64Array.from(q), 0, Float64Array.from(v), 0);
  return [out[0]!, out[1]!, out[2]!];
}

/** The turn by an angle in degrees about an axis of any length. */
export function turnAbout(axis: Vec3, angleDegrees: number): Quat {
  const out = new Float64Array(4);
  quaternionFromAxisAngle(out, 0, Float64Array.from(direction(axis)), 0, (angleDegrees * Math.PI) / 180);
  return toQuat(out);
}

/** The turn about +X by degrees: positive bends a standing body forward. */
export const pitch = (angleDegrees: number): Quat => turnAbout([1, 0, 0], angleDegrees);
/** The turn about +Y by degrees: positive turns to the character's left. */
export const yaw = (angleDegrees: number): Quat => turnAbout([0, 1, 0], angleDegrees);
/** The turn about +Z by degrees: positive leans to the character's right. */
export const roll = (angleDegrees: number): Quat => turnAbout([0, 0, 1], angleDegrees);

/** The smallest turn from one direction to another. */
export function arc(from: Vec3, to: Vec3): Quat {
  const out = new Float64Array(4);
  shortestArc(out, 0, Float64Array.from(from), 0, Float64Array.from(to), 0);
  return toQuat(out);
}

/** The turn between two turns, at `t` from a (0) to b (1), on the shorter way. */
export function slerp(a: Quat, b: Quat, t: number): Quat {
  const out = new Float64Array(4);
  slerpQuaternions(out, 0, Float64Array.from(a), 0, Float64Array.from(b), 0, t);
  return toQuat(out);
}

/** The turn that takes the axes x, y, z to three right-handed orthonormal directions. */
export function turnOfAxes(x: Vec3, y: Vec3, z: Vec3): Quat {
  const out = new Float64Array(4);
  quaternionFromAxes(out, 0, ...x, ...y, ...z);
  return toQuat(out);
}

/** A whole turn and shift: p ↦ rotation · p + translation. */
export type Placement = { rotation: Quat; translation: Vec3 };

/** A point moved by a placement. */
export function place(placement: Placement, point: Vec3): Vec3 {
  return add(rotate(placement.rotation, point), placement.translation);
}
