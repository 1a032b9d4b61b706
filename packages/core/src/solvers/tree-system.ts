import { distanceFlat } from '../base/math/flat-vectors.js';
import { atan2, cos, sin, squared } from '../base/math/functions.js';
import { conjugateQuaternion, multiplyQuaternions } from '../base/math/quaternion.js';

import { boneLength, type SolverChain, turnChainJoint, updateChain } from './solver-chain.js';

/** What one joint of a tree shall reach, in model space. Read on each solve, so it may change. */
export type TreeEffector = {
  /** Place of the joint in the tree. */
  joint: number;
  position: Float64Array;
  /** How it counts against the other goals where not all can be met, 0 for not at all; 1 if left out. */
  weight?: number;
  /** How the joint shall be turned, xyzw; anyhow if left out. */
  rotation?: Float64Array | null;
  /**
   * At this distance the position counts as reached; 0 if left out. A shoulder is where it should be as long as its
   * hand's goal is within an arm's length.
   */
  slack?: number;
};

/** How {@link solveTree} goes about it; lengths are shares of the tree's length. */
export type TreeSettings = {
  maxIterations: number;
  tolerance: number;
  damping: number;
  /** How strongly, 0 to 1, joints that the goals leave free go back to the pose before. */
  attraction: number;
  /**
   * Above 0, what counts is the least of misses and turns together, a radian as much as this share of the reach: no
   * more is turned than is worth it, goals out of reach pull at nothing in vain, and the answer changes smoothly with
   * the goals; the other settings but the number of steps have no say then. 0 meets goals at any price.
   */
  stiffness: number;
};

/** A tree with its effectors, and the room that solving them together needs. */
export type TreeSolver = {
  tree: SolverChain;
  effectors: readonly TreeEffector[];
  settings: TreeSettings;
  /** Rows of the system: three for a position, three for a rotation, per effector. */
  rows: number;
  /** Per effector and joint whether the joint carries the effector. */
  carries: Uint8Array;
  jacobian: Float64Array;
  system: Float64Array;
  error: Float64Array;
  pull: Float64Array;
  turns: Float64Array;
  /** The largest length in play: from the first joint to the furthest effector. */
  reach: number;
};

/*
 * The system of equations that brings the effectors of a tree to their goals, and one step of solving it.
 */

/** Goals with slack begin to pull softly, over this share of the reach, and from there on miss by as much. */
const SLACK_EASE = 0.005;

/** How far something is too far: 0 below 0, a parabola up to 2 · ease, a straight line of slope 1 from there on. */
function excessOf(over: number, ease: number): number {
  if (!(over > 0)) return 0;
  return over < 2 * ease ? (over * over) / (4 * ease) : over - ease;
}

/** No joint turns further in one step. */
const LARGEST_TREE_TURN = 0.5;
const quaternion = new Float64Array(4);
const vector = new Float64Array(3);

function isUsable({ position, weight }: TreeEffector): boolean {
  return Number.isFinite(position[0]! + position[1]! + position[2]!) && (weight ?? 1) > 0;
}

function missOf({ tree }: TreeSolver, { joint, position, slack = 0 }: TreeEffector): number {
  return Math.max(0, distanceFlat(tree.positions, 3 * joint, position, 0) - slack);
}

/** How far the effector that misses its goal most is from it. */
export function largestMiss(solver: TreeSolver): number {
  const { effectors } = solver;
  let most = 0;
  for (let k = 0; k < effectors.length; k++)
    if (isUsable(effectors[k]!)) most = Math.max(most, missOf(solver, effectors[k]!));
  return most;
}

/** The longest way along bones from the base to an effector. */
export function reachOf({ tree, effectors }: TreeSolver): number {
  const { parents, offsets } = tree;
  let most = 0;
  for (let k = 0; k < effectors.length; k++) {
    let length = 0;
    for (let at = effectors[k]!.joint; parents[at]! >= 0; at = parents[at]!)
      length += boneLength(offsets, at);
    most = Math.max(most, length);
  }
  return most;
}

/** Whether every row of the error is small: positions by the tolerance, rotations by as many radians. */
export function isMet({ error, settings }: TreeSolver): boolean {
  for (let k = 0; k < error.length; k += 3)
    if (squared(error[k]!) + squared(error[k + 1]!) + squared(error[k + 2]!) > squared(settings.tolerance))
      return false;
  return true;
}

