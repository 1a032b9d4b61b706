import { UsageError } from '../../base/errors.js';
import { createMatrix, invertMatrix, transformPoint } from '../../base/math/matrix.js';
import { conjugateQuaternion, rotateVector } from '../../base/math/quaternion.js';
import type { Rig } from '../../body/rig.js';
import { solePoints } from '../../contacts/body-points.js';
import type { BentLimb } from '../../goals/bend-limb.js';
import type { GroundHeight } from '../../options/root-rule.js';
import { withAncestors } from '../../scene/forward-joints.js';
import { type ModelPose, modelPoseOf } from '../../scene/pose.js';
import { isAncestor } from '../../scene/skeleton.js';

/** A leg that stands on uneven ground. */
export type PlacedLeg = {
  limb: BentLimb;
  /** The middle of the sole, in the foot's local space. */
  sole: Float64Array;
};

/** What standing on uneven ground needs to know of a body. */
export type FeetSetup = {
  ground: GroundHeight;
  /** Left, then right. */
  legs: PlacedLeg[];
  hips: number;
  /** The joints whose places are needed, with all above them; and those of them that move with the hips. */
  joints: Int32Array;
  below: Int32Array;
  /** Where the ground is that the motion was made for. */
  floor: number;
};

/**
 * Makes standing on uneven ground ready; null for a body without two legs below its hips.
 * @throws UsageError where the ground is neither a function nor two heights.
 */
export function resolveFeet(target: Rig, hips: number | undefined, ground: GroundHeight): FeetSetup | null {
  const { skeleton, joints, reference } = target;
  if (typeof ground !== 'function' && !(ground.length >= 2))
    throw new UsageError('groundHeight must be a function of x and z, or two heights, left and right');
  if (hips === undefined) return null;
  const model = modelPoseOf(skeleton, reference.pose);
  const soles = solePoints(target);
  const undo = new Float64Array(4);
  const legs: PlacedLeg[] = [];
  for (const side of ['left', 'right'] as const) {
    const [upper, middle, end] = [
      joints[`${side}UpperLeg`],
      joints[`${side}LowerLeg`],
      joints[`${side}Foot`],
    ];
    const points = soles.filter(({ name }) => name === `${side}Heel` || name === `${side}Toe`);
    if (upper === undefined || middle === undefined || end === undefined || points.length === 0) return null;
    if (!isAncestor(skeleton, hips, upper) || !isAncestor(skeleton, upper, middle)) return null;
    const place = new Float64Array(3);
    const middleOfSole = new Float64Array(3);
    for (const { joint, offset } of points) {
      transformPoint(place, 0, model.matrices, 16 * joint, Float64Array.from(offset), 0);
      for (let c = 0; c < 3; c++) middleOfSole[c]! += place[c]! / points.length;
    }
    middleOfSole[1] = target.floor.height;
    const inverse = createMatrix();
    if (!invertMatrix(inverse, 0, model.matrices, 16 * end)) return null;
    transformPoint(middleOfSole, 0, inverse, 0, middleOfSole, 0);
    const ahead = Float64Array.of(0, 0, 1);
    conjugateQuaternion(undo, 0, model.rotations, 4 * upper);
    rotateVector(ahead, 0, undo, 0, ahead, 0);
    const hangs = isAncestor(skeleton, middle, end);
    legs.push({
      limb: { kind: 'leg', target: { upper, middle, end }, bend: ahead, hangs },
      sole: middleOfSole,
    });
  }
  const all = withAncestors(skeleton, [
    hips,
    ...legs.flatMap(({ limb: { target } }) => [target.upper, target.middle, target.end]),
  ]);
  const below = all.filter(
    (joint) => isAncestor(skeleton, hips, joint) || legs.some(({ limb }) => limb.target.end === joint),
  );
  return { ground, legs, hips, joints: all, below, floor: target.floor.height };
}

/**
 * Numbers that say how a body stands on the ground: the root's lift, then per leg its lift, the slopes along x and z,
 * and the place, x and z, about which the foot is tilted.
 */
export const LIFTS = 11;
/** How many of them a leg has. */
export const LEG_LIFTS = 5;

const sole = new Float64Array(3);
/** Slopes are read over so many metres to either side: less than a foot's width, so that the edge of a stair is none. */
const SLOPE_STEP = 0.02;
/** Steeper than this the ground is the edge of something, and no slope that a sole lies on. */
const STEEPEST = 1;

/** out = how feet and root would stand on the ground: see {@link LIFTS}. The root goes with the lower foot. */
export function readGround(out: Float64Array, feet: FeetSetup, model: ModelPose): void {
  const { ground, legs, floor } = feet;
  out[0] = Number.POSITIVE_INFINITY;
  for (let n = 0; n < legs.length; n++) {
    const { limb, sole: offset } = legs[n]!;
    transformPoint(sole, 0, model.matrices, 16 * limb.target.end, offset, 0);
    const o = 1 + LEG_LIFTS * n;
    out[o + 3] = sole[0]!;
    out[o + 4] = sole[2]!;
    if (typeof ground === 'function') {
      const x = sole[0]!;
      const z = sole[2]!;
      out[o] = orZero(ground(x, z) - floor);
      out[o + 1] = slopeOf(ground(x - SLOPE_STEP, z), ground(x + SLOPE_STEP, z));
      out[o + 2] = slopeOf(ground(x, z - SLOPE_STEP), ground(x, z + SLOPE_STEP));
    } else {
      out[o] = orZero(ground[n]! - floor);
      out[o + 1] = 0;
      out[o + 2] = 0;
    }
    if (out[o]! < out[0]!) out[0] = out[o]!;
  }
}

function orZero(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

function slopeOf(before: number, after: number): number {
  const slope = (after - before) / (2 * SLOPE_STEP);
  return Math.abs(slope) <= STEEPEST ? slope : 0;
}
