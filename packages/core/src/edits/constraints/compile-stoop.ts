import { conjugateQuaternion, rotateVector } from '../../base/math/quaternion.js';
import type { Role } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';
import type { EditedBody } from '../edited-body.js';
import type { ConstraintTree } from './build-tree.js';
import type { BodyPlan } from './solve/moving-body.js';

/** Radians by which a thigh is lifted, and the share of the height by which the hips go back. */
const BEND = 0.3;
const BACK = 0.06;

/**
 * Turns about the axis to the body's left, above 0 bends over. The shin undoes the thigh twice and the foot once, so
 * that feet stay where they are but for what the leg is shorter; the trunk leans as far as the hips went back, and the
 * neck takes it back.
 */
const STOOPING: readonly (readonly [Role, number])[] = [
  ['leftUpperLeg', -BEND - 2 * BACK],
  ['rightUpperLeg', -BEND - 2 * BACK],
  ['leftLowerLeg', 2 * BEND],
  ['rightLowerLeg', 2 * BEND],
  ['leftFoot', -BEND + 2 * BACK],
  ['rightFoot', -BEND + 2 * BACK],
  ['spine', 2 * BACK],
  ['neck', -2 * BACK],
];

/** How a body gives in when it is pressed; see `stoopBody`. Joints without a role stay as they are. */
export function compileStoop(
  { joints }: EditedBody,
  { rotations }: ModelPose,
  tree: ConstraintTree,
): NonNullable<BodyPlan['stoop']> {
  const found = STOOPING.filter(
    ([role]) =>
      joints[role] !== undefined &&
      tree.places[joints[role]]! >= 0 &&
      tree.weights[tree.places[joints[role]]!]! > 0,
  );
  const undo = new Float64Array(4);
  const turns = new Float64Array(3 * found.length);
  found.forEach(([role, angle], n) => {
    conjugateQuaternion(undo, 0, rotations, 4 * joints[role]!);
    rotateVector(turns, 3 * n, undo, 0, Float64Array.of(angle, 0, 0), 0);
  });
  const place = new Float64Array(3);
  if (tree.hips >= 0) {
    conjugateQuaternion(undo, 0, rotations, 4 * tree.joints[tree.hips]!);
    rotateVector(place, 0, undo, 0, Float64Array.of(0, 0, -BACK), 0);
  }
  return { joints: Int32Array.from(found, ([role]) => tree.places[joints[role]!]!), turns, place };
}
