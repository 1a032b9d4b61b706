import { quaternionFromAxisAngle } from '../../base/math/quaternion.js';
import type { ModelPose } from '../../scene/pose.js';
import { turnJoint } from '../../solvers/turn-joint.js';
import type { LimbGoal } from '../goal-setup.js';

/** Toes that are bent by no more than this, in radians, are as copied. */
export const BENT_TOES = 1e-9;

const axis = new Float64Array(3);
const bent = new Float64Array(4);

/**
 * Turns a leg's toes up about the axis across the foot, on top of how they are copied. What the foot is then turned
 * by turns them along. Nothing happens to a foot that has no such axis.
 * @param locals Local rotations of the target, written.
 * @param parent The joint above the toes.
 * @param angle Radians.
 */
export function bendToes(
  locals: Float64Array,
  { matrices: m, rotations }: ModelPose,
  parent: number,
  { target, toes, across }: LimbGoal,
  angle: number,
): void {
  const o = 16 * target.end;
  for (let c = 0; c < 3; c++)
    axis[c] = m[o + c]! * across[0]! + m[o + 4 + c]! * across[1]! + m[o + 8 + c]! * across[2]!;
  const length = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]! + axis[2]! * axis[2]!);
  if (!(length > 1e-9)) return;
  for (let c = 0; c < 3; c++) axis[c] = axis[c]! / length;
  quaternionFromAxisAngle(bent, 0, axis, 0, angle);
  turnJoint(locals, 4 * toes, rotations, 4 * parent, null, bent);
}
