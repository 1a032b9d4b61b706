import { createSkeleton, END, JOINT, type Skeleton, type Warning } from '@stuntdouble/core';
import { assumeJoints } from '../../shared/assume-joints.js';
import { warnOfDuplicateNames } from '../../shared/duplicate-names.js';
import { createGroups } from '../../shared/joint-groups.js';
import type { GltfDocument } from '../document.js';
import { isIndex } from '../gltf-json.js';
import { channelTarget } from './channel-target.js';
import type { Humanoid } from './humanoid.js';
import type { NodeTree } from './node-tree.js';

/** A skeleton found in a file, and how to get from nodes to its joints. */
export type FoundSkeleton = {
  skeleton: Skeleton;
  /** Per node of the file its joint, or −1. */
  jointOfNode: Int32Array;
  /** The skins whose joints are in it. */
  skins: number[];
};

/**
 * Finds the skeletons of a file, one per connected group of joints. Joints are those of skins, those of a
 * VRM humanoid, and in files without skins the nodes that clips move, or for want of any all nodes that
 * could be a body. Joints of one skin belong together wherever they hang; a joint belongs with the nearest joint above it.
 */
export function findSkeletons(
  document: GltfDocument,
  tree: NodeTree,
  humanoid: Humanoid | null,
  warnings: Warning[],
): FoundSkeleton[] {
  const { json } = document;
  const nodes = json.nodes ?? [];
  const skins = json.skins ?? [];
  const moved = movedNodes(document);
  for (const node of humanoid?.signals ?? []) moved.delete(node);

  // A skin counts where a shown mesh uses it; a file of clips has skins that no mesh uses.
  const skinUsers = skins.map((): number[] => []);
  nodes.forEach((node, i) => {
    if (node.skin !== undefined && node.mesh !== undefined) skinUsers[node.skin]!.push(i);
  });
  const isShown = (node: number) => tree.shown[node]!;
  let liveSkins = skins.flatMap((skin, i) =>
    skinUsers[i]!.some(isShown) || skin.joints.some(isShown) ? [i] : [],
  );
  if (liveSkins.length === 0) liveSkins = skins.map((_, i) => i);

  const joints = new Set(liveSkins.flatMap((i) => skins[i]!.joints));
  const isSkinless = joints.size === 0;
  const humanoidNodes = [...(humanoid?.roles.values() ?? [])];
  for (const node of humanoidNodes) joints.add(node);
  if (isSkinless) for (const node of moved) if (tree.shown[node]) joints.add(node);
  if (joints.size === 0) for (const node of assumeJoints(tree, warnings)) joints.add(node);

  const groups = createGroups(nodes.length);
  for (const i of liveSkins) groups.join(skins[i]!.joints);
  groups.join(humanoidNodes);
  const rootOf = new Int32Array(nodes.length);
  for (const i of tree.order) rootOf[i] = tree.parents[i]! < 0 ? i : rootOf[tree.parents[i]!]!;
  for (const joint of joints) {
    // Without skins a body is a tree of parts; with them, what hangs below a joint belongs to it.
    if (isSkinless) groups.join([joint, rootOf[joint]!]);
    let above = tree.parents[joint]!;
    while (above >= 0 && !joints.has(above)) above = tree.parents[above]!;
    if (above >= 0) groups.join([joint, above]);
  }

  const kept = largestGroups(joints, groups.find, nodes.length, warnings);
  const skinsOfGroup = new Map<number, number[]>();
  for (const i of liveSkins) {
    const [first] = skins[i]!.joints;
    if (first === undefined) continue;
    const group = groups.find(first);
    const own = skinsOfGroup.get(group);
    if (own) own.push(i);
    else skinsOfGroup.set(group, [i]);
  }
  const members = new Map<number, Set<number>>();
  for (const joint of joints) {
    const group = groups.find(joint);
    if (!kept.has(group)) continue;
    const set = members.get(group) ?? new Set();
    members.set(group, set);
    for (let i = joint; i >= 0 && !set.has(i); i = tree.parents[i]!) set.add(i);
  }
  if (isSkinless) addTrees((node) => members.get(groups.find(rootOf[node]!)), tree, humanoid);
  else addDescendants((joint) => members.get(groups.find(joint)), joints, moved, document, tree);

  const ranks = new Int32Array(nodes.length);
  tree.order.forEach((node, rank) => {
    ranks[node] = rank;
  });
  return [...members.entries()]
    .map(([group, set]) => {
      const order = [...set].sort((a, b) => ranks[a]! - ranks[b]!);
      return describe(order, joints, moved, document, tree, humanoid, skinsOfGroup.get(group) ?? []);
    })
    .sort((a, b) => a.skeleton.fileIndices[0]! - b.skeleton.fileIndices[0]! || a.skins[0]! - b.skins[0]!)
    .map((found) => {
      warnOfDuplicateNames(found.skeleton, warnings);
      return found;
    });
}

/**
 * The groups of joints that become skeletons: all, or the largest where a file has so many that listing every
 * node for each of them would take more room than the file could mean.
 */
