import { createTwoBoneSolution, solveTwoBone } from '../../solvers/solve-two-bone.js';
import { reachOf } from '../parts/reach.js';
import type { ArmShape } from './body-shape.js';
import { BALL_NUMBERS, ballOfProbes } from './near-parts.js';
import { PALM_PROBES, placeProbes, probeCount, UPPER_AXES } from './shape-row.js';

/** Numbers that an arm may be corrected by: the way of its wrist, in arm lengths along the chest's axes, and a turn about the line from shoulder to hand. */
export const UNKNOWNS = 4;

/** An arm as it is corrected in a frame; made once, overwritten. */
export type ArmState = {
  /** Shoulder, elbow and wrist: xyz each. */
  joints: Float64Array;
  /** xyz and radius each, see `placeProbes`. */
  probes: Float64Array;
  /** Unit direction from the shoulder to the wrist, and how far that is. */
  line: Float64Array;
  /**
   * The way that the elbow goes, along the line and square to it towards where it points, when the wrist goes along the
   * line: with upper arm U, forearm L and reach r it is at c = (U² + r² − L²) / 2r along and h = √(U² − c²) beside it, so
   * c′ = ½ − (U² − L²) / 2r² and h′ = −c·c′ / h. As a vector, model space.
   */
  stretch: Float64Array;
  /** A ball that holds the probes of the hand, see `ballOfProbes`; and one that holds those from the elbow to the wrist. */
  hand: Float64Array;
  fore: Float64Array;
};

/** An elbow nearer to the line than this share of the upper arm counts as so far: straight arms would snap. */
const STRAIGHT_ELBOW = 0.15;

/** An arm that is not solved, as `moveArm` takes it. */
export const STILL_ARM = { length: 1, bend: new Float64Array(3) };

/** Room for an arm. */
export function createArmState(): ArmState {
  return {
    joints: new Float64Array(9),
    probes: new Float64Array(4 * 32),
    line: new Float64Array(4),
    stretch: new Float64Array(3),
    hand: new Float64Array(BALL_NUMBERS),
    fore: new Float64Array(BALL_NUMBERS),
  };
}

const solution = createTwoBoneSolution();
const bend = new Float64Array(3);
const goal = new Float64Array(3);
const options = {
  ...{ straightBend: bend, softness: 0.97, isHinge: false, keepsSide: true, swivel: 0 },
  isPlacesOnly: true,
};

/** Where an arm stands as copied. */
export type ArmPlace = {
  row: Float64Array;
  /** Where the arm's numbers begin in the row, and the chest's axes, xyz each. */
  arm: number;
  chest: number;
  /** The way that its wrist is moved by anyway: xyz, metres. */
  base: Float64Array;
};

/**
 * Finds where an arm is when it is corrected.
 * @param limb The arm's length, and the bend of its elbow in the upper arm's axes.
 * @param wanted {@link UNKNOWNS} numbers at `w`.
 */
export function moveArm(
  out: ArmState,
  arm: ArmShape,
  limb: { length: number; bend: Float64Array },
  place: ArmPlace,
  wanted: Float64Array,
  w: number,
): void {
  moveJoints(out, limb, place, wanted, w);
  placeAll(out, arm, place);
}

/** Places all probes of an arm whose joints are where they shall be, and the balls around them. */
export function placeAll(out: ArmState, arm: ArmShape, { row, arm: o }: ArmPlace): void {
  placeProbes(out.probes, arm, row, o, out.joints);
  ballOfProbes(out.hand, 0, out.probes, PALM_PROBES, probeCount(arm));
  ballOfProbes(out.fore, 0, out.probes, 1, PALM_PROBES);
}

/** Puts shoulder, elbow and wrist of an arm where they are copied to. */
export function keepJoints(out: ArmState, { row, arm: o }: ArmPlace): void {
  for (let i = 0; i < 9; i++) out.joints[i] = row[o + i]!;
  readLine(out);
}

