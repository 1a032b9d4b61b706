/*
 * Body parts by the names of the VRM 1.0 specification, the one vocabulary that tools of this field share
 * (W3: the 55 slots of Wicked Engine's humanoid are the same list).
 */

const FINGER_NAMES = ['Index', 'Middle', 'Ring', 'Little'] as const;
const PHALANX_NAMES = ['Proximal', 'Intermediate', 'Distal'] as const;
type SideRole =
  | 'Eye'
  | 'UpperLeg'
  | 'LowerLeg'
  | 'Foot'
  | 'Toes'
  | 'Shoulder'
  | 'UpperArm'
  | 'LowerArm'
  | 'Hand'
  | `Thumb${'Metacarpal' | 'Proximal' | 'Distal'}`
  | `${(typeof FINGER_NAMES)[number]}${(typeof PHALANX_NAMES)[number]}`;

/** A body part of a humanoid, named as in VRM 1.0. */
export type Role = 'hips' | 'spine' | 'chest' | 'upperChest' | 'neck' | 'head' | 'jaw' | `${Side}${SideRole}`;

/** A side of the body, the character's own. */
export type Side = 'left' | 'right';

const SIDE_ROLES: readonly SideRole[] = [
  'Eye',
  'UpperLeg',
  'LowerLeg',
  'Foot',
  'Toes',
  'Shoulder',
  'UpperArm',
  'LowerArm',
  'Hand',
  'ThumbMetacarpal',
  'ThumbProximal',
  'ThumbDistal',
  ...FINGER_NAMES.flatMap((finger) => PHALANX_NAMES.map((phalanx): SideRole => `${finger}${phalanx}`)),
];

/** All roles, torso first, then left, then right. */
export const ROLES: readonly Role[] = [
  'hips',
  'spine',
  'chest',
  'upperChest',
  'neck',
  'head',
  'jaw',
  ...(['left', 'right'] as const).flatMap((side) => SIDE_ROLES.map((role): Role => `${side}${role}`)),
];

/** The fifteen roles that every humanoid has (W4). */
export const REQUIRED_ROLES: readonly Role[] = [
  'hips',
  'spine',
  'head',
  ...(['left', 'right'] as const).flatMap((side): Role[] => [
    `${side}UpperLeg`,
    `${side}LowerLeg`,
    `${side}Foot`,
    `${side}UpperArm`,
    `${side}LowerArm`,
    `${side}Hand`,
  ]),
];

const roleSet: ReadonlySet<string> = new Set(ROLES);

/** Whether a string is one of {@link ROLES}. */
export function isRole(value: string): value is Role {
  return roleSet.has(value);
}

/** The side a role belongs to, or null for the torso and head. */
export function sideOf(role: Role): Side | null {
  return role.startsWith('left') ? 'left' : role.startsWith('right') ? 'right' : null;
}

/** The same body part on the other side; the torso's roles mirror to themselves. */
export function mirrorRole(role: Role): Role {
  const mirrored = role.startsWith('left')
    ? `right${role.slice(4)}`
    : role.startsWith('right')
      ? `left${role.slice(5)}`
      : role;
  return mirrored as Role;
}

/** Whether a body part is a bone of a finger or a thumb. */
export function isFinger(part: string): boolean {
  return /(Thumb|Index|Middle|Ring|Little)/.test(part);
}

/** A part of the body that is aligned, mapped and measured as one. */
export type Limb = 'torso' | 'neck' | `${Side}${'Arm' | 'Leg' | 'Thumb' | (typeof FINGER_NAMES)[number]}`;

/** The roles of each limb from its root outwards. */
export const LIMB_ROLES: Readonly<Record<Limb, readonly Role[]>> = {
  torso: ['hips', 'spine', 'chest', 'upperChest'],
  neck: ['neck', 'head'],
  ...(Object.fromEntries(
    (['left', 'right'] as const).flatMap((side) => [
      [`${side}Arm`, [`${side}Shoulder`, `${side}UpperArm`, `${side}LowerArm`, `${side}Hand`]],
      [`${side}Leg`, [`${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`, `${side}Toes`]],
      [`${side}Thumb`, [`${side}ThumbMetacarpal`, `${side}ThumbProximal`, `${side}ThumbDistal`]],
      ...FINGER_NAMES.map((finger) => [
        `${side}${finger}`,
        PHALANX_NAMES.map((phalanx) => `${side}${finger}${phalanx}`),
      ]),
    ]),
  ) as Record<Exclude<Limb, 'torso' | 'neck'>, readonly Role[]>),
};

/** The limbs, torso first. */
export const LIMBS = Object.keys(LIMB_ROLES) as readonly Limb[];

const limbOfRole = new Map<Role, Limb>(LIMBS.flatMap((limb) => LIMB_ROLES[limb].map((role) => [role, limb])));

/** The limb a role belongs to, or null (eyes and jaw belong to none). */
export function limbOf(role: Role): Limb | null {
  return limbOfRole.get(role) ?? null;
}
