import { divideQuaternions, slerpQuaternions } from './quaternion.js';

/*
 * Kernels over many quaternions at once, one joint after another: loops this plain are compiled well, and at once.
 * As in quaternion.ts they take Float64Array alone.
 */

/** out = M · q for the first `count` quaternions, with M a 4×4 matrix, column-major, as of `turnMatrix`. */
export function mapTurns(out: Float64Array, turns: Float64Array, count: number, m: Float64Array): void {
  const m0 = m[0]!;
  const m1 = m[1]!;
  const m2 = m[2]!;
  const m3 = m[3]!;
  const m4 = m[4]!;
  const m5 = m[5]!;
  const m6 = m[6]!;
  const m7 = m[7]!;
  const m8 = m[8]!;
  const m9 = m[9]!;
  const m10 = m[10]!;
  const m11 = m[11]!;
  const m12 = m[12]!;
  const m13 = m[13]!;
  const m14 = m[14]!;
  const m15 = m[15]!;
  for (let i = 0; i < 4 * count; i += 4) {
    const x = turns[i]!;
    const y = turns[i + 1]!;
    const z = turns[i + 2]!;
    const w = turns[i + 3]!;
    out[i] = m0 * x + m4 * y + m8 * z + m12 * w;
    out[i + 1] = m1 * x + m5 * y + m9 * z + m13 * w;
    out[i + 2] = m2 * x + m6 * y + m10 * z + m14 * w;
    out[i + 3] = m3 * x + m7 * y + m11 * z + m15 * w;
  }
}

/** out = out · q for each of the first `count` quaternions, or out · q⁻¹ where they are undone. */
export function multiplyTurns(
  out: Float64Array,
  turns: Float64Array,
  count: number,
  isUndone: boolean,
): void {
  const sign = isUndone ? -1 : 1;
  for (let i = 0; i < 4 * count; i += 4) {
    const ax = out[i]!;
    const ay = out[i + 1]!;
    const az = out[i + 2]!;
    const aw = out[i + 3]!;
    const bx = sign * turns[i]!;
    const by = sign * turns[i + 1]!;
    const bz = sign * turns[i + 2]!;
    const bw = turns[i + 3]!;
    out[i] = aw * bx + ax * bw + ay * bz - az * by;
    out[i + 1] = aw * by - ax * bz + ay * bw + az * bx;
    out[i + 2] = aw * bz + ax * by - ay * bx + az * bw;
    out[i + 3] = aw * bw - ax * bx - ay * by - az * bz;
  }
}

/** out = a⁻¹ · out for each of the first `count` quaternions. */
export function divideTurns(out: Float64Array, a: Float64Array, count: number): void {
  for (let i = 0; i < 4 * count; i += 4) divideQuaternions(out, i, a, i, out, i);
}

/** out = on the arc from `from` to `out`, `weight` of the way, for each of the first `count` quaternions. */
export function blendTurns(out: Float64Array, from: Float64Array, weight: number, count: number): void {
  for (let i = 0; i < 4 * count; i += 4) slerpQuaternions(out, i, from, i, out, i, weight);
}

/**
 * points = turn · (scale · point) + shift for each of the first `count` points: from a joint's space to its parent's.
 * @param turns One quaternion for each, or one for all.
 * @param shifts One vector for each, or one for all.
 */
export function carryPoints(
  points: Float64Array,
  count: number,
  turns: Float64Array,
  scale: ArrayLike<number>,
  shifts: Float64Array,
): void {
  const sx = scale[0]!;
  const sy = scale[1]!;
  const sz = scale[2]!;
  const turnStep = turns.length > 4 ? 4 : 0;
  const shiftStep = shifts.length > 3 ? 3 : 0;
  let q = 0;
  let s = 0;
  for (let i = 0; i < 3 * count; i += 3) {
    const qx = turns[q]!;
    const qy = turns[q + 1]!;
    const qz = turns[q + 2]!;
    const qw = turns[q + 3]!;
    const x = sx * points[i]!;
    const y = sy * points[i + 1]!;
    const z = sz * points[i + 2]!;
    // v + 2w(u × v) + 2u × (u × v), with u the vector part of q
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    points[i] = x + qw * tx + qy * tz - qz * ty + shifts[s]!;
    points[i + 1] = y + qw * ty + qz * tx - qx * tz + shifts[s + 1]!;
    points[i + 2] = z + qw * tz + qx * ty - qy * tx + shifts[s + 2]!;
    q += turnStep;
    s += shiftStep;
  }
}
