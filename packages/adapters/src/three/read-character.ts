import {
  AXIS_VECTORS,
  type Axis,
  createMemory,
  createSkeleton,
  END,
  hypot,
  isRole,
  JOINT,
  type JointDescription,
  lengthOf,
  type Pose,
  RetargetError,
  recallSkeleton,
  remember,
  type Skeleton,
  UsageError,
} from '@stuntdouble/core/engine';
import type { Bone, Object3D, SkinnedMesh } from 'three';
import type { Evidence } from '../shared/evidence.js';
import { type AnimatedObject, type ResolvedObject, resolveObject, type VrmPose } from './animated-object.js';
import { bindWorlds, poseOfWorlds } from './bind-pose.js';
import { type CharacterQuestion, collectEvidence, holdsStill } from './character-evidence.js';
import { measureHulls } from './measure-hulls.js';
import { borrowHulls } from './vrm-bones.js';

/** A character of a three.js scene as core understands it, and the way back to its objects. */
export type ObjectCharacter = {
  skeleton: Skeleton;
  /** The object of each joint. */
  objects: Object3D[];
  jointOf: ReadonlyMap<Object3D, number>;
  resolved: ResolvedObject;
};

/** How a character is read from its objects. */
export type ReadCharacterOptions = {
  /**
   * Which of a VRM's two skeletons: `raw`, the bones that the skin follows, or `normalized`, the one that
   * three-vrm copies onto them in `vrm.update()` while `humanoid.autoUpdateHumanBones` is on.
   */
  vrmBones?: 'raw' | 'normalized';
  /** Nodes that clips move: joints too, where they are part of the character. */
  animated?: Iterable<Object3D>;
};

/**
 * Reads the skeleton of a character from the objects of a scene, in the space of the object that it stands
 * in: where that object is, how it is turned and scaled plays no part. Skinned joints rest in the pose in
 * which the skin was bound, joints of a VRM and of a glTF file as the file has them, whatever they do at the
 * moment; of objects that nothing more is known of the current transforms are taken.
 * @throws RetargetError where there is nothing that could be a joint.
 */
export function readCharacter(
  object: AnimatedObject,
  argument: 'target' | 'source' | 'object' = 'object',
  options: ReadCharacterOptions = {},
): ObjectCharacter {
  const resolved = resolveObject(object, argument);
  const { root, vrm } = resolved;
  const normalized = options.vrmBones === 'normalized';
  if (normalized && !vrm)
    throw new UsageError(`vrmBones is 'normalized', but the ${argument} is no VRM of three-vrm's`);
  const humanoid = vrm ? (normalized ? vrm.humanoid.normalizedHumanBones : vrm.humanoid.humanBones) : {};
  const skip = vrm && !normalized ? vrm.humanoid.normalizedHumanBonesRoot : null;

  const joints = new Set<Object3D>(resolved.bones);
  for (const [role, bone] of Object.entries(humanoid)) if (bone && isRole(role)) joints.add(bone.node);
  const meshes: SkinnedMesh[] = [];
  if (!normalized) {
    visit(root, skip, (node) => {
      if ((node as Bone).isBone) joints.add(node);
      if ((node as SkinnedMesh).isSkinnedMesh && (node as SkinnedMesh).skeleton)
        meshes.push(node as SkinnedMesh);
    });
    for (const { skeleton } of meshes) for (const bone of skeleton.bones) if (bone) joints.add(bone);
    for (const node of options.animated ?? []) if (!isWithin(node, skip)) joints.add(node);
    if (joints.size === 0)
      visit(root, skip, (node) => {
        if (node !== root) joints.add(node);
      });
  }
  dropCopies(joints);
  if (joints.size === 0)
    throw new RetargetError(`the ${argument} "${root.name}" has no bones and no other objects to move`);

  const base = findBase(root, joints);
  const nodes = collectNodes(joints, base, normalized);
  const place = new Map(nodes.map((node, i) => [node, i]));
  const rests = knownRests(resolved, normalized);
  const descriptions = nodes.map((node): JointDescription => {
    const known = rests.get(node);
    const isEnd = !joints.has(node) && node.children.length === 0;
    return {
      name: node.name,
      parent: place.get(node.parent as Object3D) ?? -1,
      // BVHLoader adds the first bone's offset to where each frame puts it: what it stands on is read off the clip.
      translation:
        resolved.isCapture && node === root ? [0, 0, 0] : (known?.translation ?? node.position.toArray()),
      rotation: unitOr(known?.rotation ?? node.quaternion.toArray()),
      scale: known?.scale ?? node.scale.toArray(),
      flags: (joints.has(node) ? JOINT : 0) | (isEnd ? END : 0),
    };
  });
  const isSkinned = meshes.length > 0 && !normalized;
  const { skeleton, order } = createSkeleton(root.name || argument, descriptions, {
    declared: {
      up: resolved.isCapture ? null : base === root ? '+Y' : upOf(base),
      facing: null,
      unit: isSkinned || vrm || resolved.gltf ? unitOf(descriptions) : null,
      ...(resolved.isCapture && { capture: true }),
    },
  });
  const objects = new Array<Object3D>(nodes.length);
  nodes.forEach((node, i) => {
    objects[order[i]!] = node;
  });
  const jointOf = new Map(objects.map((node, joint) => [node, joint]));
  const roles = Object.entries(humanoid).flatMap(([role, bone]): [string, number][] => {
    const joint = bone && isRole(role) ? jointOf.get(bone.node) : undefined;
    return joint === undefined ? [] : [[role, joint]];
  });
  if (roles.length > 0) skeleton.metadataRoles = Object.fromEntries(roles);
  if (isSkinned) {
    const worlds = bindWorlds(skeleton, objects, jointOf, meshes, base);
    if (worlds) {
      skeleton.bind = poseOfWorlds(skeleton, worlds);
      // Without the file's word the current pose may be any: the bind pose is the one that can be known.
      if (!resolved.gltf) replaceUnknown(skeleton, objects, rests);
    }
    measureHulls(skeleton, jointOf, meshes);
  } else if (vrm && normalized) {
    const raw = readCharacter(object, argument, { vrmBones: 'raw' });
    borrowHulls(vrm.humanoid, { skeleton, jointOf }, raw);
  } else if (resolved.bones.length > 0) straighten(skeleton.rest, objects);
  return { skeleton, objects, jointOf, resolved };
}

