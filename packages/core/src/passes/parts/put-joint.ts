import { createMatrix, invertMatrix, transformPoint } from '../../base/math/matrix.js';
import { conjugateQuaternion, divideQuaternions, multiplyQuaternions } from '../../base/math/quaternion.js';
import { type Pose, rotationOfMatrix, signRotation } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';

const matrix = createMatrix();
const parentTurn = new Float64Array(4);
const signs = new Float64Array(4);

/**
 * Places a joint in model space.
 * @param matrices Of its parent, in model space.
 */
export function putJoint(
  target: Pose,
  joint: number,
  { parents, container }: Skeleton,
  matrices: Float64Array,
  at: Float64Array,
  i: number,
): void {
  const parent = parents[joint]!;
  const isWhole =
    parent < 0 ? invertMatrix(matrix, 0, container, 0) : invertMatrix(matrix, 0, matrices, 16 * parent);
  // A parent without a size holds nothing.
  if (isWhole) transformPoint(target.translations, 3 * joint, matrix, 0, at, i);
}

/**
 * Turns a joint to a rotation in model space.
 * @param rotations Of its parent, in model space.
 */
export function turnJointTo(
  target: Pose,
  joint: number,
  { parents, container }: Skeleton,
  rotations: Float64Array,
  to: Float64Array,
  i: number,
): void {
  const parent = parents[joint]!;
  if (parent < 0) rotationOfMatrix(parentTurn, 0, container, 0);
  const above = parent < 0 ? parentTurn : rotations;
  divideQuaternions(target.rotations, 4 * joint, above, parent < 0 ? 0 : 4 * parent, to, i);
  if (!signRotation(signs, 0, target.scales, 3 * joint)) return;
  conjugateQuaternion(signs, 0, signs, 0);
  multiplyQuaternions(target.rotations, 4 * joint, target.rotations, 4 * joint, signs, 0);
}
