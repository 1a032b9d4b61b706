import type { Alignment } from '../align/align-references.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  quaternionFromAxisAngle,
  rotateVector,
} from '../base/math/quaternion.js';
import type { Rig } from '../body/rig.js';
import type { Role } from '../body/roles.js';
import type { Spacing } from '../options/limb-rules.js';
import { type ModelPose, type Pose, signRotation } from '../scene/pose.js';
import { isAncestor } from '../scene/skeleton.js';
import { LARGEST_SPACING } from '../solvers/spread-limb.js';
import { definePass } from './pass.js';

/** A limb that is spread. */
export type SpacedLimb = {
  upper: number;
  parent: number;
  /** The turn in the axes of what the limb hangs on: L′ = turn · L. */
  turn: Float64Array;
  /** The same the other way round. */
  undo: Float64Array;
  /** For a leg the joints from the upper one to above the foot, and the foot, whose turn is kept; −1 for an arm. */
  path: Int32Array;
  end: number;
};

/**
 * Finds the limbs that a spacing spreads, each about the facing axis of what it hangs on. With P the model rotation
 * of that in the reference, the axis is P⁻¹ · Z in its own axes, and goes with it wherever the body turns.
 */
export function resolveSpacing(target: Rig, alignment: Alignment, spacing: Spacing): SpacedLimb[] {
  const limbs: SpacedLimb[] = [];
  const { skeleton, joints } = target;
  for (const kind of ['arms', 'legs'] as const) {
    const share = spacing[kind] ?? 0;
    const angle = share * LARGEST_SPACING;
    if (angle === 0) continue;
    for (const side of ['left', 'right'] as const) {
      const role: Role = kind === 'arms' ? `${side}UpperArm` : `${side}UpperLeg`;
      const upper = joints[role];
      if (upper === undefined) continue;
      const parent = skeleton.parents[upper]!;
      // What hangs on nothing has nothing to be spread from.
      if (parent < 0) continue;
      const axis = Float64Array.of(0, 0, 1);
      const above = new Float64Array(4);
      conjugateQuaternion(above, 0, alignment.model.rotations, 4 * parent);
      rotateVector(axis, 0, above, 0, axis, 0);
      const turn = new Float64Array(4);
      // Facing +Z with +Y up, left is +X: a hanging limb goes to +X by a positive turn about +Z.
      quaternionFromAxisAngle(turn, 0, axis, 0, side === 'left' ? angle : -angle);
      const undo = new Float64Array(4);
      conjugateQuaternion(undo, 0, turn, 0);
      const foot = kind === 'legs' ? joints[`${side}Foot`] : undefined;
      const end = foot !== undefined && foot !== upper && isAncestor(skeleton, upper, foot) ? foot : -1;
      const path: number[] = [];
      for (let at = end < 0 ? -1 : skeleton.parents[end]!; at >= upper; at = skeleton.parents[at]!)
        path.push(at);
      limbs.push({ upper, parent, turn, undo, path: Int32Array.from(path.reverse()), end });
    }
  }
  return limbs;
}

/**
 * Spreads arms and legs, or draws them in, by turning upper arms and legs about the facing axis (W20). Feet stay
 * turned as copied, so that soles stay flat; where corrections are on, their goals move sideways with them, and
 * standing feet stand wider.
 */
export const spaceLimbs = definePass({
  name: 'spaceLimbs',
  summary: 'spreads arms and legs or draws them in, for wide and slim bodies, where asked to',
  options: ['spacing'],
  compile({ pair: { target, alignment }, options }): SpacedLimb[] | null {
    const limbs = options.spacing ? resolveSpacing(target, alignment, options.spacing) : [];
    return limbs.length > 0 ? limbs : null;
  },
  needsFrames: () => 'limbs are spread frame by frame',
  isAskedFor: true,
  writes: (limbs) => ({ turnsOn: limbs.flatMap(({ upper, end }) => (end >= 0 ? [upper, end] : [upper])) }),
  prepare:
    (limbs, { place }) =>
    (frame) => {
      spaceFrame(frame.target, limbs);
      place?.(frame);
    },
});

function spaceFrame(pose: Pose, limbs: readonly SpacedLimb[]): void {
  for (let n = 0; n < limbs.length; n++) spaceLimb(pose, limbs[n]!);
}

const along = new Float64Array(4);
const signs = new Float64Array(4);
const back = new Float64Array(4);

function spaceLimb({ rotations, scales }: Pose, { upper, turn, undo, path, end }: SpacedLimb): void {
  if (end >= 0) {
    // With X the turns from the upper joint to above the foot, X⁻¹ · turn⁻¹ · X is what undoes the spacing there.
    along.fill(0);
    along[3] = 1;
    for (let k = 0; k < path.length; k++) {
      const i = path[k]!;
      multiplyQuaternions(along, 0, along, 0, rotations, 4 * i);
      if (signRotation(signs, 0, scales, 3 * i)) multiplyQuaternions(along, 0, along, 0, signs, 0);
    }
    conjugateQuaternion(back, 0, along, 0);
    multiplyQuaternions(back, 0, back, 0, undo, 0);
    multiplyQuaternions(back, 0, back, 0, along, 0);
    multiplyQuaternions(rotations, 4 * end, back, 0, rotations, 4 * end);
  }
  multiplyQuaternions(rotations, 4 * upper, turn, 0, rotations, 4 * upper);
}

const arm = new Float64Array(3);
const turned = new Float64Array(3);

/**
 * Says how far, over the ground, spacing has moved a place that hangs on a limb: out = xz of the difference, in
 * model space. With u the upper joint and T = P · turn · P⁻¹, a place p was at u + T⁻¹ · (p − u) before.
 * @param model The target as spaced; the limb's upper joint and its parent are read.
 */
export function spacingShift(
  out: Float64Array,
  o: number,
  { upper, parent, undo }: SpacedLimb,
  model: ModelPose,
  place: Float64Array,
  p: number,
): void {
  const u = 16 * upper + 12;
  for (let c = 0; c < 3; c++) arm[c] = place[p + c]! - model.matrices[u + c]!;
  conjugateQuaternion(back, 0, model.rotations, 4 * parent);
  rotateVector(turned, 0, back, 0, arm, 0);
  rotateVector(turned, 0, undo, 0, turned, 0);
  rotateVector(turned, 0, model.rotations, 4 * parent, turned, 0);
  out[o] = arm[0]! - turned[0]!;
  out[o + 1] = 0;
  out[o + 2] = arm[2]! - turned[2]!;
}