/** A character, and what it was read from; null where that cannot be told. */
type Reading = { character: ObjectCharacter; evidence: Evidence | null };

/** So many readings of one root are remembered: clips may move different parts of it. */
const MOST_READINGS = 4;

/** By root. */
const known = createMemory<CharacterQuestion | null, Reading>(
  (_, question, { evidence }) => evidence !== null && holdsStill(evidence, question!),
  MOST_READINGS,
);

/** {@link readCharacter} with the skeleton of the last time where it is the same; nobody may change what this gives. */
export function recallCharacter(
  object: AnimatedObject,
  argument: 'target' | 'source' | 'object' = 'object',
  options: ReadCharacterOptions = {},
): ObjectCharacter {
  const resolved = resolveObject(object, argument);
  const { root } = resolved;
  const question = {
    resolved,
    argument,
    vrmBones: options.vrmBones,
    animated: [...(options.animated ?? [])],
  };
  const read = (): Reading => {
    const character = readCharacter(object, argument, options);
    const skeleton = recallSkeleton(root, character.skeleton);
    return { character: { ...character, skeleton }, evidence: collectEvidence(question) };
  };
  const { character } = remember(known, root, question, read, () => null);
  return { ...character, resolved };
}

/** Reads the local transforms that objects have at the moment. */
export function readCurrentPose(out: Pose, objects: readonly Object3D[]): void {
  const { translations, rotations, scales } = out;
  for (let j = 0; j < objects.length; j++) {
    const { position, quaternion, scale } = objects[j]!;
    translations[3 * j] = position.x;
    translations[3 * j + 1] = position.y;
    translations[3 * j + 2] = position.z;
    rotations[4 * j] = quaternion.x;
    rotations[4 * j + 1] = quaternion.y;
    rotations[4 * j + 2] = quaternion.z;
    rotations[4 * j + 3] = quaternion.w;
    scales[3 * j] = scale.x;
    scales[3 * j + 1] = scale.y;
    scales[3 * j + 2] = scale.z;
  }
}

function visit(root: Object3D, skip: Object3D | null, act: (node: Object3D) => void): void {
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node === skip) continue;
    act(node);
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
}

function isWithin(node: Object3D, above: Object3D | null): boolean {
  for (let at: Object3D | null = node; at; at = at.parent) if (at === above) return true;
  return false;
}

/**
 * FBXLoader gives a bone that two meshes follow a copy of the same name below itself for each of them; those
 * follow their bone and are no joints of their own.
 */
function dropCopies(joints: Set<Object3D>): void {
  for (const node of [...joints]) {
    const { parent } = node;
    if (!parent || !joints.has(parent) || parent.name !== node.name || node.name === '') continue;
    const isUnmoved = node.position.lengthSq() === 0 && Math.abs(node.quaternion.w) > 1 - 1e-9;
    if (isUnmoved && node.children.every((child) => child.name === node.name)) joints.delete(node);
  }
}

/**
 * The object in whose space the character is read: the given one where it holds all joints; else what the
 * topmost joints hang on (null where they hang on nothing), as for a mesh beside its bones.
 */
function findBase(root: Object3D, joints: ReadonlySet<Object3D>): Object3D | null {
  const holds = (base: Object3D | null) =>
    base === null || [...joints].every((joint) => joint !== base && isWithin(joint, base));
  let base: Object3D | null = root;
  while (!holds(base)) base = base!.parent;
  return base;
}