function largestGroups(
  joints: ReadonlySet<number>,
  find: (joint: number) => number,
  nodeCount: number,
  warnings: Warning[],
): Set<number> {
  const sizes = new Map<number, number>();
  for (const joint of joints) sizes.set(find(joint), (sizes.get(find(joint)) ?? 0) + 1);
  const most = Math.max(16, Math.min(1024, Math.floor(2 ** 22 / nodeCount)));
  if (sizes.size <= most) return new Set(sizes.keys());
  warnings.push({
    code: 'feature-ignored',
    message: `The file has ${sizes.size} separate skeletons; the ${most} with most joints were read.`,
  });
  const sorted = [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return new Set(sorted.slice(0, most).map(([group]) => group));
}

/** The nodes that the file's clips translate, turn or scale. */
export function movedNodes(document: GltfDocument): Set<number> {
  const moved = new Set<number>();
  const nodeCount = document.json.nodes?.length ?? 0;
  for (const { channels } of document.json.animations ?? [])
    for (const channel of channels) {
      const target = channelTarget(channel.target);
      if (
        target &&
        isIndex(target.node, nodeCount) &&
        ['translation', 'rotation', 'scale'].includes(String(target.path))
      )
        moved.add(target.node);
    }
  return moved;
}

/**
 * Adds every node of the trees that the sets touch, mesh nodes included (BP8).
 * @param setOf the set of the skeleton that has a node's tree.
 */
function addTrees(
  setOf: (node: number) => Set<number> | undefined,
  tree: NodeTree,
  humanoid: Humanoid | null,
): void {
  for (const i of tree.order) {
    const parent = tree.parents[i]!;
    if (parent < 0 || humanoid?.signals.has(i)) continue;
    const set = setOf(i);
    if (set?.has(parent)) set.add(i);
  }
}

/**
 * Adds what hangs below joints: helpers without a mesh, and meshes that clips move (BP8). Meshes that do not
 * move on their own follow their joint without being one. What hangs below a joint can be in no skeleton but that
 * of the nearest joint above it.
 * @param setOf the set of the skeleton that has a joint.
 */
function addDescendants(
  setOf: (joint: number) => Set<number> | undefined,
  joints: ReadonlySet<number>,
  moved: ReadonlySet<number>,
  document: GltfDocument,
  tree: NodeTree,
): void {
  // Per node the nearest joint, itself or above it, or −1.
  const holds = new Int32Array(tree.parents.length).fill(-1);
  for (const i of tree.order) {
    const parent = tree.parents[i]!;
    if (joints.has(i)) {
      holds[i] = i;
      continue;
    }
    if (parent < 0 || holds[parent]! < 0) continue;
    holds[i] = holds[parent]!;
    const set = setOf(holds[i]!);
    if (set?.has(parent) && document.json.nodes![i]!.mesh === undefined) set.add(i);
  }
  for (const i of moved) {
    const set = holds[i]! < 0 ? undefined : setOf(holds[i]!);
    if (!set) continue;
    // The joint itself is in the set.
    for (let at = i; !set.has(at); at = tree.parents[at]!) set.add(at);
  }
}

function describe(
  order: number[],
  joints: ReadonlySet<number>,
  moved: ReadonlySet<number>,
  document: GltfDocument,
  tree: NodeTree,
  humanoid: Humanoid | null,
  skins: number[],
): FoundSkeleton {
  const place = new Map(order.map((node, i) => [node, i]));
  const parentNodes = new Set(order.map((node) => tree.parents[node]!));
  const { rest } = tree;
  const root = order.find((node) => joints.has(node)) ?? order[0]!;
  const { skeleton, order: jointOf } = createSkeleton(
    tree.names[root]!,
    order.map((node) => {
      const isJoint = joints.has(node) || moved.has(node);
      const isEnd = !isJoint && !parentNodes.has(node) && document.json.nodes![node]!.mesh === undefined;
      return {
        name: tree.names[node]!,
        parent: place.get(tree.parents[node]!) ?? -1,
        fileIndex: node,
        translation: rest.translations.subarray(3 * node, 3 * node + 3),
        rotation: rest.rotations.subarray(4 * node, 4 * node + 4),
        scale: rest.scales.subarray(3 * node, 3 * node + 3),
        flags: (isJoint ? JOINT : 0) | (isEnd ? END : 0),
      };
    }),
    { declared: { up: '+Y', facing: humanoid?.facing ?? null, unit: 1 } },
  );
  const jointOfNode = new Int32Array(tree.parents.length).fill(-1);
  order.forEach((node, i) => {
    jointOfNode[node] = jointOf[i]!;
  });
  if (humanoid) {
    const roles = [...humanoid.roles].filter(([, node]) => jointOfNode[node]! >= 0);
    if (roles.length > 0)
      skeleton.metadataRoles = Object.fromEntries(roles.map(([role, node]) => [role, jointOfNode[node]!]));
  }
  return { skeleton, jointOfNode, skins };
}
