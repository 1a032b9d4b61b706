/*
 * Quaternion kernels over flat arrays: xyzw, unit length, Hamilton product (a·b turns by b first, then by a).
 * Every function takes `out` first with its offset; `out` may alias the inputs.
 * The four that run per joint and frame take Float64Array alone: a function that has met several kinds of
 * array is compiled for all of them, and the frame core was measured to run 12 times slower then.
 */
import { acos, atan2, cos, sin } from './functions.js';

/** A flat store of numbers that the kernels read and write. */
export type Numbers = Float64Array | Float32Array;

/** out = a · b. Turning by the result is turning by b first, then by a. */
export function multiplyQuaternions(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out = a⁻¹ · b for unit quaternions: what a parent turned by `a` must add to be turned by `b`. */
export function divideQuaternions(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  const ax = -a[i]!;
  const ay = -a[i + 1]!;
  const az = -a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out = q⁻¹ of a unit quaternion. */
export function conjugateQuaternion(out: Float64Array, o: number, q: Float64Array, i: number): void {
  out[o] = -q[i]!;
  out[o + 1] = -q[i + 1]!;
  out[o + 2] = -q[i + 2]!;
  out[o + 3] = q[i + 3]!;
}

/** Scales a quaternion to unit length; one without a direction (zero, NaN) becomes the identity. */
export function normalizeQuaternion(out: Numbers, o: number, q: Readonly<Numbers>, i: number): void {
  const x = q[i]!;
  const y = q[i + 1]!;
  const z = q[i + 2]!;
  const w = q[i + 3]!;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 1e-12) || length === Number.POSITIVE_INFINITY) {
    out[o] = 0;
    out[o + 1] = 0;
    out[o + 2] = 0;
    out[o + 3] = 1;
    return;
  }
  const k = 1 / length;
  out[o] = x * k;
  out[o + 1] = y * k;
  out[o + 2] = z * k;
  out[o + 3] = w * k;
}

/** out = v turned by the unit quaternion q. */
export function rotateVector(
  out: Float64Array,
  o: number,
  q: Float64Array,
  i: number,
  v: Float64Array,
  j: number,
): void {
  const qx = q[i]!;
  const qy = q[i + 1]!;
  const qz = q[i + 2]!;
  const qw = q[i + 3]!;
  const x = v[j]!;
  const y = v[j + 1]!;
  const z = v[j + 2]!;
  // v + 2w(u × v) + 2u × (u × v), with u the vector part of q
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out[o] = x + qw * tx + qy * tz - qz * ty;
  out[o + 1] = y + qw * ty + qz * tx - qx * tz;
  out[o + 2] = z + qw * tz + qx * ty - qy * tx;
}

/**
 * The smallest turn that takes direction `from` to direction `to`; neither need have unit length.
 * Opposite directions have no smallest turn: any axis square to `from` serves, and one is chosen without
 * regard to the caller's frame. A zero vector gives the identity.
 */
export function shortestArc(
  out: Numbers,
  o: number,
  from: Readonly<Numbers>,
  i: number,
  to: Readonly<Numbers>,
  j: number,
): void {
  const ax = from[i]!;
  const ay = from[i + 1]!;
  const az = from[i + 2]!;
  const bx = to[j]!;
  const by = to[j + 1]!;
  const bz = to[j + 2]!;
  const lengths = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
  if (!(lengths > 1e-30)) {
    out[o] = 0;
    out[o + 1] = 0;
    out[o + 2] = 0;
    out[o + 3] = 1;
    return;
  }
  // (a × b, |a||b| + a·b) is twice-the-angle's half-way quaternion up to length: cos θ + 1 = 2 cos²(θ/2).
  let x = ay * bz - az * by;
  let y = az * bx - ax * bz;
  let z = ax * by - ay * bx;
  let w = lengths + ax * bx + ay * by + az * bz;
  if (w < 1e-12 * lengths) {
    // Antiparallel: half a turn about the square axis furthest from `from`.
    if (Math.abs(ax) <= Math.abs(ay) && Math.abs(ax) <= Math.abs(az)) {
      x = 0;
      y = -az;
      z = ay;
    } else if (Math.abs(ay) <= Math.abs(az)) {
      x = az;
      y = 0;
      z = -ax;
    } else {
      x = -ay;
      y = ax;
      z = 0;
    }
    w = 0;
  }
  const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x * k;
  out[o + 1] = y * k;
  out[o + 2] = z * k;
  out[o + 3] = w * k;
}

/** out = the turn by `angle` radians about the unit axis. */
export function quaternionFromAxisAngle(
  out: Numbers,
  o: number,
  axis: Readonly<Numbers>,
  i: number,
  angle: number,
): void {
  const s = sin(angle / 2);
  out[o] = axis[i]! * s;
  out[o + 1] = axis[i + 1]! * s;
  out[o + 2] = axis[i + 2]! * s;
  out[o + 3] = cos(angle / 2);
}

