import { transformPoint } from '../base/math/matrix.js';
import { type ModelPose, modelPoseOf, type Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { RoleJoints } from './body.js';
import type { RigFloor } from './rig-space.js';

const point = new Float64Array(3);

/** The joints of the feet: ankles, toes and all that hangs below them. */
export function footJoints(skeleton: Skeleton, joints: RoleJoints): number[] {
  const feet = new Set<number>();
  for (const role of ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'] as const) {
    const joint = joints[role];
    if (joint !== undefined) feet.add(joint);
  }
  skeleton.parents.forEach((parent, joint) => {
    if (feet.has(parent)) feet.add(joint);
  });
  return [...feet];
}

/** The lowest model-space height of some joints; +∞ for none. */
export function lowestJoint(model: ModelPose, joints: Iterable<number>): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const joint of joints) lowest = Math.min(lowest, model.matrices[16 * joint + 13]!);
  return lowest;
}

/** The lowest model-space height of the skin that follows some joints; +∞ where there is none. */
export function lowestSkin(skeleton: Skeleton, model: ModelPose, joints: Iterable<number>): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const joint of joints) {
    const hull = skeleton.hulls?.[joint];
    if (!hull) continue;
    for (let i = 0; i < hull.length; i += 3) {
      transformPoint(point, 0, model.matrices, 16 * joint, hull, i);
      if (point[1]! < lowest) lowest = point[1]!;
    }
  }
  return lowest;
}

/**
 * The height of the floor a body stands on in its reference pose, in model space: the lowest skin of the
 * feet; else the ground plane y = 0 where the feet are near it; else the plane of an armature or root above
 * the hips, which stands between the feet in most rigs and moves with a body that is placed elsewhere; else
 * the lowest joint.
 */
export function findFloor(skeleton: Skeleton, joints: RoleJoints, reference: Pose): RigFloor {
  const model = modelPoseOf(skeleton, reference);
  const everyone = skeleton.names.map((_, i) => i);
  const feet = footJoints(skeleton, joints);
  const skin = lowestSkin(skeleton, model, feet.length > 0 ? feet : everyone);
  if (Number.isFinite(skin)) return { height: skin, confidence: 0.95, reason: 'the lowest skin of the feet' };
  const lowest = lowestJoint(model, feet.length > 0 ? feet : everyone);
  if (!Number.isFinite(lowest)) return { height: 0, confidence: 0, reason: 'nothing to stand on' };
  const hips = joints.hips === undefined ? Number.NaN : model.matrices[16 * joints.hips + 13]! - lowest;
  const size = hips > 0 ? hips : Math.max(...everyone.map((i) => model.matrices[16 * i + 13]!)) - lowest;
  // Ankles stand up to a seventh of the hip height over the sole; a little under the floor is slack.
  const isUnderFeet = (height: number) => lowest - height > -0.03 * size && lowest - height < 0.15 * size;
  if (isUnderFeet(0)) return { height: 0, confidence: 0.9, reason: 'the ground plane' };
  // As the file rests: a reference may be lifted as a whole.
  const rest = modelPoseOf(skeleton, skeleton.rest);
  const above: number[] = [];
  for (
    let at = joints.hips === undefined ? -1 : skeleton.parents[joints.hips]!;
    at >= 0;
    at = skeleton.parents[at]!
  )
    above.unshift(at);
  for (const joint of above) {
    const height = rest.matrices[16 * joint + 13]!;
    if (isUnderFeet(height))
      return { height, confidence: 0.7, reason: `the place of "${skeleton.names[joint]}"` };
  }
  return { height: lowest, confidence: 0.6, reason: 'the lowest joint of the feet' };
}
