import { invertMatrix, transformPoint } from '../../base/math/matrix.js';
import {
  addVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import type { Role, Side } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';
import {
  measureTouchShape,
  TOUCH_PARTS,
  type TouchPartName,
  type TouchShape,
  TYPICAL_SHAPE,
} from './touch-shape.js';

/** A part of the body as a thick line between two places that move with joints. */
export type TouchPart = {
  joints: [number, number];
  /** Places in the joints' local spaces: xyz, xyz. */
  places: Float64Array;
  /** Half its thickness, in metres: of its skin, or as bodies have it where that is not known. */
  radius: number;
};

/** The parts that hands can touch on two bodies. */
export type TouchSetup = {
  source: TouchPart[];
  target: TouchPart[];
  /** Pairs of parts, by number: a hand and what it may touch. */
  pairs: [number, number][];
  /** Limbs (numbers in `GoalSetup.limbs`) whose ends are parts 0 and 1, or −1. */
  limbs: [number, number];
  /**
   * By how much parts that touch may lie in each other, in arm lengths: skin gives way a little, and shapes that are
   * only supposed may be wrong.
   */
  dent: number;
  /** Lengths of the arms, in metres. */
  sourceArm: number;
  arm: number;
};

/** `TouchSetup.dent` where the target has a skin, and where it has none. */
const DENT = 0.05;
const LOOSE_DENT = 0.2;

/** Which parts each hand may touch, by number: the other hand and arm, head and hips. */
export const TOUCH_PAIRS: readonly [number, number][] = [
  [0, 1],
  [0, 3],
  [0, 5],
  [0, 6],
  [0, 7],
  [1, 2],
  [1, 4],
  [1, 6],
  [1, 7],
];

/** Hands keep clear of the thighs beside them too: drawn to narrow hips, they would else go through them. */
const THIGH_PAIRS: readonly [number, number][] = [
  [0, 8],
  [1, 9],
];

/** Finds what hands can touch on two bodies; null where one has no arms. */
export function createTouchSetup(
  source: Rig,
  target: Rig,
  roles: { source: RoleJoints; target: RoleJoints },
  sourceReference: ModelPose,
  reference: ModelPose,
  limbs: [number, number],
): TouchSetup | null {
  const bodies = findTouchParts(source, target, roles, sourceReference, reference);
  if (!bodies || (limbs[0] < 0 && limbs[1] < 0)) return null;
  const [from, to] = [bodies.source, bodies.target];
  const known = TOUCH_PARTS.map((_, n) => from.parts[n] !== null && to.parts[n] !== null);
  const nowhere: TouchPart = { joints: [0, 0], places: new Float64Array(6), radius: 0 };
  return {
    source: from.parts.map((part) => part ?? nowhere),
    target: to.parts.map((part) => part ?? nowhere),
    pairs: [...TOUCH_PAIRS, ...THIGH_PAIRS].filter(([a, b]) => known[a] && known[b] && limbs[a]! >= 0),
    limbs,
    dent: target.skeleton.hulls?.some((hull) => hull !== null) ? DENT : LOOSE_DENT,
    sourceArm: from.arm,
    arm: to.arm,
  };
}

/** The parts that hands can touch but for hips and thighs, beside which they hang. */
export function withoutHips(touch: TouchSetup): TouchSetup {
  return { ...touch, pairs: touch.pairs.filter(([, part]) => part < TOUCH_PARTS.indexOf('hips')) };
}

/** A touch setup with the hands of these limbs alone, −1 for none; null where there is neither. */
export function withArms(touch: TouchSetup, limbs: [number, number]): TouchSetup | null {
  if (limbs[0] < 0 && limbs[1] < 0) return null;
  return { ...touch, limbs, pairs: touch.pairs.filter(([hand]) => limbs[hand]! >= 0) };
}

/** Parts of a body in the order of `TOUCH_PARTS`, null where there is none; and the length of its arms, in metres. */
export type TouchBody = { parts: (TouchPart | null)[]; arm: number };

/**
 * Finds the parts of two bodies that hands can touch, and hands; null where one has no arms. They are as thick as their
 * skin; where it is not known, as the other body if that has the same bones, and else as bodies are.
 */
export function findTouchParts(
  source: Rig,
  target: Rig,
  roles: { source: RoleJoints; target: RoleJoints },
  sourceReference: ModelPose,
  reference: ModelPose,
): { source: TouchBody; target: TouchBody } | null {
  const [from, to] = [proportionsOf(roles.source, sourceReference), proportionsOf(roles.target, reference)];
  if (!from || !to) return null;
  const shapes = [
    measureTouchShape(source, roles.source, sourceReference, from.arm),
    measureTouchShape(target, roles.target, reference, to.arm),
  ] as const;
  const isSame = from.widths.every((width, n) => Math.abs(width - to.widths[n]!) < SAME_BODY);
  const complete = (own: TouchShape, other: TouchShape) => completeShape(own, isSame ? other : {});
  return {
    source: {
      arm: from.arm,
      parts: placeParts(complete(shapes[0], shapes[1]), roles.source, sourceReference, from.arm),
    },
    target: {
      arm: to.arm,
      parts: placeParts(complete(shapes[1], shapes[0]), roles.target, reference, to.arm),
    },
  };
}

/** Bodies whose widths and lengths differ by less than this, in arm lengths, are one. */
const SAME_BODY = 0.02;

/** The length of the arms, in metres; and in arm lengths the widths of shoulders and hips, torso and leg. */
function proportionsOf(roles: RoleJoints, model: ModelPose): { arm: number; widths: number[] } | null {
  const between = (from: Role, to: Role) => {
    const [a, b] = [roles[from], roles[to]];
    if (a === undefined || b === undefined) return 0;
    return vectorLength(
      subtractVectors(vectorAt(model.matrices, 16 * a + 12), vectorAt(model.matrices, 16 * b + 12)),
    );
  };
  const lengths = (['left', 'right'] as const)
    .map((side) => between(`${side}UpperArm`, `${side}LowerArm`) + between(`${side}LowerArm`, `${side}Hand`))
    .filter((length) => length > 1e-6);
  if (lengths.length === 0) return null;
  const arm = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const widths = [
    between('leftUpperArm', 'rightUpperArm'),
    between('leftUpperLeg', 'rightUpperLeg'),
    between('leftUpperLeg', 'leftUpperArm'),
    between('leftUpperLeg', 'leftLowerLeg') + between('leftLowerLeg', 'leftFoot'),
  ];
  return { arm, widths: widths.map((width) => width / arm) };
}

type FullShape = { radii: Record<TouchPartName, number>; head: Vec3; hips: number };

function completeShape(own: TouchShape, other: Partial<TouchShape>): FullShape {
  return {
    head: own.head ?? other.head ?? TYPICAL_SHAPE.head,
    hips: own.hips ?? other.hips ?? TYPICAL_SHAPE.hips,
    radii: { ...TYPICAL_SHAPE.radii, ...other.radii, ...own.radii },
  };
}

/** Puts the parts of a shape onto the joints of a body. */
function placeParts(
  { radii, head, hips }: FullShape,
  roles: RoleJoints,
  model: ModelPose,
  arm: number,
): (TouchPart | null)[] {
  const line = (part: TouchPartName, from: Role, to: Role): TouchPart | null => {
    const [a, b] = [roles[from], roles[to]];
    if (a === undefined || b === undefined) return null;
    return { joints: [a, b], places: new Float64Array(6), radius: radii[part] * arm };
  };
  const around = (part: TouchPartName, joint: number, ends: readonly [Vec3, Vec3]): TouchPart | null => {
    const places = placesIn(model, joint, ends);
    return places && { joints: [joint, joint], places, radius: radii[part] * arm };
  };
  const place = (joint: number): Vec3 => vectorAt(model.matrices, 16 * joint + 12);
  const hand = (side: Side) =>
    line(`${side}Hand`, `${side}Hand`, `${side}MiddleProximal`) ??
    line(`${side}Hand`, `${side}Hand`, `${side}Hand`);
  const middle = roles.head === undefined ? null : addVectors(place(roles.head), scaleVector(head, arm));
  const [left, right] = [roles.leftUpperLeg, roles.rightUpperLeg];
  const ends = left === undefined || right === undefined ? null : ([place(left), place(right)] as const);
  /** A place on the way from leg to leg, from −1 to 1. */
  const toward = (share: number): Vec3 =>
    addVectors(scaleVector(ends![0], (1 + share) / 2), scaleVector(ends![1], (1 - share) / 2));
  return [
    hand('left'),
    hand('right'),
    line('leftForearm', 'leftLowerArm', 'leftHand'),
    line('rightForearm', 'rightLowerArm', 'rightHand'),
    line('leftArm', 'leftUpperArm', 'leftLowerArm'),
    line('rightArm', 'rightUpperArm', 'rightLowerArm'),
    middle && around('head', roles.head!, [middle, middle]),
    ends && roles.hips !== undefined ? around('hips', roles.hips, [toward(hips), toward(-hips)]) : null,
    line('leftThigh', 'leftUpperLeg', 'leftLowerLeg'),
    line('rightThigh', 'rightUpperLeg', 'rightLowerLeg'),
  ];
}

/** Two places in model space as a joint's own space has them; null where that has collapsed. */
function placesIn(model: ModelPose, joint: number, ends: readonly [Vec3, Vec3]): Float64Array | null {
  const inverse = new Float64Array(16);
  if (!invertMatrix(inverse, 0, model.matrices, 16 * joint)) return null;
  const places = Float64Array.of(...ends[0], ...ends[1]);
  transformPoint(places, 0, inverse, 0, places, 0);
  transformPoint(places, 3, inverse, 0, places, 3);
  return places;
}
