import { distanceFlat, dotFlat, normalizeFlat, rejectFlat } from '../base/math/flat-vectors.js';
import { atan2, squared } from '../base/math/functions.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  quaternionFromAxisAngle,
  shortestArc,
  slerpQuaternions,
} from '../base/math/quaternion.js';
import { softenReach } from './solve-two-bone.js';
import {
  projectChainJoint,
  type SolverChain,
  type SolverGoal,
  turnChainJoint,
  updateChain,
} from './solver-chain.js';

/*
 * What all iterative solvers do before and after: bring the goal into reach, give a straight chain a bend to
 * start from, and afterwards turn the effector and say how it went.
 */

/** What the iterative solvers may be told; lengths are shares of the chain's length, so that no unit matters. */
export type SolverSettings = {
  maxIterations: number;
  /** At this distance the goal counts as reached. */
  tolerance: number;
  /** For damped least squares. */
  damping: number;
  /** Share of each step that is gone, above 0 to 1: smaller ones take longer and stay nearer to the pose. */
  step: number;
  /** See `TwoBoneOptions`. */
  softness: number;
};

/** K28's 100 steps. A ten-thousandth of an arm is 0.06 mm; the seed's 1e-6 was in the file's own unit (KP13). */
export const SOLVER_DEFAULTS: Readonly<SolverSettings> = {
  maxIterations: 100,
  tolerance: 1e-4,
  damping: 0.1,
  step: 1,
  softness: 0.97,
};

/** A chain flatter than this share of its length shows no bend. */
const FLAT_CHAIN = 1e-3;
const line = new Float64Array(3);
const side = new Float64Array(3);
const normal = new Float64Array(3);
const quaternion = new Float64Array(4);

/**
 * Puts the goal within reach into `chain.target`, keeps the pose in `chain.start`, and bends a chain that is
 * too straight to be shortened.
 * @returns false where there is nothing to solve: no length, no number, no joint that turns.
 */
export function beginSolve(chain: SolverChain, goal: SolverGoal, settings: SolverSettings): boolean {
  const { positions, target, rotations, start } = chain;
  start.set(rotations);
  chain.iterations = 0;
  updateChain(chain);
  const e = positions.length - 3;
  const weight = goal.weight ?? 1;
  let square = 0;
  for (let c = 0; c < 3; c++) {
    target[c] = positions[e + c]! + weight * (goal.position[c]! - positions[e + c]!);
    const d = target[c]! - positions[c]!;
    square += d * d;
  }
  const { length } = chain;
  if (!(e > 0 && length > 1e-150 && length < 1e150 && square < 1e300)) {
    for (let c = 0; c < 3; c++) target[c] = positions[e + c]!;
    return false;
  }
  const away = Math.sqrt(square);
  const reach = length * softenReach(away / length, goal.softness ?? settings.softness);
  const k = away > 0 ? reach / away : 1;
  for (let c = 0; c < 3; c++) target[c] = positions[c]! + k * (target[c]! - positions[c]!);
  bendStraight(chain, goal, reach);
  return true;
}

/**
 * Gives a straight chain the arc that it needs: a chord of r on an arc of length L spans an angle 2Θ with
 * sin Θ / Θ = r / L, about Θ = √(6 (1 − r/L)). Without it every gradient is zero across the chain (KP14).
 */
function bendStraight(chain: SolverChain, goal: SolverGoal, reach: number): void {
  const { positions, length } = chain;
  const e = positions.length - 3;
  const last = positions.length / 3 - 1;
  if (last < 2 || reach > 0.9999 * length) return;
  let most = 0;
  for (let c = 0; c < 3; c++) line[c] = positions[e + c]! - positions[c]!;
  if (normalizeFlat(line) < 1e-9 * length) {
    let far = 1;
    for (let i = 2; i < last; i++)
      if (distanceFlat(positions, 3 * i, positions, 0) > distanceFlat(positions, 3 * far, positions, 0))
        far = i;
    for (let c = 0; c < 3; c++) line[c] = positions[3 * far + c]! - positions[c]!;
    if (normalizeFlat(line) === 0) return;
  }
  for (let i = 1; i < last; i++) {
    for (let c = 0; c < 3; c++) side[c] = positions[3 * i + c]! - positions[c]!;
    rejectFlat(side, side, line);
    most = Math.max(most, Math.sqrt(dotFlat(side, side)));
  }
  if (most > FLAT_CHAIN * length) return;
  const hint = goal.bend ?? chain.straightBend;
  let found = false;
  if (hint !== null && hint !== undefined) {
    side.set(hint);
    found = normalizeFlat(side) > 0;
    if (found) {
      rejectFlat(side, side, line);
      found = normalizeFlat(side) > 1e-6;
    }
  }
  if (!found) {
    const least = Math.min(Math.abs(line[0]!), Math.abs(line[1]!), Math.abs(line[2]!));
    const axis = least === Math.abs(line[0]!) ? 0 : least === Math.abs(line[1]!) ? 1 : 2;
    side.fill(0);
    side[axis] = 1;
    rejectFlat(side, side, line);
    normalizeFlat(side);
  }
  normal[0] = line[1]! * side[2]! - line[2]! * side[1]!;
  normal[1] = line[2]! * side[0]! - line[0]! * side[2]!;
  normal[2] = line[0]! * side[1]! - line[1]! * side[0]!;
  const angle = Math.min(1.5, Math.sqrt(6 * (1 - reach / length)));
  for (let i = 0; i < last; i++) {
    quaternionFromAxisAngle(quaternion, 0, normal, 0, i === 0 ? angle : (-2 * angle) / (last - 1));
    turnChainJoint(chain, i, quaternion, 0);
    updateChain(chain, i + 1);
  }
}

