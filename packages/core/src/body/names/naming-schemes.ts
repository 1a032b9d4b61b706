import { UsageError } from '../../base/errors.js';
import { findJoint } from '../../scene/joint-names.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { RoleJoints } from '../body.js';
import type { Role } from '../roles.js';

/** The names of joints by the body parts they are: a naming scheme of one's own. */
export type NamingScheme = Readonly<Partial<Record<Role, string>>>;

/** Mixamo's words for the body parts of one side. */
const SIDE: Readonly<Record<string, string>> = {
  Shoulder: 'Shoulder',
  UpperArm: 'Arm',
  LowerArm: 'ForeArm',
  Hand: 'Hand',
  UpperLeg: 'UpLeg',
  LowerLeg: 'Leg',
  Foot: 'Foot',
  Toes: 'ToeBase',
  ThumbMetacarpal: 'HandThumb1',
  ThumbProximal: 'HandThumb2',
  ThumbDistal: 'HandThumb3',
  ...Object.fromEntries(
    ['Index', 'Middle', 'Ring', 'Little'].flatMap((finger) =>
      ['Proximal', 'Intermediate', 'Distal'].map((part, n) => [
        `${finger}${part}`,
        `Hand${finger === 'Little' ? 'Pinky' : finger}${n + 1}`,
      ]),
    ),
  ),
};

function mixamo(prefix: string): NamingScheme {
  const trunk = {
    hips: 'Hips',
    spine: 'Spine',
    chest: 'Spine1',
    upperChest: 'Spine2',
    neck: 'Neck',
    head: 'Head',
  };
  const sides = (['left', 'right'] as const).flatMap((side) =>
    Object.entries(SIDE).map(([part, word]) => [
      `${side}${part}`,
      `${side === 'left' ? 'Left' : 'Right'}${word}`,
    ]),
  );
  const all = [...Object.entries(trunk), ...sides];
  return Object.fromEntries(all.map(([role, word]) => [role, `${prefix}${word}`]));
}

/**
 * The Dude of Babylon.js, who came from the skinning sample of XNA and lost his joints' names on the way: `bone` and the
 * joint's number there. Root 0, pelvis 1, four joints of the spine from 2, neck 6, head 7, eyes to 11, then an arm
 * with five fingers of three joints from 12 and from 31, a leg from 50 and from 54.
 */
function dude(): NamingScheme {
  const named: Partial<Record<Role, string>> = {};
  const number = (roles: readonly string[], first: number) => {
    roles.forEach((role, n) => {
      named[role as Role] = `bone${first + n}`;
    });
  };
  number(['hips', 'spine', 'chest'], 1);
  number(['upperChest', 'neck', 'head'], 5);
  const fingers = ['Index', 'Middle', 'Ring', 'Little'].flatMap((finger) =>
    ['Proximal', 'Intermediate', 'Distal'].map((part) => finger + part),
  );
  const thumb = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'];
  const arm = ['Shoulder', 'UpperArm', 'LowerArm', 'Hand', ...thumb, ...fingers];
  const leg = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'];
  for (const [side, armAt, legAt] of [
    ['left', 12, 50],
    ['right', 31, 54],
  ] as const) {
    number(
      arm.map((part) => side + part),
      armAt,
    );
    number(
      leg.map((part) => side + part),
      legAt,
    );
  }
  return named;
}

/** The naming schemes that have a name: those of Babylon's Animation Retargeting Tool (B27). */
export const NAMING_SCHEMES: Readonly<Record<string, NamingScheme>> = {
  mixamo_full: mixamo('mixamorig:'),
  mixamo_no_namespace: mixamo(''),
  dude: dude(),
};

/** The names of {@link NAMING_SCHEMES}. */
export const NAMING_SCHEME_NAMES = Object.keys(NAMING_SCHEMES) as readonly string[];

/**
 * The joint names of a scheme, by its name or as they are.
 * @throws UsageError that lists the names there are.
 */
export function namingScheme(scheme: string | NamingScheme, at = 'namingScheme'): NamingScheme {
  if (typeof scheme !== 'string') return scheme;
  if (Object.hasOwn(NAMING_SCHEMES, scheme)) return NAMING_SCHEMES[scheme]!;
  throw new UsageError(
    `${at} is "${scheme}"; it is ${NAMING_SCHEME_NAMES.map((name) => `"${name}"`).join(', ')}, or joint names by body part`,
  );
}

/**
 * Which joint of a skeleton is which body part, by a naming scheme.
 * @throws UsageError where the skeleton has none of its joints.
 */
export function rolesOfScheme(scheme: string | NamingScheme, skeleton: Skeleton, at: string): RoleJoints {
  const names = namingScheme(scheme, at);
  const roles: RoleJoints = {};
  for (const [role, name] of Object.entries(names)) {
    const joint = findJoint(skeleton, name);
    if (joint !== null) roles[role as Role] = joint;
  }
  if (Object.keys(roles).length === 0)
    throw new UsageError(
      `${at}: "${skeleton.name}" has none of the joints that it names, such as ${Object.values(names)
        .slice(0, 3)
        .map((name) => `"${name}"`)
        .join(', ')}`,
    );
  return roles;
}

/**
 * Joint names of one scheme by those of another, for body parts that both name: Babylon's `mapNodeNames` for two
 * characters whose schemes are known.
 */
export function renameJoints(from: string | NamingScheme, to: string | NamingScheme): Map<string, string> {
  const [source, target] = [namingScheme(from, 'from'), namingScheme(to, 'to')];
  return new Map(
    Object.entries(source).flatMap(([role, name]) => {
      const other = target[role as Role];
      return other === undefined ? [] : [[name, other] as const];
    }),
  );
}