/** The stacked ways to the goals, in reaches and radians, by weight; gives the sum of their squares. */
export function gatherError(solver: TreeSolver): number {
  const { tree, effectors, error, reach } = solver;
  error.fill(0);
  let sum = 0;
  for (let k = 0; k < effectors.length; k++) {
    const effector = effectors[k]!;
    if (!isUsable(effector)) continue;
    const weight = Math.sqrt(effector.weight ?? 1);
    const { joint, position, rotation, slack = 0 } = effector;
    const away = slack > 0 ? distanceFlat(tree.positions, 3 * joint, position, 0) : 0;
    const share = slack > 0 ? excessOf(away - slack, SLACK_EASE * reach) / Math.max(away, 1e-300) : 1;
    for (let c = 0; c < 3; c++) {
      const way = (share * weight * (position[c]! - tree.positions[3 * joint + c]!)) / reach;
      error[6 * k + c] = way;
      sum += way * way;
    }
    if (!rotation) continue;
    turnBetween(vector, tree.modelRotations, 4 * joint, rotation, 0);
    if (!Number.isFinite(vector[0]! + vector[1]! + vector[2]!)) continue;
    for (let c = 0; c < 3; c++) {
      error[6 * k + 3 + c] = weight * vector[c]!;
      sum += weight * weight * vector[c]! * vector[c]!;
    }
  }
  return sum;
}

/** out = the rotation vector, in model space, from one rotation to another, the short way. */
function turnBetween(out: Float64Array, from: Float64Array, i: number, to: Float64Array, j: number): void {
  conjugateQuaternion(quaternion, 0, from, i);
  multiplyQuaternions(quaternion, 0, to, j, quaternion, 0);
  const w = quaternion[3]!;
  const sine = Math.sqrt(squared(quaternion[0]!) + squared(quaternion[1]!) + squared(quaternion[2]!));
  const angle = 2 * atan2(sine, Math.abs(w));
  const k = (sine > 1e-12 ? angle / sine : 2) * (w < 0 ? -1 : 1);
  for (let c = 0; c < 3; c++) out[c] = k * quaternion[c]!;
}

/** How the ways to the goals change with three turns a joint, in model space; see `TreeSolver`. */
export function gatherJacobian({ tree, effectors, carries, jacobian, reach }: TreeSolver): void {
  const count = tree.parents.length;
  const columns = 3 * count;
  const p = tree.positions;
  jacobian.fill(0);
  for (let k = 0; k < effectors.length; k++) {
    const effector = effectors[k]!;
    if (!isUsable(effector)) continue;
    const weight = Math.sqrt(effector.weight ?? 1);
    const e = 3 * effector.joint;
    const { position, slack = 0 } = effector;
    if (slack > 0) {
      // Only coming nearer counts, and nothing once it is near enough.
      const away = distanceFlat(p, e, position, 0);
      if (!(away > slack)) continue;
      const slope = Math.min(1, (away - slack) / (2 * SLACK_EASE * reach));
      for (let c = 0; c < 3; c++) vector[c] = (Math.sqrt(slope) * (position[c]! - p[e + c]!)) / away;
    }
    for (let i = 0; i < count; i++) {
      if (carries[k * count + i] === 0) continue;
      const x = (weight * (p[e]! - p[3 * i]!)) / reach;
      const y = (weight * (p[e + 1]! - p[3 * i + 1]!)) / reach;
      const z = (weight * (p[e + 2]! - p[3 * i + 2]!)) / reach;
      // θ × r, row by row
      const o = 6 * k * columns + 3 * i;
      jacobian[o + 1] = z;
      jacobian[o + 2] = -y;
      jacobian[o + columns] = -z;
      jacobian[o + columns + 2] = x;
      jacobian[o + 2 * columns] = y;
      jacobian[o + 2 * columns + 1] = -x;
      if (slack > 0) keepAlong(jacobian, o, columns);
      if (!effector.rotation) continue;
      for (let c = 0; c < 3; c++) jacobian[o + (3 + c) * columns + c] = weight;
    }
  }
}

/** Leaves of a joint's three columns what moves the effector along `vector`: n · nᵀ · J, its length squared times. */
function keepAlong(jacobian: Float64Array, o: number, columns: number): void {
  for (let c = 0; c < 3; c++) {
    const along =
      vector[0]! * jacobian[o + c]! +
      vector[1]! * jacobian[o + columns + c]! +
      vector[2]! * jacobian[o + 2 * columns + c]!;
    for (let row = 0; row < 3; row++) jacobian[o + row * columns + c] = vector[row]! * along;
  }
}

