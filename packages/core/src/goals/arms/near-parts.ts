import type { ArmShape, ShapePart } from './body-shape.js';
import { PART_NUMBERS } from './part-frame.js';
import { FINGERS, PALM_AXES } from './shape-row.js';

/*
 * Balls tell what is far from each other before any face is looked at: most parts of a body are far from most of
 * an arm in most frames.
 */

/** Numbers of a ball: the middle, xyz, and the radius. */
export const BALL_NUMBERS = 4;

/** Writes the balls that hold the parts of a body, in model space, one behind another; gives them room if they need it. */
export function readBalls(
  balls: Float64Array,
  parts: readonly ShapePart[],
  row: Float64Array,
  o: number,
): Float64Array {
  const out =
    balls.length < BALL_NUMBERS * parts.length ? new Float64Array(BALL_NUMBERS * parts.length) : balls;
  for (let n = 0; n < parts.length; n++) {
    const { ball } = parts[n]!;
    const i = o + PART_NUMBERS * n;
    for (let c = 0; c < 3; c++)
      out[BALL_NUMBERS * n + c] =
        row[i + 9 + c]! + row[i + c]! * ball[0]! + row[i + 3 + c]! * ball[1]! + row[i + 6 + c]! * ball[2]!;
    out[BALL_NUMBERS * n + 3] = ball[3]!;
  }
  return out;
}

/** Writes the ball that holds some probes, from one to before another: their middle, and as far as the farthest reaches. */
export function ballOfProbes(
  out: Float64Array,
  o: number,
  probes: Float64Array,
  first: number,
  count: number,
): void {
  const k = count > first ? 1 / (count - first) : 0;
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    for (let p = first; p < count; p++) sum += probes[4 * p + c]!;
    out[o + c] = k * sum;
  }
  let radius = 0;
  for (let p = first; p < count; p++) {
    const x = probes[4 * p]! - out[o]!;
    const y = probes[4 * p + 1]! - out[o + 1]!;
    const z = probes[4 * p + 2]! - out[o + 2]!;
    const far = Math.sqrt(x * x + y * y + z * z) + probes[4 * p + 3]!;
    if (far > radius) radius = far;
  }
  out[o + 3] = radius;
}

/** A ball is made larger by this share, so that rounding leaves nothing outside of it. */
const SURELY = 1 + 1e-9;

/**
 * Writes a ball that holds all probes of a hand, though none is placed yet: that of its palm, as large as its finger needs.
 * @param a Where the arm's numbers begin in the row.
 */
export function ballOfHand(
  out: Float64Array,
  o: number,
  { palm: { ball }, fingers, fingerThick }: ArmShape,
  row: Float64Array,
  a: number,
): void {
  const m = a + PALM_AXES;
  for (let c = 0; c < 3; c++)
    out[o + c] =
      row[a + 6 + c]! + row[m + c]! * ball[0]! + row[m + 3 + c]! * ball[1]! + row[m + 6 + c]! * ball[2]!;
  let radius = ball[3]!;
  for (let f = 0; f < fingers.length; f++) {
    const i = a + FINGERS + 3 * f;
    const x = row[i]! - out[o]!;
    const y = row[i + 1]! - out[o + 1]!;
    const z = row[i + 2]! - out[o + 2]!;
    const far = Math.sqrt(x * x + y * y + z * z) + fingerThick;
    if (far > radius) radius = far;
  }
  out[o + 3] = SURELY * radius;
}

/** Whether a ball is farther from a part of a body than so far by one of its faces: then so is all that is in it. */
export function isBeyondFace(
  { faces, outer }: ShapePart,
  row: Float64Array,
  o: number,
  balls: Float64Array,
  b: number,
  most: number,
): boolean {
  const mx = balls[b]! - row[o + 9]!;
  const my = balls[b + 1]! - row[o + 10]!;
  const mz = balls[b + 2]! - row[o + 11]!;
  const x = row[o]! * mx + row[o + 1]! * my + row[o + 2]! * mz;
  const y = row[o + 3]! * mx + row[o + 4]! * my + row[o + 5]! * mz;
  const z = row[o + 6]! * mx + row[o + 7]! * my + row[o + 8]! * mz;
  const far = most + balls[b + 3]!;
  for (let f = 0; f < outer; f += 4)
    if (faces[f]! * x + faces[f + 1]! * y + faces[f + 2]! * z - faces[f + 3]! > far) return true;
  return false;
}

/** Whether two balls are nearer to each other than so far. */
export function areNear(a: Float64Array, i: number, b: Float64Array, j: number, most: number): boolean {
  const x = a[i]! - b[j]!;
  const y = a[i + 1]! - b[j + 1]!;
  const z = a[i + 2]! - b[j + 2]!;
  const reach = a[i + 3]! + b[j + 3]! + most;
  return reach > 0 && x * x + y * y + z * z <= reach * reach;
}

/** The probes whose balls are nearer to a ball than so far: a bit each. */
export function probesNear(
  balls: Float64Array,
  b: number,
  probes: Float64Array,
  count: number,
  most: number,
): number {
  let near = 0;
  const cx = balls[b]!;
  const cy = balls[b + 1]!;
  const cz = balls[b + 2]!;
  const own = balls[b + 3]! + most;
  for (let p = 0; p < count; p++) {
    const x = probes[4 * p]! - cx;
    const y = probes[4 * p + 1]! - cy;
    const z = probes[4 * p + 2]! - cz;
    const reach = own + probes[4 * p + 3]!;
    if (x * x + y * y + z * z <= reach * reach) near |= 1 << p;
  }
  return near;
}
