import { UsageError } from '../base/errors.js';
import {
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
  rotateVector,
} from '../base/math/quaternion.js';
import { type CompiledLimit, projectAxedLimit } from './joint-limits.js';

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
  /** Whether it bends there and no other way, as knees do; for two-bone, see `TwoBoneOptions`. */
  isHinge: boolean;
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
    isHinge: false,
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

/** The length of the bone that ends in a joint. */
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
