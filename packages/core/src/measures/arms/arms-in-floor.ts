import { type BodySurface, lowestOfSurface } from '../../contacts/body-surfaces.js';
import type { Comparison, SampledMotion } from '../comparison.js';
import { writeMatrix } from './arm-course.js';

/**
 * Per instant and hand 1 where the copied arm, on the shoulder that the result has, would be in the floor with its hand or
 * its elbow: a body with long arms or short legs that kneels cannot hold them as the source does.
 */
export function armsInFloor({ result, copied, count }: Comparison): Uint8Array {
  const inFloor = new Uint8Array(2 * count);
  if (!copied) return inFloor;
  const { roles, surfaces, joints, floor } = result;
  const matrices = new Float64Array(16 * joints);
  const lowest = new Float64Array(1);
  (['left', 'right'] as const).forEach((side, hand) => {
    const shoulder = roles[`${side}UpperArm`];
    if (shoulder === undefined) return;
    const own = surfaces.filter(({ name }) => name === `${side}Hand` || name === `${side}Elbow`);
    for (let k = 0; k < count; k++) {
      const i = 3 * (joints * k + shoulder) + 1;
      // How high the floor is, seen from the copied arm.
      const level = floor + copied.positions[i]! - result.positions[i]!;
      for (const surface of own) {
        if (isAbove(surface, copied, k, level)) continue;
        for (const joint of surface.joints) writeMatrix(matrices, joint, copied, k);
        lowestOfSurface(lowest, 0, surface, matrices, level);
        if (lowest[0]! < level) inFloor[2 * k + hand] = 1;
      }
    }
  });
  return inFloor;
}

/** Whether a surface is so high over a level that none of its points can be under it, however it is turned. */
function isAbove(
  { joints, radii, thickness }: BodySurface,
  { positions, joints: width }: SampledMotion,
  k: number,
  level: number,
): boolean {
  for (let n = 0; n < joints.length; n++)
    if (positions[3 * (width * k + joints[n]!) + 1]! - 1.001 * radii[n]! - thickness < level) return false;
  return true;
}
