import { invertMatrix, JOINT, type Mat4, multiplyMatrices, type Skeleton } from '@stuntdouble/core/engine';

/** The joint that a mesh without a skin hangs on, and the way from the space of the mesh's node to the joint's. */
export type MeshHolder = { joint: number; toJoint: Mat4 };

/** A file's nodes: who hangs on whom, and the matrix of each to the world. */
type PlacedNodes = { parents: ArrayLike<number>; worlds: Float64Array };

/**
 * The joint that a mesh without a skin follows: the nearest one above it, or itself.
 * @param jointOf per node of the file the joint of the skeleton, or -1.
 * @param skipsScenery whether a plain node above all joints holds the whole scene and no part of the body.
 * @returns null where it hangs on no joint, as scenery does.
 */
export function findMeshHolder(
  tree: PlacedNodes,
  skeleton: Skeleton,
  jointOf: ArrayLike<number>,
  node: number,
  skipsScenery: boolean,
): MeshHolder | null {
  let at = node;
  while (at >= 0 && jointOf[at]! < 0) at = tree.parents[at]!;
  if (at < 0) return null;
  const joint = jointOf[at]!;
  if (skipsScenery) {
    let above = joint;
    while (above >= 0 && !(skeleton.flags[above]! & JOINT)) above = skeleton.parents[above]!;
    if (above < 0) return null;
  }
  const toJoint = new Float64Array(16);
  if (!invertMatrix(toJoint, 0, tree.worlds, 16 * at)) return null;
  multiplyMatrices(toJoint, 0, toJoint, 0, tree.worlds, 16 * node);
  return { joint, toJoint };
}
