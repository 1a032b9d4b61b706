import { distanceFlat, dotFlat, normalizeFlat, rejectFlat } from '../base/math/flat-vectors.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  rotateVector,
  shortestArc,
} from '../base/math/quaternion.js';
import { SOLVERS } from '../options/limb-solvers.js';
import { type ModelPose, type Pose, signRotation } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import { missOf } from '../solvers/begin-solve.js';
import type { ChainSolver } from '../solvers/create-solver.js';
import { createSolver } from '../solvers/create-solver.js';
import { type LimitedJoint, projectJoint } from '../solvers/joint-limits.js';
import { createSkeletonChain, loadChain, type SkeletonChain, storeChain } from '../solvers/skeleton-chain.js';
import { isLimitedChain, type SolverGoal } from '../solvers/solver-chain.js';
import type { LimbChainPlan } from './limb-solving.js';
import { reachOf } from './parts/reach.js';

/** A limb that is solved by a solver of its own, with all the room for it; made once. */
export type LimbChain = {
  link: SkeletonChain;
  solve: (goal: SolverGoal) => void;
  goal: SolverGoal & { rotation: Float64Array; softness: number };
  /** Where it bends; handed to the solver where nothing limits it. */
  bend: Float64Array;
  isLimited: boolean;
  /**
   * Does by damped steps what CCD, FABRIK and the transpose leave to do, which slow down where a limb is nearly
   * straight; null where the solver needs no such thing, or where somebody has told how many steps it may take.
   */
  finish: ((goal: SolverGoal) => void) | null;
  /** The limit of an end that hangs elsewhere, which no solver of the chain sees. */
  looseLimit: LimitedJoint | null;
};

/** Makes a limb ready for its solver; null for one that is left as copied. */
export function createLimbChain(skeleton: Skeleton, plan: LimbChainPlan): LimbChain | null {
  const { joints, weights, solver, limits } = plan;
  if (solver.method === 'none') return null;
  const link = createSkeletonChain(skeleton, joints, {}, true);
  const end = joints.length - 1;
  const isLoose = link.hangs[end] === 0;
  limitChain(
    link,
    skeleton,
    limits.filter(({ joint }) => !(isLoose && joint === joints[end])),
  );
  link.chain.straightBend = new Float64Array(3);
  link.chain.weights.set(weights);
  link.chain.isHinge = plan.isHinge;
  return {
    link,
    solve: createSolver(link.chain, solver),
    goal: {
      position: new Float64Array(3),
      rotation: new Float64Array(4),
      bend: null,
      softness: 1,
    },
    bend: new Float64Array(3),
    isLimited: isLimitedChain(link.chain),
    finish: isSlow(solver)
      ? createSolver(link.chain, { ...SOLVERS.damped, tolerance: REACHED_NEARLY })
      : null,
    looseLimit: (isLoose && limits.find(({ joint }) => joint === joints[end])) || null,
  };
}

/** A limb that is farther from its goal than this share of its length would be seen to tremble from frame to frame. */
const REACHED_NEARLY = 1e-6;

function isSlow({ method, variant, maxIterations }: ChainSolver): boolean {
  const isDamped = method === 'twoBone' || (method === 'jacobian' && variant !== 'transpose');
  return maxIterations === undefined && !isDamped;
}

/** Holds a chain's joints within limits as the option `limits` gives them. */
export function limitChain(
  { chain, joints, rests }: SkeletonChain,
  { rest }: Skeleton,
  limits: readonly LimitedJoint[],
): void {
  const signs = new Float64Array(4);
  for (const { joint, limit, rest: from, axes } of limits) {
    const i = joints.indexOf(joint);
    if (i < 0) continue;
    chain.limits[i] = limit;
    chain.rest.set(from, 4 * i);
    rests.set(from, 4 * i);
    // In model space a mirrored scale is part of the rotation: M = P · L · S, so L · A = P⁻¹ · M · S⁻¹ · A.
    chain.axes.set(axes, 4 * i);
    if (signRotation(signs, 0, rest.scales, 3 * joint)) {
      conjugateQuaternion(signs, 0, signs, 0);
      multiplyQuaternions(chain.axes, 4 * i, signs, 0, axes, 0);
    }
  }
}

/**
 * Brings the end of a limb to a goal by the solver that was chosen for it, bent as in the pose and inside the limits
 * of its joints, the end turned as it was. A goal that is no number, or a limb of no length, leaves the pose as it is.
 * @param ahead Where the limb bends if it is straight, in the upper joint's own axes.
 * @param turn What the end is turned by in model space, on top of its turn in the pose; null for nothing.
 */
