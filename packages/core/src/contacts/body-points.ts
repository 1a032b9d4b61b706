import { distanceFlat } from '../base/math/flat-vectors.js';
import { createMatrix, invertMatrix, transformPoint } from '../base/math/matrix.js';
import {
  addVectors,
  directionOf,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../base/math/vector.js';
import { LEG_NAMES, legsOfAnimal } from '../body/animal-legs.js';
import type { RoleJoints } from '../body/body.js';
import { footJoints, lowestJoint, lowestSkin } from '../body/floor.js';
import type { Rig } from '../body/rig.js';
import type { Role, Side } from '../body/roles.js';
import type { PointName } from '../options/contact.js';
import { type ModelPose, modelPoseOf } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import {
  BALL,
  FARTHEST_BALL,
  LEANING_LEG,
  LEG_UNIT,
  PALM,
  PART_THICKNESS,
  SHORTEST_FOOT,
  THICKEST_PART,
  THINNEST_PART,
  TOE_AHEAD,
  UNEVEN,
} from './contact-rules.js';

/** A place of the body that moves with one joint. */
export type BodyPoint = {
  name: PointName;
  joint: number;
  /** Where it is, in the joint's own local space. */
  offset: Vec3;
  /** How high it is over what carries it, in hip heights: 0 where it is on the skin or the sole. */
  standing: number;
};

/** The points of the feet, which slide, float and sink. */
export const SOLE_POINTS: readonly PointName[] = [
  'leftHeel',
  'leftToe',
  'rightHeel',
  'rightToe',
  ...LEG_NAMES.map((leg) => `${leg}Foot` as const),
];

/**
 * The length that everything about contacts is measured in: the height of the hips over the floor in the
 * reference pose, in metres; of an animal at least half of what its legs are long; of a body without hips half its
 * height. Never 0.
 */
export function hipHeightOf(rig: Rig, joints: RoleJoints = rig.joints): number {
  const hips = joints.hips ?? rig.body?.parts.findIndex(({ part }) => part === 'hips') ?? -1;
  if (hips >= 0) {
    const model = modelPoseOf(rig.skeleton, rig.reference.pose);
    const height = model.matrices[16 * hips + 13]! - rig.floor.height;
    // A spider's body hangs low between its legs: those are the measure of its steps.
    const unit = joints.hips === undefined ? Math.max(height, LEG_UNIT * legLength(rig, model)) : height;
    // Hips that lie on the floor are no measure of a body.
    if (unit > 0.1 * rig.space.height && Number.isFinite(unit)) return unit;
  }
  const half = rig.space.height / 2;
  return half > 0 && Number.isFinite(half) ? half : 1;
}

/** Bones of an animal's leg together on the mean, from its root to its paw, in metres; 0 where no leg is known. */
function legLength(rig: Rig, { matrices }: ModelPose): number {
  const legs = legsOfAnimal(rig);
  let sum = 0;
  for (const { joints } of legs)
    for (let k = 1; k < joints.length; k++)
      sum += distanceFlat(matrices, 16 * joints[k - 1]! + 12, matrices, 16 * joints[k]! + 12);
  return legs.length > 0 ? sum / legs.length : 0;
}

/**
 * The points of the feet: the heel on the floor below the ankle, and the ball: the toe joint, or, where there
 * is none, a point on the sole ahead of the ankle. Both sides of a retarget use this one definition. A
 * four-footed animal has one point a foot. Empty where no feet are known.
 * @param joints The joints of the roles; the rig's own if left out.
 */
export function solePoints(rig: Rig, joints: RoleJoints = rig.joints): BodyPoint[] {
  const { skeleton, floor } = rig;
  const model = modelPoseOf(skeleton, rig.reference.pose);
  const unit = hipHeightOf(rig, joints);
  const lowest = lowestJoint(model, footJoints(skeleton, joints));
  const points: BodyPoint[] = [];
  for (const side of ['left', 'right'] as const) {
    const foot = joints[`${side}Foot`];
    if (foot === undefined) continue;
    const toes = joints[`${side}Toes`];
    const parts = footJoints(skeleton, {
      leftFoot: foot,
      ...(toes !== undefined && { leftToes: toes }),
    });
    const ankle = vectorAt(model.matrices, 16 * foot + 12);
    const skin = lowestSkin(skeleton, model, parts);
    // Without skin a foot that is lifted in the reference has its sole as far below it as the other.
    const sole = Number.isFinite(skin) ? skin : floor.height + lowestJoint(model, parts) - lowest;
    // A foot that is a little higher than the other in the reference stays so: it is how the body stands.
    const over = (sole - floor.height) / unit;
    const standing = Math.abs(over) < UNEVEN ? over : 0;
    const heel = offsetOf(model, foot, [ankle[0], sole, ankle[2]]);
    if (heel) points.push({ name: `${side}Heel`, joint: foot, offset: heel, standing });
    if (toes !== undefined) {
      const height = Math.max(0, (model.matrices[16 * toes + 13]! - sole) / unit);
      points.push({ name: `${side}Toe`, joint: toes, offset: [0, 0, 0], standing: standing + height });
      continue;
    }
    const ahead = ballAhead(skeleton, model, parts, ankle, unit);
    const ball = offsetOf(model, foot, [ankle[0], sole, ankle[2] + ahead]);
    if (ball) points.push({ name: `${side}Toe`, joint: foot, offset: ball, standing });
  }
  return points.length > 0 ? points : pawPoints(rig, model);
}

/** How far ahead of the ankle the ball of a foot without toes is, in metres. */
function ballAhead(
  skeleton: Skeleton,
  model: ModelPose,
  parts: readonly number[],
  ankle: Readonly<Vec3>,
  unit: number,
): number {
  let tip = Number.NEGATIVE_INFINITY;
  const place = new Float64Array(3);
  for (const joint of parts) {
    const hull = skeleton.hulls?.[joint];
    if (!hull) continue;
    for (let i = 0; i < hull.length; i += 3) {
      transformPoint(place, 0, model.matrices, 16 * joint, hull, i);
      if (place[2]! - ankle[2] > tip) tip = place[2]! - ankle[2];
    }
  }
  return tip > SHORTEST_FOOT * unit ? Math.min(BALL * tip, FARTHEST_BALL * unit) : TOE_AHEAD * unit;
}

/** One point a foot of an animal: on the floor below the last joint of each leg, or at the tip of a leg that leans. */
function pawPoints(rig: Rig, model: ModelPose): BodyPoint[] {
  const unit = hipHeightOf(rig);
  return legsOfAnimal(rig).flatMap(({ name, joints }): BodyPoint[] => {
    const joint = joints[joints.length - 1]!;
    const at = vectorAt(model.matrices, 16 * joint + 12);
    const tip = lowestPlace(rig, model, joint) ?? at;
    const place: Vec3 = at[1] - tip[1] > LEANING_LEG * unit ? tip : [at[0], tip[1], at[2]];
    const over = (tip[1] - rig.floor.height) / unit;
    const standing = Math.abs(over) < UNEVEN ? over : 0;
    const offset = offsetOf(model, joint, place);
    return offset ? [{ name: `${name}Foot`, joint, offset, standing }] : [];
  });
}

/** Where the lowest skin of a joint and of all below it is; of a body without skin the lowest of these joints. */
function lowestPlace({ skeleton }: Rig, model: ModelPose, joint: number): Vec3 | null {
  let lowest: Vec3 | null = null;
  const spot = new Float64Array(3);
  const paw = footJoints(skeleton, { leftFoot: joint });
  for (const part of paw) {
    const hull = skeleton.hulls?.[part];
    for (let i = 0; hull && i < hull.length; i += 3) {
      transformPoint(spot, 0, model.matrices, 16 * part, hull, i);
      if (spot[1]! < (lowest?.[1] ?? Number.POSITIVE_INFINITY)) lowest = vectorAt(spot, 0);
    }
  }
  if (lowest) return lowest;
  for (const part of paw) {
    const at = vectorAt(model.matrices, 16 * part + 12);
    if (at[1] < (lowest?.[1] ?? Number.POSITIVE_INFINITY)) lowest = at;
  }
  return lowest;
}

/** An animal's hips, and the last of its spine, each with how far below it the belly is; none where no leg is known. */
function animalTrunkPoints(rig: Rig, model: ModelPose): BodyPoint[] {
  if (legsOfAnimal(rig).length === 0) return [];
  const unit = hipHeightOf(rig);
  // Parents stand before their children.
  const last = (test: (part: string) => boolean) =>
    rig.body!.parts.reduce((found, { part }, joint) => (part && test(part) ? joint : found), -1);
  const at = [
    ['hips', last((part) => part === 'hips'), PART_THICKNESS.hips],
    ['back', last((part) => part.startsWith('spine')), PART_THICKNESS.back],
  ] as const;
  return at.flatMap(([name, joint, usual]) => {
    if (joint < 0) return [];
    const below = (model.matrices[16 * joint + 13]! - lowestSkin(rig.skeleton, model, [joint])) / unit;
    const isLikely = below > THINNEST_PART * usual && below < THICKEST_PART * usual;
    return [{ name, joint, offset: [0, 0, 0], standing: isLikely ? below : usual }];
  });
}

/**
 * All points of a body that can carry it: those of {@link solePoints}, then the knuckles, elbows, knees, hips,
 * back and head, each with its thickness.
 */
export function bodyPoints(rig: Rig, joints: RoleJoints = rig.joints): BodyPoint[] {
  const { skeleton } = rig;
  const points = solePoints(rig, joints);
  const model = modelPoseOf(skeleton, rig.reference.pose);
  if (Object.keys(joints).length === 0) return [...points, ...animalTrunkPoints(rig, model)];
  const unit = hipHeightOf(rig, joints);
  const add = (name: PointName, role: Role, thickness: number) => {
    const joint = joints[role];
    if (joint === undefined) return;
    points.push({
      name,
      joint,
      offset: [0, 0, 0],
      standing: thicknessAt(rig, model, joint, unit, thickness),
    });
  };
  for (const side of ['left', 'right'] as const) {
    const hand = joints[`${side}Hand`];
    if (hand !== undefined) {
      const offset = offsetOf(model, hand, knucklesOf(rig, joints, model, side, hand, unit));
      if (offset) points.push({ name: `${side}Hand`, joint: hand, offset, standing: PART_THICKNESS.Hand });
    }
    add(`${side}Elbow`, `${side}LowerArm`, PART_THICKNESS.Elbow);
    add(`${side}Knee`, `${side}LowerLeg`, PART_THICKNESS.Knee);
  }
  add('hips', 'hips', PART_THICKNESS.hips);
  const back = (['upperChest', 'chest', 'spine'] as const).find((role) => joints[role] !== undefined);
  if (back) add('back', back, PART_THICKNESS.back);
  add('head', 'head', PART_THICKNESS.head);
  return points;
}

/**
 * Where the knuckles of a hand are: they stay on the floor while the wrist rolls over them. The root of a
 * finger; else half way to the farthest joint below the hand; else on, where the forearm points.
 */
function knucklesOf(
  { skeleton }: Rig,
  joints: RoleJoints,
  model: ModelPose,
  side: Side,
  hand: number,
  unit: number,
): Vec3 {
  const at = (joint: number) => vectorAt(model.matrices, 16 * joint + 12);
  const wrist = at(hand);
  for (const finger of ['Middle', 'Index', 'Ring'] as const) {
    const joint = joints[`${side}${finger}Proximal`];
    if (joint !== undefined) return at(joint);
  }
  let tip: Vec3 | null = null;
  for (const joint of footJoints(skeleton, { leftFoot: hand })) {
    const reach = vectorLength(subtractVectors(at(joint), wrist));
    if (reach > vectorLength(subtractVectors(tip ?? wrist, wrist)) && reach < 3 * PALM * unit)
      tip = at(joint);
  }
  if (tip) return addVectors(wrist, scaleVector(subtractVectors(tip, wrist), 0.5));
  const elbow = joints[`${side}LowerArm`];
  const along = elbow === undefined ? null : directionOf(subtractVectors(wrist, at(elbow)));
  return along ? addVectors(wrist, scaleVector(along, PALM * unit)) : wrist;
}

/**
 * How far a joint is from the skin behind it, in hip heights: what lies between it and the floor when the
 * body lies on its back or kneels. The usual where there is no skin or it says something odd.
 */
function thicknessAt(rig: Rig, model: ModelPose, joint: number, unit: number, usual: number): number {
  const hull = rig.skeleton.hulls?.[joint];
  if (!hull || hull.length < 12) return usual;
  const place = new Float64Array(3);
  let behind = 0;
  let ahead = 0;
  for (let i = 0; i < hull.length; i += 3) {
    transformPoint(place, 0, model.matrices, 16 * joint, hull, i);
    const z = (place[2]! - model.matrices[16 * joint + 14]!) / unit;
    behind = Math.max(behind, -z);
    ahead = Math.max(ahead, z);
  }
  const thickness = (behind + ahead) / 2;
  return thickness > THINNEST_PART * usual && thickness < THICKEST_PART * usual ? thickness : usual;
}

const inverse = createMatrix();
const place = new Float64Array(3);

/** A model-space place in a joint's local space; null where the joint flattens space. */
function offsetOf(model: ModelPose, joint: number, position: Readonly<Vec3>): Vec3 | null {
  if (!invertMatrix(inverse, 0, model.matrices, 16 * joint)) return null;
  place.set(position);
  transformPoint(place, 0, inverse, 0, place, 0);
  const offset = vectorAt(place, 0);
  return offset.every(Number.isFinite) ? offset : null;
}
