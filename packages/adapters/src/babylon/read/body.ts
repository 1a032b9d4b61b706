import type { Bone } from '@babylonjs/core/Bones/bone.js';
import type { Matrix } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';
import type { Scene as BabylonScene } from '@babylonjs/core/scene.js';
import {
  type Axis,
  type Clip,
  cbrt,
  createMatrix,
  createMemory,
  createSkeleton,
  END,
  hypot,
  JOINT,
  type JointDescription,
  recallSkeleton,
  remember,
  type Scene,
  type Skeleton,
  UsageError,
} from '@stuntdouble/core/engine';
import { type BodyEvidence, collectEvidence, hasVertices, holdsStill } from '../fast/body-memory.js';
import { readBind } from './bind.js';
import type { BodyParts } from './body-parts.js';
import { measureHulls } from './measure-hulls.js';
import { isBone, isTransformNode, originalTransforms, type Placed, restTransform } from './rest-memory.js';

/** A body of a Babylon.js scene: its skeleton for the engine, and what stands for each joint in the scene. */
export type Body = {
  name: string;
  scene: BabylonScene;
  skeleton: Skeleton;
  /** Per joint the node or bone that it is; null for the joint that undoes a mirrored space. */
  objects: (Placed | null)[];
  jointOf: Map<unknown, number>;
  /** Joints by the names of bones, where these differ from the names of the nodes they are linked to (B3). */
  boneNames: Map<string, number>;
  meshes: AbstractMesh[];
  /** The node whose space the topmost joints stand in; null where there is none. */
  holder: TransformNode | null;
  /** The world matrix of what holds the body; null where nothing does. */
  world: Matrix | null;
};

/**
 * Reads a body from a scene without touching it. Joints are the bones of its skeletons, by the transform nodes
 * they are linked to or as they are, and animated nodes; between and below them stand the plain nodes. Rest
 * and bind are what Babylon.js keeps for bones, never the transforms of the moment (B18).
 * @throws UsageError where the body has neither bones nor nodes.
 */
export function readBody(parts: BodyParts): Body {
  const { root, name, scene } = parts;
  if (!root) return readAnew(parts);
  const { body } = remember(
    known,
    root,
    parts,
    () => readWith(parts, root),
    () => null,
  );
  return { ...body, name, world: spaceOf(body.holder, scene).matrix };
}

/** A body, what it was read from (null where that cannot be told), and what the space around it says of it. */
type Reading = { body: Body; evidence: BodyEvidence | null; space: Space };

function readWith(parts: BodyParts, root: TransformNode): Reading {
  const body = readAnew(parts);
  return { body, evidence: collectEvidence(parts, root), space: spaceOf(body.holder, parts.scene) };
}

/** So many readings of what is below one root are remembered: groups may move different parts of it. */
const MOST_READINGS = 4;

/** By root. */
const known = createMemory<BodyParts | null, Reading>((_, parts, { body, evidence, space }) => {
  if (!evidence || !holdsStill(evidence, parts!, parts!.root!)) return false;
  const now = spaceOf(body.holder, parts!.scene);
  return now.scale === space.scale && now.up === space.up && now.isMirrored === space.isMirrored;
}, MOST_READINGS);