/** Turns all joints by a share of one damped step to the goals, and back to the pose before by `attraction`. */
export function step(solver: TreeSolver, lambda: number, attraction: number, share: number): void {
  const { tree, rows, jacobian, system, error, pull, turns } = solver;
  const { weights } = tree;
  const columns = turns.length;
  for (let a = 0; a < rows; a++)
    for (let b = 0; b <= a; b++) {
      let sum = a === b ? lambda * lambda : 0;
      for (let c = 0; c < columns; c++)
        sum += jacobian[a * columns + c]! * jacobian[b * columns + c]! * weights[(c / 3) | 0]!;
      system[a * rows + b] = sum;
    }
  factor(system, rows);
  // Back to the pose before, as far as the effectors do not feel it.
  turns.fill(0);
  if (attraction > 0) gatherPose(solver, attraction);
  for (let a = 0; a < rows; a++) {
    let moved = 0;
    for (let c = 0; c < columns; c++) moved += jacobian[a * columns + c]! * turns[c]!;
    pull[a] = error[a]! - moved;
  }
  substitute(system, pull, rows);
  let most = 0;
  for (let c = 0; c < columns; c++) {
    let sum = 0;
    for (let a = 0; a < rows; a++) sum += jacobian[a * columns + c]! * pull[a]!;
    turns[c] = turns[c]! + weights[(c / 3) | 0]! * sum;
    most = Math.max(most, Math.abs(turns[c]!));
  }
  turnAll(tree, turns, share * (most > LARGEST_TREE_TURN ? LARGEST_TREE_TURN / most : 1));
}

/** turns = a share of each joint's turn back to its local rotation before, in model space. */
function gatherPose({ tree, turns }: TreeSolver, share: number): void {
  const { parents, base, start, modelRotations, weights } = tree;
  for (let i = 0; i < parents.length; i++) {
    if (weights[i]! === 0) continue;
    const p = parents[i]!;
    multiplyQuaternions(wanted, 0, p < 0 ? base : modelRotations, p < 0 ? 0 : 4 * p, start, 4 * i);
    turnBetween(vector, modelRotations, 4 * i, wanted, 0);
    for (let c = 0; c < 3; c++) turns[3 * i + c] = share * vector[c]!;
  }
}

/** The sum of squares of how far joints have turned from the pose before, each by how willingly it does. */
export function strainOf(solver: TreeSolver): number {
  const { turns, tree } = solver;
  turns.fill(0);
  gatherPose(solver, 1);
  let sum = 0;
  for (let c = 0; c < turns.length; c++) {
    const weight = tree.weights[(c / 3) | 0]!;
    if (weight > 0) sum += (turns[c]! * turns[c]!) / weight;
  }
  return sum;
}

const wanted = new Float64Array(4);
const turn = new Float64Array(4);

/** Children first: a joint's local turn depends on what is above it as it was before the step. */
function turnAll(tree: SolverChain, turns: Float64Array, k: number): void {
  for (let i = tree.parents.length - 1; i >= 0; i--) {
    const x = k * turns[3 * i]!;
    const y = k * turns[3 * i + 1]!;
    const z = k * turns[3 * i + 2]!;
    const angle = Math.sqrt(x * x + y * y + z * z);
    if (!(angle > 0)) continue;
    const s = sin(angle / 2) / angle;
    turn[0] = s * x;
    turn[1] = s * y;
    turn[2] = s * z;
    turn[3] = cos(angle / 2);
    turnChainJoint(tree, i, turn, 0);
  }
  updateChain(tree);
}

/** Cholesky's factor of a symmetric positive matrix, lower half, in place; λ² keeps every pivot above zero. */
function factor(m: Float64Array, n: number): void {
  for (let a = 0; a < n; a++)
    for (let b = 0; b <= a; b++) {
      let sum = m[a * n + b]!;
      for (let c = 0; c < b; c++) sum -= m[a * n + c]! * m[b * n + c]!;
      if (a === b) m[a * n + a] = Math.sqrt(Math.max(sum, 1e-30));
      else m[a * n + b] = sum / m[b * n + b]!;
    }
}

/** Solves in place with a factor of {@link factor}. */
function substitute(m: Float64Array, v: Float64Array, n: number): void {
  for (let a = 0; a < n; a++) {
    let sum = v[a]!;
    for (let c = 0; c < a; c++) sum -= m[a * n + c]! * v[c]!;
    v[a] = sum / m[a * n + a]!;
  }
  for (let a = n - 1; a >= 0; a--) {
    let sum = v[a]!;
    for (let c = a + 1; c < n; c++) sum -= m[c * n + a]! * v[c]!;
    v[a] = sum / m[a * n + a]!;
  }
}
