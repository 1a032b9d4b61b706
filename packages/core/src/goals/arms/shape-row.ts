import type { ArmShape, BodyShape } from './body-shape.js';
import { PART_NUMBERS, readAxes, readPart, readPlace } from './part-frame.js';

/*
 * A body's shape in one pose, as a row of numbers: per part its axes and its place (12 numbers), then per arm shoulder,
 * elbow and wrist (9), the axes of the palm (9), three places along the middle finger (9) and the upper arm's axes (9).
 */

/** Numbers of an arm in a row. */
export const ARM_NUMBERS = 36;
/** Where its palm's axes begin among them, */
export const PALM_AXES = 9;
/** the places of its fingers, */
export const FINGERS = 18;
/** and its upper arm's axes. */
export const UPPER_AXES = 27;

/** How many numbers the row of a shape has. */
export function rowLength({ parts }: BodyShape): number {
  return PART_NUMBERS * parts.length + 2 * ARM_NUMBERS;
}

/** Where an arm's numbers begin in the row of a shape. */
export function armAt({ parts }: BodyShape, hand: number): number {
  return PART_NUMBERS * parts.length + ARM_NUMBERS * hand;
}

/** All joints whose matrices a row is read from. */
export function shapeJoints({ parts, arms }: BodyShape): number[] {
  return [
    ...parts.map(({ joint }) => joint),
    ...arms.flatMap((arm) => (arm ? [arm.upper, arm.middle, arm.end, ...arm.fingers] : [])),
  ];
}

/** Reads a row from the matrices of a model pose. */
export function readRow(out: Float64Array, o: number, shape: BodyShape, matrices: Float64Array): void {
  const { parts } = shape;
  for (let n = 0; n < parts.length; n++) readPart(out, o + PART_NUMBERS * n, matrices, parts[n]!.joint);
  readArms(out, o, shape, matrices);
}

/** Reads what of a row is of arms alone. */
export function readArms(out: Float64Array, o: number, shape: BodyShape, matrices: Float64Array): void {
  const { arms } = shape;
  for (let hand = 0; hand < 2; hand++) {
    const arm = arms[hand];
    if (!arm) continue;
    const i = o + armAt(shape, hand);
    readPlace(out, i, matrices, arm.upper);
    readPlace(out, i + 3, matrices, arm.middle);
    readPlace(out, i + 6, matrices, arm.end);
    readAxes(out, i + PALM_AXES, matrices, arm.end);
    readAxes(out, i + UPPER_AXES, matrices, arm.upper);
    for (let f = 0; f < arm.fingers.length; f++)
      readPlace(out, i + FINGERS + 3 * f, matrices, arm.fingers[f]!);
  }
}

/** Probes of an arm: upper arm, elbow, two of the forearm, wrist; then points of the palm; then the finger's joints. */
export const PALM_PROBES = 5;
/** Most probes that an arm can have. */
export const MOST_PROBES = 32;

/** How many probes an arm has. */
export function probeCount({ points, fingers }: ArmShape): number {
  return PALM_PROBES + points.length / 3 + fingers.length;
}

/** How far along the upper arm its probe is. */
const UPPER_PROBE = 0.8;

/**
 * Places the probes of an arm whose elbow and wrist have been moved; the hand keeps its turn.
 * @param joints Shoulder, elbow and wrist as they are now, xyz each.
 * @param out xyz and radius each.
 */
export function placeProbes(
  out: Float64Array,
  arm: ArmShape,
  row: Float64Array,
  o: number,
  joints: Float64Array,
): void {
  placeArmProbes(out, arm, joints);
  placeHandProbes(out, arm, row, o, joints);
}

/** Places those of the palm and the finger alone; see {@link placeProbes}. */
export function placeHandProbes(
  out: Float64Array,
  { points, fingers, fingerThick }: ArmShape,
  row: Float64Array,
  o: number,
  joints: Float64Array,
): void {
  const a = o + PALM_AXES;
  let i = 4 * PALM_PROBES;
  for (let p = 0; p < points.length; p += 3, i += 4) {
    const x = points[p]!;
    const y = points[p + 1]!;
    const z = points[p + 2]!;
    out[i] = joints[6]! + row[a]! * x + row[a + 3]! * y + row[a + 6]! * z;
    out[i + 1] = joints[7]! + row[a + 1]! * x + row[a + 4]! * y + row[a + 7]! * z;
    out[i + 2] = joints[8]! + row[a + 2]! * x + row[a + 5]! * y + row[a + 8]! * z;
    out[i + 3] = 0;
  }
  for (let f = 0; f < fingers.length; f++, i += 4) {
    const a = o + FINGERS + 3 * f;
    out[i] = row[a]! + joints[6]! - row[o + 6]!;
    out[i + 1] = row[a + 1]! + joints[7]! - row[o + 7]!;
    out[i + 2] = row[a + 2]! + joints[8]! - row[o + 8]!;
    out[i + 3] = fingerThick;
  }
}

/** Places those from the upper arm to the wrist alone; see {@link placeProbes}. */
export function placeArmProbes(out: Float64Array, { thick }: ArmShape, joints: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    const s = joints[c]!;
    const e = joints[3 + c]!;
    const w = joints[6 + c]!;
    out[c] = s + UPPER_PROBE * (e - s);
    out[4 + c] = e;
    out[8 + c] = e + (w - e) / 3;
    out[12 + c] = e + (2 * (w - e)) / 3;
    out[16 + c] = w;
  }
  out[3] = thick[0];
  out[7] = thick[1];
  out[11] = (2 * thick[1] + thick[2]) / 3;
  out[15] = (thick[1] + 2 * thick[2]) / 3;
  out[19] = thick[2];
}
