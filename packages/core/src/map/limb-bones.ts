import type { RoleJoints } from '../body/body.js';
import { LIMB_ROLES, LIMBS, type Limb, limbOf, type Role } from '../body/roles.js';

/** A bone that both sides have: from joint to joint, on the source and on the target. */
export type LimbBone = { limb: Limb; source: [number, number]; target: [number, number] };

/** The bones of arms, hands and fingers that both sides have, the hand's ending at the root of the middle finger. */
export function limbBones(source: RoleJoints, target: RoleJoints): LimbBone[] {
  const bones: LimbBone[] = [];
  const add = (from: Role, to: Role) => {
    const [s0, s1, t0, t1] = [source[from], source[to], target[from], target[to]];
    if (s0 === undefined || s1 === undefined || t0 === undefined || t1 === undefined) return;
    bones.push({ limb: limbOf(from)!, source: [s0, s1], target: [t0, t1] });
  };
  for (const limb of LIMBS) {
    if (limb === 'torso' || limb === 'neck' || limb.endsWith('Leg')) continue;
    const roles = LIMB_ROLES[limb].filter(
      (role) => !role.endsWith('Shoulder') && source[role] !== undefined && target[role] !== undefined,
    );
    for (let i = 1; i < roles.length; i++) add(roles[i - 1]!, roles[i]!);
  }
  for (const side of ['left', 'right'] as const) add(`${side}Hand`, `${side}MiddleProximal`);
  return bones;
}
