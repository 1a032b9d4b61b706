import { composeMatrix, multiplyMatrices } from '../matrix.js';
import { type ModelPose, type Pose, rotationOfMatrix, signRotation } from '../pose.js';
import { multiplyQuaternions } from '../quaternion.js';
import type { Skeleton } from '../skeleton.js';

/** The given joints and everything above them, parents first, each once. */
export function withAncestors(skeleton: Skeleton, joints: Iterable<number>): Int32Array {
  const marked = new Set<number>();
  for (const joint of joints)
    for (let at = joint; at >= 0 && !marked.has(at); at = skeleton.parents[at]!) marked.add(at);
  return Int32Array.from([...marked].sort((a, b) => a - b));
}

const local = new Float64Array(16);
const signs = new Float64Array(4);
const containerRotation = new Float64Array(4);

/**
 * Forward kinematics of some joints alone: like `localToModel`, but for a list as `withAncestors` gives it. What
 * stands in `out` for other joints stays. Feet, hands and hips hang on a third of a body's joints.
 */
export function forwardJoints(out: ModelPose, skeleton: Skeleton, pose: Pose, joints: Int32Array): void {
  const { parents, container } = skeleton;
  const { matrices, rotations } = out;
  rotationOfMatrix(containerRotation, 0, container, 0);
  for (let k = 0; k < joints.length; k++) {
    const i = joints[k]!;
    const p = parents[i]!;
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    if (p < 0) {
      multiplyMatrices(matrices, 16 * i, container, 0, local, 0);
      multiplyQuaternions(rotations, 4 * i, containerRotation, 0, pose.rotations, 4 * i);
    } else {
      multiplyMatrices(matrices, 16 * i, matrices, 16 * p, local, 0);
      multiplyQuaternions(rotations, 4 * i, rotations, 4 * p, pose.rotations, 4 * i);
    }
    if (signRotation(signs, 0, pose.scales, 3 * i))
      multiplyQuaternions(rotations, 4 * i, rotations, 4 * i, signs, 0);
  }
}
