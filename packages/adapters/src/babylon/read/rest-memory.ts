import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Bone } from '@babylonjs/core/Bones/bone.js';
import { type Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';

/** What Babylon.js places and animations move: a transform node (meshes included), or a bone that is linked to none. */
export type Placed = TransformNode | Bone;

/** A local transform in Babylon's own values. */
export type LocalTransform = { position: Vector3; rotation: Quaternion; scaling: Vector3 };

/** Whether a node is a bone. */
export function isBone(node: unknown): node is Bone {
  return className(node) === 'Bone';
}

/** Whether a node is a transform node; meshes are (BP8). */
export function isTransformNode(node: unknown): node is TransformNode {
  if (typeof node !== 'object' || node === null) return false;
  // Asked of every node again and again: all of a class are alike.
  const kind: object | null = Object.getPrototypeOf(node);
  if (kind === null || kind === Object.prototype) return looksPlaced(node);
  let known = placed.get(kind);
  if (known === undefined) {
    known = looksPlaced(node);
    placed.set(kind, known);
  }
  return known;
}

/** Whether what a class makes are transform nodes. */
const placed = new WeakMap<object, boolean>();

function looksPlaced(node: object): boolean {
  return (
    'position' in node &&
    'rotation' in node &&
    'scaling' in node &&
    'rotationQuaternion' in node &&
    !isBone(node)
  );
}

function className(node: unknown): string {
  if (typeof node !== 'object' || node === null || !('getClassName' in node)) return '';
  return typeof node.getClassName === 'function' ? String(node.getClassName()) : '';
}

const remembered = new WeakMap<Node, LocalTransform>();

/**
 * Keeps the present transforms of a node and of everything below it as their rest, for files that hold only a
 * motion: Babylon.js keeps a rest pose for bones alone. Call it when such a file has been loaded and before it
 * plays; bodies with bones do not need it.
 */
export function rememberRest(root: TransformNode): void {
  const nodes: Node[] = [root, ...root.getDescendants(false)];
  for (const node of nodes) if (isTransformNode(node)) remembered.set(node, currentTransform(node));
}

/** Whether a node's rest was remembered, which goes before that of its bone. */
export function isRemembered(node: TransformNode): boolean {
  return remembered.has(node);
}

/** The local transform a node has now; nothing of the node is changed (BP7). */
export function currentTransform(node: Placed): LocalTransform {
  if (isBone(node)) return decompose(node.getLocalMatrix());
  const { position, rotation, rotationQuaternion, scaling } = node;
  return {
    position: position.clone(),
    rotation:
      rotationQuaternion?.clone() ?? Quaternion.RotationYawPitchRoll(rotation.y, rotation.x, rotation.z),
    scaling: scaling.clone(),
  };
}

/**
 * The local transform a node rests in: what was remembered, else the rest of its bone, else what it had before
 * the animations that play on it began, else what it has now.
 */
export function restTransform(
  node: Placed,
  bone: Bone | undefined,
  originals: ReadonlyMap<unknown, Partial<LocalTransform>>,
): LocalTransform {
  const known = isBone(node) ? undefined : remembered.get(node);
  if (known) return known;
  if (bone) return decompose(bone.getRestMatrix());
  return { ...currentTransform(node), ...originals.get(node) };
}

/** Splits a local matrix into translation, rotation and scale. */
export function decompose(matrix: Matrix): LocalTransform {
  const parts = { position: new Vector3(), rotation: new Quaternion(), scaling: new Vector3(1, 1, 1) };
  matrix.decompose(parts.scaling, parts.rotation, parts.position);
  return parts;
}

/**
 * What the targets of groups had before the groups began to play. Babylon.js keeps that, in a field of its own, to
 * come back to when an animation is reset: the only trace of the rest of a node that has no bone.
 */
export function originalTransforms(groups: readonly AnimationGroup[]): Map<unknown, Partial<LocalTransform>> {
  const originals = new Map<unknown, Partial<LocalTransform>>();
  for (const group of groups) {
    if (!group.isStarted) continue;
    for (const animatable of group.animatables)
      for (const runtime of animatable.getAnimations()) {
        const kept: unknown = Reflect.get(runtime, '_originalValue');
        const value: unknown = Array.isArray(kept) ? kept[0] : undefined;
        const target: unknown = runtime.target;
        const known = originals.get(target) ?? {};
        const path = runtime.animation.targetProperty;
        if (path === 'rotationQuaternion' && value instanceof Quaternion) known.rotation ??= value.clone();
        else if (value instanceof Vector3 && path === 'position') known.position ??= value.clone();
        else if (value instanceof Vector3 && path === 'scaling') known.scaling ??= value.clone();
        originals.set(target, known);
      }
  }
  return originals;
}
