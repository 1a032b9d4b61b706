import { rotateVector } from '../base/math/quaternion.js';
import type { ModelPose } from '../scene/pose.js';
import { createTwoBoneSolution, solveTwoBone } from '../solvers/solve-two-bone.js';
import { turnJoint } from '../solvers/turn-joint.js';
import { REACH } from './goal-rules.js';
import type { LimbGoal } from './goal-setup.js';
import { reachOf } from './parts/reach.js';

const solution = createTwoBoneSolution();
const bend = new Float64Array(3);
const options = { straightBend: bend, softness: REACH, isHinge: false, keepsSide: true, swivel: 0 };

/** A limb as it must be known to be bent. An end that does not hang on the middle keeps its turn, and is placed after. */
export type BentLimb = Pick<LimbGoal, 'kind' | 'target' | 'bend' | 'hangs'>;

/** A goal closer to the end than this share of the limb's length is reached: less than a float32 of a turn. */
export const REACHED = 1e-7;

/**
 * Brings the end of an arm or a leg to a goal by its two bones, bent in the plane of the pose, stretched softly from
 * 0.97 of its length on, or from what it is stretched by already. Writes the local rotations of its three joints.
 * @param goal xyz, and behind it the limb's length and what its middle is turned by about the line to its end: a number
 *   by itself would be made on the heap with every call.
 * @param turn What the end is turned by in model space, on top of its turn in the pose; null for nothing.
 */
export function solveLimb(
  locals: Float64Array,
  { matrices, rotations }: ModelPose,
  parents: ArrayLike<number>,
  limb: BentLimb,
  goal: Float64Array,
  turn: Float64Array | null,
): void {
  const { upper, middle, end } = limb.target;
  // A knee bends one way and no other; an elbow turns with the upper arm's twist.
  options.isHinge = limb.kind === 'leg';
  const u = 16 * upper + 12;
  const m = 16 * middle + 12;
  const e = 16 * end + 12;
  const length = goal[3]!;
  options.swivel = goal[4] ?? 0;
  const x = matrices[e]! - matrices[u]!;
  const y = matrices[e + 1]! - matrices[u + 1]!;
  const z = matrices[e + 2]! - matrices[u + 2]!;
  options.softness = reachOf(Math.sqrt(x * x + y * y + z * z), length) / length;
  rotateVector(bend, 0, rotations, 4 * upper, limb.bend, 0);
  solveTwoBone(solution, matrices, u, matrices, m, matrices, e, goal, 0, options);
  turnJoint(locals, 4 * upper, rotations, 4 * parents[upper]!, null, solution.upperTurn);
  turnJoint(locals, 4 * middle, rotations, 4 * parents[middle]!, solution.upperTurn, solution.lowerTurn);
  turnJoint(locals, 4 * end, rotations, 4 * parents[end]!, limb.hangs ? solution.lowerTurn : null, turn);
}
