import type { Skeleton } from '@stuntdouble/core';

/** Per node of a file the places of the skeletons it is in, rising: a node above several is in all of them. */
export type NodeOwners = readonly (readonly number[])[];

const NONE: readonly number[] = [];

/** Finds which skeletons each node of a file is in, in one walk: a scene may be a crowd. */
export function findOwners(nodeCount: number, skeletons: readonly Skeleton[]): NodeOwners {
  const owners: (readonly number[])[] = new Array(nodeCount).fill(NONE);
  // Shared by the nodes of one skeleton alone, which are nearly all.
  skeletons.forEach(({ fileIndices }, i) => {
    const alone = [i];
    for (const node of fileIndices) owners[node] = owners[node] === NONE ? alone : [...owners[node]!, i];
  });
  return owners;
}

/**
 * Finds which skeletons may hold what hangs at each node of a file without a skin: those with a joint there or
 * above it.
 * @param isHold whether a node of a skeleton, given by its place, counts as such a joint.
 */
export function findHolders(
  tree: { parents: ArrayLike<number>; order: readonly number[] },
  owners: NodeOwners,
  isHold: (skeleton: number, node: number) => boolean,
): NodeOwners {
  const holders: (readonly number[])[] = new Array(owners.length).fill(NONE);
  for (const node of tree.order) {
    const parent = tree.parents[node]!;
    const above = parent < 0 ? NONE : holders[parent]!;
    const added = owners[node]!.filter((i) => !above.includes(i) && isHold(i, node));
    if (added.length === 0) holders[node] = above;
    else if (above.length === 0 && added.length === owners[node]!.length) holders[node] = owners[node]!;
    else holders[node] = [...above, ...added].sort((a, b) => a - b);
  }
  return holders;
}
