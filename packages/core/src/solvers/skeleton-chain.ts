import { UsageError } from '../base/errors.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
  rotateVector,
} from '../base/math/quaternion.js';
import { type ModelPose, type Pose, rotationOfMatrix, signRotation } from '../scene/pose.js';
import { isAncestor, type Skeleton } from '../scene/skeleton.js';
import type { JointLimit } from './joint-limits.js';
import { compileLimit } from './joint-limits.js';
import { createSolverChain, measureChain, type SolverChain, updateChain } from './solver-chain.js';
import { turnJoint } from './turn-joint.js';

const turn = new Float64Array(4);

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
