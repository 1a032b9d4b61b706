import { cos, lengthOf, sin } from '../../base/math/functions.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
  shortestArc,
} from '../../base/math/quaternion.js';
import { copyPose, modelPoseOf, type Pose } from '../../scene/pose.js';
import type { Rig } from '../rig.js';
import type { Role, Side } from '../roles.js';

/** How far arms hang below the horizontal in an A-pose, in radians: 45 degrees. */
const A_SLOPE = Math.PI / 4;

/** The bones of an arm, from joint to joint; a hand points to its middle finger. */
const ARM_BONES = [
  ['UpperArm', 'LowerArm'],
  ['LowerArm', 'Hand'],
  ['Hand', 'MiddleProximal'],
] as const;

/**
 * A T-pose or an A-pose made of a rig's reference: arms are swung, bone by bone and parents first, until they
 * point straight aside (T) or 45 degrees down (A) in model space; their roll and all other joints stay. Bones that
 * are not there, or have no length, are left out.
 */
export function stancePose(
  { skeleton, joints }: Pick<Rig, 'skeleton' | 'joints'>,
  base: Pose,
  stance: 'T' | 'A',
): Pose {
  const pose = copyPose(base);
  const slope = stance === 'T' ? 0 : A_SLOPE;
  for (const side of ['left', 'right'] as const)
    for (const [from, to] of ARM_BONES) {
      const joint = joints[`${side}${from}` as Role];
      const end = joints[`${side}${to}` as Role];
      if (joint !== undefined && end !== undefined)
        pointBone(pose, skeleton, joint, end, goalOf(side, slope));
    }
  return pose;
}

/** Left is +X in model space, where bodies face +Z. */
function goalOf(side: Side, slope: number): Float64Array {
  return Float64Array.of((side === 'left' ? 1 : -1) * cos(slope), -sin(slope), 0);
}

/** Turns a joint, with all that hangs on it, so that `end` lies in a direction of model space. */
function pointBone(
  pose: Pose,
  skeleton: Rig['skeleton'],
  joint: number,
  end: number,
  goal: Float64Array,
): void {
  const { matrices, rotations } = modelPoseOf(skeleton, pose);
  const way = Float64Array.from(
    [0, 1, 2],
    (c) => matrices[16 * end + 12 + c]! - matrices[16 * joint + 12 + c]!,
  );
  const length = lengthOf(way);
  if (length < 1e-9) return;
  for (let c = 0; c < 3; c++) way[c]! /= length;
  const arc = new Float64Array(4);
  shortestArc(arc, 0, way, 0, goal, 0);
  // With M the model rotation and arc·M the one wanted: local' = P⁻¹·arc·P·local, where P = M·local⁻¹ is the parent's.
  const q = new Float64Array(4);
  const local = pose.rotations.slice(4 * joint, 4 * joint + 4);
  const inverse = new Float64Array(4);
  conjugateQuaternion(inverse, 0, local, 0);
  const parent = new Float64Array(4);
  multiplyQuaternions(parent, 0, rotations, 4 * joint, inverse, 0);
  conjugateQuaternion(inverse, 0, parent, 0);
  multiplyQuaternions(q, 0, arc, 0, parent, 0);
  multiplyQuaternions(q, 0, inverse, 0, q, 0);
  multiplyQuaternions(q, 0, q, 0, local, 0);
  normalizeQuaternion(pose.rotations, 4 * joint, q, 0);
}

/** The direction from one joint to another in model space, unit length; null where they coincide. */
export function boneDirection(
  { skeleton }: Pick<Rig, 'skeleton'>,
  pose: Pose,
  from: number,
  to: number,
): [number, number, number] | null {
  const { matrices } = modelPoseOf(skeleton, pose);
  const way = [0, 1, 2].map((c) => matrices[16 * to + 12 + c]! - matrices[16 * from + 12 + c]!);
  const length = lengthOf(way);
  return length < 1e-9 ? null : [way[0]! / length, way[1]! / length, way[2]! / length];
}
