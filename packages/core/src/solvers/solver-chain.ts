import type { JointLimit } from '../armature.js';
import { UsageError } from '../errors.js';
import type { ModelPose, Pose } from '../pose.js';
import { rotationOfMatrix, signRotation } from '../pose.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
  rotateVector,
} from '../quaternion.js';
import { isAncestor, type Skeleton } from '../skeleton.js';
import { type CompiledLimit, compileLimit, projectAxedLimit } from './joint-limits.js';
import { turnJoint } from './turn-joint.js';

/**
 * What every solver works on: joints in a row, or a tree of them, as rotations and rigid bones in model space,
 * in any unit, with all room that a solve needs. Made once, loaded and solved as often as one likes.
 */
export type SolverChain = {
  /** Place of each joint's parent, always before it; −1 for those that hang on the base. */
  parents: Int32Array;
  /** Model rotation of what the chain hangs on, xyzw. */
  base: Float64Array;
  /** xyz per joint, scale included: from its parent, in its parent's frame; from the origin for the first. */
  offsets: Float64Array;
  /** Rotations relative to the parent: read as the pose to start from, and written. */
  rotations: Float64Array;
  /** Rotations relative to the parent that limits are counted from, with the axes of the limit: rest · axes. */
  rest: Float64Array;
  /** From the axes of a joint's limit to its own; no turn if not set. */
  axes: Float64Array;
  limits: (CompiledLimit | null)[];
  /** How willingly each joint turns, 0 for not at all; 1 if not set. Not read by FABRIK and two-bone. */
  weights: Float64Array;
  /** Where the chain bends if it is too straight to show it: a direction in model space. */
  straightBend: Float64Array | null;
  /** Model space, kept up by {@link updateChain}. */
  positions: Float64Array;
  modelRotations: Float64Array;
  /** The sum of all bones but the one to the first joint. */
  length: number;
  /** How many steps the last solve took, and how far the effector is from what was asked for. */
  iterations: number;
  miss: number;
  /** The pose before solving, the last and the best one on the way, the goal in reach, points: room for solvers. */
  start: Float64Array;
  accepted: Float64Array;
  best: Float64Array;
  target: Float64Array;
  points: Float64Array;
};

/** What a chain's last joint shall reach, in model space. Read on each solve, so it may change. */
export type SolverGoal = {
  position: Float64Array;
  /** How the effector itself shall be turned, xyzw; it keeps its turn relative to its parent if left out. */
  rotation?: Float64Array | null;
  /** How much of the way is gone, 0 to 1. */
  weight?: number;
  /** Where the chain shall bend to, see `TwoBoneOptions`; kept from the pose if left out. */
  bend?: Float64Array | null;
  /** Share of the chain's length from which on stretching is softened; as the solver is set if left out. */
  softness?: number;
};

/** Room for a chain of joints, each hanging on the one before it unless parents are given. */
export function createSolverChain(count: number, parents?: ArrayLike<number>): SolverChain {
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`a solver's chain needs a joint at least, not ${count}`);
  const chain: SolverChain = {
    parents: Int32Array.from({ length: count }, (_, i) => (parents ? parents[i]! : i - 1)),
    base: Float64Array.of(0, 0, 0, 1),
    offsets: new Float64Array(3 * count),
    rotations: identities(count),
    rest: identities(count),
    axes: identities(count),
    limits: new Array<CompiledLimit | null>(count).fill(null),
    weights: new Float64Array(count).fill(1),
    straightBend: null,
    positions: new Float64Array(3 * count),
    modelRotations: identities(count),
    length: 0,
    iterations: 0,
    miss: 0,
    start: new Float64Array(4 * count),
    accepted: new Float64Array(4 * count),
    best: new Float64Array(4 * count),
    target: new Float64Array(3),
    points: new Float64Array(3 * count),
  };
  chain.parents.forEach((parent, i) => {
    if (!(parent >= -1 && parent < i))
      throw new UsageError(
        `joint ${i} of a solver's chain hangs on ${parent}, which does not stand before it`,
      );
  });
  return chain;
}

function identities(count: number): Float64Array {
  const out = new Float64Array(4 * count);
  for (let i = 3; i < out.length; i += 4) out[i] = 1;
  return out;
}

/** Forward kinematics: positions and model rotations from local rotations, from a joint on. */
export function updateChain(chain: SolverChain, from = 0): void {
  const { parents, base, offsets, rotations, positions, modelRotations } = chain;
  for (let i = from; i < parents.length; i++) {
    const p = parents[i]!;
    const o = 3 * i;
    if (p < 0) {
      multiplyQuaternions(modelRotations, 4 * i, base, 0, rotations, 4 * i);
      positions[o] = offsets[o]!;
      positions[o + 1] = offsets[o + 1]!;
      positions[o + 2] = offsets[o + 2]!;
      continue;
    }
    multiplyQuaternions(modelRotations, 4 * i, modelRotations, 4 * p, rotations, 4 * i);
    rotateVector(positions, o, modelRotations, 4 * p, offsets, o);
    positions[o] = positions[o]! + positions[3 * p]!;
    positions[o + 1] = positions[o + 1]! + positions[3 * p + 1]!;
    positions[o + 2] = positions[o + 2]! + positions[3 * p + 2]!;
  }
}

