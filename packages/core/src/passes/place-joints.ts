import { createMatrix, invertMatrix, transformPoint } from '../matrix.js';
import { rotationOfMatrix, signRotation } from '../pose.js';
import { multiplyQuaternions, rotateVector } from '../quaternion.js';
import type { Frame, Setup } from '../setup.js';
import type { Skeleton } from '../skeleton.js';
import { createPath, followPath } from './move-root.js';

/**
 * Moves joints that hang elsewhere than their body part to where that body part carries them. Every pass that
 * moves the body does it anew, since such joints do not come along by themselves.
 */
export function preparePlacing({ target, alignment }: Setup): (frame: Frame) => void {
  const { skeleton } = target;
  const container = new Float64Array(4);
  rotationOfMatrix(container, 0, skeleton.container, 0);
  const plans = alignment.placed.map(({ joint, carrier, offset }): PlacePlan => {
    const above = createPath(skeleton, carrier);
    return {
      joint,
      offset: Float64Array.from(offset),
      // The carrier itself included.
      carrierPath: Int32Array.from([...above, carrier]),
      parentPath: createPath(skeleton, joint),
    };
  });
  return (frame) => {
    for (let n = 0; n < plans.length; n++) placeJoint(frame, plans[n]!, skeleton, container);
  };
}

type PlacePlan = {
  joint: number;
  /** From the carrier, in its own axes, metres. */
  offset: Float64Array;
  carrierPath: Int32Array;
  parentPath: Int32Array;
};

const matrix = createMatrix();
const point = new Float64Array(3);
const rotation = new Float64Array(4);
const signs = new Float64Array(4);

function placeJoint(
  { target }: Frame,
  { joint, offset, carrierPath, parentPath }: PlacePlan,
  skeleton: Skeleton,
  container: Float64Array,
): void {
  rotation.set(container);
  for (let k = 0; k < carrierPath.length; k++) {
    const i = carrierPath[k]!;
    multiplyQuaternions(rotation, 0, rotation, 0, target.rotations, 4 * i);
    if (signRotation(signs, 0, target.scales, 3 * i)) multiplyQuaternions(rotation, 0, rotation, 0, signs, 0);
  }
  rotateVector(point, 0, rotation, 0, offset, 0);
  followPath(matrix, carrierPath, skeleton, target);
  for (let c = 0; c < 3; c++) point[c] = point[c]! + matrix[12 + c]!;
  followPath(matrix, parentPath, skeleton, target);
  invertMatrix(matrix, 0, matrix, 0);
  transformPoint(target.translations, 3 * joint, matrix, 0, point, 0);
}
