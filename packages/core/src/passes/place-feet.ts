import { UsageError } from '../base/errors.js';
import { distanceFlat } from '../base/math/flat-vectors.js';
import { createMatrix, invertMatrix, transformPoint } from '../base/math/matrix.js';
import { conjugateQuaternion, rotateVector, shortestArc } from '../base/math/quaternion.js';
import type { Rig } from '../body/rig.js';
import { solePoints } from '../contacts/body-points.js';
import { samplePlan } from '../goals/goal-plan.js';
import { REACHED, solveTwoBones } from '../goals/solve-limb.js';
import { forwardJoints, withAncestors } from '../scene/forward-joints.js';
import { createModelPose, type ModelPose, modelPoseOf } from '../scene/pose.js';
import { isAncestor, type Skeleton } from '../scene/skeleton.js';
import type { Frame, Setup } from '../setup/setup.js';
import { preparePlacing } from './carry-joints.js';
import type { Pass, Step } from './pipeline.js';

/**
 * How high the ground is, in metres of model space: under any place, as a ray cast down from above tells; or under
 * the left and the right foot, two numbers that the caller overwrites live before each update.
 */
export type GroundHeight = ((x: number, z: number) => number) | ArrayLike<number>;

/** A leg that stands on uneven ground. */
export type PlacedLeg = {
  upper: number;
  middle: number;
  end: number;
  /** Whether the foot hangs on the middle joint; else it is placed, see `PlacedJoint`. */
  hangs: boolean;
  /** The middle of the sole, in the foot's local space. */
  sole: Float64Array;
  /** Where the knee points, in the upper joint's own axes. */
  ahead: Float64Array;
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
    legs.push({ upper, middle, end, hangs, sole: middleOfSole, ahead });
  }
  const all = withAncestors(skeleton, [
    hips,
    ...legs.flatMap(({ upper, middle, end }) => [upper, middle, end]),
  ]);
  const below = all.filter(
    (joint) => isAncestor(skeleton, hips, joint) || legs.some(({ end }) => end === joint),
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

/** How fast the root follows the lower foot live, and feet the ground, per second (W23 has 5 for the root). */
const ROOT_RATE = 5;
const FOOT_RATE = 15;

/**
 * Stands feet on ground that is not the even floor which the motion was made for (W23): the lower foot takes the
 * root along, the other leg bends to where its foot stands, and soles lie along slopes. Offline the whole clip has
 * been looked at (see `planFeetPlacing`); live feet and root follow the ground as it comes.
 */
export const placeFeet: Pass = {
  name: 'placeFeet',
  summary: 'stands feet on stairs, slopes and other ground that is told, where asked to',
  options: [
    {
      name: 'groundHeight',
      default: 'none',
      meaning: 'a function of x and z that gives the height of the ground, or the heights under both feet',
    },
  ],
  prepare(setup: Setup): Step {
    const { feet, feetPlan, target } = setup;
    if (!feet) return () => {};
    const { skeleton } = target;
    const model = createModelPose(skeleton.names.length);
    const lifts = new Float64Array(LIFTS);
    const place = setup.alignment.placed.length > 0 ? preparePlacing(setup) : null;
    if (feetPlan)
      return (frame) => {
        forwardJoints(model, skeleton, frame.target, feet.joints);
        samplePlan(lifts, feetPlan, LIFTS, feetPlan.length / LIFTS, frame.time);
        standFrame(frame, feet, skeleton, model, lifts);
        place?.(frame);
      };
    const wanted = new Float64Array(LIFTS);
    let isFirst = true;
    return Object.assign(
      (frame: Frame) => {
        forwardJoints(model, skeleton, frame.target, feet.joints);
        readGround(wanted, feet, model);
        for (let i = 0; i < LIFTS; i++) {
          // The place under a foot goes with it.
          const isPlace = i > 0 && (i - 1) % LEG_LIFTS > 2;
          const rate = i === 0 ? ROOT_RATE : FOOT_RATE;
          const share = isFirst || isPlace ? 1 : 1 - Math.exp(-rate * frame.seconds);
          lifts[i] = lifts[i]! + share * (wanted[i]! - lifts[i]!);
        }
        isFirst = false;
        standFrame(frame, feet, skeleton, model, lifts);
        place?.(frame);
      },
      {
        reset: () => {
          isFirst = true;
        },
      },
    );
  },
};

const sole = new Float64Array(3);
/** Slopes are read over so many metres to either side: less than a foot's width, so that the edge of a stair is none. */
const STEP = 0.02;
/** Steeper than this the ground is the edge of something, and no slope that a sole lies on. */
const STEEPEST = 1;

/** out = how feet and root would stand on the ground: see {@link LIFTS}. The root goes with the lower foot. */
export function readGround(out: Float64Array, feet: FeetSetup, model: ModelPose): void {
  const { ground, legs, floor } = feet;
  out[0] = Number.POSITIVE_INFINITY;
  for (let n = 0; n < legs.length; n++) {
    const { end, sole: offset } = legs[n]!;
    transformPoint(sole, 0, model.matrices, 16 * end, offset, 0);
    const o = 1 + LEG_LIFTS * n;
    out[o + 3] = sole[0]!;
    out[o + 4] = sole[2]!;
    if (typeof ground === 'function') {
      const x = sole[0]!;
      const z = sole[2]!;
      out[o] = orZero(ground(x, z) - floor);
      out[o + 1] = slopeOf(ground(x - STEP, z), ground(x + STEP, z));
      out[o + 2] = slopeOf(ground(x, z - STEP), ground(x, z + STEP));
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
  const slope = (after - before) / (2 * STEP);
  return Math.abs(slope) <= STEEPEST ? slope : 0;
}

const inverse = createMatrix();
const up = Float64Array.of(0, 1, 0);
const normal = new Float64Array(3);
const tilt = new Float64Array(4);
/** xyz, and the leg's length. */
const goal = new Float64Array(4);

/** Moves root and feet as told by {@link LIFTS}. */
function standFrame(
  frame: Frame,
  { legs, hips, below, floor }: FeetSetup,
  { parents, container }: Skeleton,
  model: ModelPose,
  lifts: Float64Array,
): void {
  const { matrices } = model;
  const root = lifts[0]!;
  const locals = frame.target.rotations;
  for (let k = 0; k < below.length; k++)
    matrices[16 * below[k]! + 13] = matrices[16 * below[k]! + 13]! + root;
  const parent = parents[hips]!;
  if (parent < 0) invertMatrix(inverse, 0, container, 0);
  else invertMatrix(inverse, 0, matrices, 16 * parent);
  transformPoint(frame.target.translations, 3 * hips, inverse, 0, matrices, 16 * hips + 12);
  frame.travel[1] = frame.travel[1]! + root;
  for (let n = 0; n < legs.length; n++) {
    const { upper, middle, end, hangs, ahead } = legs[n]!;
    const o = 1 + LEG_LIFTS * n;
    normal[0] = -lifts[o + 1]!;
    normal[1] = 1;
    normal[2] = -lifts[o + 2]!;
    shortestArc(tilt, 0, up, 0, normal, 0);
    // About a place that stays while the foot stands, so that what it rolls over stays too.
    sole[0] = lifts[o + 3]!;
    sole[1] = floor + root;
    sole[2] = lifts[o + 4]!;
    for (let c = 0; c < 3; c++) goal[c] = matrices[16 * end + 12 + c]! - sole[c]!;
    rotateVector(goal, 0, tilt, 0, goal, 0);
    for (let c = 0; c < 3; c++) goal[c] = goal[c]! + sole[c]!;
    goal[1] = goal[1]! + lifts[o]! - root;
    const length =
      distanceFlat(matrices, 16 * upper + 12, matrices, 16 * middle + 12) +
      distanceFlat(matrices, 16 * middle + 12, matrices, 16 * end + 12);
    let away = 0;
    for (let c = 0; c < 3; c++) away += Math.abs(goal[c]! - matrices[16 * end + 12 + c]!);
    // A foot that is where it shall be keeps its leg: softening would bend a straight one.
    if (!(away > REACHED * length) || !(length > 1e-9)) continue;
    goal[3] = length;
    solveTwoBones(locals, model, parents, legs[n]!, goal, ahead, hangs, tilt, true);
  }
}