/** Swings the whole chain at its first joint by the smallest turn that points it at the target: keeps its bend. */
export function swingToTarget(chain: SolverChain): void {
  const { positions, target, length } = chain;
  const e = positions.length - 3;
  for (let c = 0; c < 3; c++) {
    line[c] = positions[e + c]! - positions[c]!;
    side[c] = target[c]! - positions[c]!;
  }
  if (dotFlat(line, line) < 1e-18 * length * length || dotFlat(side, side) < 1e-18 * length * length) return;
  shortestArc(quaternion, 0, line, 0, side, 0);
  turnChainJoint(chain, 0, quaternion, 0);
  updateChain(chain, 1);
}

const middle = new Float64Array(4);
const unit = new Float64Array(3);

/**
 * Leads a chain out of its limits where it is stuck: a knee that was pressed straight sees its goal on the line
 * and has no reason to bend. Every hinge goes a third of the way to the middle of its range.
 * @returns false where there is no hinge.
 */
export function loosenHinges(chain: SolverChain): boolean {
  const { limits, rotations, rest, axes } = chain;
  let any = false;
  for (let i = 0; i < limits.length - 1; i++) {
    const limit = limits[i]!;
    if (limit === null || limit.swing !== null) continue;
    unit.fill(0);
    unit[limit.axis] = 1;
    quaternionFromAxisAngle(middle, 0, unit, 0, (limit.least + limit.most) / 2);
    multiplyQuaternions(middle, 0, rest, 4 * i, middle, 0);
    conjugateQuaternion(quaternion, 0, axes, 4 * i);
    multiplyQuaternions(middle, 0, middle, 0, quaternion, 0);
    slerpQuaternions(rotations, 4 * i, rotations, 4 * i, middle, 0, 1 / 3);
    projectChainJoint(chain, i);
    any = true;
  }
  if (any) updateChain(chain);
  return any;
}

/** How far the effector is from the target. */
export function missOf(chain: SolverChain): number {
  return distanceFlat(chain.positions, chain.positions.length - 3, chain.target, 0);
}

const wanted = new Float64Array(4);

/**
 * Ends a solve: the chain is turned about the line to its end to where it shall bend, the effector turned as
 * the goal says, signs made those of the pose before, and `miss` measured from the goal itself.
 */
export function endSolve(chain: SolverChain, goal: SolverGoal, iterations: number): void {
  const { rotations, modelRotations, positions, start, base } = chain;
  const last = positions.length / 3 - 1;
  if (goal.bend) turnBend(chain, goal.bend);
  if (goal.rotation) {
    const p = last - 1;
    const above = p < 0 ? base : modelRotations;
    divideQuaternions(wanted, 0, above, p < 0 ? 0 : 4 * p, goal.rotation, 0);
    const size = squared(wanted[0]!) + squared(wanted[1]!) + squared(wanted[2]!) + squared(wanted[3]!);
    if (Math.abs(size - 1) < 0.01) {
      slerpQuaternions(rotations, 4 * last, rotations, 4 * last, wanted, 0, goal.weight ?? 1);
      projectChainJoint(chain, last);
      multiplyQuaternions(modelRotations, 4 * last, above, p < 0 ? 0 : 4 * p, rotations, 4 * last);
    }
  }
  for (let i = 0; i < rotations.length; i += 4) {
    const along =
      rotations[i]! * start[i]! +
      rotations[i + 1]! * start[i + 1]! +
      rotations[i + 2]! * start[i + 2]! +
      rotations[i + 3]! * start[i + 3]!;
    if (along < 0) for (let c = 0; c < 4; c++) rotations[i + c] = -rotations[i + c]!;
  }
  chain.iterations = iterations;
  chain.miss = distanceFlat(positions, 3 * last, goal.position, 0);
}

/** Turns the chain about the line from first joint to effector until it bends towards a direction. */
function turnBend(chain: SolverChain, bend: Float64Array): void {
  const { positions, length } = chain;
  const e = positions.length - 3;
  for (let c = 0; c < 3; c++) line[c] = positions[e + c]! - positions[c]!;
  if (normalizeFlat(line) < 1e-9 * length) return;
  // The sum of all heights over the line: the chain's middle, whatever its wiggles.
  side.fill(0);
  for (let i = 3; i < e; i += 3)
    for (let c = 0; c < 3; c++) side[c] = side[c]! + positions[i + c]! - positions[c]!;
  rejectFlat(side, side, line);
  normal.set(bend);
  if (normalizeFlat(normal) === 0) return;
  rejectFlat(normal, normal, line);
  if (normalizeFlat(side) < FLAT_CHAIN * length || normalizeFlat(normal) < 0.02) return;
  const cosine = dotFlat(side, normal);
  const sine =
    line[0]! * (side[1]! * normal[2]! - side[2]! * normal[1]!) +
    line[1]! * (side[2]! * normal[0]! - side[0]! * normal[2]!) +
    line[2]! * (side[0]! * normal[1]! - side[1]! * normal[0]!);
  quaternionFromAxisAngle(quaternion, 0, line, 0, atan2(sine, cosine));
  turnChainJoint(chain, 0, quaternion, 0);
  updateChain(chain, 1);
}
