import type { Role, Side } from '@stuntdouble/core/engine';
import type { Body, BodyPose } from '../body/body.js';
import { axesAlongX, boneOf } from '../sample-rig.js';
import { pitch, type Quat, roll } from '../vector.js';

/*
 * How programs and collections write captures: the same body and motion under other names, in other units, with
 * other orders of turns and other zero poses. Names and units are those that the files of each have.
 */

/** An order in which a joint's three turns are written, the outermost first. */
export type EulerOrder = 'XYZ' | 'XZY' | 'YXZ' | 'YZX' | 'ZXY' | 'ZYX';

/** A joint of a capture: its name, the body part it moves with (null: it never turns), its children. */
export type BvhJoint = { name: string; role: Role | null; children: readonly BvhJoint[] };

/** How a capture is laid out. */
export type BvhDialect = {
  root: BvhJoint;
  /** Metres a unit. */
  unit: number;
  order: EulerOrder;
  /** Decimals of every number; 5 if left out. */
  digits?: number;
  /** The pose of all zeros; the T-pose if left out. */
  zeroPose?: (body: Body) => BodyPose;
  /** A joint's own axes in the zero pose; the body's if left out. */
  axes?: (body: Body, role: Role) => Quat;
  /** Body space (+Y up) to the file's; the same if left out. */
  space?: Quat;
  /** Whether the root's OFFSET is where the hips stand; zero if left out. */
  rootOffset?: 'zero' | 'hips';
  /** Whether every joint has position channels. */
  placesAll?: boolean;
  /** Whether a T-pose comes before the motion; true if left out. */
  startsInTPose?: boolean;
  /** What stands at the end of the lines of channels and of frames. */
  blank?: string;
};

type Row = readonly [name: string, role: Role | null];

/** Joints in a row, with what hangs on the last one. */
function chain(rows: readonly Row[], ends: readonly BvhJoint[] = []): BvhJoint {
  const [[name, role], ...rest] = rows as [Row, ...Row[]];
  return { name, role, children: rest.length > 0 ? [chain(rest, ends)] : ends };
}

/** A body of one name a part: sides are told apart by a function of the side and the word. */
function bodyOf(words: {
  hips: string;
  trunk: readonly Row[];
  neck: readonly Row[];
  sided: (side: Side, word: string) => string;
  /** Shoulder, upper arm, forearm, hand; then what hangs on the hand. */
  arm: readonly string[];
  hand?: readonly (readonly string[])[];
  /** Thigh, shin, foot, toes; with a joint before them that never turns, if there are five. */
  leg: readonly string[];
}): BvhJoint {
  const { sided } = words;
  const limb = (side: Side, names: readonly string[], roles: readonly string[], ends: BvhJoint[] = []) => {
    const extra = Math.max(0, names.length - roles.length);
    const rows = names.map(
      (word, i): Row => [sided(side, word), i < extra ? null : (`${side}${roles[i - extra]}` as Role)],
    );
    return chain(rows, ends);
  };
  const still = (side: Side) =>
    (words.hand ?? []).map((names) => chain(names.map((word): Row => [sided(side, word), null])));
  const arms = (['left', 'right'] as const).map((side) =>
    limb(side, words.arm, ['Shoulder', 'UpperArm', 'LowerArm', 'Hand'], still(side)),
  );
  const legs = (['left', 'right'] as const).map((side) =>
    limb(side, words.leg, ['UpperLeg', 'LowerLeg', 'Foot', 'Toes']),
  );
  return {
    name: words.hips,
    role: 'hips',
    children: [chain(words.trunk, [chain(words.neck), ...arms]), ...legs],
  };
}

const leftRight = (side: Side, word: string) => (side === 'left' ? `Left${word}` : `Right${word}`);

/** Biovision's classic names: Chest to Chest3 for the trunk, Hip, Knee and Ankle for a leg. */
const BIOVISION_BODY = bodyOf({
  hips: 'Hips',
  trunk: [
    ['Chest', 'spine'],
    ['Chest2', 'chest'],
    ['Chest3', 'upperChest'],
  ],
  neck: [
    ['Neck', 'neck'],
    ['Head', 'head'],
  ],
  sided: leftRight,
  arm: ['Collar', 'Shoulder', 'Elbow', 'Wrist'],
  leg: ['Hip', 'Knee', 'Ankle', 'Toe'],
});

/** Biovision's names in centimetres. */
export const BIOVISION: BvhDialect = { root: BIOVISION_BODY, unit: 0.01, order: 'ZXY' };

/** Arms and fingers straight down, feet forward: the zero pose of early captures. */
function hanging(body: Body): BodyPose {
  return {
    turns: { leftUpperArm: roll(-90), rightUpperArm: roll(90) },
    hips: body.joints.hips!,
  };
}

const HUMAN_IK = {
  hips: 'Hips',
  sided: leftRight,
  arm: ['Shoulder', 'Arm', 'ForeArm', 'Hand'],
  neck: [
    ['Neck', 'neck'],
    ['Head', 'head'],
  ],
} as const;

const THREE_SPINES = [
  ['Spine', 'spine'],
  ['Spine1', 'chest'],
  ['Spine2', 'upperChest'],
] as const;

