import { type Vec3, vectorAt } from '../src/base/math/vector.js';
import type { Role } from '../src/body/roles.js';
import { createRig } from '../src/body/understand/create-rig.js';
import { compileConstraints } from '../src/edits/constraints/compile-constraints.js';
import type { ConstraintContext, Stand } from '../src/edits/constraints/compiled-constraint.js';
import { createConstraintStep } from '../src/edits/constraints/constraint-step.js';
import type { EditedBody } from '../src/edits/edited-body.js';
import type { Constraint } from '../src/options/constraint.js';
import { sampleClip } from '../src/scene/clip.js';
import { copyPose, modelPoseOf, type Pose } from '../src/scene/pose.js';
import { type Figure, stickFigure } from './stick-figure.js';

/** A stick figure as edits know a body, and its motion: it sways for three seconds, at any time. */
export function editedFigure(figure: Figure = {}) {
  const { skeleton, clips } = stickFigure({ kneeBend: 12, elbowBend: 25, ...figure });
  const rig = createRig(skeleton, { clips });
  const reference = rig.reference.pose;
  const model = modelPoseOf(rig.skeleton, reference);
  const body: EditedBody = {
    skeleton: rig.skeleton,
    joints: rig.joints,
    reference,
    height: rig.space.height,
    hipHeight: model.matrices[16 * rig.joints.hips! + 13]! - rig.floor.height,
    floor: rig.floor.height,
  };
  const poseAt = (time: number): Pose => {
    const pose = copyPose(rig.skeleton.rest);
    sampleClip(pose, clips[0]!, 0.5 - 0.5 * Math.cos((2 * Math.PI * time) / 3));
    return pose;
  };
  const placeOf = (pose: Pose, role: Role): Vec3 =>
    vectorAt(modelPoseOf(rig.skeleton, pose).matrices, 16 * rig.joints[role]! + 12);
  const feet = (['leftFoot', 'rightFoot'] as const).map(
    (role): Stand => ({ joint: rig.joints[role]!, start: 0, end: 3 }),
  );
  const compile = (document: readonly Constraint[], context: Partial<ConstraintContext> = {}) =>
    compileConstraints(body, document, { duration: 3, frameRate: 30, stands: feet, ...context });
  /** A step of a document, shown the poses that it asks for. */
  const stepOf = (document: readonly Constraint[], context: Partial<ConstraintContext> = {}) => {
    const data = compile(document, context);
    const step = createConstraintStep(data);
    for (const time of data.looks) step.look(poseAt(time), time);
    return { data, step };
  };
  /** The pose of a time after a document. */
  const after = (document: readonly Constraint[], time: number, context: Partial<ConstraintContext> = {}) => {
    const { data, step } = stepOf(document, context);
    const pose = poseAt(time);
    step(pose, time);
    return { pose, step, data };
  };
  return { body, rig, poseAt, placeOf, compile, stepOf, after };
}

/** How far two places are apart. */
export function apart(a: Readonly<Vec3>, b: Readonly<Vec3>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** a + b. */
export function plus(a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
