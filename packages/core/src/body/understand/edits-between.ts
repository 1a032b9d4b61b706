import { quaternionAngle } from '../../base/math/quaternion.js';
import { jointLabel } from '../../scene/joint-names.js';
import type { Pose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { JointEdit } from '../reference.js';

/** A turn smaller than this is none, in radians: a thousandth of a degree. */
const SAME_TURN = 1.7e-5;
/** Lengths and scales that differ by less than this share are equal. */
const SAME_SHARE = 1e-5;

/** What must be changed about a pose to make it another: the joints that differ, with those channels alone that do. */
export function editsBetween(skeleton: Skeleton, base: Pose, pose: Pose): JointEdit[] {
  const size = Math.max(1e-9, ...base.translations.map(Math.abs));
  const edits: JointEdit[] = [];
  for (let joint = 0; joint < skeleton.names.length; joint++) {
    const three = (values: Float64Array) => Array.from(values.subarray(3 * joint, 3 * joint + 3)) as Triple;
    const differs = (a: Float64Array, b: Float64Array, unit: number) =>
      three(a).some((value, c) => Math.abs(value - b[3 * joint + c]!) > SAME_SHARE * unit);
    const edit = {
      ...(differs(pose.translations, base.translations, size) && { translation: three(pose.translations) }),
      ...(quaternionAngle(pose.rotations, 4 * joint, base.rotations, 4 * joint) > SAME_TURN && {
        rotation: Array.from(pose.rotations.subarray(4 * joint, 4 * joint + 4)) as Quad,
      }),
      ...(differs(pose.scales, base.scales, 1) && { scale: three(pose.scales) }),
    };
    if (Object.keys(edit).length > 0) edits.push({ name: jointLabel(skeleton, joint), ...edit });
  }
  return edits;
}

type Triple = [number, number, number];
type Quad = [number, number, number, number];
