import type { Warning } from '@stuntdouble/core';

/** What is needed of a tree of nodes to tell which of them could be a body. */
export type BareTree = {
  parents: ArrayLike<number>;
  children: readonly (readonly number[])[];
  depths: ArrayLike<number>;
  /** Parents before children. */
  order: readonly number[];
  /** Per node whether it counts. */
  shown: readonly boolean[];
};

/** A tree of nodes may be a body if it has as many nodes as a simple one, and is as deep as an arm. */
const BODY_NODES = 8;
const BODY_DEPTH = 4;

/**
 * The nodes that may be joints in a file that names none: a rig exported without its mesh, or a body of rigid
 * parts without a clip. What leads from the root to the first fork is not counted: it is a container.
 */
export function assumeJoints(tree: BareTree, warnings: Warning[]): number[] {
  const trees = new Map<number, number[]>();
  const rootOf = new Int32Array(tree.parents.length);
  for (const i of tree.order) {
    rootOf[i] = tree.parents[i]! < 0 ? i : rootOf[tree.parents[i]!]!;
    if (!tree.shown[i]) continue;
    const members = trees.get(rootOf[i]!);
    if (members) members.push(i);
    else trees.set(rootOf[i]!, [i]);
  }
  const bodies = [...trees.values()].filter(
    (members) =>
      members.length >= BODY_NODES &&
      members.some((i) => tree.depths[i]! - tree.depths[members[0]!]! >= BODY_DEPTH),
  );
  const joints = bodies.flatMap((members) => {
    const fork = members.findIndex((i) => tree.children[i]!.length > 1);
    return members.slice(Math.max(0, fork));
  });
  if (joints.length > 0)
    warnings.push({
      code: 'joints-assumed',
      message: `The file has no skin, no humanoid and no clip; ${joints.length} nodes were taken for joints.`,
    });
  return joints;
}
