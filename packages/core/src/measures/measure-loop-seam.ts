import { TO_DEGREES } from '../base/math/angles.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { driverOf } from '../map/rig-map.js';
import type { Comparison, SampledMotion } from './comparison.js';

/** The pose difference between the first and the last frame of a loop: mean over joints, in degrees. */
export type LoopSeamMeasure = { result: number; source: number };

/** A clip whose ends differ by more than this on average, in degrees, is no loop. */
const LOOP = 4;

/** Measures the seam of a loop. Null where the source's ends differ so much that it is none, or it is too short. */
export function measureLoopSeam({ source, result, setup, count }: Comparison): LoopSeamMeasure | null {
  if (count < 3) return null;
  const pairs = setup.map.joints.filter(({ share }) => !share);
  if (pairs.length === 0) return null;
  const seam = (motion: SampledMotion, joints: number[]) => {
    const last = 4 * motion.joints * (motion.count - 1);
    const angles = joints.map((joint) =>
      quaternionAngle(motion.rotations, 4 * joint, motion.rotations, last + 4 * joint),
    );
    return (angles.reduce((sum, angle) => sum + angle, 0) / angles.length) * TO_DEGREES;
  };
  const own = seam(source, pairs.map(driverOf));
  if (own > LOOP) return null;
  return {
    source: own,
    result: seam(
      result,
      pairs.map(({ target }) => target),
    ),
  };
}
