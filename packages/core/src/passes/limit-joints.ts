import { UsageError } from '../base/errors.js';
import { conjugateQuaternion, multiplyQuaternions } from '../base/math/quaternion.js';
import { fieldsOf, oneOf } from '../base/plain-data.js';
import { limitAt } from '../body/chains/armature-document.js';
import type { Rig } from '../body/rig.js';
import { isRole } from '../body/roles.js';
import type { JointLimits } from '../options/joint-rules.js';
import { findJoint } from '../scene/joint-names.js';
import { modelPoseOf, type Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { JointLimit } from '../solvers/joint-limits.js';
import { compileLimit, LEG_LIMITS, type LimitedJoint, projectJoint } from '../solvers/joint-limits.js';
import { definePass } from './pass.js';

/** What human hips and knees can do (W23), for any rig with legs: see {@link LEG_LIMITS}. */
export const LEG_JOINT_LIMITS: Readonly<JointLimits> = {
  leftUpperLeg: { ...LEG_LIMITS.upperLeg, axes: 'body' },
  rightUpperLeg: { ...LEG_LIMITS.upperLeg, axes: 'body' },
  leftLowerLeg: { ...LEG_LIMITS.lowerLeg, axes: 'body' },
  rightLowerLeg: { ...LEG_LIMITS.lowerLeg, axes: 'body' },
};

/** Limits of an armature, by joint name, as the option `limits` takes them. */
export function limitsOfArmature(
  limits: Readonly<Record<number, JointLimit>>,
  { names }: Skeleton,
): JointLimits {
  return Object.fromEntries(
    Object.entries(limits).flatMap(([joint, limit]) => {
      const name = names[Number(joint)];
      return name === undefined ? [] : [[name, limit]];
    }),
  );
}

/**
 * Finds the joints that limits are given for.
 * @throws UsageError where a name is neither a joint nor a role, or a range is none. A role that the target does
 * not have limits nothing.
 */
export function resolveLimits(target: Rig, limits: Readonly<JointLimits>): LimitedJoint[] {
  const { skeleton, reference } = target;
  const model = modelPoseOf(skeleton, reference.pose);
  const found = new Map<number, LimitedJoint>();
  for (const [name, limit] of Object.entries(fieldsOf(limits, 'limits') as JointLimits)) {
    const checked = limitAt(limit, `limits.${name}`);
    if (limit.axes !== undefined) oneOf(limit.axes, ['own', 'body'], `limits.${name}.axes`);
    const joint = findJoint(skeleton, name) ?? (isRole(name) ? target.joints[name] : undefined);
    if (joint === undefined) {
      if (isRole(name)) continue;
      throw new UsageError(
        `limits names "${name}", which is no joint of "${skeleton.name}" and no body part (VRM names, such as leftLowerLeg)`,
      );
    }
    const axes = Float64Array.of(0, 0, 0, 1);
    // The joint's frame in the reference, undone, is the body's.
    if (limit.axes === 'body') conjugateQuaternion(axes, 0, model.rotations, 4 * joint);
    const rest = new Float64Array(4);
    multiplyQuaternions(rest, 0, reference.pose.rotations, 4 * joint, axes, 0);
    found.set(joint, { joint, limit: compileLimit(checked), rest, axes });
  }
  return [...found.values()].sort((a, b) => a.joint - b.joint);
}

/**
 * Brings copied joints inside the limits that were given, before goals are made: what is limited here is what limbs
 * are solved from. Turns are counted from the target's own reference pose.
 */
export const limitJoints = definePass({
  name: 'limitJoints',
  summary: 'holds joints within the limits that were given',
  options: ['limits'],
  compile({ pair: { target }, options }): LimitedJoint[] | null {
    const limits = options.limits ? resolveLimits(target, options.limits) : [];
    return limits.length > 0 ? limits : null;
  },
  needsFrames: () => 'joints are held within limits frame by frame',
  writes: (limits) => ({ turnsOn: limits.map(({ joint }) => joint) }),
  prepare: (limits) => (frame) => limitFrame(frame.target, limits),
});

function limitFrame({ rotations }: Pose, limits: readonly LimitedJoint[]): void {
  for (let n = 0; n < limits.length; n++) projectJoint(rotations, 4 * limits[n]!.joint, limits[n]!);
}
