import { cos, sin } from '../../base/math/functions.js';
import { transformPoint } from '../../base/math/matrix.js';
import {
  addVectors,
  crossVectors,
  directionOf,
  dotVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import type { Role } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';

/** Parts of a body that hands can touch, and hands themselves, which come first. */
export const TOUCH_PARTS = [
  'leftHand',
  'rightHand',
  'leftForearm',
  'rightForearm',
  'leftArm',
  'rightArm',
  'head',
  'hips',
  'leftThigh',
  'rightThigh',
] as const;

/** One of {@link TOUCH_PARTS}. */
export type TouchPartName = (typeof TOUCH_PARTS)[number];

/** How thick a body is, in arm lengths; what is not known is left out. */
export type TouchShape = {
  /** Half thicknesses. */
  radii: Partial<Record<TouchPartName, number>>;
  /** Where the middle of the head is seen from its joint, in the axes of model space. */
  head?: Vec3;
  /** How much of the way from leg to leg the line is that hips lie around, 0 to 1. */
  hips?: number;
};

/**
 * The shape of a body whose skin is not known: about a grown-up's. Two bodies without a skin have the same, so that what
 * counts between them is how far apart their joints are.
 */
export const TYPICAL_SHAPE: Required<TouchShape> & { radii: Record<TouchPartName, number> } = {
  radii: {
    leftHand: 0.05,
    rightHand: 0.05,
    leftForearm: 0.09,
    rightForearm: 0.09,
    leftArm: 0.11,
    rightArm: 0.11,
    head: 0.2,
    hips: 0.2,
    leftThigh: 0.15,
    rightThigh: 0.15,
  },
  head: [0, 0.15, 0],
  hips: 1,
};

/**
 * Hands and arms have at most this half thickness, in arm lengths, and hips and thighs: what is thicker is a sword, a
 * shield or a skirt that moves with them.
 */
const THICKEST_LIMB = 0.15;
const THICKEST_TRUNK = 0.5;

/** The joint whose skin a limb has, and the joints that it lies along. */
const TOUCH_LIMBS: readonly [TouchPartName, Role, Role, Role][] = (['left', 'right'] as const).flatMap(
  (side): [TouchPartName, Role, Role, Role][] => [
    [`${side}Hand`, `${side}Hand`, `${side}Hand`, `${side}MiddleProximal`],
    [`${side}Hand`, `${side}Hand`, `${side}LowerArm`, `${side}Hand`],
    [`${side}Forearm`, `${side}LowerArm`, `${side}LowerArm`, `${side}Hand`],
    [`${side}Arm`, `${side}UpperArm`, `${side}UpperArm`, `${side}LowerArm`],
    [`${side}Thigh`, `${side}UpperLeg`, `${side}UpperLeg`, `${side}LowerLeg`],
  ],
);

/**
 * Measures how thick a body is where hands may touch it, by its skin in the reference.
 * @param arm The length of its arms, in metres.
 */
export function measureTouchShape(rig: Rig, roles: RoleJoints, model: ModelPose, arm: number): TouchShape {
  const shape: TouchShape = { radii: {} };
  if (!rig.skeleton.hulls) return shape;
  for (const [part, skin, from, to] of TOUCH_LIMBS) {
    const [joint, a, b] = [roles[skin], roles[from], roles[to]];
    if (shape.radii[part] || joint === undefined || a === undefined || b === undefined) continue;
    const thick =
      thinnestExtent(skinOf(rig, model, joint), subtractVectors(placeOf(model, b), placeOf(model, a))) /
      (2 * arm);
    const most = part.endsWith('Thigh') ? THICKEST_TRUNK : THICKEST_LIMB;
    if (thick > 0) shape.radii[part] = Math.min(thick, most);
  }
  measureHead(shape, rig, roles, model, arm);
  measureHips(shape, rig, roles, model, arm);
  return shape;
}

/** The head is a ball about the middle of its skin. */
function measureHead(shape: TouchShape, rig: Rig, { head }: RoleJoints, model: ModelPose, arm: number): void {
  const skin = head === undefined ? [] : skinOf(rig, model, head);
  if (head === undefined || skin.length === 0) return;
  const extents = BOX_AXES.map((axis) => extentOf(skin, axis)).sort((a, b) => a - b);
  const middle = BOX_AXES.map((axis) => {
    const [low, high] = reachOf(skin, axis);
    return (low + high) / 2;
  }) as Vec3;
  if (!(extents[1]! > 0)) return;
  shape.radii.head = extents[1]! / (2 * arm);
  shape.head = scaleVector(subtractVectors(middle, placeOf(model, head)), 1 / arm);
}

/** Hips are a line from leg to leg, as thick as they are deep; so short that, thickened, they are as wide as they are. */
function measureHips(shape: TouchShape, rig: Rig, roles: RoleJoints, model: ModelPose, arm: number): void {
  const { hips, leftUpperLeg: left, rightUpperLeg: right } = roles;
  if (hips === undefined || left === undefined || right === undefined) return;
  const skin = skinOf(rig, model, hips);
  const across = subtractVectors(placeOf(model, left), placeOf(model, right));
  const width = vectorLength(across);
  // Along the ground: the skin of hips may be no more than a belt.
  const ahead = directionOf(crossVectors(across, [0, 1, 0]));
  const depth = ahead ? extentOf(skin, ahead) / 2 : 0;
  if (!(depth > 0)) return;
  const radius = Math.min(depth, THICKEST_TRUNK * arm);
  // The widest part of hips moves with the thighs.
  const all = [...skin, ...skinOf(rig, model, left), ...skinOf(rig, model, right)];
  const aside = extentOf(all, scaleVector(across, 1 / width)) - 2 * radius;
  shape.radii.hips = radius / arm;
  shape.hips = Math.min(1, Math.max(0, aside / width));
}

function placeOf(model: ModelPose, joint: number): Vec3 {
  return vectorAt(model.matrices, 16 * joint + 12);
}

/** The skin that follows a joint, in model space; empty where it is not known. */
function skinOf({ skeleton }: Rig, model: ModelPose, joint: number): Vec3[] {
  const hull = skeleton.hulls?.[joint];
  if (!hull || hull.length < 12) return [];
  const place = new Float64Array(3);
  return Array.from({ length: Math.floor(hull.length / 3) }, (_, i) => {
    transformPoint(place, 0, model.matrices, 16 * joint, hull, 3 * i);
    return vectorAt(place, 0);
  });
}

const BOX_AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** How far points reach along a direction; 0 for none. */
function extentOf(points: readonly Vec3[], direction: Vec3): number {
  const [low, high] = reachOf(points, direction);
  return points.length > 0 ? high - low : 0;
}

/** The least and the most that points lie along a direction. */
function reachOf(points: readonly Vec3[], direction: Vec3): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const along = dotVectors(point, direction);
    low = Math.min(low, along);
    high = Math.max(high, along);
  }
  return [low, high];
}

/** In so many directions across a limb it is looked how thick it is. */
const LIMB_DIRECTIONS = 36;

/**
 * How thick skin is square to an axis, where it is thinnest: a hand's from palm to back, however it is turned in the
 * reference. 0 where there is none.
 */
function thinnestExtent(skin: readonly Vec3[], axis: Vec3): number {
  const along = directionOf(axis);
  if (skin.length === 0 || !along) return 0;
  const u = directionOf(crossVectors(along, Math.abs(along[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1]))!;
  const v = crossVectors(along, u);
  let thinnest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < LIMB_DIRECTIONS; n++) {
    const angle = (Math.PI * n) / LIMB_DIRECTIONS;
    const across = addVectors(scaleVector(u, cos(angle)), scaleVector(v, sin(angle)));
    thinnest = Math.min(thinnest, extentOf(skin, across));
  }
  return thinnest;
}