/** Spherical interpolation along the shorter arc, `t` from 0 (a) to 1 (b). */
export function slerpQuaternions(
  out: Numbers,
  o: number,
  a: Readonly<Numbers>,
  i: number,
  b: Readonly<Numbers>,
  j: number,
  t: number,
): void {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  let bx = b[j]!;
  let by = b[j + 1]!;
  let bz = b[j + 2]!;
  let bw = b[j + 3]!;
  let dot = ax * bx + ay * by + az * bz + aw * bw;
  if (dot < 0) {
    dot = -dot;
    bx = -bx;
    by = -by;
    bz = -bz;
    bw = -bw;
  }
  let u = 1 - t;
  let v = t;
  // Below about 0.06 degrees the straight line differs from the arc by less than a float's rounding.
  if (dot < 0.9999995) {
    // sin((1 − t) θ) / sin θ = cos tθ − cos θ · sin tθ / sin θ: one sine and one cosine, found together.
    const angle = t * acos(dot);
    v = sin(angle) / Math.sqrt((1 - dot) * (1 + dot));
    u = cos(angle) - dot * v;
  }
  const x = u * ax + v * bx;
  const y = u * ay + v * by;
  const z = u * az + v * bz;
  const w = u * aw + v * bw;
  const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x * k;
  out[o + 1] = y * k;
  out[o + 2] = z * k;
  out[o + 3] = w * k;
}

/**
 * out = half way from a to b along the shorter arc: {@link slerpQuaternions} at a half, where it needs no angle.
 * The identity where neither has a length.
 */
export function middleQuaternion(
  out: Numbers,
  o: number,
  a: Readonly<Numbers>,
  i: number,
  b: Readonly<Numbers>,
  j: number,
): void {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  const sign = ax * bx + ay * by + az * bz + aw * bw < 0 ? -1 : 1;
  const x = ax + sign * bx;
  const y = ay + sign * by;
  const z = az + sign * bz;
  const w = aw + sign * bw;
  const square = x * x + y * y + z * z + w * w;
  const k = square > 0 ? 1 / Math.sqrt(square) : 0;
  out[o] = x * k;
  out[o + 1] = y * k;
  out[o + 2] = z * k;
  out[o + 3] = square > 0 ? w * k : 1;
}

/**
 * The angle in radians (0 to π) of the turn between two unit quaternions, whatever their signs.
 * By atan2 of the vector part: acos of a dot product is good to 7e-4 only.
 */
export function quaternionAngle(a: Readonly<Numbers>, i: number, b: Readonly<Numbers>, j: number): number {
  const ax = -a[i]!;
  const ay = -a[i + 1]!;
  const az = -a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  return 2 * atan2(Math.sqrt(x * x + y * y + z * z), Math.abs(w));
}

/**
 * out = the twist of q about a unit axis: q = swing · twist, where the swing's axis is square to `axis`.
 * Where q turns the axis to its opposite the twist is undefined; the identity is given.
 */
export function twistAbout(
  out: Numbers,
  o: number,
  q: Readonly<Numbers>,
  i: number,
  axis: Readonly<Numbers>,
  j: number,
): void {
  const along = q[i]! * axis[j]! + q[i + 1]! * axis[j + 1]! + q[i + 2]! * axis[j + 2]!;
  const w = q[i + 3]!;
  const length = Math.sqrt(along * along + w * w);
  if (length < 1e-9) {
    out[o] = 0;
    out[o + 1] = 0;
    out[o + 2] = 0;
    out[o + 3] = 1;
    return;
  }
  const k = along / length;
  out[o] = axis[j]! * k;
  out[o + 1] = axis[j + 1]! * k;
  out[o + 2] = axis[j + 2]! * k;
  out[o + 3] = w / length;
}

/** The signed angle in radians (−π to π) of a twist found by {@link twistAbout}. */
export function twistAngle(q: Readonly<Numbers>, i: number, axis: Readonly<Numbers>, j: number): number {
  const along = q[i]! * axis[j]! + q[i + 1]! * axis[j + 1]! + q[i + 2]! * axis[j + 2]!;
  const angle = 2 * atan2(along, q[i + 3]!);
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}

/**
 * Flips signs along a track of quaternions so that neighbours lie in one hemisphere.
 * q and −q are the same turn, but interpolating from one to the other is not standing still.
 */
export function makeQuaternionsContinuous(values: Numbers, count: number, stride = 4): void {
  for (let k = 1; k < count; k++) {
    const p = (k - 1) * stride;
    const q = k * stride;
    const dot =
      values[p]! * values[q]! +
      values[p + 1]! * values[q + 1]! +
      values[p + 2]! * values[q + 2]! +
      values[p + 3]! * values[q + 3]!;
    if (dot < 0) {
      values[q] = -values[q]!;
      values[q + 1] = -values[q + 1]!;
      values[q + 2] = -values[q + 2]!;
      values[q + 3] = -values[q + 3]!;
    }
  }
}
