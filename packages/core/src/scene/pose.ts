import { composeMatrix, type Mat4, multiplyMatrices, quaternionFromAxes } from '../base/math/matrix.js';
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

const local = new Float64Array(16);
const signs = new Float64Array(4);
const containerRotation = new Float64Array(4);

/**
 * Forward kinematics: local transforms to model space, container included.
 * Rotations are products of quaternions (a mirrored node counts by the signs of its scale, see
 * {@link signRotation}); positions come from full matrices, so non-uniform scale places joints where an
 * engine would.
 */
export function localToModel(out: ModelPose, skeleton: Hierarchy, pose: Pose): void {
  const { parents, container } = skeleton;
  rotationOfMatrix(containerRotation, 0, container, 0);
  for (let i = 0; i < parents.length; i++) {
    const p = parents[i]!;
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    if (p < 0) {
      multiplyMatrices(out.matrices, 16 * i, container, 0, local, 0);
      multiplyQuaternions(out.rotations, 4 * i, containerRotation, 0, pose.rotations, 4 * i);
    } else {
      multiplyMatrices(out.matrices, 16 * i, out.matrices, 16 * p, local, 0);
      multiplyQuaternions(out.rotations, 4 * i, out.rotations, 4 * p, pose.rotations, 4 * i);
    }
    if (signRotation(signs, 0, pose.scales, 3 * i))
      multiplyQuaternions(out.rotations, 4 * i, out.rotations, 4 * i, signs, 0);
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
