import { type Mat4, quaternionFromAxes } from '../base/math/matrix.js';
import { multiplyQuaternions, type Numbers } from '../base/math/quaternion.js';

/** One instant of a skeleton: local transforms of every joint, flat, in the file's unit. */
export type Pose = {
  /** xyz per joint. */
  translations: Float64Array;
  /** Unit quaternions, xyzw per joint. */
  rotations: Float64Array;
  /** xyz per joint. */
  scales: Float64Array;
};

/** One instant of a skeleton in model space (metres, +Y up, +Z forward). */
export type ModelPose = {
  /** Unit quaternions, xyzw per joint. */
  rotations: Float64Array;
  /** Affine matrices, 16 per joint, column-major: only positions should be read from them. */
  matrices: Float64Array;
};

/** What of a skeleton carries a pose to model space: who hangs on whom, and where its file's axes lead. */
export type Hierarchy = { parents: Int32Array; container: Mat4 };

/** A pose of identity transforms. */
export function createPose(jointCount: number): Pose {
  const rotations = new Float64Array(4 * jointCount);
  for (let i = 3; i < rotations.length; i += 4) rotations[i] = 1;
  return {
    translations: new Float64Array(3 * jointCount),
    rotations,
    scales: new Float64Array(3 * jointCount).fill(1),
  };
}

/** A copy of a pose. */
export function copyPose(pose: Pose): Pose {
  return {
    translations: pose.translations.slice(),
    rotations: pose.rotations.slice(),
    scales: pose.scales.slice(),
  };
}

/** Room for the model-space transforms of a skeleton. */
export function createModelPose(jointCount: number): ModelPose {
  return { rotations: new Float64Array(4 * jointCount), matrices: new Float64Array(16 * jointCount) };
}

/**
 * The half turn or identity that stands for the signs of a scale: diag(±1, ±1, ±1) is a half turn about an
 * axis, times −1 where the number of minus signs is odd; and −1 commutes with every rotation, so it never
 * matters for how far something has turned. That is how mirrored nodes are carried without a matrix.
 * @returns false and the identity where no component is negative.
 */
export function signRotation(out: Numbers, o: number, scale: Readonly<Numbers>, i: number): boolean {
  const x = scale[i]! < 0;
  const y = scale[i + 1]! < 0;
  const z = scale[i + 2]! < 0;
  // The signs that remain after taking −1 out of an odd count: two minus signs, or none.
  const odd = (x ? 1 : 0) + (y ? 1 : 0) + (z ? 1 : 0);
  const flip = odd % 2 === 1;
  const nx = x !== flip;
  const ny = y !== flip;
  const nz = z !== flip;
  out[o] = !nx && ny && nz ? 1 : 0;
  out[o + 1] = nx && !ny && nz ? 1 : 0;
  out[o + 2] = nx && ny && !nz ? 1 : 0;
  out[o + 3] = nx || ny || nz ? 0 : 1;
  return odd > 0;
}

const signs = new Float64Array(4);
const containerRotation = new Float64Array(4);

/**
 * Forward kinematics: local transforms to model space, container included.
 * Rotations are products of quaternions (a mirrored node counts by the signs of its scale, see
 * {@link signRotation}); positions come from full matrices, so non-uniform scale places joints where an
 * engine would.
 *
 * The matrices are `composeMatrix` and `multiplyMatrices` written out: nothing runs more often than this, and as calls,
 * which have met arrays of several kinds elsewhere, it took twice as long.
 */
export function localToModel(out: ModelPose, skeleton: Hierarchy, pose: Pose): void {
  const { parents, container } = skeleton;
  const { matrices, rotations } = out;
  const { translations, rotations: turns, scales } = pose;
  rotationOfMatrix(containerRotation, 0, container, 0);
  for (let i = 0; i < parents.length; i++) {
    const p = parents[i]!;
    const above = p < 0 ? container : matrices;
    const a = p < 0 ? 0 : 16 * p;
    const o = 16 * i;
    const x = turns[4 * i]!;
    const y = turns[4 * i + 1]!;
    const z = turns[4 * i + 2]!;
    const w = turns[4 * i + 3]!;
    const sx = scales[3 * i]!;
    const sy = scales[3 * i + 1]!;
    const sz = scales[3 * i + 2]!;
    const tx = translations[3 * i]!;
    const ty = translations[3 * i + 1]!;
    const tz = translations[3 * i + 2]!;
    const m00 = (1 - 2 * (y * y + z * z)) * sx;
    const m10 = 2 * (x * y + z * w) * sx;
    const m20 = 2 * (x * z - y * w) * sx;
    const m01 = 2 * (x * y - z * w) * sy;
    const m11 = (1 - 2 * (x * x + z * z)) * sy;
    const m21 = 2 * (y * z + x * w) * sy;
    const m02 = 2 * (x * z + y * w) * sz;
    const m12 = 2 * (y * z - x * w) * sz;
    const m22 = (1 - 2 * (x * x + y * y)) * sz;
    // A row of the parent's matrix makes a row of the joint's.
    for (let r = 0; r < 3; r++) {
      const ax = above[a + r]!;
      const ay = above[a + r + 4]!;
      const az = above[a + r + 8]!;
      const at = above[a + r + 12]!;
      matrices[o + r] = ax * m00 + ay * m10 + az * m20;
      matrices[o + r + 4] = ax * m01 + ay * m11 + az * m21;
      matrices[o + r + 8] = ax * m02 + ay * m12 + az * m22;
      matrices[o + r + 12] = ax * tx + ay * ty + az * tz + at;
    }
    matrices[o + 3] = 0;
    matrices[o + 7] = 0;
    matrices[o + 11] = 0;
    matrices[o + 15] = 1;
    if (p < 0) multiplyQuaternions(rotations, 4 * i, containerRotation, 0, turns, 4 * i);
    else multiplyQuaternions(rotations, 4 * i, rotations, 4 * p, turns, 4 * i);
    if ((sx < 0 || sy < 0 || sz < 0) && signRotation(signs, 0, scales, 3 * i))
      multiplyQuaternions(rotations, 4 * i, rotations, 4 * i, signs, 0);
  }
}

/** The model-space transforms of a pose, in a new store. */
export function modelPoseOf(skeleton: Hierarchy, pose: Pose): ModelPose {
  const out = createModelPose(skeleton.parents.length);
  localToModel(out, skeleton, pose);
  return out;
}

/** Model rotations with that of the skeleton's container behind the last joint, where roots find their parent. */
export function withContainer(skeleton: Hierarchy, modelRotations: Float64Array): Float64Array {
  const all = new Float64Array(modelRotations.length + 4);
  all.set(modelRotations);
  rotationOfMatrix(all, modelRotations.length, skeleton.container, 0);
  return all;
}

/** out = the rotation of a matrix that is a rotation times a uniform positive scale, as containers are. */
export function rotationOfMatrix(out: Numbers, o: number, m: Readonly<Numbers>, i: number): void {
  const s = Math.sqrt(m[i]! * m[i]! + m[i + 1]! * m[i + 1]! + m[i + 2]! * m[i + 2]!) || 1;
  quaternionFromAxes(
    out,
    o,
    m[i]! / s,
    m[i + 1]! / s,
    m[i + 2]! / s,
    m[i + 4]! / s,
    m[i + 5]! / s,
    m[i + 6]! / s,
    m[i + 8]! / s,
    m[i + 9]! / s,
    m[i + 10]! / s,
  );
}
