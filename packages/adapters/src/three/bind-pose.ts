import {
  copyPose,
  createMatrix,
  decomposeMatrix,
  hypot,
  invertMatrix,
  lengthOf,
  modelPoseOf,
  multiplyMatrices,
  type Pose,
  quaternionAngle,
  type Skeleton,
} from '@stuntdouble/core/engine';
import type { Object3D, SkinnedMesh } from 'three';

/** Where the skinned joints were when their meshes were bound: 16 numbers a joint, in the character's space. */
export type BindWorlds = { matrices: Float64Array; isBound: Uint8Array };

/**
 * The places of joints in which a character's meshes were bound, from three's `boneInverses`.
 *
 * Those lead from a space of the mesh's own that may lie anywhere: the scene's, the armature's, the mesh
 * object's. One common transform C takes it to the character's space. Where the character still stands as it
 * was bound, every joint gives the same C = now · boneInverse. Where it moves, C is whichever of the spaces at
 * hand is nearest to the present turns; limbs may be anywhere, but spaces differ by quarter turns, and lengths
 * tell the scale.
 * @returns null where no mesh has inverses that say anything.
 */
export function bindWorlds(
  skeleton: Skeleton,
  objects: readonly Object3D[],
  jointOf: ReadonlyMap<Object3D, number>,
  meshes: readonly SkinnedMesh[],
  base: Object3D | null,
): BindWorlds | null {
  const count = objects.length;
  const bound: BindWorlds = { matrices: new Float64Array(16 * count), isBound: new Uint8Array(count) };
  const now = modelPoseOf({ ...skeleton, container: createMatrix() }, skeleton.rest).matrices;
  const done = new Set<SkinnedMesh['skeleton']>();
  for (const mesh of meshes) {
    if (done.has(mesh.skeleton)) continue;
    done.add(mesh.skeleton);
    const joints: number[] = [];
    const inverses: number[] = [];
    mesh.skeleton.bones.forEach((bone, i) => {
      const inverse = mesh.skeleton.boneInverses[i]?.elements;
      const joint = bone ? jointOfBone(bone, jointOf) : -1;
      if (joint < 0 || !inverse?.every(Number.isFinite)) return;
      joints.push(joint);
      inverses.push(...inverse);
    });
    const inverse = Float64Array.from(inverses);
    const binds = new Float64Array(inverse.length);
    if (!joints.every((_, i) => invertMatrix(binds, 16 * i, inverse, 16 * i))) continue;
    if (joints.length > 1 && isOneMatrix(inverse)) continue;
    const common = findCommon(skeleton, now, joints, inverse, binds, placeOf(mesh, base));
    joints.forEach((joint, i) => {
      if (bound.isBound[joint]) return;
      bound.isBound[joint] = 1;
      multiplyMatrices(bound.matrices, 16 * joint, common, 0, binds, 16 * i);
    });
  }
  return bound.isBound.includes(1) ? bound : null;
}

/** The pose that puts bound joints where they were bound and leaves the others as they rest. */
export function poseOfWorlds(skeleton: Skeleton, { matrices, isBound }: BindWorlds): Pose {
  const pose = copyPose(skeleton.rest);
  const { parents } = skeleton;
  const rest = new Float64Array(16);
  const worlds = matrices.slice();
  const inverse = createMatrix();
  const identity = createMatrix();
  const single = { ...skeleton, container: createMatrix() };
  const locals = localMatrices(single, skeleton.rest);
  for (let j = 0; j < parents.length; j++) {
    const parent = parents[j]!;
    const above = parent < 0 ? identity : worlds.subarray(16 * parent, 16 * parent + 16);
    if (!isBound[j]) {
      multiplyMatrices(rest, 0, above, 0, locals, 16 * j);
      worlds.set(rest, 16 * j);
      continue;
    }
    if (!invertMatrix(inverse, 0, above, 0)) continue;
    multiplyMatrices(rest, 0, inverse, 0, worlds, 16 * j);
    decomposeMatrix(pose.translations, 3 * j, pose.rotations, 4 * j, pose.scales, 3 * j, rest, 0);
  }
  return pose;
}

function localMatrices(skeleton: Skeleton, pose: Pose): Float64Array {
  // Every joint a root: what is model space then is local.
  return modelPoseOf({ ...skeleton, parents: new Int32Array(skeleton.parents.length).fill(-1) }, pose)
    .matrices;
}

