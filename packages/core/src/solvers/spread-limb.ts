import { quaternionFromAxisAngle } from '../base/math/quaternion.js';
import { turnJoint } from './turn-joint.js';

/** How far a spacing of 1 turns a limb (W20). */
export const LARGEST_SPACING = Math.PI / 4;

const FACING = Float64Array.of(0, 0, 1);
const turn = new Float64Array(4);

/**
 * Spreads one arm or leg, or draws it in, for bodies that are wider or slimmer than those a motion was made for
 * (W20): turns its first joint about the facing axis, +Z of model space, by `spacing` times 45°. A positive
 * spacing, up to 1, leads away from the body, a negative one, down to −1, towards it; further is clamped.
 * `parentModelRotations` holds the model rotation of what the joint hangs on.
 */
export function spaceLimb(
  localRotations: Float64Array,
  joint: number,
  parentModelRotations: Float64Array,
  parent: number,
  side: 'left' | 'right',
  spacing: number,
): void {
  const share = Math.min(1, Math.max(-1, spacing));
  if (!(Math.abs(share) > 0)) return;
  // Facing +Z with +Y up, left is +X: a hanging limb goes to +X by a positive turn about +Z.
  quaternionFromAxisAngle(turn, 0, FACING, 0, (side === 'left' ? share : -share) * LARGEST_SPACING);
  turnJoint(localRotations, 4 * joint, parentModelRotations, 4 * parent, null, turn);
}