function readAnew(parts: BodyParts): Body {
  const { root, skeletons, moved } = parts;
  const boneOf = new Map<Placed, Bone>();
  const joints = new Set<Placed>();
  for (const { bones } of skeletons)
    for (const bone of bones) {
      const object = bone.getTransformNode() ?? bone;
      if (!boneOf.has(object)) boneOf.set(object, bone);
      // Index −1: a node above the joints, which the glTF loader makes a bone too.
      if (bone.getIndex() !== -1) joints.add(object);
    }
  for (const object of moved) if (isTransformNode(object) || isBone(object)) joints.add(object);

  const above = new Map<Placed, Placed | null>();
  const parentOf = (object: Placed): Placed | null => {
    let found = above.get(object);
    if (found === undefined) {
      const parent: Node | null = object.parent;
      if (isBone(parent)) found = parent.getTransformNode() ?? parent;
      else found = isTransformNode(parent) ? parent : null;
      above.set(object, found);
    }
    return found;
  };
  const members = new Set<Placed>();
  const stop = root && !joints.has(root) ? mirrorBelow(root, joints, parentOf) : null;
  for (const joint of joints)
    for (let at: Placed | null = joint; at && at !== stop && !members.has(at); at = parentOf(at)) {
      if (at !== joint && stop === null && root && at === root.parent) break;
      members.add(at);
    }
  const hasJoints = joints.size > 0;
  // Without bones a body is a tree of parts, meshes included; with them, what hangs below a joint belongs to it.
  const isTree = boneOf.size === 0;
  const seen = new Set<unknown>();
  for (const top of isTree && root ? [stop ?? root] : joints)
    if (!seen.has(top) && isTransformNode(top))
      for (const node of top.getDescendants(false)) {
        seen.add(node);
        if (isTransformNode(node) && (isTree || !hasVertices(node))) members.add(node);
      }
  // A helper below a mesh that is no member hangs on nothing that is read.
  for (const member of members) {
    let at = parentOf(member);
    while (at && at !== stop && !members.has(at) && (isTransformNode(at) || isBone(at))) {
      if (root && at === root.parent) break;
      members.add(at);
      at = parentOf(at);
    }
  }
  if (members.size === 0)
    throw new UsageError(`"${parts.name}" has no bones and no nodes: there is nothing to move`);

  const list = [...members];
  const place = new Map(list.map((object, i) => [object, i]));
  const carried = new Set(list.map(parentOf));
  const originals = originalTransforms(parts.groups);
  const holder = holderOf(parts, stop, list[0]!);
  const { matrix, scale, up, isMirrored } = spaceOf(holder, parts.scene);
  const descriptions: JointDescription[] = list.map((object) => {
    const { position, rotation, scaling } = restTransform(object, boneOf.get(object), originals);
    const parent = parentOf(object);
    const isJoint = joints.has(object) || !hasJoints;
    return {
      name: object.name,
      parent: (parent && place.get(parent)) ?? (isMirrored ? list.length : -1),
      translation: [position.x, position.y, position.z],
      rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
      scale: [scaling.x, scaling.y, scaling.z],
      flags: (isJoint ? JOINT : 0) | (!isJoint && !carried.has(object) ? END : 0),
    };
  });
  // Locals of a left-handed body (Babylon's own files): one joint above all mirrors them into model space.
  if (isMirrored) descriptions.push({ name: '', parent: -1, scale: [1, 1, -1], flags: 0 });
  const container = createMatrix();
  for (let i = 0; i < 3; i++) container[5 * i] = scale;
  const { skeleton, order } = createSkeleton(parts.character ?? parts.name, descriptions, {
    container,
    // Bare bones that nothing is skinned to are what the BVH loader makes: they lie as the file lists their lengths.
    declared:
      parts.meshes.length === 0 && list.every(isBone)
        ? { up: null, facing: null, unit: null, capture: true }
        : { up, facing: null, unit: 1 },
  });
  const objects: (Placed | null)[] = skeleton.names.map(() => null);
  list.forEach((object, i) => {
    objects[order[i]!] = object;
  });
  const jointOf = new Map<unknown, number>();
  objects.forEach((object, joint) => {
    if (object) jointOf.set(object, joint);
  });
  const boneNames = new Map<string, number>();
  for (const { bones } of skeletons)
    for (const bone of bones) {
      const joint = jointOf.get(bone.getTransformNode() ?? bone);
      if (joint === undefined) continue;
      jointOf.set(bone, joint);
      if (!boneNames.has(bone.name)) boneNames.set(bone.name, joint);
    }
  const bind = readBind(skeleton, objects, skeletons, jointOf);
  if (bind) skeleton.bind = bind;
  measureHulls(skeleton, jointOf, parts.meshes);
  return {
    name: parts.name,
    scene: parts.scene,
    skeleton: recallSkeleton(root ?? skeletons[0] ?? list[0]!, skeleton),
    objects,
    jointOf,
    boneNames,
    meshes: [...parts.meshes],
    holder,
    world: matrix,
  };
}

/**
 * The lowest node above all joints that mirrors, as the glTF loader's `__root__` does in a left-handed scene; else the
 * root. What is below it stands in the file's own right-handed space, where keys can be kept; all that is above
 * only places the body.
 */