/** Joints, all nodes on the way to them, and what hangs below joints without showing anything. */
function collectNodes(joints: ReadonlySet<Object3D>, base: Object3D | null, bare: boolean): Object3D[] {
  const nodes = new Set<Object3D>();
  for (const joint of joints) {
    const path: Object3D[] = [];
    for (let at: Object3D | null = joint; at && at !== base && !nodes.has(at); at = at.parent) path.push(at);
    for (const node of path.reverse()) nodes.add(node);
  }
  if (!bare)
    for (const joint of joints)
      for (const child of joint.children) if (isEndMark(child, joint)) nodes.add(child);
  return [...nodes];
}

/** Whether an object only marks where its parent ends: nothing to see, nothing below, not a copy of a bone. */
function isEndMark(node: Object3D, parent: Object3D): boolean {
  return node.type === 'Object3D' && node.children.length === 0 && node.name !== parent.name;
}

type Rest = { translation: ArrayLike<number>; rotation: ArrayLike<number>; scale: ArrayLike<number> };

/** Rest transforms that the VRM or the glTF file remembers, whatever its objects do now. */
function knownRests({ vrm, gltf }: ResolvedObject, normalized: boolean): Map<Object3D, Rest> {
  const rests = new Map<Object3D, Rest>();
  const nodes = (gltf?.parser?.json as { nodes?: unknown[] } | undefined)?.nodes ?? [];
  for (const [object, source] of gltf?.parser?.associations ?? []) {
    const index = (source as { nodes?: unknown } | null)?.nodes;
    const node = typeof index === 'number' ? nodes[index] : undefined;
    if (!node || !(object as Object3D).isObject3D) continue;
    const { translation, rotation, scale, matrix } = node as Partial<Rest> & { matrix?: number[] };
    // Nodes with a matrix are never animated: their objects have it still.
    if (matrix) continue;
    rests.set(object as Object3D, {
      translation: translation ?? [0, 0, 0],
      rotation: rotation ?? [0, 0, 0, 1],
      scale: scale ?? [1, 1, 1],
    });
  }
  if (!vrm) return rests;
  const { humanoid } = vrm;
  const bones = normalized ? humanoid.normalizedHumanBones : humanoid.humanBones;
  const pose: VrmPose = normalized ? humanoid.normalizedRestPose : humanoid.rawRestPose;
  for (const [role, bone] of Object.entries(bones)) {
    const rest = pose[role];
    if (!bone || !rest?.position || !rest.rotation) continue;
    const { node } = bone;
    rests.set(node, { translation: rest.position, rotation: rest.rotation, scale: node.scale.toArray() });
  }
  return rests;
}

function replaceUnknown(
  { rest, bind }: Skeleton,
  objects: readonly Object3D[],
  rests: ReadonlyMap<Object3D, Rest>,
): void {
  for (let j = 0; j < objects.length; j++) {
    if (rests.has(objects[j]!)) continue;
    rest.translations.set(bind!.translations.subarray(3 * j, 3 * j + 3), 3 * j);
    rest.rotations.set(bind!.rotations.subarray(4 * j, 4 * j + 4), 4 * j);
    rest.scales.set(bind!.scales.subarray(3 * j, 3 * j + 3), 3 * j);
  }
}

/** Bare bones of a BVH rest unturned; where they have been played their root has travelled from the origin. */
function straighten(rest: Pose, objects: readonly Object3D[]): void {
  const isPlayed = objects.some(({ quaternion }) => Math.abs(quaternion.w) < 1 - 1e-9);
  if (!isPlayed) return;
  rest.rotations.fill(0);
  for (let j = 0; j < objects.length; j++) rest.rotations[4 * j + 3] = 1;
  rest.translations.fill(0, 0, 3);
}

/** The axis of an object's own space that is up in the scene, where it is one to within a degree. */
function upOf(base: Object3D | null): Axis | null {
  if (!base) return null;
  base.updateWorldMatrix(true, false);
  const { elements } = base.matrixWorld;
  const up = [elements[1]!, elements[5]!, elements[9]!];
  const length = lengthOf(up);
  const axes = Object.entries(AXIS_VECTORS) as [Axis, readonly [number, number, number]][];
  const found = axes.find(([, axis]) => axis.reduce((sum, v, c) => sum + v * up[c]!, 0) > 0.99985 * length);
  return found?.[0] ?? null;
}

/** Metres a unit: three.js counts in metres, FBXLoader leaves centimetres; no body is 20 m tall. */
function unitOf(joints: readonly JointDescription[]): number {
  let reach = 0;
  const scales: number[] = [];
  joints.forEach(({ parent, translation, scale }, i) => {
    const above = parent < 0 ? 1 : (scales[parent] ?? 1);
    scales[i] = above * Math.abs(scale![0]!);
    if (parent >= 0) reach = Math.max(reach, above * lengthOf(Array.from(translation!)));
  });
  // The longest bone of a body is its thigh or its hips over the ground: up to 1.2 m.
  return reach > 12 ? 0.01 : 1;
}

function unitOr(rotation: ArrayLike<number>): ArrayLike<number> {
  const length = hypot(rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!);
  return length > 0 && Number.isFinite(length) ? rotation : [0, 0, 0, 1];
}
