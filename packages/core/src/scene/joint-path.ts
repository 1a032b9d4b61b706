import { composeMatrix, createMatrix, multiplyMatrices } from '../base/math/matrix.js';
import type { Pose } from './pose.js';
import type { Skeleton } from './skeleton.js';

const local = createMatrix();

/** The joints above a joint, topmost first. */
export function createPath(skeleton: Skeleton, joint: number): Int32Array {
  const path: number[] = [];
  for (let at = skeleton.parents[joint]!; at >= 0; at = skeleton.parents[at]!) path.push(at);
  return Int32Array.from(path.reverse());
}

/** out = the model-space matrix at the end of a path of joints, container included. */
export function followPath(out: Float64Array, path: Int32Array, skeleton: Skeleton, pose: Pose): void {
  out.set(skeleton.container);
  for (let k = 0; k < path.length; k++) {
    const i = path[k]!;
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    multiplyMatrices(out, 0, out, 0, local, 0);
  }
}
