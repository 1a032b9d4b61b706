import {
  createSkeleton,
  END,
  invertMatrix,
  JOINT,
  multiplyMatrices,
  type Pose,
  type Skeleton,
  type Warning,
} from '@stuntdouble/core/engine';
import { assumeJoints } from '../../shared/assume-joints.js';
import { bindToLocal, findCommonTransform } from '../../shared/bind-pose.js';
import { warnOfDuplicateNames } from '../../shared/duplicate-names.js';
import { createGroups } from '../../shared/joint-groups.js';
import type { ModelTree } from './model-tree.js';
import type { FbxSkin } from './skins.js';

/** A skeleton found in a file, and how to get from models to its joints. */
export type FoundSkeleton = {
  skeleton: Skeleton;
  /** Per model its joint, or −1. */
  jointOfModel: Int32Array;
  /** The skins whose joints are in it. */
  skins: FbxSkin[];
};

/** The kinds of models that are joints by the file's own word. */
const JOINT_KINDS: ReadonlySet<string> = new Set(['LimbNode', 'Limb', 'Root']);

/** The kinds of models that are plain nodes: what may stand between joints, or at their ends. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(['Null', '', 'Mesh', ...JOINT_KINDS]);

/** Names of leaves that only say where a bone ends: Blender's, 3ds Max's, Maya's, MotionBuilder's. */
const END_NAME = /((^|[_ .:-])([Ee]nd|END)(_\w+)?|[Nn]ub|[Ee]nd ?[Ss]ite|_[Tt]ip|[a-z0-9]End)$/;

/**
 * Finds the skeletons of a file, one per connected group of joints. Joints are limb nodes and what skins
 * follow; in files without either the models that takes move, or for want of any all that could be a body.
 * Joints of one skin belong together, as do roots that hang on one armature, and a joint belongs with the
 * nearest joint above it: a file with several skinned meshes has each joint once.
 */
export function findSkeletons(
  tree: ModelTree,
  skins: readonly FbxSkin[],
  moved: ReadonlySet<number>,
  declared: Skeleton['declared'],
  warnings: Warning[],
): FoundSkeleton[] {
  const { models, parents, order } = tree;
  const joints = new Set<number>();
  models.forEach(({ subtype }, i) => {
    if (JOINT_KINDS.has(subtype)) joints.add(i);
  });
  for (const { clusters } of skins) for (const { joint } of clusters) joints.add(joint);
  const isBare = joints.size === 0;
  const isNode = (i: number) => PLAIN_KINDS.has(models[i]!.subtype);
  if (isBare) for (const i of moved) if (isNode(i)) joints.add(i);
  if (joints.size === 0)
    for (const i of assumeJoints({ ...tree, shown: models.map((_, n) => isNode(n)) }, warnings))
      joints.add(i);

  const groups = createGroups(models.length);
  for (const { clusters } of skins) groups.join(clusters.map(({ joint }) => joint));
  const rootOf = new Int32Array(models.length);
  for (const i of order) rootOf[i] = parents[i]! < 0 ? i : rootOf[parents[i]!]!;
  const armatures = new Map<number, number>();
  for (const joint of joints) {
    if (isBare) groups.join([joint, rootOf[joint]!]);
    let above = parents[joint]!;
    while (above >= 0 && !joints.has(above)) above = parents[above]!;
    if (above >= 0) groups.join([joint, above]);
    else if (parents[joint]! >= 0) {
      const sibling = armatures.get(parents[joint]!);
      if (sibling === undefined) armatures.set(parents[joint]!, joint);
      else groups.join([sibling, joint]);
    }
  }

  const members = new Map<number, Set<number>>();
  for (const joint of joints) {
    const group = groups.find(joint);
    const set = members.get(group) ?? new Set();
    members.set(group, set);
    for (let i = joint; i >= 0 && !set.has(i); i = parents[i]!) set.add(i);
  }
  const skinsOfGroup = new Map<number, FbxSkin[]>();
  for (const skin of skins) {
    const group = groups.find(skin.clusters[0]!.joint);
    const own = skinsOfGroup.get(group);
    if (own) own.push(skin);
    else skinsOfGroup.set(group, [skin]);
  }
  return chooseLargest([...members.entries()], models.length, warnings)
    .map(([group, set]) => {
      addDescendants(set, tree, joints, moved, isBare);
      return describe(tree, set, joints, moved, skinsOfGroup.get(group) ?? [], declared);
    })
    .sort((a, b) => a.skeleton.fileIndices[0]! - b.skeleton.fileIndices[0]!)
    .map((found) => {
      warnOfDuplicateNames(found.skeleton, warnings);
      return found;
    });
}

/** Per skeleton there is a list of all models: together these may have so many entries. */
const MOST_ENTRIES = 2 ** 22;

/** As many groups of joints as there is room for, the largest ones; a scene may have thousands of loose joints. */
function chooseLargest<T extends { size: number }>(
  groups: [number, T][],
  modelCount: number,
  warnings: Warning[],
): [number, T][] {
  const most = Math.max(16, Math.floor(MOST_ENTRIES / modelCount));
  if (groups.length <= most) return groups;
  warnings.push({
    code: 'feature-ignored',
    message: `The file has ${groups.length} separate skeletons; the largest ${most} were read.`,
  });
  return groups.sort((a, b) => b[1].size - a[1].size || a[0] - b[0]).slice(0, most);
}

