import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';
import { UsageError } from '@stuntdouble/core';
import { type Body, readBody } from './body.js';
import { movedBy } from './read-group.js';
import { isBone, isTransformNode } from './rest-memory.js';

/**
 * What a motion can be moved onto: Babylon's `AnimatorAvatar`, the root node of a character, its skeleton, or anything
 * that has a root, meshes or skeletons, as what its loaders and `instantiateModelsToScene` give.
 */
export type Avatar =
  | TransformNode
  | BabylonSkeleton
  | {
      name?: string;
      rootNode?: TransformNode | undefined;
      rootNodes?: readonly Node[];
      meshes?: readonly AbstractMesh[];
      skeletons?: Iterable<BabylonSkeleton>;
      /** As Babylon's: false keeps warnings from being told. */
      showWarnings?: boolean;
    };

/** What the glTF loader calls every root: no character's name. */
const LOADED_ROOT = '__root__';

/** Whether an avatar lets warnings be told; it does unless it says otherwise (B6). */
export function showsWarnings(avatar: Avatar): boolean {
  return isTransformNode(avatar) || isSkeleton(avatar) || avatar.showWarnings !== false;
}

/**
 * Reads the body of an avatar, with all its skeletons (B1), without touching it.
 * @throws UsageError where there is nothing to read.
 */
export function readAvatar(given: Avatar, argument: 'avatar' | 'source' = 'avatar'): Body {
  if (typeof given !== 'object' || given === null || 'then' in given)
    throw new UsageError(
      `${argument} is ${given && typeof given === 'object' ? 'a promise, to be awaited first' : String(given)}; give an AnimatorAvatar or the root node of a character`,
    );
  const avatar = isSkeleton(given) ? { name: given.name, skeletons: [given] } : given;
  const root = rootOf(avatar);
  if (root?.isDisposed())
    throw new UsageError(
      `${argument} "${avatar.name || root.name}" was disposed of: there is nothing to move`,
    );
  const meshes = isTransformNode(avatar) || !avatar.meshes ? meshesBelow(root) : [...avatar.meshes];
  const told = isTransformNode(avatar) || !avatar.skeletons ? [] : [...avatar.skeletons];
  const skeletons = [
    ...new Set([...told, ...meshes.flatMap(({ skeleton }) => (skeleton ? [skeleton] : []))]),
  ];
  const scene = root?.getScene() ?? skeletons[0]?.getScene() ?? meshes[0]?.getScene();
  if (!scene)
    throw new UsageError(
      `${argument} has neither a root node nor a skeleton; give the root node of a character`,
    );
  return readBody({
    name: avatar.name || root?.name || 'avatar',
    scene,
    root,
    skeletons,
    meshes,
    moved: new Set(),
    groups: scene.animationGroups,
  });
}

function isSkeleton(avatar: Avatar): avatar is BabylonSkeleton {
  return 'getClassName' in avatar && avatar.getClassName() === 'Skeleton';
}

function rootOf(avatar: Exclude<Avatar, BabylonSkeleton>): TransformNode | null {
  if (isTransformNode(avatar)) return avatar;
  if (avatar.rootNode) return avatar.rootNode;
  const first = avatar.rootNodes?.find(isTransformNode);
  if (first) return first;
  for (const { bones } of avatar.skeletons ?? [])
    for (const bone of bones) {
      const node = bone.getTransformNode();
      if (node) return topmost(node, null);
    }
  const mesh = avatar.meshes?.[0];
  return mesh ? topmost(mesh, null) : null;
}

function meshesBelow(root: TransformNode | null): AbstractMesh[] {
  if (!root) return [];
  const own = isMesh(root) ? [root] : [];
  return [...own, ...root.getChildMeshes(false)];
}

function isMesh(node: TransformNode): node is AbstractMesh {
  return 'getTotalVertices' in node;
}

/** The highest transform node above a node that does not also hold `other`. */
function topmost(node: TransformNode, other: Node | null): TransformNode {
  let top = node;
  for (let at: Node | null = node.parent; at; at = at.parent) {
    if (other && (other === at || other.isDescendantOf(at))) break;
    if (isTransformNode(at)) top = at;
  }
  return top;
}

/**
 * Reads the bodies that groups animate: nodes or bones, with the skeletons they belong to. Groups that move nodes
 * below one root have one body. Null for a group that moves neither.
 * @param apart The avatar: a node that holds both is no part of either.
 */
export function readSources(groups: readonly AnimationGroup[], apart: Body): (Body | null)[] {
  const moved = groups.map(movedBy);
  const roots = moved.map((objects) => rootOfMoved(objects, apart));
  const bodies = new Map<TransformNode, Body>();
  return groups.map((group, n) => {
    if (moved[n]!.size === 0) return null;
    const root = roots[n]!;
    const known = root && bodies.get(root);
    if (known) return known;
    const mates = groups.filter((_, m) => m === n || (root !== null && roots[m] === root));
    const scene = sceneOfGroup(group) ?? apart.scene;
    const body = readMoved(
      group.name,
      new Set(mates.flatMap((mate) => [...moved[groups.indexOf(mate)]!])),
      scene,
      apart,
      [...new Set([...scene.animationGroups, ...mates])],
      mates.flatMap((mate) => mate._parentContainer?.skeletons ?? []),
    );
    if (root) bodies.set(root, body);
    return body;
  });
}

/** The scene that a group belongs to; null where nobody says. Groups of the first Babylon.js 8 do not say it themselves. */
export function sceneOfGroup(group: AnimationGroup): Body['scene'] | null {
  if (typeof group.getScene === 'function') return group.getScene() ?? null;
  const node = group.targetedAnimations.find(({ target }) => typeof target?.getScene === 'function')?.target;
  return node?.getScene() ?? null;
}

/** The highest node above what is moved that does not also hold the avatar; null where bones without nodes move. */
function rootOfMoved(moved: ReadonlySet<unknown>, apart: Body | null): TransformNode | null {
  const first = [...moved].find(isTransformNode);
  const holder = apart?.objects.find((object) => object !== null && !isBone(object)) ?? null;
  const isOwn = first !== undefined && (apart?.jointOf.has(first) ?? false);
  return first ? topmost(first, isOwn ? null : holder) : null;
}

/** Reads the body of the nodes or bones given, and of the skeletons they belong to. */
export function readMoved(
  name: string,
  moved: ReadonlySet<unknown>,
  scene: Body['scene'],
  apart: Body | null,
  groups: readonly AnimationGroup[],
  extraSkeletons: readonly BabylonSkeleton[] = [],
): Body {
  const root = rootOfMoved(moved, apart);
  /** Nodes with nothing of the body above them: bones of another body share nearly all of theirs. */
  const outside = new Set<Node>();
  const belongs = (node: Node): boolean => {
    if (moved.has(node)) return true;
    for (let at = node.parent; at && !outside.has(at); at = at.parent) if (at === root) return true;
    for (let at = node.parent; at && !outside.has(at); at = at.parent) outside.add(at);
    return false;
  };
  const skeletons = [...new Set([...scene.skeletons, ...extraSkeletons])].filter(({ bones }) =>
    bones.some((bone) => belongs(bone.getTransformNode() ?? bone)),
  );
  const meshes = scene.meshes.filter(({ skeleton }) => skeleton && skeletons.includes(skeleton));
  return readBody({
    name,
    // Not after the motion: the body is one and the same in all of them.
    character: [root?.name, skeletons[0]?.name].find((each) => each && each !== LOADED_ROOT) ?? name,
    scene,
    root,
    skeletons,
    meshes,
    moved,
    groups,
  });
}