/** Measures {@link SolverChain.length} anew; needed after offsets were written by hand. */
export function measureChain(chain: SolverChain): void {
  const { offsets, parents } = chain;
  let length = 0;
  for (let i = 0; i < parents.length; i++) if (parents[i]! >= 0) length += boneLength(offsets, i);
  chain.length = length;
}

/** The length of the bone that ends in a joint; `Math.hypot` would allocate on each call. */
export function boneLength(offsets: Float64Array, i: number): number {
  const x = offsets[3 * i]!;
  const y = offsets[3 * i + 1]!;
  const z = offsets[3 * i + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

const turn = new Float64Array(4);

/**
 * Turns one joint by a turn in model space and brings it inside its limit; what hangs on it is not moved until
 * {@link updateChain}, its own model rotation is.
 */
export function turnChainJoint(chain: SolverChain, i: number, modelTurn: Float64Array, t: number): void {
  const { parents, base, rotations, modelRotations } = chain;
  const p = parents[i]!;
  const above = p < 0 ? base : modelRotations;
  const a = p < 0 ? 0 : 4 * p;
  multiplyQuaternions(turn, 0, modelTurn, t, modelRotations, 4 * i);
  divideQuaternions(rotations, 4 * i, above, a, turn, 0);
  normalizeQuaternion(rotations, 4 * i, rotations, 4 * i);
  projectChainJoint(chain, i);
  multiplyQuaternions(modelRotations, 4 * i, above, a, rotations, 4 * i);
}

/** Brings one joint's rotation inside its limit, where it has one; model space is not kept up. */
export function projectChainJoint({ limits, rotations, rest, axes }: SolverChain, i: number): void {
  const limit = limits[i]!;
  if (limit !== null) projectAxedLimit(rotations, 4 * i, rest, 4 * i, axes, 4 * i, limit);
}

/** Whether any joint of a chain has a limit. */
export function isLimitedChain({ limits }: SolverChain): boolean {
  for (let i = 0; i < limits.length; i++) if (limits[i] !== null) return true;
  return false;
}

const frame = new Float64Array(4);

/** out = the model-space axis of a joint whose limit is a hinge; false for all others, which turn any way. */
export function hingeAxisOf(out: Float64Array, chain: SolverChain, i: number): boolean {
  const limit = chain.limits[i]!;
  if (limit === null || limit.swing !== null) return false;
  const p = chain.parents[i]!;
  multiplyQuaternions(
    frame,
    0,
    p < 0 ? chain.base : chain.modelRotations,
    p < 0 ? 0 : 4 * p,
    chain.rest,
    4 * i,
  );
  out[0] = 0;
  out[1] = 0;
  out[2] = 0;
  out[limit.axis] = 1;
  rotateVector(out, 0, frame, 0, out, 0);
  return true;
}

/** A chain that stands for joints of a skeleton. */
export type SkeletonChain = {
  chain: SolverChain;
  /** The skeleton's joints, in the chain's order. */
  joints: Int32Array;
  /** What each hangs on in the skeleton, −1 for nothing. */
  above: Int32Array;
  /** Per joint whether what it hangs on in the skeleton turns with its parent in the chain. */
  hangs: Uint8Array;
  /** Per joint its own rest rotation, in the skeleton, with the axes of its limit: rest · axes. */
  rests: Float64Array;
  container: Float64Array;
};

/**
 * Makes a chain, or a tree, of a skeleton's joints, parents first. Plain nodes and joints left out between them
 * come along rigidly. Limits go by joint index, as in an armature, and are counted from the skeleton's rest.
 * @param row Whether each joint is taken to be carried by the one before it, wherever it hangs: a foot that hangs
 * on the root is still the end of its leg.
 * @throws UsageError for a joint that the skeleton does not have, or a parent that stands behind its child.
 */
export function createSkeletonChain(
  skeleton: Skeleton,
  joints: ArrayLike<number>,
  limits: Readonly<Record<number, JointLimit>> = {},
  row = false,
): SkeletonChain {
  const list = Int32Array.from(joints);
  const places = new Map<number, number>();
  const parents = Array.from(list, (joint, i) => {
    if (!(joint >= 0 && joint < skeleton.names.length))
      throw new UsageError(`there is no joint ${joint} in "${skeleton.name}" to solve for`);
    if (places.has(joint)) throw new UsageError(`joint ${joint} is twice in a solver's chain`);
    let at = skeleton.parents[joint]!;
    while (at >= 0 && !places.has(at)) at = skeleton.parents[at]!;
    places.set(joint, i);
    return row ? i - 1 : at < 0 ? -1 : places.get(at)!;
  });
  const chain = createSolverChain(list.length, parents);
  const container = new Float64Array(4);
  rotationOfMatrix(container, 0, skeleton.container, 0);
  list.forEach((joint, i) => {
    const limit = limits[joint];
    if (limit) chain.limits[i] = compileLimit(limit);
    chain.rest.set(skeleton.rest.rotations.subarray(4 * joint, 4 * joint + 4), 4 * i);
    // A mirrored scale is part of the rotations in model space, and no part of a limit.
    if (signRotation(turn, 0, skeleton.rest.scales, 3 * joint))
      conjugateQuaternion(chain.axes, 4 * i, turn, 0);
  });
  return {
    chain,
    joints: list,
    above: list.map((joint) => skeleton.parents[joint]!),
    hangs: Uint8Array.from(list, (joint, i) =>
      parents[i]! >= 0 && isAncestor(skeleton, list[parents[i]!]!, joint) ? 1 : 0,
    ),
    rests: chain.rest.slice(),
    container,
  };
}

/**
 * Takes a pose into a chain: bones as they are in model space, so that scale counts (KP15). Where a joint is
 * stretched unevenly, what is far below it does not turn rigidly; load and solve again to come closer.
 */
export function loadChain(link: SkeletonChain, model: ModelPose): void {
  const { chain, joints, above, container } = link;
  const { parents, offsets, rotations, base } = chain;
  const { matrices } = model;
  for (let i = 0; i < joints.length; i++) {
    const m = 16 * joints[i]! + 12;
    const p = parents[i]!;
    if (p < 0) {
      // Several joints on one base: they are all counted from the first one's parent.
      if (i === 0) {
        if (above[0]! < 0) base.set(container);
        else for (let c = 0; c < 4; c++) base[c] = model.rotations[4 * above[0]! + c]!;
      }
      divideQuaternions(rotations, 4 * i, base, 0, model.rotations, 4 * joints[i]!);
      for (let c = 0; c < 3; c++) offsets[3 * i + c] = matrices[m + c]!;
      if (i > 0) loadRest(link, model, i, base, 0);
      continue;
    }
    const q = 16 * joints[p]! + 12;
    divideQuaternions(rotations, 4 * i, model.rotations, 4 * joints[p]!, model.rotations, 4 * joints[i]!);
    for (let c = 0; c < 3; c++) offsets[3 * i + c] = matrices[m + c]! - matrices[q + c]!;
    conjugateQuaternion(turn, 0, model.rotations, 4 * joints[p]!);
    rotateVector(offsets, 3 * i, turn, 0, offsets, 3 * i);
    loadRest(link, model, i, model.rotations, 4 * joints[p]!);
  }
  measureChain(chain);
  updateChain(chain);
}

/** The rest that a limit is counted from, seen from the chain's parent: turned nodes between come along. */
function loadRest(
  { chain, above, rests, container }: SkeletonChain,
  model: ModelPose,
  i: number,
  parent: Float64Array,
  p: number,
): void {
  if (chain.limits[i] === null) return;
  const a = above[i]!;
  divideQuaternions(turn, 0, parent, p, a < 0 ? container : model.rotations, a < 0 ? 0 : 4 * a);
  multiplyQuaternions(chain.rest, 4 * i, turn, 0, rests, 4 * i);
}

const ownTurn = new Float64Array(4);
const aboveTurn = new Float64Array(4);

/** Writes a solved chain into the pose that it was loaded from, as local rotations; `model` is as it was then. */
export function storeChain(link: SkeletonChain, pose: Pose, model: ModelPose): void {
  const { chain, joints, above, container } = link;
  for (let i = 0; i < joints.length; i++) {
    const p = chain.parents[i]!;
    turnSince(ownTurn, chain, i, model, joints[i]!);
    if (p >= 0) turnSince(aboveTurn, chain, p, model, joints[p]!);
    const isCarried = link.hangs[i] === 1;
    const a = above[i]!;
    turnJoint(
      pose.rotations,
      4 * joints[i]!,
      a < 0 ? container : model.rotations,
      a < 0 ? 0 : 4 * a,
      isCarried ? aboveTurn : null,
      ownTurn,
    );
    normalizeQuaternion(pose.rotations, 4 * joints[i]!, pose.rotations, 4 * joints[i]!);
  }
}

function turnSince(out: Float64Array, chain: SolverChain, i: number, model: ModelPose, joint: number): void {
  conjugateQuaternion(out, 0, model.rotations, 4 * joint);
  multiplyQuaternions(out, 0, chain.modelRotations, 4 * i, out, 0);
}