export function solveLimbChain(
  limb: LimbChain,
  pose: Pose,
  model: ModelPose,
  place: Float64Array,
  ahead: Float64Array,
  turn: Float64Array | null,
): void {
  const { link, goal } = limb;
  const { chain, joints } = link;
  loadChain(link, model);
  const { positions, length } = chain;
  const e = positions.length - 3;
  const end = joints[joints.length - 1]!;
  for (let c = 0; c < 3; c++) goal.position[c] = place[c]!;
  if (turn) multiplyQuaternions(goal.rotation, 0, turn, 0, model.rotations, 4 * end);
  else for (let c = 0; c < 4; c++) goal.rotation[c] = model.rotations[4 * end + c]!;
  goal.softness = length > 0 ? reachOf(distanceFlat(positions, 0, positions, e), length) / length : 1;
  rotateVector(chain.straightBend!, 0, model.rotations, 4 * joints[0]!, ahead, 0);
  // Limits say themselves which way a limb bends, and would not have it turned about its line afterwards.
  goal.bend = !limb.isLimited && carryBend(limb) ? limb.bend : null;
  limb.solve(goal);
  if (limb.finish && missOf(chain) > REACHED_NEARLY * length) limb.finish(goal);
  if (goal.bend) keepTwist(link, model);
  storeChain(link, pose, model);
  if (limb.looseLimit) projectJoint(pose.rotations, 4 * end, limb.looseLimit);
}

const from = new Float64Array(3);
const to = new Float64Array(3);
const ahead = new Float64Array(3);
const arc = new Float64Array(4);
const whole = new Float64Array(4);

/** A limb flatter than this share of its length shows no bend; see `solveTwoBone`. */
const FLAT_LIMB = 0.005;
/** A hinge that is bent its way by less than this share of its length is pushed there; see `solveTwoBone`. */
const HINGE_PUSH = 0.03;

/**
 * Where the limb bends in the pose, carried along by the smallest turn from its line to the one to the goal, so that
 * knees and elbows stay on their side whatever a solver does on the way.
 * @returns false where there is no such direction.
 */
function carryBend({ link: { chain }, goal, bend }: LimbChain): boolean {
  const { positions, length, straightBend, isHinge } = chain;
  const e = positions.length - 3;
  for (let c = 0; c < 3; c++) {
    from[c] = positions[e + c]! - positions[c]!;
    to[c] = goal.position[c]! - positions[c]!;
    bend[c] = 0;
  }
  if (!(normalizeFlat(from) > 1e-9 * length && normalizeFlat(to) > 1e-9 * length)) return false;
  const inner = e / 3 - 1;
  for (let i = 3; i < e; i += 3)
    for (let c = 0; c < 3; c++) bend[c] = bend[c]! + (positions[i + c]! - positions[c]!) / (inner * length);
  rejectFlat(bend, bend, from);
  // As in `solveTwoBone`, what is nearly straight goes over to where it would bend.
  const height = Math.sqrt(dotFlat(bend, bend));
  rejectFlat(ahead, straightBend!, from);
  const isTold = normalizeFlat(ahead) > 1e-6;
  if (isHinge && isTold) {
    const push = Math.max(0, HINGE_PUSH - dotFlat(bend, ahead));
    for (let c = 0; c < 3; c++) bend[c] = bend[c]! + push * ahead[c]!;
  } else if (height < FLAT_LIMB) {
    if (!isTold) return false;
    for (let c = 0; c < 3; c++) bend[c] = bend[c]! / FLAT_LIMB + (1 - height / FLAT_LIMB) * ahead[c]!;
  }
  shortestArc(arc, 0, from, 0, to, 0);
  rotateVector(bend, 0, arc, 0, bend, 0);
  return normalizeFlat(bend) > 0;
}

/**
 * Turns the joints of a solved chain onto its bones anew, each by the turn that swings the whole limb from its line
 * to the new one and the smallest that is left: knees and elbows turn as hinges do, and nothing is twisted. What
 * solvers twist on their way differs from frame to frame, so that between two keys feet would leave the ground: with
 * CCD they slid twice as far.
 */
function keepTwist({ chain, joints }: SkeletonChain, { rotations, matrices }: ModelPose): void {
  const { positions, offsets, modelRotations, length } = chain;
  const e = positions.length - 3;
  const root = 16 * joints[0]! + 12;
  const end = 16 * joints[joints.length - 1]! + 12;
  for (let c = 0; c < 3; c++) {
    from[c] = matrices[end + c]! - matrices[root + c]!;
    to[c] = positions[e + c]! - positions[c]!;
  }
  if (!(dotFlat(from, from) > 1e-12 * length * length && dotFlat(to, to) > 1e-12 * length * length)) return;
  shortestArc(whole, 0, from, 0, to, 0);
  for (let c = 0; c < 4; c++) arc[c] = whole[c]!;
  for (let i = 0; 3 * i < e; i++) {
    const o = 3 * i + 3;
    rotateVector(from, 0, rotations, 4 * joints[i]!, offsets, o);
    rotateVector(from, 0, whole, 0, from, 0);
    for (let c = 0; c < 3; c++) to[c] = positions[o + c]! - positions[o - 3 + c]!;
    // A joint whose bone has no length has no direction either, and comes along.
    if (dotFlat(from, from) > 1e-18 * length * length) {
      shortestArc(arc, 0, from, 0, to, 0);
      multiplyQuaternions(arc, 0, arc, 0, whole, 0);
    }
    multiplyQuaternions(modelRotations, 4 * i, arc, 0, rotations, 4 * joints[i]!);
  }
}
