import { UsageError } from '../base/errors.js';
import { ONES } from '../base/math/flat-constants.js';
import { composeMatrix, createMatrix, multiplyMatrices, transformPoint } from '../base/math/matrix.js';
import { multiplyQuaternions, rotateVector, slerpQuaternions } from '../base/math/quaternion.js';
import { createPath, followPath } from '../scene/joint-path.js';
import { type Pose, rotationOfMatrix } from '../scene/pose.js';
import { type RetargetedBind, signRotationsOf } from './retargeted-bind.js';

/** A target's skin, driven by poses of the source through a retargeted bind pose. */
export type BindPlayer = {
  /** Model-space matrices of the retargeted joints, 16 numbers each; overwritten by every update. */
  readonly matrices: Float64Array;
  /** Those times the inverse binds: mesh space to model space; all zero for joints that the skin does not use. */
  readonly skinMatrices: Float64Array;
  /**
   * Takes the source's local transforms, in the order of its joints, and gives the skinning matrices of the
   * target. Allocates nothing; poses may come in any order.
   * @throws UsageError where the pose is not one of the source's skeleton.
   */
  update(source: Pose): Float64Array;
};

/**
 * Compiles a retargeted bind pose for use frame by frame (S8): the travelling joint moves as the source's,
 * scaled per axis; all others keep their retargeted offsets; those that nothing drives follow rigidly.
 * @param inverseBinds Those of a mesh after `retargetInverseBinds`; of the target's bind pose if left out.
 */
export function createBindPlayer(
  bind: RetargetedBind,
  inverseBinds: Float64Array = bind.inverseBinds,
): BindPlayer {
  const count = bind.parents.length;
  const joints = bind.source.names.length;
  const plan: Plan = {
    bind,
    inverseBinds,
    sourceSigns: signRotationsOf(bind.source),
    sourceParents: bind.source.parents.map((parent) => 4 * (parent < 0 ? joints : parent)),
    path: bind.travel ? createPath(bind.source, bind.travel.source) : new Int32Array(0),
    sourceRotations: new Float64Array(4 * joints + 4),
    rotations: new Float64Array(4 * count + 4),
    positions: new Float64Array(3 * count),
    matrices: new Float64Array(16 * count),
    skinMatrices: new Float64Array(16 * count),
  };
  rotationOfMatrix(plan.sourceRotations, 4 * joints, bind.source.container, 0);
  rotationOfMatrix(plan.rotations, 4 * count, bind.source.container, 0);
  return {
    matrices: plan.matrices,
    skinMatrices: plan.skinMatrices,
    update(source) {
      if (source.rotations.length !== 4 * joints)
        throw new UsageError(
          `the pose has ${source.rotations.length / 4} joints, "${bind.source.name}" has ${joints}`,
        );
      if (bind.locals === 'folded') turnFolded(plan, source);
      else turnVerbatim(plan, source);
      place(plan, source);
      writeMatrices(plan);
      return plan.skinMatrices;
    },
  };
}

type Plan = {
  bind: RetargetedBind;
  inverseBinds: Float64Array;
  sourceSigns: Float64Array | null;
  /** Where the rotation of each source joint's parent stands. */
  sourceParents: Int32Array;
  /** The source joints above the one that travels. */
  path: Int32Array;
  sourceRotations: Float64Array;
  rotations: Float64Array;
  positions: Float64Array;
  matrices: Float64Array;
  skinMatrices: Float64Array;
};

/** Driven joints have the model rotation of their driver, which holds the turns of all above it (SP6). */
function turnFolded(
  { bind, sourceSigns, sourceParents, sourceRotations: G, rotations: B }: Plan,
  pose: Pose,
): void {
  const L = pose.rotations;
  for (let i = 0; i < sourceParents.length; i++) {
    multiplyQuaternions(G, 4 * i, G, sourceParents[i]!, L, 4 * i);
    if (sourceSigns !== null) multiplyQuaternions(G, 4 * i, G, 4 * i, sourceSigns, 4 * i);
  }
  const { drivers, parents, restRotations, shares } = bind;
  for (let n = 0, i = 0; i < parents.length; i++) {
    const s = 4 * drivers[i]!;
    if (s < 0) {
      const p = 4 * (parents[i]! < 0 ? parents.length : parents[i]!);
      multiplyQuaternions(B, 4 * i, B, p, restRotations, 4 * i);
      continue;
    }
    B[4 * i] = G[s]!;
    B[4 * i + 1] = G[s + 1]!;
    B[4 * i + 2] = G[s + 2]!;
    B[4 * i + 3] = G[s + 3]!;
    // Shares stand in the order of the joints.
    if (n < shares.length && shares[n]!.joint === i) {
      const { from, weight, constant } = shares[n]!;
      multiplyQuaternions(scratch, 0, G, 4 * from, constant, 0);
      slerpQuaternions(B, 4 * i, scratch, 0, B, 4 * i, weight);
      n++;
    }
  }
}

/** Driven joints have the local rotation of their driver, as it stands in the animation (S5). */
function turnVerbatim({ bind: { drivers, parents, restRotations }, rotations: B }: Plan, pose: Pose): void {
  for (let i = 0; i < parents.length; i++) {
    const p = 4 * (parents[i]! < 0 ? parents.length : parents[i]!);
    const d = drivers[i]!;
    if (d < 0) multiplyQuaternions(B, 4 * i, B, p, restRotations, 4 * i);
    else multiplyQuaternions(B, 4 * i, B, p, pose.rotations, 4 * d);
  }
}

const scratch = new Float64Array(4);
const matrix = createMatrix();

function place({ bind, path, rotations, positions }: Plan, pose: Pose): void {
  const { order, anchors, offsets, travel, source } = bind;
  for (let n = 0; n < order.length; n++) {
    const i = order[n]!;
    const a = anchors[i]!;
    const o = 3 * i;
    if (travel !== null && travel.target === i) {
      followPath(matrix, path, source, pose);
      transformPoint(positions, o, matrix, 0, pose.translations, 3 * travel.source);
      positions[o] = travel.offset[0]! + travel.scale[0]! * positions[o]!;
      positions[o + 1] = travel.offset[1]! + travel.scale[1]! * positions[o + 1]!;
      positions[o + 2] = travel.offset[2]! + travel.scale[2]! * positions[o + 2]!;
    } else if (a < 0) {
      positions[o] = offsets[o]!;
      positions[o + 1] = offsets[o + 1]!;
      positions[o + 2] = offsets[o + 2]!;
    } else {
      rotateVector(positions, o, rotations, 4 * a, offsets, o);
      positions[o] = positions[o]! + positions[3 * a]!;
      positions[o + 1] = positions[o + 1]! + positions[3 * a + 1]!;
      positions[o + 2] = positions[o + 2]! + positions[3 * a + 2]!;
    }
  }
}

function writeMatrices({ inverseBinds, rotations, positions, matrices, skinMatrices }: Plan): void {
  for (let i = 0; i < positions.length / 3; i++) {
    const m = 16 * i;
    composeMatrix(matrices, m, positions, 3 * i, rotations, 4 * i, ONES, 0);
    if (inverseBinds[m + 15]! > 0) multiplyMatrices(skinMatrices, m, matrices, m, inverseBinds, m);
  }
}
