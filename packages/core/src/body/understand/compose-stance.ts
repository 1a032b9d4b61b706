import { cos, sin } from '../../base/math/functions.js';
import { divideQuaternions, multiplyQuaternions, shortestArc } from '../../base/math/quaternion.js';
import {
  addVectors,
  directionOf,
  dotVectors,
  rejectVector,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
} from '../../base/math/vector.js';
import { copyPose, createModelPose, localToModel, type Pose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { lateralVector, type RoleJoints } from '../body.js';
import type { Role } from '../roles.js';

/** The bones that are made symmetric, each from its joint to the next, parents first. */
const BONES: readonly (readonly [joint: string, next: string])[] = [
  ['UpperLeg', 'LowerLeg'],
  ['LowerLeg', 'Foot'],
  ['Foot', 'Toes'],
  ['Shoulder', 'UpperArm'],
  ['UpperArm', 'LowerArm'],
  ['LowerArm', 'Hand'],
];

/**
 * A pose in which left and right limbs point alike, made from one in which they do not: each pair of bones is
 * swung to the mean of one and the mirror image of the other, so that of a step nothing is left but the stance
 * between two steps. Torso and hands turn with what carries them; nothing is rolled about its own bone.
 * @param up unit vector in the space of the skeleton's container.
 * @returns a new pose, or null where left and right are not known.
 */
export function composeStance(
  skeleton: Skeleton,
  joints: RoleJoints,
  pose: Pose,
  up: Readonly<Vec3>,
): Pose | null {
  const out = copyPose(pose);
  const model = createModelPose(skeleton.names.length);
  const place = (joint: number): Vec3 => vectorAt(model.matrices, 16 * joint + 12);
  localToModel(model, skeleton, out);
  const lateral = lateralVector({ positions: skeleton.names.map((_, i) => place(i)), joints });
  const across = lateral && directionOf(rejectVector(lateral, up));
  if (!across) return null;
  const mirror = (v: Readonly<Vec3>): Vec3 => addVectors(v, scaleVector(across, -2 * dotVectors(v, across)));
  for (const [joint, next] of BONES) {
    const bones = (['left', 'right'] as const).map((side) => {
      const from = joints[`${side}${joint}` as Role];
      const to = joints[`${side}${next}` as Role];
      const direction =
        from === undefined || to === undefined ? null : directionOf(subtractVectors(place(to), place(from)));
      return from === undefined || direction === null ? null : { from, direction };
    });
    const [left, right] = bones;
    if (!left || !right) continue;
    const mean = directionOf(addVectors(left.direction, mirror(right.direction)));
    if (!mean) continue;
    swing(skeleton, out, model.rotations, left.from, left.direction, mean);
    swing(skeleton, out, model.rotations, right.from, right.direction, mirror(mean));
    localToModel(model, skeleton, out);
  }
  return out;
}

/**
 * A pose whose legs hang straight down from the hips, made from one whose knees are bent: how long legs are is known of
 * every pose, how high its hips stand only of one whose legs are straight.
 * @param up unit vector in the space of the skeleton's container.
 * @param slope How far feet that stand point up, in radians; negative where toes are lower than the ankle. Null where
 * it is not known: they turn with their shins.
 * @returns a new pose, or null where a leg is not known.
 */
export function straightenLegs(
  skeleton: Skeleton,
  joints: RoleJoints,
  pose: Pose,
  up: Readonly<Vec3>,
  slope: number | null,
): Pose | null {
  const out = copyPose(pose);
  const model = createModelPose(skeleton.names.length);
  const down = scaleVector(up, -1);
  const pointTo = (from: number, to: number, aim: (direction: Vec3) => Vec3 | null): void => {
    localToModel(model, skeleton, out);
    const place = (joint: number): Vec3 => vectorAt(model.matrices, 16 * joint + 12);
    const direction = directionOf(subtractVectors(place(to), place(from)));
    const aimed = direction && aim(direction);
    if (direction && aimed) swing(skeleton, out, model.rotations, from, direction, aimed);
  };
  for (const side of ['left', 'right'] as const) {
    const [hip, knee, foot, toes] = [
      joints[`${side}UpperLeg`],
      joints[`${side}LowerLeg`],
      joints[`${side}Foot`],
      joints[`${side}Toes`],
    ];
    if (hip === undefined || knee === undefined || foot === undefined) return null;
    pointTo(hip, knee, () => down);
    pointTo(knee, foot, () => down);
    if (toes === undefined || slope === null) continue;
    pointTo(foot, toes, (direction) => {
      const ahead = directionOf(rejectVector(direction, up));
      return ahead && addVectors(scaleVector(ahead, cos(slope)), scaleVector(up, sin(slope)));
    });
  }
  return out;
}

/** Turns a joint of a pose in model space so that what points along `from` points along `to`; roots stay. */
function swing(
  skeleton: Skeleton,
  pose: Pose,
  modelRotations: Float64Array,
  joint: number,
  from: Readonly<Vec3>,
  to: Readonly<Vec3>,
): void {
  const parent = skeleton.parents[joint]!;
  if (parent < 0) return;
  const turn = new Float64Array(4);
  const inModel = new Float64Array(4);
  shortestArc(turn, 0, Float64Array.from(from), 0, Float64Array.from(to), 0);
  // local' = parent⁻¹ · turn · parent · local.
  multiplyQuaternions(inModel, 0, modelRotations, 4 * parent, pose.rotations, 4 * joint);
  multiplyQuaternions(inModel, 0, turn, 0, inModel, 0);
  divideQuaternions(pose.rotations, 4 * joint, modelRotations, 4 * parent, inModel, 0);
}
