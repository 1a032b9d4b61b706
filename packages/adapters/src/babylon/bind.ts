import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import {
  composeMatrix,
  copyPose,
  createMatrix,
  decomposeMatrix,
  invertMatrix,
  type Mat4,
  multiplyMatrices,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core';
import type { Placed } from './rest-memory.js';

/** Bind and rest are one where matrices differ by less of their size: what float32 loses along a chain. */
const SAME = 1e-3;

/**
 * The pose in which the skins of a body were bound, as local transforms. The bind matrices of bones lead to the
 * space of the mesh, which may lie anywhere: one transform takes it to the body's, found as the one that
 * brings most joints to their rest, else the space of the body or of what carries its topmost joint.
 * @returns null where there are no bones.
 */
export function readBind(
  skeleton: Skeleton,
  objects: readonly (Placed | null)[],
  skeletons: readonly BabylonSkeleton[],
  jointOf: ReadonlyMap<unknown, number>,
): Pose | null {
  const count = objects.length;
  const { parents, rest } = skeleton;
  const rests = Array.from({ length: count }, () => createMatrix());
  for (let i = 0; i < count; i++) {
    composeMatrix(rests[i]!, 0, rest.translations, 3 * i, rest.rotations, 4 * i, rest.scales, 3 * i);
    if (parents[i]! >= 0) multiplyMatrices(rests[i]!, 0, rests[parents[i]!]!, 0, rests[i]!, 0);
  }
  const worlds: (Mat4 | null)[] = objects.map(() => null);
  let differs = false;
  for (const { bones } of skeletons) {
    const bound: { joint: number; bind: Mat4; common: Mat4 }[] = [];
    for (const bone of bones) {
      const joint = jointOf.get(bone.getTransformNode() ?? bone);
      if (joint === undefined || bone.getIndex() === -1) continue;
      // Babylon's row-vector matrices lie in memory as column-vector ones do, transposed: the same numbers.
      const inverse = Float64Array.from(bone.getAbsoluteInverseBindMatrix().m);
      const bind = createMatrix();
      if (!isFiniteMatrix(inverse) || !invertMatrix(bind, 0, inverse, 0)) continue;
      const common = createMatrix();
      multiplyMatrices(common, 0, rests[joint]!, 0, inverse, 0);
      bound.push({ joint, bind, common });
    }
    if (bound.length === 0) continue;
    const agreeing = (candidate: Mat4) => {
      const slack = SAME * sizeOf(candidate);
      let count = 0;
      for (const { common } of bound) if (distance(common, candidate) <= slack) count++;
      return count;
    };
    const step = Math.max(1, Math.floor(bound.length / 16));
    let found: Mat4 | undefined;
    let agreed = 0;
    for (let n = 0; n < bound.length && !found; n += step) {
      agreed = agreeing(bound[n]!.common);
      if (agreed >= 0.9 * bound.length) found = bound[n]!.common;
    }
    if (!found || agreed < bound.length) differs = true;
    const common = found ?? nearestSpace(bound, rests, parents);
    for (const { joint, bind } of bound) {
      if (worlds[joint]) continue;
      const world = createMatrix();
      multiplyMatrices(world, 0, common, 0, bind, 0);
      worlds[joint] = world;
    }
  }
  if (worlds.every((world) => world === null)) return null;
  return differs ? toLocal(skeleton, worlds) : copyPose(rest);
}

/** Where rest and bind differ: the space above the topmost joint or the body's own, whichever fits in scale and brings the two closest. */
function nearestSpace(
  bound: readonly { joint: number; bind: Mat4; common: Mat4 }[],
  rests: readonly Mat4[],
  parents: Int32Array,
): Mat4 {
  const top = bound.reduce((a, b) => (b.joint < a.joint ? b : a));
  const scale = lengthOf(top.common);
  const candidates = [createMatrix()];
  if (parents[top.joint]! >= 0) candidates.push(rests[parents[top.joint]!]!);
  const world = createMatrix();
  let best = top.common;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (Math.abs(lengthOf(candidate) - scale) > 0.01 * scale) continue;
    let sum = 0;
    for (const { joint, bind } of bound) {
      multiplyMatrices(world, 0, candidate, 0, bind, 0);
      sum += distance(world, rests[joint]!);
    }
    if (sum < least) {
      least = sum;
      best = candidate;
    }
  }
  return best;
}

function toLocal(skeleton: Skeleton, worlds: (Mat4 | null)[]): Pose {
  const { parents, rest } = skeleton;
  const pose = copyPose(rest);
  const local = createMatrix();
  for (let i = 0; i < parents.length; i++) {
    const above = parents[i]! >= 0 ? worlds[parents[i]!]! : createMatrix();
    const world = worlds[i];
    if (world && invertMatrix(local, 0, above, 0)) {
      multiplyMatrices(local, 0, local, 0, world, 0);
      decomposeMatrix(pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i, local, 0);
      continue;
    }
    composeMatrix(local, 0, rest.translations, 3 * i, rest.rotations, 4 * i, rest.scales, 3 * i);
    const placed = createMatrix();
    multiplyMatrices(placed, 0, above, 0, local, 0);
    worlds[i] = placed;
  }
  return pose;
}

function isFiniteMatrix(m: Mat4): boolean {
  for (let n = 0; n < 16; n++) if (!Number.isFinite(m[n]!)) return false;
  return true;
}

function distance(a: Mat4, b: Mat4): number {
  let most = 0;
  for (let n = 0; n < 16; n++) most = Math.max(most, Math.abs(a[n]! - b[n]!));
  return most;
}

function sizeOf(m: Mat4): number {
  let most = 0;
  for (let n = 0; n < 16; n++) most = Math.max(most, Math.abs(m[n]!));
  return most;
}

function lengthOf(m: Mat4): number {
  return Math.hypot(m[0]!, m[1]!, m[2]!);
}
