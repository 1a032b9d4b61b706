import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import {
  composeMatrix,
  copyPose,
  createMatrix,
  decomposeMatrix,
  hypot,
  invertMatrix,
  type Mat4,
  multiplyMatrices,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core/engine';
import type { Placed } from './rest-memory.js';

/** Bind and rest are one where matrices differ by less of their size: what float32 loses along a chain. */
const SAME = 1e-3;

/** Bones of one skeleton: per bone its joint, its bind matrix, and what takes that to the joint's rest. */
type Bound = { joints: number[]; binds: Float64Array; commons: Float64Array };

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
  const rests = new Float64Array(16 * count);
  for (let i = 0; i < count; i++) {
    composeMatrix(rests, 16 * i, rest.translations, 3 * i, rest.rotations, 4 * i, rest.scales, 3 * i);
    if (parents[i]! >= 0) multiplyMatrices(rests, 16 * i, rests, 16 * parents[i]!, rests, 16 * i);
  }
  const worlds = new Float64Array(16 * count);
  const isBound = new Uint8Array(count);
  let differs = false;
  for (const { bones } of skeletons) {
    const bound: Bound = {
      joints: [],
      binds: new Float64Array(16 * bones.length),
      commons: new Float64Array(16 * bones.length),
    };
    const { joints, binds, commons } = bound;
    const inverse = createMatrix();
    for (const bone of bones) {
      const joint = jointOf.get(bone.getTransformNode() ?? bone);
      if (joint === undefined || bone.getIndex() === -1) continue;
      // Babylon's row-vector matrices lie in memory as column-vector ones do, transposed: the same numbers.
      const { m } = bone.getAbsoluteInverseBindMatrix();
      for (let n = 0; n < 16; n++) inverse[n] = m[n]!;
      const at = 16 * joints.length;
      if (!isFiniteMatrix(inverse) || !invertMatrix(binds, at, inverse, 0)) continue;
      multiplyMatrices(commons, at, rests, 16 * joint, inverse, 0);
      joints.push(joint);
    }
    if (joints.length === 0) continue;
    const agreeing = (at: number) => {
      const slack = SAME * sizeOf(commons, at);
      let agreed = 0;
      for (let i = 0; i < joints.length; i++) if (distance(commons, 16 * i, commons, at) <= slack) agreed++;
      return agreed;
    };
    const step = Math.max(1, Math.floor(joints.length / 16));
    let found = -1;
    let agreed = 0;
    for (let i = 0; i < joints.length && found < 0; i += step) {
      agreed = agreeing(16 * i);
      if (agreed >= 0.9 * joints.length) found = 16 * i;
    }
    if (found < 0 || agreed < joints.length) differs = true;
    const common = found < 0 ? nearestSpace(bound, rests, parents) : commons.subarray(found, found + 16);
    joints.forEach((joint, i) => {
      if (isBound[joint]) return;
      isBound[joint] = 1;
      multiplyMatrices(worlds, 16 * joint, common, 0, binds, 16 * i);
    });
  }
  if (!isBound.includes(1)) return null;
  return differs ? toLocal(skeleton, worlds, isBound) : copyPose(rest);
}

/** Where rest and bind differ: the space above the topmost joint or the body's own, whichever fits in scale and brings the two closest. */
function nearestSpace({ joints, binds, commons }: Bound, rests: Float64Array, parents: Int32Array): Mat4 {
  let top = 0;
  for (let i = 1; i < joints.length; i++) if (joints[i]! < joints[top]!) top = i;
  let best = commons.subarray(16 * top, 16 * top + 16);
  const scale = lengthOf(best);
  const candidates = [createMatrix()];
  const above = parents[joints[top]!]!;
  if (above >= 0) candidates.push(rests.subarray(16 * above, 16 * above + 16));
  const world = createMatrix();
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (Math.abs(lengthOf(candidate) - scale) > 0.01 * scale) continue;
    let sum = 0;
    joints.forEach((joint, i) => {
      multiplyMatrices(world, 0, candidate, 0, binds, 16 * i);
      sum += distance(world, 0, rests, 16 * joint);
    });
    if (sum < least) {
      least = sum;
      best = candidate;
    }
  }
  return best;
}

function toLocal(skeleton: Skeleton, worlds: Float64Array, isBound: Uint8Array): Pose {
  const { parents, rest } = skeleton;
  const pose = copyPose(rest);
  const local = createMatrix();
  const identity = createMatrix();
  for (let i = 0; i < parents.length; i++) {
    const parent = parents[i]!;
    const [above, at] = parent >= 0 ? [worlds, 16 * parent] : [identity, 0];
    if (isBound[i] && invertMatrix(local, 0, above, at)) {
      multiplyMatrices(local, 0, local, 0, worlds, 16 * i);
      decomposeMatrix(pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i, local, 0);
      continue;
    }
    composeMatrix(local, 0, rest.translations, 3 * i, rest.rotations, 4 * i, rest.scales, 3 * i);
    multiplyMatrices(worlds, 16 * i, above, at, local, 0);
  }
  return pose;
}

function isFiniteMatrix(m: Mat4): boolean {
  for (let n = 0; n < 16; n++) if (!Number.isFinite(m[n]!)) return false;
  return true;
}

function distance(a: Float64Array, ao: number, b: Float64Array, bo: number): number {
  let most = 0;
  for (let n = 0; n < 16; n++) most = Math.max(most, Math.abs(a[ao + n]! - b[bo + n]!));
  return most;
}

function sizeOf(m: Float64Array, at: number): number {
  let most = 0;
  for (let n = 0; n < 16; n++) most = Math.max(most, Math.abs(m[at + n]!));
  return most;
}

function lengthOf(m: Mat4): number {
  return hypot(m[0]!, m[1]!, m[2]!);
}
