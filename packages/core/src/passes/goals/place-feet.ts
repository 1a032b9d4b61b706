import { distanceFlat } from '../../base/math/flat-vectors.js';
import { exp } from '../../base/math/functions.js';
import { createMatrix, invertMatrix, transformPoint } from '../../base/math/matrix.js';
import { rotateVector, shortestArc } from '../../base/math/quaternion.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { REACHED, solveLimb } from '../../goals/bend-limb.js';
import { samplePlan } from '../../goals/goal-plan.js';
import { forwardJoints } from '../../scene/forward-joints.js';
import { createModelPose, type ModelPose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { type FeetSetup, LEG_LIFTS, LIFTS, readGround, resolveFeet } from '../parts/feet-setup.js';
import { planFeetPlacing } from '../parts/plan-feet-placing.js';
import { definePass, type Frame } from '../pass.js';

/** How fast the root follows the lower foot live, and feet the ground, per second (W23 has 5 for the root). */
const ROOT_RATE = 5;
const FOOT_RATE = 15;

/**
 * Stands feet on ground that is not the even floor which the motion was made for (W23): the lower foot takes the
 * root along, the other leg bends to where its foot stands, and soles lie along slopes. Offline the whole clip has
 * been looked at (see `planFeetPlacing`); live feet and root follow the ground as it comes.
 */
export const placeFeet = definePass<'placeFeet', FeetSetup, Float64Array>({
  name: 'placeFeet',
  summary: 'stands feet on stairs, slopes and other ground that is told, where asked to',
  options: ['groundHeight'],
  compile: ({ pair: { target, travel }, options }) =>
    options.groundHeight ? resolveFeet(target, travel?.target, options.groundHeight) : null,
  needsFrames: () => 'feet are stood on uneven ground frame by frame',
  isAskedFor: true,
  writes: ({ legs, hips }) => ({
    turnsOn: legs.flatMap(({ limb: { target } }) => [target.upper, target.middle, target.end]),
    moves: [hips],
  }),
  plan: planFeetPlacing,
  prepare(feet, { setup, found, place }) {
    const { skeleton } = setup.target;
    const model = createModelPose(skeleton.names.length);
    const lifts = new Float64Array(LIFTS);
    if (found) {
      const grid = { count: found.length / LIFTS, rate: CONTACT_RATE };
      return (frame) => {
        forwardJoints(model, skeleton, frame.target, feet.joints);
        samplePlan(lifts, found, LIFTS, grid, frame.time);
        standFrame(frame, feet, skeleton, model, lifts);
        place?.(frame);
      };
    }
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
          const share = isFirst || isPlace ? 1 : 1 - exp(-rate * frame.seconds);
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
});

const sole = new Float64Array(3);
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
    const { upper, middle, end } = legs[n]!.limb.target;
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
    solveLimb(locals, model, parents, legs[n]!.limb, goal, tilt);
  }
}
