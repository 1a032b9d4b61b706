import type { Role } from '../../body/roles.js';
import { childrenOf } from '../../scene/skeleton.js';
import { carriersIn, isCarriedBy } from '../carrying-tree.js';
import type { EditedBody } from '../edited-body.js';

const ROOTS = /(UpperArm|UpperLeg)$/;
const TRUNK_OF_LIMBS: ReadonlySet<string> = new Set<Role>(['hips', 'spine', 'chest', 'upperChest']);

/**
 * Where the limb begins that a joint is part of: the upper arm or leg above it; else the last joint above it that
 * stands in a row with it, below where the body parts.
 */
export function limbRootOf(body: EditedBody, joint: number): number {
  const { skeleton, joints, parts } = body;
  const roles = new Map<number, string>(Object.entries(joints).map(([role, at]) => [at, role]));
  parts?.forEach((part, at) => {
    if (part !== null && !roles.has(at)) roles.set(at, part);
  });
  const carriers = carriersIn(body);
  const children = childrenOf(skeleton);
  let row = joint;
  let isRow = true;
  for (let at = joint; at >= 0; at = carriers[at]!) {
    if (ROOTS.test(roles.get(at) ?? '')) return at;
    if (TRUNK_OF_LIMBS.has(roles.get(at) ?? '')) break;
    if (at !== joint && children[at]!.length > 1) isRow = false;
    if (isRow) row = at;
  }
  return row;
}

/** What hangs on the trunk. */
const HANGING: readonly Role[] = ['head', 'leftUpperArm', 'rightUpperArm', 'leftUpperLeg', 'rightUpperLeg'];

/** Per joint of a list whether it is of the trunk: it carries more than one limb, or limb and head. */
export function trunkOf(body: EditedBody, list: Int32Array): Uint8Array {
  const { joints } = body;
  const carriers = carriersIn(body);
  const limbs = HANGING.flatMap((role) => joints[role] ?? []);
  return Uint8Array.from(list, (joint) =>
    limbs.filter((limb) => isCarriedBy(carriers, joint, limb)).length > 1 ? 1 : 0,
  );
}
