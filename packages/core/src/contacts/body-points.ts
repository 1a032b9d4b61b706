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
  'frontLeftFoot',
  'frontRightFoot',
  'hindLeftFoot',
  'hindRightFoot',
];

/**
 * The length that everything about contacts is measured in: the height of the hips over the floor in the
 * reference pose, in metres; of a body without hips half its height. Never 0.
 */
export function hipHeightOf(rig: Rig, joints: RoleJoints = rig.joints): number {
  const hips = joints.hips ?? rig.body?.parts.findIndex(({ part }) => part === 'hips') ?? -1;
  if (hips >= 0) {
    const model = modelPoseOf(rig.skeleton, rig.reference.pose);
    const height = model.matrices[16 * hips + 13]! - rig.floor.height;
    // Hips that lie on the floor are no measure of a body.
    if (height > 0.1 * rig.space.height && Number.isFinite(height)) return height;
  }
  const half = rig.space.height / 2;
  return half > 0 && Number.isFinite(half) ? half : 1;
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

/** One point a foot of a four-footed animal or a bird: the lowest joint of the leg's end. */
function pawPoints(rig: Rig, model: ModelPose): BodyPoint[] {
  const points: BodyPoint[] = [];
  const parts = rig.body?.parts ?? [];
  for (const leg of ['frontLeft', 'frontRight', 'hindLeft', 'hindRight'] as const) {
    const find = (part: string) => parts.findIndex((guess) => guess.part === part);
    const foot = find(`${leg}Foot`);
    const joint = find(`${leg}Toes`) >= 0 ? find(`${leg}Toes`) : foot;
    if (joint < 0) continue;
    const at = vectorAt(model.matrices, 16 * joint + 12);
    const paw = footJoints(rig.skeleton, { leftFoot: joint });
    const skin = lowestSkin(rig.skeleton, model, paw);
    const sole = Number.isFinite(skin) ? skin : Math.min(lowestJoint(model, paw), at[1]);
    const offset = offsetOf(model, joint, [at[0], sole, at[2]]);
    if (offset) points.push({ name: `${leg}Foot`, joint, offset, standing: 0 });
  }
  return points;
}

/**
 * All points of a body that can carry it: those of {@link solePoints}, then the knuckles, elbows, knees, hips,
 * back and head, each with its thickness.
 */
export function bodyPoints(rig: Rig, joints: RoleJoints = rig.joints): BodyPoint[] {
  const { skeleton } = rig;
  const points = solePoints(rig, joints);
  if (Object.keys(joints).length === 0) return points;
  const model = modelPoseOf(skeleton, rig.reference.pose);
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