/** The dialects by the names that their files have. */
export const BVH_DIALECTS = {
  /** The arms hang in the zero pose, inches. */
  biovision: {
    root: BIOVISION_BODY,
    unit: 0.0254,
    order: 'ZXY',
    digits: 4,
    zeroPose: hanging,
    startsInTPose: false,
  },
  /** As cgspeed converted CMU's captures for MotionBuilder: units of 1/0.45 inch, joints that never turn. */
  cmu: {
    root: bodyOf({
      ...HUMAN_IK,
      trunk: [
        ['LowerBack', 'spine'],
        ['Spine', 'chest'],
        ['Spine1', 'upperChest'],
      ],
      neck: [
        ['Neck', null],
        ['Neck1', 'neck'],
        ['Head', 'head'],
      ],
      // CMU names a few joints by one letter.
      sided: (side, word) =>
        word.startsWith('*') ? `${side === 'left' ? 'L' : 'R'}${word.slice(1)}` : leftRight(side, word),
      hand: [['FingerBase', 'HandIndex1'], ['*Thumb']],
      leg: ['*HipJoint', 'UpLeg', 'Leg', 'Foot', 'ToeBase'],
    }),
    unit: 0.0254 / 0.45,
    order: 'ZYX',
    digits: 4,
  },
  /** Bones along X in every joint's own axes: the pose of all zeros is no body. */
  lafan1: {
    root: bodyOf({ ...HUMAN_IK, trunk: THREE_SPINES, leg: ['UpLeg', 'Leg', 'Foot', 'Toe'] }),
    unit: 0.01,
    order: 'ZYX',
    digits: 4,
    axes: (body, role) =>
      axesAlongX(boneOf(body, role), /Arm|Hand|Shoulder/.test(role) ? [0, 1, 0] : [0, 0, 1]),
    rootOffset: 'hips',
    startsInTPose: false,
  },
  xsens: {
    root: bodyOf({
      ...HUMAN_IK,
      trunk: [
        ['Chest', 'spine'],
        ['Chest2', 'chest'],
        ['Chest3', 'upperChest'],
        ['Chest4', null],
      ],
      arm: ['Collar', 'Shoulder', 'Elbow', 'Wrist'],
      leg: ['Hip', 'Knee', 'Ankle', 'Toe'],
    }),
    unit: 0.01,
    order: 'YXZ',
    digits: 4,
  },
  rokoko: {
    root: bodyOf({
      ...HUMAN_IK,
      trunk: [
        ['Spine1', 'spine'],
        ['Spine2', 'chest'],
        ['Spine3', 'upperChest'],
        ['Spine4', null],
      ],
      leg: ['Thigh', 'Shin', 'Foot', 'Toe'],
    }),
    unit: 0.01,
    order: 'ZXY',
    digits: 4,
    rootOffset: 'hips',
  },
  /** Every joint has position channels that never change. */
  neuron: {
    root: bodyOf({
      ...HUMAN_IK,
      trunk: [...THREE_SPINES, ['Spine3', null]],
      hand: [
        ['HandThumb1', 'HandThumb2'],
        ['InHandIndex', 'HandIndex1'],
      ],
      leg: ['UpLeg', 'Leg', 'Foot'],
    }),
    unit: 0.01,
    order: 'YXZ',
    placesAll: true,
    digits: 4,
  },
  /** Metres, Z up. */
  smpl: {
    root: bodyOf({
      hips: 'Pelvis',
      trunk: [
        ['Spine1', 'spine'],
        ['Spine2', 'chest'],
        ['Spine3', 'upperChest'],
      ],
      neck: [
        ['Neck', 'neck'],
        ['Head', 'head'],
      ],
      sided: (side, word) => `${side === 'left' ? 'L' : 'R'}_${word}`,
      arm: ['Collar', 'Shoulder', 'Elbow', 'Wrist'],
      leg: ['Hip', 'Knee', 'Ankle', 'Foot'],
    }),
    unit: 1,
    order: 'XYZ',
    space: pitch(90),
    startsInTPose: false,
  },
  mixamo: {
    root: bodyOf({
      hips: 'mixamorig:Hips',
      trunk: THREE_SPINES.map(([name, role]) => [`mixamorig:${name}`, role] as const),
      neck: [
        ['mixamorig:Neck', 'neck'],
        ['mixamorig:Head', 'head'],
      ],
      sided: (side, word) => `mixamorig:${leftRight(side, word)}`,
      arm: HUMAN_IK.arm,
      leg: ['UpLeg', 'Leg', 'Foot', 'ToeBase'],
    }),
    unit: 0.01,
    order: 'XYZ',
    digits: 4,
    rootOffset: 'hips',
    startsInTPose: false,
  },
  /** A blank at the end of each list of channels, as MotionBuilder leaves it. */
  motionbuilder: {
    root: bodyOf({ ...HUMAN_IK, trunk: THREE_SPINES, leg: ['UpLeg', 'Leg', 'Foot', 'ToeBase'] }),
    unit: 0.01,
    order: 'XYZ',
    blank: ' ',
    digits: 6,
  },
} as const satisfies Record<string, BvhDialect>;

/** The name of a dialect. */
export type BvhDialectName = keyof typeof BVH_DIALECTS;
