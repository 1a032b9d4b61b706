import { transformPoint } from '../../base/math/matrix.js';
import { subtractVectors, vectorAt, vectorLength } from '../../base/math/vector.js';
import type { RoleJoints } from '../../body/body.js';
import { guessJointKinds } from '../../body/joint-kinds.js';
import type { Rig } from '../../body/rig.js';
import type { Side } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';

/** The joints of roles on both bodies, and on which sides the target's hand is its forearm's end. */
export type HandedRoles = {
  source: RoleJoints;
  target: RoleJoints;
  /** Sides on which the target has no joint of a hand: what stands in for it moves with the forearm. */
  rigid: ReadonlySet<Side>;
};

/**
 * Completes the roles that two bodies have in common by hands. Some bodies have no joint of a hand: fingers, palms or
 * a mitten hang on the forearm. Where one does and the other does not, or neither does, the joint at which the
 * forearm ends stands in for it, so that hands can stand on the floor, touch, and stay out of the ground. Arms that
 * end in nothing, or hands that the map leaves out on purpose, stay without.
 */
export function addStandInHands(
  source: Rig,
  target: Rig,
  roles: { source: RoleJoints; target: RoleJoints },
  sourceReference: ModelPose,
  reference: ModelPose,
): HandedRoles {
  const out = { source: { ...roles.source }, target: { ...roles.target } };
  const rigid = new Set<Side>();
  for (const side of ['left', 'right'] as const) {
    const hand = `${side}Hand` as const;
    if (out.target[hand] !== undefined || out.source[hand] !== undefined) continue;
    if (source.joints[hand] !== undefined && target.joints[hand] !== undefined) continue;
    const from = source.joints[hand] ?? forearmEnd(source, roles.source, sourceReference, side);
    const to = target.joints[hand] ?? forearmEnd(target, roles.target, reference, side);
    if (from === null || to === null) continue;
    out.source[hand] = from;
    out.target[hand] = to;
    if (target.joints[hand] === undefined) rigid.add(side);
  }
  return { ...out, rigid };
}

/** The joint below a forearm, far enough from the elbow to be its end, that most hangs on; null for none. */
function forearmEnd({ skeleton }: Rig, joints: RoleJoints, model: ModelPose, side: Side): number | null {
  const [upper, lower] = [joints[`${side}UpperArm`], joints[`${side}LowerArm`]];
  if (upper === undefined || lower === undefined) return null;
  const place = (joint: number) => vectorAt(model.matrices, 16 * joint + 12);
  const length = vectorLength(subtractVectors(place(lower), place(upper)));
  const kinds = guessJointKinds(skeleton);
  let found: number | null = null;
  let most = 0;
  skeleton.parents.forEach((parent, joint) => {
    if (parent !== lower) return;
    const far = vectorLength(subtractVectors(place(joint), place(lower)));
    const count = jointsBelow(skeleton, joint);
    if (far < 0.3 * length || count <= most || kinds[joint]!.kind === 'accessory') return;
    found = joint;
    most = count;
  });
  return found;
}

function jointsBelow(skeleton: Skeleton, joint: number): number {
  let count = 0;
  for (let at = joint; at < skeleton.names.length; at++) if (isAncestor(skeleton, joint, at)) count++;
  return count;
}

/** A hand is no longer than so many forearms; what is, is held by it. */
const LONGEST_HAND = 1.5;
/** Words of what hands hold, also within others: "handslot". */
const HELD_THINGS = /slot|socket|weapon|sword|shield|prop|attach|grip/i;

/**
 * Says of joints below a hand whether they are of it, rather than held: fingers are, and so is what plays no role but
 * is of the body and nowhere much farther from the wrist than the forearm is long.
 */
export function isHandJoint(
  { skeleton, joints }: Rig,
  model: ModelPose,
  { middle, end }: { middle: number; end: number },
): (joint: number) => boolean {
  const roles = new Set(Object.values(joints));
  let kinds: ReturnType<typeof guessJointKinds> | null = null;
  const wrist = vectorAt(model.matrices, 16 * end + 12);
  const farthest =
    LONGEST_HAND * vectorLength(subtractVectors(vectorAt(model.matrices, 16 * middle + 12), wrist));
  const place = new Float64Array(3);
  return (joint) => {
    if (roles.has(joint)) return true;
    kinds ??= guessJointKinds(skeleton);
    if (kinds[joint]!.kind === 'accessory' || HELD_THINGS.test(skeleton.names[joint]!.slice(0, 200)))
      return false;
    const hull = skeleton.hulls?.[joint] ?? [];
    for (let i = 0; i + 2 < hull.length; i += 3) {
      transformPoint(place, 0, model.matrices, 16 * joint, hull as Float32Array, i);
      if (vectorLength(subtractVectors(vectorAt(place, 0), wrist)) > farthest) return false;
    }
    return true;
  };
}
