/*
 * Small turns as rotation vectors, axis times angle: they can be faded, added and interpolated as numbers.
 */
import { cos, findArc, io, sin } from './functions.js';

/** out = the rotation vector of a unit quaternion, of at most half a turn. */
export function vectorOfQuaternion(out: Float64Array, o: number, q: Float64Array): void {
  const sign = q[3]! < 0 ? -1 : 1;
  const sine = Math.sqrt(q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]!);
  io.first = sine;
  io.second = sign * q[3]!;
  // Towards no turn, angle / sine goes to 2.
  const k = sine > 1e-12 ? (sign * 2 * findArc().result) / sine : 2 * sign;
  for (let c = 0; c < 3; c++) out[o + c] = k * q[c]!;
}

/** out = the unit quaternion of a rotation vector. */
export function quaternionOfVector(out: Float64Array, o: number, v: Float64Array, i: number): void {
  const x = v[i]!;
  const y = v[i + 1]!;
  const z = v[i + 2]!;
  const angle = Math.sqrt(x * x + y * y + z * z);
  const k = angle > 1e-12 ? sin(angle / 2) / angle : 0.5;
  out[o] = k * x;
  out[o + 1] = k * y;
  out[o + 2] = k * z;
  out[o + 3] = cos(angle / 2);
}