/** Adds what hangs below joints: plain nodes, and meshes that takes move; of a body of parts everything. */
function addDescendants(
  set: Set<number>,
  { models, children }: ModelTree,
  joints: ReadonlySet<number>,
  moved: ReadonlySet<number>,
  isBare: boolean,
): void {
  const holders = [...set].filter((i) => joints.has(i));
  while (holders.length > 0)
    for (const i of children[holders.pop()!]!) {
      const { subtype } = models[i]!;
      if (set.has(i) || !PLAIN_KINDS.has(subtype)) continue;
      if (subtype !== 'Null' && !moved.has(i) && !(isBare && subtype === 'Mesh')) continue;
      set.add(i);
      holders.push(i);
    }
}

function describe(
  tree: ModelTree,
  set: ReadonlySet<number>,
  joints: ReadonlySet<number>,
  moved: ReadonlySet<number>,
  skins: FbxSkin[],
  declared: Skeleton['declared'],
): FoundSkeleton {
  const { models, names, parents, rest, ranks } = tree;
  const order = [...set].sort((a, b) => ranks[a]! - ranks[b]!);
  const place = new Map(order.map((model, i) => [model, i]));
  const parentModels = new Set(order.map((model) => parents[model]!));
  const clustered = new Set(skins.flatMap(({ clusters }) => clusters.map(({ joint }) => joint)));
  const root = order.find((model) => joints.has(model)) ?? order[0]!;
  const { skeleton, order: jointOf } = createSkeleton(
    names[root]!,
    order.map((model) => {
      const isLeaf = !parentModels.has(model);
      const isMesh = models[model]!.subtype === 'Mesh';
      const isNamedEnd = isLeaf && !clustered.has(model) && END_NAME.test(names[model]!);
      const isJoint = (joints.has(model) || moved.has(model)) && !isNamedEnd;
      return {
        name: names[model]!,
        parent: place.get(parents[model]!) ?? -1,
        fileIndex: model,
        translation: rest.translations.subarray(3 * model, 3 * model + 3),
        rotation: rest.rotations.subarray(4 * model, 4 * model + 4),
        scale: rest.scales.subarray(3 * model, 3 * model + 3),
        flags: (isJoint ? JOINT : 0) | (isLeaf && !isJoint && !isMesh ? END : 0),
      };
    }),
    { declared },
  );
  const jointOfModel = new Int32Array(models.length).fill(-1);
  order.forEach((model, i) => {
    jointOfModel[model] = jointOf[i]!;
  });
  return { skeleton, jointOfModel, skins };
}

/**
 * The pose in which a skeleton was bound, as local transforms: by the clusters of its skins, and where the
 * file's bind pose agrees with them (or there are no skins) by that.
 * @returns undefined where the file says nothing.
 */
export function readBindPose(
  tree: ModelTree,
  { skeleton, jointOfModel, skins }: FoundSkeleton,
  poses: ReadonlyMap<number, Float64Array>,
): Pose | undefined {
  const worlds = new Float64Array(16 * skeleton.names.length);
  const isBound = new Uint8Array(skeleton.names.length);
  const bindAll = (binds: ReadonlyMap<number, Float64Array>, nodes: readonly number[]) => {
    const models = [...binds.keys()];
    if (models.length === 0) return;
    const matrices = new Float64Array(16 * models.length);
    const inverses = new Float64Array(16 * models.length);
    models.forEach((model, n) => {
      matrices.set(binds.get(model)!, 16 * n);
      invertMatrix(inverses, 16 * n, matrices, 16 * n);
    });
    const common = findCommonTransform(tree, models, inverses, matrices, nodes);
    models.forEach((model, n) => {
      const joint = jointOfModel[model]!;
      if (joint < 0 || isBound[joint]) return;
      isBound[joint] = 1;
      multiplyMatrices(worlds, 16 * joint, common, 0, matrices, 16 * n);
    });
  };
  let agree = 0;
  let shared = 0;
  for (const { clusters, model } of skins) {
    const binds = new Map<number, Float64Array>();
    for (const { joint, bind } of clusters) {
      if (!bind) continue;
      binds.set(joint, bind);
      const other = poses.get(joint);
      if (!other) continue;
      shared++;
      const size = Math.max(...bind.map(Math.abs));
      if (bind.every((value, n) => Math.abs(value - other[n]!) <= 1e-3 * size)) agree++;
    }
    bindAll(binds, [model]);
  }
  // A pose object that contradicts the skins is from another moment of the file's life.
  if (skins.length === 0 || (shared > 0 && agree >= 0.9 * shared)) {
    const others = new Map<number, Float64Array>();
    for (const [model, world] of poses)
      if (jointOfModel[model]! >= 0 && skeleton.flags[jointOfModel[model]!]! & JOINT)
        others.set(model, world);
    bindAll(others, []);
  }
  return isBound.includes(1) ? bindToLocal(skeleton, worlds, isBound) : undefined;
}