function mirrorBelow(
  root: TransformNode,
  joints: ReadonlySet<Placed>,
  parentOf: (object: Placed) => Placed | null,
): TransformNode {
  /** From the root down. */
  let shared: Placed[] | null = null;
  for (const joint of joints) {
    const parent = parentOf(joint);
    // What is above a joint's joint is above both.
    if (parent && joints.has(parent)) continue;
    const above: Placed[] = [];
    for (let at = parent; at; at = parentOf(at)) above.unshift(at);
    const path: Placed[] = above.slice(Math.max(0, above.indexOf(root)));
    shared = shared ? shared.filter((node, n) => path[n] === node) : path;
  }
  const mirrors = (shared ?? []).filter(
    (node): node is TransformNode =>
      isTransformNode(node) && !joints.has(node) && node.scaling.x * node.scaling.y * node.scaling.z < 0,
  );
  return mirrors.at(-1) ?? root;
}

/**
 * The joint of a body by the name of the node that a bone is linked to, else of the bone (B3), else of any node; −1
 * where there is none.
 */
export function findJointByName({ skeleton, boneNames }: Body, name: string): number {
  const { names, flags } = skeleton;
  const joint = names.findIndex((each, n) => each === name && (flags[n]! & JOINT) !== 0);
  return joint >= 0 ? joint : (boneNames.get(name) ?? names.indexOf(name));
}

/** A body as a scene of the engine's, with the clips that move it. */
export function sceneOf({ name, skeleton }: Body, clips: readonly Clip[] = []): Scene {
  return {
    format: 'glb',
    name,
    characters: [{ skeleton, clips: [...clips] }],
    morphs: [],
    document: null,
    warnings: [],
  };
}

/** The node whose space the topmost joints stand in; bones without nodes stand in that of the mesh that they deform. */
function holderOf(
  { skeletons, meshes }: BodyParts,
  root: TransformNode | null,
  first: Placed,
): TransformNode | null {
  if (!isBone(first)) return root;
  return meshes.find(({ skeleton }) => skeleton && skeletons.includes(skeleton)) ?? root;
}

/** What a space says of those who stand in it: how much it enlarges, which axis is up, whether it mirrors. */
type Space = { matrix: Matrix | null; scale: number; up: Axis; isMirrored: boolean };

function spaceOf(holder: TransformNode | null, { useRightHandedSystem }: BabylonScene): Space {
  const world = holder?.computeWorldMatrix(true) ?? null;
  const determinant = world ? spaceDeterminant(world) : 1;
  const isUsable = Number.isFinite(determinant) && Math.abs(determinant) > 1e-18;
  const matrix = isUsable ? world : null;
  const isMirrored = (isUsable ? determinant : signOfScales(holder)) < 0 !== !useRightHandedSystem;
  // A body that is turned shall be no other than before, whatever the last digits do.
  const scale = isUsable ? Number(cbrt(Math.abs(determinant)).toPrecision(6)) : 1;
  return { matrix, scale, up: upAxis(matrix, isMirrored), isMirrored };
}

/** The determinant of what a matrix does to directions: where it puts things does not matter. */
function spaceDeterminant({ m }: Matrix): number {
  return (
    m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
    m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
    m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!)
  );
}

/** 1 or −1 as nodes mirror, by what can still be told of nodes that are scaled to nothing, as what is hidden is. */
function signOfScales(holder: TransformNode | null): number {
  let sign = 1;
  for (let at: Node | null = holder; at; at = at.parent)
    if (isTransformNode(at) && at.scaling.x * at.scaling.y * at.scaling.z < 0) sign = -sign;
  return sign;
}

/** The axis of the topmost joints' space that is nearest to the world's up, +Y. */
function upAxis(matrix: Matrix | null, isMirrored: boolean): Axis {
  if (!matrix) return '+Y';
  const { m } = matrix;
  let best = 1;
  let most = 0;
  for (let i = 0; i < 3; i++) {
    const height = m[4 * i + 1]! / (hypot(m[4 * i]!, m[4 * i + 1]!, m[4 * i + 2]!) || 1);
    if (Math.abs(height) <= Math.abs(most) + 1e-6) continue;
    most = i === 2 && isMirrored ? -height : height;
    best = i;
  }
  return `${most < 0 ? '-' : '+'}${(['X', 'Y', 'Z'] as const)[best]!}`;
}