/** As {@link moveArm}, shoulder, elbow and wrist alone. */
export function moveJoints(
  out: ArmState,
  limb: { length: number; bend: Float64Array },
  { row, arm: o, chest: c, base }: ArmPlace,
  wanted: Float64Array,
  w: number,
): void {
  const { length } = limb;
  const wx = wanted[w]!;
  const wy = wanted[w + 1]!;
  const wz = wanted[w + 2]!;
  const bx = limb.bend[0]!;
  const by = limb.bend[1]!;
  const bz = limb.bend[2]!;
  goal[0] = row[o + 6]! + base[0]! + length * (row[c]! * wx + row[c + 3]! * wy + row[c + 6]! * wz);
  goal[1] = row[o + 7]! + base[1]! + length * (row[c + 1]! * wx + row[c + 4]! * wy + row[c + 7]! * wz);
  goal[2] = row[o + 8]! + base[2]! + length * (row[c + 2]! * wx + row[c + 5]! * wy + row[c + 8]! * wz);
  const u = o + UPPER_AXES;
  bend[0] = row[u]! * bx + row[u + 3]! * by + row[u + 6]! * bz;
  bend[1] = row[u + 1]! * bx + row[u + 4]! * by + row[u + 7]! * bz;
  bend[2] = row[u + 2]! * bx + row[u + 5]! * by + row[u + 8]! * bz;
  const x = row[o + 6]! - row[o]!;
  const y = row[o + 7]! - row[o + 1]!;
  const z = row[o + 8]! - row[o + 2]!;
  options.softness = reachOf(Math.sqrt(x * x + y * y + z * z), length) / length;
  options.swivel = wanted[w + 3]!;
  solveTwoBone(solution, row, o, row, o + 3, row, o + 6, goal, 0, options);
  const { joints } = out;
  const { mid, end } = solution;
  joints[0] = row[o]!;
  joints[1] = row[o + 1]!;
  joints[2] = row[o + 2]!;
  joints[3] = mid[0]!;
  joints[4] = mid[1]!;
  joints[5] = mid[2]!;
  joints[6] = end[0]!;
  joints[7] = end[1]!;
  joints[8] = end[2]!;
  readLine(out);
}

/** Reads the line from the shoulder to the wrist of an arm that was placed, and how its elbow goes along it. */
function readLine(out: ArmState): void {
  const { joints, line } = out;
  const x = joints[6]! - joints[0]!;
  const y = joints[7]! - joints[1]!;
  const z = joints[8]! - joints[2]!;
  const reach = Math.sqrt(x * x + y * y + z * z);
  const k = reach > 0 ? 1 / reach : 0;
  line[0] = k * x;
  line[1] = k * y;
  line[2] = k * z;
  line[3] = reach;
  stretchOf(out);
}

/** Writes what the elbow moves by when the wrist goes along the line from the shoulder. */
function stretchOf({ joints, line, stretch }: ArmState): void {
  const ex = joints[3]! - joints[0]!;
  const ey = joints[4]! - joints[1]!;
  const ez = joints[5]! - joints[2]!;
  const fx = joints[6]! - joints[3]!;
  const fy = joints[7]! - joints[4]!;
  const fz = joints[8]! - joints[5]!;
  const along = line[0]! * ex + line[1]! * ey + line[2]! * ez;
  const upper = ex * ex + ey * ey + ez * ez;
  const lower = fx * fx + fy * fy + fz * fz;
  const reach = Math.max(line[3]!, 1e-9);
  const least = STRAIGHT_ELBOW * Math.sqrt(upper);
  const beside = Math.max(least, Math.sqrt(Math.max(0, upper - along * along)));
  const rise = 0.5 - (upper - lower) / (2 * reach * reach);
  const sink = beside > 0 ? (-along * rise) / beside : 0;
  const off = beside > 0 ? beside : 1;
  stretch[0] = rise * line[0]! + sink * ((ex - along * line[0]!) / off);
  stretch[1] = rise * line[1]! + sink * ((ey - along * line[1]!) / off);
  stretch[2] = rise * line[2]! + sink * ((ez - along * line[2]!) / off);
}
