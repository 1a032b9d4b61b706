import { hypot } from './functions.js';
import type { Numbers } from './quaternion.js';

/*
 * 4×4 affine matrices in flat arrays, column-major as in glTF: element (row r, column c) at 4c + r.
 * Only positions travel as matrices; rotations travel as quaternions, since a matrix with non-uniform
 * scale or a mirror cannot be taken apart again without loss.
 */

/** A 4×4 affine matrix, column-major. */
export type Mat4 = Float64Array;

/** A new identity matrix. */
export function createMatrix(): Mat4 {
  const m = new Float64Array(16);
  m[0] = 1;
  m[5] = 1;
  m[10] = 1;
  m[15] = 1;
  return m;
}

/** out = T · R · S from a translation, a unit quaternion and a scale. */
export function composeMatrix(
  out: Numbers,
  o: number,
  translation: Readonly<Numbers>,
  i: number,
  rotation: Readonly<Numbers>,
  j: number,
  scale: Readonly<Numbers>,
  k: number,
): void {
  const x = rotation[j]!;
  const y = rotation[j + 1]!;
  const z = rotation[j + 2]!;
  const w = rotation[j + 3]!;
  const sx = scale[k]!;
  const sy = scale[k + 1]!;
  const sz = scale[k + 2]!;
  out[o] = (1 - 2 * (y * y + z * z)) * sx;
  out[o + 1] = 2 * (x * y + z * w) * sx;
  out[o + 2] = 2 * (x * z - y * w) * sx;
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - z * w) * sy;
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[o + 6] = 2 * (y * z + x * w) * sy;
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + y * w) * sz;
  out[o + 9] = 2 * (y * z - x * w) * sz;
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[o + 11] = 0;
  out[o + 12] = translation[i]!;
  out[o + 13] = translation[i + 1]!;
  out[o + 14] = translation[i + 2]!;
  out[o + 15] = 1;
}

/** out = a · b for affine matrices. */
export function multiplyMatrices(
  out: Numbers,
  o: number,
  a: Readonly<Numbers>,
  i: number,
  b: Readonly<Numbers>,
  j: number,
): void {
  const a00 = a[i]!;
  const a10 = a[i + 1]!;
  const a20 = a[i + 2]!;
  const a01 = a[i + 4]!;
  const a11 = a[i + 5]!;
  const a21 = a[i + 6]!;
  const a02 = a[i + 8]!;
  const a12 = a[i + 9]!;
  const a22 = a[i + 10]!;
  const a03 = a[i + 12]!;
  const a13 = a[i + 13]!;
  const a23 = a[i + 14]!;
  for (let c = 0; c < 4; c++) {
    const x = b[j + 4 * c]!;
    const y = b[j + 4 * c + 1]!;
    const z = b[j + 4 * c + 2]!;
    const w = c === 3 ? 1 : 0;
    out[o + 4 * c] = a00 * x + a01 * y + a02 * z + a03 * w;
    out[o + 4 * c + 1] = a10 * x + a11 * y + a12 * z + a13 * w;
    out[o + 4 * c + 2] = a20 * x + a21 * y + a22 * z + a23 * w;
    out[o + 4 * c + 3] = w;
  }
}

/** out = m⁻¹ of an affine matrix. A matrix that flattens space (zero scale) gives false and the identity. */
export function invertMatrix(out: Numbers, o: number, m: Readonly<Numbers>, i: number): boolean {
  const a = m[i]!;
  const b = m[i + 4]!;
  const c = m[i + 8]!;
  const d = m[i + 1]!;
  const e = m[i + 5]!;
  const f = m[i + 9]!;
  const g = m[i + 2]!;
  const h = m[i + 6]!;
  const k = m[i + 10]!;
  const x = m[i + 12]!;
  const y = m[i + 13]!;
  const z = m[i + 14]!;
  const c0 = e * k - f * h;
  const c1 = f * g - d * k;
  const c2 = d * h - e * g;
  const determinant = a * c0 + b * c1 + c * c2;
  for (let n = 0; n < 16; n++) out[o + n] = n % 5 === 0 ? 1 : 0;
  if (!(Math.abs(determinant) > 1e-300)) return false;
  const s = 1 / determinant;
  const i00 = c0 * s;
  const i01 = (c * h - b * k) * s;
  const i02 = (b * f - c * e) * s;
  const i10 = c1 * s;
  const i11 = (a * k - c * g) * s;
  const i12 = (c * d - a * f) * s;
  const i20 = c2 * s;
  const i21 = (b * g - a * h) * s;
  const i22 = (a * e - b * d) * s;
  out[o] = i00;
  out[o + 1] = i10;
  out[o + 2] = i20;
  out[o + 4] = i01;
  out[o + 5] = i11;
  out[o + 6] = i21;
  out[o + 8] = i02;
  out[o + 9] = i12;
  out[o + 10] = i22;
  out[o + 12] = -(i00 * x + i01 * y + i02 * z);
  out[o + 13] = -(i10 * x + i11 * y + i12 * z);
  out[o + 14] = -(i20 * x + i21 * y + i22 * z);
  return true;
}

