import { hypot } from '../../../base/math/functions.js';
import {
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
} from '../../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';

/**
 * How a joint is turned, frame after frame, in stores that others may share: quaternions of which every frame has `size`
 * numbers, the joint's own from `at` on. `added` is what it is turned by on top, in its own axes, in a store of the same
 * order; null for nothing.
 */
export type TurnCourse = {
  copied: Float64Array;
  added: Float64Array | null;
  size: number;
  at: number;
  count: number;
};

/** Three turns one after another, and how fast the joint turns between them: rotation vectors. */
const before = new Float64Array(4);
const now = new Float64Array(4);
const after = new Float64Array(4);
const way = new Float64Array(4);
const rates = new Float64Array(6);

function readTurn(out: Float64Array, { copied, added, size, at }: TurnCourse, k: number): void {
  const o = size * k + at;
  if (added) multiplyQuaternions(out, 0, copied, o, added, o);
  else for (let c = 0; c < 4; c++) out[c] = copied[o + c]!;
  normalizeQuaternion(out, 0, out, 0);
}

/** How much the speed of a joint changes at a frame, radians a frame; 0 at both ends. */
export function changeAt(course: TurnCourse, k: number): number {
  if (k < 1 || k > course.count - 2) return 0;
  readTurn(before, course, k - 1);
  readTurn(now, course, k);
  readTurn(after, course, k + 1);
  divideQuaternions(way, 0, before, 0, now, 0);
  vectorOfQuaternion(rates, 0, way);
  divideQuaternions(way, 0, now, 0, after, 0);
  vectorOfQuaternion(rates, 3, way);
  return hypot(rates[3]! - rates[0]!, rates[4]! - rates[1]!, rates[5]! - rates[2]!);
}

/** Turns of more than this a frame are looked at one by one, as a cosine of half of them: 23 degrees. */
const SLOW_TURN = 0.98;
/** So are quaternions whose squared length is off 1 by more. */
const OFF_UNIT = 1e-4;

/**
 * Calls back with every frame in which the speed of a joint may change by more than `most`, and with hardly any other; and
 * with what it changes by at the most there. No angle is found for it: with s = 2 sin(θ/2) · axis, twice the vector part
 * of the turn θ from one frame to the next, the turn's own vector is v = θ · axis, and its slope over s is 1 / cos(θ/2) at
 * the most, so that |v′ − v| ≤ |s′ − s| / cos(θ/2) of the larger turn.
 */
export function eachQuickFrame(
  { copied, added, size, at, count }: TurnCourse,
  most: number,
  visit: (k: number, bound: number) => void,
): void {
  // Quaternions that are not quite of length 1 share the rest with the cosine.
  const share = SLOW_TURN - 0.01;
  const limit = share * most * (share * most);
  let px = 0;
  let py = 0;
  let pz = 0;
  let pw = 1;
  let sx = 0;
  let sy = 0;
  let sz = 0;
  let wasSlow = false;
  for (let k = 0; k < count; k++) {
    const o = size * k + at;
    let x = copied[o]!;
    let y = copied[o + 1]!;
    let z = copied[o + 2]!;
    let w = copied[o + 3]!;
    if (added) {
      const ax = x;
      const ay = y;
      const az = z;
      const aw = w;
      const bx = added[o]!;
      const by = added[o + 1]!;
      const bz = added[o + 2]!;
      const bw = added[o + 3]!;
      x = aw * bx + ax * bw + ay * bz - az * by;
      y = aw * by - ax * bz + ay * bw + az * bx;
      z = aw * bz + ax * by - ay * bx + az * bw;
      w = aw * bw - ax * bx - ay * by - az * bz;
    }
    const cosine = pw * w + px * x + py * y + pz * z;
    const two = cosine < 0 ? -2 : 2;
    const rx = two * (pw * x - px * w - py * z + pz * y);
    const ry = two * (pw * y + px * z - py * w - pz * x);
    const rz = two * (pw * z - px * y + py * x - pz * w);
    const off = cosine * cosine + (rx * rx + ry * ry + rz * rz) / 4 - 1;
    const isSlow = Math.abs(cosine) > SLOW_TURN && Math.abs(off) < OFF_UNIT;
    if (k > 1) {
      const dx = rx - sx;
      const dy = ry - sy;
      const dz = rz - sz;
      const square = dx * dx + dy * dy + dz * dz;
      if (!(isSlow && wasSlow)) visit(k - 1, Number.POSITIVE_INFINITY);
      else if (!(square < limit)) visit(k - 1, Math.sqrt(square) / share);
    }
    px = x;
    py = y;
    pz = z;
    pw = w;
    sx = rx;
    sy = ry;
    sz = rz;
    wasSlow = isSlow;
  }
}
