/*
 * What other tools call the parts of a body, as far as their names are not those of VRM: for maps that are read and for
 * maps that are written.
 */

/** A part of the body as a tool names it, and the role that it is here. */
export type PartNames = readonly (readonly [part: string, role: string])[];

const SIDES = [
  ['Left', 'left'],
  ['Right', 'right'],
] as const;
const FINGERS = [
  ['Index', 'Index'],
  ['Middle', 'Middle'],
  ['Ring', 'Ring'],
  ['Pinky', 'Little'],
] as const;
const PHALANGES = ['Proximal', 'Intermediate', 'Distal'];
const THUMB = ['Metacarpal', 'Proximal', 'Distal'];

/** HumanIK, without spines, of which there may be ten. */
export const HUMAN_IK: PartNames = [
  ['Hips', 'hips'],
  ['Neck', 'neck'],
  ['Head', 'head'],
  ...SIDES.flatMap(([Side, side]) => [
    ...[
      ['UpLeg', 'UpperLeg'],
      ['Leg', 'LowerLeg'],
      ['Foot', 'Foot'],
      ['ToeBase', 'Toes'],
      ['Shoulder', 'Shoulder'],
      ['Arm', 'UpperArm'],
      ['ForeArm', 'LowerArm'],
      ['Hand', 'Hand'],
    ].map(([part, role]) => [`${Side}${part}`, `${side}${role}`] as const),
    ...THUMB.map((joint, n) => [`${Side}HandThumb${n + 1}`, `${side}Thumb${joint}`] as const),
    ...FINGERS.flatMap(([part, role]) =>
      PHALANGES.map((joint, n) => [`${Side}Hand${part}${n + 1}`, `${side}${role}${joint}`] as const),
    ),
  ]),
];

/** The fields of a preset of Expy Kit, without those of the spine. */
export const EXPY_KIT: PartNames = [
  ['spine.hips', 'hips'],
  ['spine.neck', 'neck'],
  ['spine.head', 'head'],
  ['face.jaw', 'jaw'],
  ['face.left_eye', 'leftEye'],
  ['face.right_eye', 'rightEye'],
  ...SIDES.flatMap(([, side]) => [
    ...[
      ['leg.upleg', 'UpperLeg'],
      ['leg.leg', 'LowerLeg'],
      ['leg.foot', 'Foot'],
      ['leg.toe', 'Toes'],
      ['arm.shoulder', 'Shoulder'],
      ['arm.arm', 'UpperArm'],
      ['arm.forearm', 'LowerArm'],
      ['arm.hand', 'Hand'],
    ].map(([part, role]) => [`${side}_${part}`, `${side}${role}`] as const),
    ...THUMB.map((joint, n) => [`${side}_fingers.thumb.${'abc'[n]}`, `${side}Thumb${joint}`] as const),
    ...FINGERS.flatMap(([part, role]) =>
      PHALANGES.map(
        (joint, n) =>
          [`${side}_fingers.${part.toLowerCase()}.${'abc'[n]}`, `${side}${role}${joint}`] as const,
      ),
    ),
  ]),
];

/** What Rokoko calls the three joints of a finger. */
const ROKOKO_PHALANGES = ['Proximal', 'Medial', 'Distal'];

/** The keys of Rokoko's name lists; `spine` is the whole trunk where there is no `chest`. */
export const ROKOKO: PartNames = [
  ['hip', 'hips'],
  ['spine', 'spine'],
  ['chest', 'chest'],
  ['neck', 'neck'],
  ['head', 'head'],
  ...SIDES.flatMap(([, side]) => [
    ...THUMB.map((joint, n) => [`${side}Thumb${ROKOKO_PHALANGES[n]}`, `${side}Thumb${joint}`] as const),
    ...FINGERS.flatMap(([, finger]) =>
      PHALANGES.map(
        (joint, n) => [`${side}${finger}${ROKOKO_PHALANGES[n]}`, `${side}${finger}${joint}`] as const,
      ),
    ),
    ...[
      ['Shoulder', 'Shoulder'],
      ['UpperArm', 'UpperArm'],
      ['LowerArm', 'LowerArm'],
      ['Hand', 'Hand'],
      ['UpLeg', 'UpperLeg'],
      ['Leg', 'LowerLeg'],
      ['Foot', 'Foot'],
      ['Toe', 'Toes'],
    ].map(([part, role]) => [`${side}${part}`, `${side}${role}`] as const),
  ]),
];

/** The parts that a trunk of so many joints is made of, from the hips up: the last of three and more is the upper chest. */
export function trunkRoles(count: number): (string | null)[] {
  return Array.from({ length: count }, (_, n) =>
    n === 0 ? 'spine' : n === 1 ? 'chest' : n === count - 1 ? 'upperChest' : null,
  );
}

/** A role as Unity names it: VRM's name with a capital, with spaces where it is a finger, and another first joint of the thumb. */
export function unityPart(role: string): string {
  const part = role.charAt(0).toUpperCase() + role.slice(1);
  const [, side, finger, joint] =
    /^(Left|Right)(Thumb|Index|Middle|Ring|Little)(Metacarpal|Proximal|Intermediate|Distal)$/.exec(part) ??
    [];
  if (!side) return part;
  const named =
    finger !== 'Thumb' || joint === 'Distal' ? joint : joint === 'Metacarpal' ? 'Proximal' : 'Intermediate';
  return `${side} ${finger} ${named}`;
}