/** The joint that a bone is, or that it follows where it is one of FBXLoader's copies. */
export function jointOfBone(bone: Object3D, jointOf: ReadonlyMap<Object3D, number>): number {
  for (let at: Object3D | null = bone; at && at.name === bone.name; at = at.parent) {
    const joint = jointOf.get(at);
    if (joint !== undefined) return joint;
  }
  return -1;
}

function isOneMatrix(matrices: Float64Array): boolean {
  return matrices.every((value, i) => Math.abs(value - matrices[i % 16]!) < 1e-9);
}

/** Where an object is in the character's space. */
function placeOf(object: Object3D, base: Object3D | null): Float64Array {
  const place = createMatrix();
  for (let at: Object3D | null = object; at && at !== base; at = at.parent) {
    if (at.matrixAutoUpdate) at.updateMatrix();
    multiplyMatrices(place, 0, Float64Array.from(at.matrix.elements), 0, place, 0);
  }
  return place;
}

/** How far C may differ from joint to joint, of the body's size, while the character still stands as bound. */
const STILL_BOUND = 1e-3;

function findCommon(
  skeleton: Skeleton,
  now: Float64Array,
  joints: readonly number[],
  inverses: Float64Array,
  binds: Float64Array,
  meshPlace: Float64Array,
): Float64Array {
  const first = createMatrix();
  multiplyMatrices(first, 0, now, 16 * joints[0]!, inverses, 0);
  const size = extentOf(
    joints.map((_, i) => i),
    binds,
  );
  if (joints.every((joint, i) => isNear(first, now, joint, inverses, i, size))) return first;

  let above = skeleton.parents[joints[0]!]!;
  for (const joint of joints) {
    const parent = skeleton.parents[joint]!;
    if (!joints.includes(parent)) above = Math.min(above, parent);
  }
  const armature = above < 0 ? createMatrix() : now.slice(16 * above, 16 * above + 16);
  const reach = extentOf(joints, now);
  let best: { common: Float64Array; miss: number } | null = null;
  for (const candidate of [createMatrix(), armature, meshPlace]) {
    const common = Float64Array.from(candidate);
    const scale = hypot(common[0]!, common[1]!, common[2]!);
    // A hundredth: bone lengths stay the same in motion but for the pose's extent; units differ by tens.
    const ratio = reach / (size * scale || 1);
    const isOfSize = ratio > 0.5 && ratio < 2;
    const miss = meanTurn(common, now, joints, binds) + (isOfSize ? 0 : 1);
    if (!best || miss < best.miss - 1e-6) best = { common, miss };
  }
  return best!.common;
}

const other = createMatrix();

function isNear(
  common: Float64Array,
  now: Float64Array,
  joint: number,
  inverses: Float64Array,
  i: number,
  size: number,
): boolean {
  multiplyMatrices(other, 0, now, 16 * joint, inverses, 16 * i);
  const scale = hypot(common[0]!, common[1]!, common[2]!);
  for (let c = 0; c < 16; c++) {
    const limit = STILL_BOUND * scale * (c >= 12 ? size : 1);
    if (!(Math.abs(other[c]! - common[c]!) <= limit)) return false;
  }
  return true;
}

/** The mean distance of places from their middle: a size that hardly depends on the pose. */
function extentOf(joints: readonly number[], matrices: Float64Array): number {
  const middle = [0, 0, 0];
  for (const joint of joints)
    for (let c = 0; c < 3; c++) middle[c] = middle[c]! + matrices[16 * joint + 12 + c]! / joints.length;
  let sum = 0;
  for (const joint of joints)
    sum += lengthOf([0, 1, 2].map((c) => matrices[16 * joint + 12 + c]! - middle[c]!));
  return sum / Math.max(1, joints.length);
}

function meanTurn(
  common: Float64Array,
  now: Float64Array,
  joints: readonly number[],
  binds: Float64Array,
): number {
  const world = createMatrix();
  const a = new Float64Array(4);
  const b = new Float64Array(4);
  const rest = new Float64Array(3);
  let sum = 0;
  joints.forEach((joint, i) => {
    multiplyMatrices(world, 0, common, 0, binds, 16 * i);
    decomposeMatrix(rest, 0, a, 0, rest, 0, world, 0);
    decomposeMatrix(rest, 0, b, 0, rest, 0, now, 16 * joint);
    sum += quaternionAngle(a, 0, b, 0);
  });
  return sum / joints.length;
}
