import { UsageError } from '../../base/errors.js';
import { LIMB_ROLES, type Limb, type Role } from '../../body/roles.js';
import type { JointWeights, NumberCurve } from '../../options/limb-rules.js';
import { meantName } from '../../options/nearest-name.js';
import type { EditWarning } from '../edit-warnings.js';
import type { EditedBody } from '../edited-body.js';
import { findJoints } from './find-joints.js';

/** What is no weight at all while others are: a joint that may turn at other times keeps its place in the system. */
export const IDLE_WEIGHT = 1e-4;

/** The largest that a weight ever is. */
export function largestWeight(weight: number | NumberCurve): number {
  return typeof weight === 'number' ? weight : Math.max(...weight.map(({ value }) => value));
}

/**
 * Weights by what people call joints (a role, a joint's name, a limb such as `leftArm`, a query such as `every knee`) as
 * weights by joint. What names one joint has the last word over what names many.
 * @throws UsageError where a weight is below 0 or has no keys.
 */
export function resolveWeights(
  body: EditedBody,
  weights: JointWeights,
  warnings: EditWarning[],
): Record<number, number | NumberCurve> {
  const found: { joints: number[]; weight: number | NumberCurve }[] = [];
  for (const [name, weight] of Object.entries(weights)) {
    const values = typeof weight === 'number' ? [weight] : weight.map(({ value }) => value);
    if (values.length === 0) throw new UsageError(`jointWeights.${name}: has no keys`);
    const wrong = values.find((value) => !(value >= 0));
    if (wrong !== undefined) throw new UsageError(`jointWeights.${name}: must be 0 or more, and is ${wrong}`);
    const joints = jointsOf(body, name);
    if (joints.length === 0)
      warnings.push({
        code: 'constraint-ignored',
        message: `jointWeights.${name}: "${body.skeleton.name}" has no such joint or limb${meantName(name, [...Object.keys(LIMB_ROLES), ...Object.keys(body.joints), ...body.skeleton.names])}`,
      });
    found.push({ joints, weight });
  }
  const byJoint: Record<number, number | NumberCurve> = {};
  for (const { joints, weight } of found.sort((a, b) => b.joints.length - a.joints.length))
    for (const joint of joints) byJoint[joint] = weight;
  return byJoint;
}

function jointsOf(body: EditedBody, name: string): number[] {
  const roles: readonly Role[] | undefined = LIMB_ROLES[name as Limb];
  const limb = roles?.flatMap((role) => body.joints[role] ?? []) ?? [];
  // The neck is a limb and a joint of it: who says so means the joint.
  const named = findJoints(body, name);
  return named.length > 0 ? named : limb;
}