/** out = m · (v, 1): a point moved by an affine matrix. */
export function transformPoint(
  out: Numbers,
  o: number,
  m: Readonly<Numbers>,
  i: number,
  v: Readonly<Numbers>,
  j: number,
): void {
  const x = v[j]!;
  const y = v[j + 1]!;
  const z = v[j + 2]!;
  out[o] = m[i]! * x + m[i + 4]! * y + m[i + 8]! * z + m[i + 12]!;
  out[o + 1] = m[i + 1]! * x + m[i + 5]! * y + m[i + 9]! * z + m[i + 13]!;
  out[o + 2] = m[i + 2]! * x + m[i + 6]! * y + m[i + 10]! * z + m[i + 14]!;
}

/**
 * Takes an affine matrix apart into translation, unit quaternion and scale so that T · R · S is the matrix
 * again, as far as that is possible: shear, which has no place in TRS, is dropped, a mirror becomes a
 * negative x scale, and a column of zero length gets scale 0 and a rotation completed from the others.
 */
export function decomposeMatrix(
  translation: Numbers,
  i: number,
  rotation: Numbers,
  j: number,
  scale: Numbers,
  k: number,
  m: Readonly<Numbers>,
  o: number,
): void {
  translation[i] = m[o + 12]!;
  translation[i + 1] = m[o + 13]!;
  translation[i + 2] = m[o + 14]!;
  let xx = m[o]!;
  let xy = m[o + 1]!;
  let xz = m[o + 2]!;
  let yx = m[o + 4]!;
  let yy = m[o + 5]!;
  let yz = m[o + 6]!;
  let zx = m[o + 8]!;
  let zy = m[o + 9]!;
  let zz = m[o + 10]!;
  let sx = hypot(xx, xy, xz);
  const sy = hypot(yx, yy, yz);
  const sz = hypot(zx, zy, zz);
  const determinant = xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx);
  if (determinant < 0) sx = -sx;
  scale[k] = sx;
  scale[k + 1] = sy;
  scale[k + 2] = sz;
  if (sx !== 0) {
    xx /= sx;
    xy /= sx;
    xz /= sx;
  }
  if (sy !== 0) {
    yx /= sy;
    yy /= sy;
    yz /= sy;
  }
  if (sz !== 0) {
    zx /= sz;
    zy /= sz;
    zz /= sz;
  }
  if (sx === 0 && sy !== 0 && sz !== 0) {
    xx = yy * zz - yz * zy;
    xy = yz * zx - yx * zz;
    xz = yx * zy - yy * zx;
  } else if (sy === 0 && sx !== 0 && sz !== 0) {
    yx = zy * xz - zz * xy;
    yy = zz * xx - zx * xz;
    yz = zx * xy - zy * xx;
  } else if (sz === 0 && sx !== 0 && sy !== 0) {
    zx = xy * yz - xz * yy;
    zy = xz * yx - xx * yz;
    zz = xx * yy - xy * yx;
  } else if (sx === 0 || sy === 0 || sz === 0) {
    rotation[j] = 0;
    rotation[j + 1] = 0;
    rotation[j + 2] = 0;
    rotation[j + 3] = 1;
    return;
  }
  // Shear is dropped evenly-handed enough for real files by squaring y to x and z to both.
  const dot = xx * yx + xy * yy + xz * yz;
  yx -= dot * xx;
  yy -= dot * xy;
  yz -= dot * xz;
  const length = hypot(yx, yy, yz) || 1;
  yx /= length;
  yy /= length;
  yz /= length;
  zx = xy * yz - xz * yy;
  zy = xz * yx - xx * yz;
  zz = xx * yy - xy * yx;
  quaternionFromAxes(rotation, j, xx, xy, xz, yx, yy, yz, zx, zy, zz);
}

/** The unit quaternion that takes the axes x, y, z to three given right-handed orthonormal directions. */
export function quaternionFromAxes(
  out: Numbers,
  o: number,
  xx: number,
  xy: number,
  xz: number,
  yx: number,
  yy: number,
  yz: number,
  zx: number,
  zy: number,
  zz: number,
): void {
  const trace = xx + yy + zz;
  let x: number;
  let y: number;
  let z: number;
  let w: number;
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    w = s / 4;
    x = (yz - zy) / s;
    y = (zx - xz) / s;
    z = (xy - yx) / s;
  } else if (xx > yy && xx > zz) {
    const s = Math.sqrt(1 + xx - yy - zz) * 2;
    x = s / 4;
    y = (xy + yx) / s;
    z = (zx + xz) / s;
    w = (yz - zy) / s;
  } else if (yy > zz) {
    const s = Math.sqrt(1 + yy - xx - zz) * 2;
    y = s / 4;
    x = (xy + yx) / s;
    z = (yz + zy) / s;
    w = (zx - xz) / s;
  } else {
    const s = Math.sqrt(1 + zz - xx - yy) * 2;
    z = s / 4;
    x = (zx + xz) / s;
    y = (yz + zy) / s;
    w = (xy - yx) / s;
  }
  const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x * k;
  out[o + 1] = y * k;
  out[o + 2] = z * k;
  out[o + 3] = w * k;
}
