import { createModelPose, type ModelPose } from '../scene/pose.js';
import type { GoalSetup } from './goal-setup.js';

/** Where limbs shall end in a frame, in model space; made once, overwritten frame by frame. */
export type Goals = {
  /** The source in model space: the joints of `GoalSetup.sourceJoints` alone. */
  source: ModelPose;
  /** The target as copied and moved, in model space; `settleHips` carries it along. */
  target: ModelPose;
  /** Per point where the source's is: xyz. */
  raw: Float64Array;
  /** Per point of a sole where the source's is, scaled as the travel of the hips: xyz. */
  scaled: Float64Array;
  /** Per point where it is on the target as copied: xyz. */
  copied: Float64Array;
  /** Per limb where its end joint shall be: xyz. */
  places: Float64Array;
  /** Per limb what its end joint shall be turned by on top of its copied turn: unit quaternions, model space. */
  turns: Float64Array;
  /** Per limb what its elbow is turned by about the line from shoulder to hand, radians. */
  swivels: Float64Array;
  /** Per limb what its joints are turned by on top when it is solved, see `GoalPlan.calms`: three rotation vectors each. */
  calms: Float64Array;
  /** Per limb how far its toes bend up on top of their copied turn, in radians. */
  bends: Float64Array;
  /** Per limb how much that matters, 0 to 1; 0 leaves the limb as copied. */
  weights: Float64Array;
  /** Per limb how much its goal comes along when the hips give way, 0 to 1: a hand in the air does, a foot does not. */
  follows: Float64Array;
  /** Per limb whether its end carries the body, live: 0 or 1. */
  carried: Float64Array;
  /** Per limb seconds since its end touched something, live; 0 while it does. */
  free: Float64Array;
  /** Per limb what its goal was drawn in by in the frame before, live: xyz. */
  drawn: Float64Array;
  /** Per point whether it touches something, live, and how high that is over the floor, in metres of the target. */
  touching: Uint8Array;
  supports: Float64Array;
  /** Per surface of `GoalSetup.surfaces` how much it rests on the floor, 0 to 1. */
  rests: Float64Array;
  /** Per part of `GoalSetup.laid` what its joint is turned by for it to lie there: rotation vectors, model space. */
  lays: Float64Array;
  /** How far the source's floor was found from where it is expected, live, in metres of the target: one number. */
  ground: Float64Array;
  /** Seconds since the frame before, live: one number, which as an argument would be made anew on the heap. */
  seconds: Float64Array;
  /** The shift by which hips give way: xyz. */
  hips: Float64Array;
  /**
   * The frame of the planning grid whose limbs are known, see `GoalPlan.solved`; −1 where they are to be found. Where they are,
   * nothing of the above is, but for the hips and what they hang on.
   */
  known: number;
};

/** Room for the goals of a frame. */
export function createGoals(
  { limbs, points, surfaces, laid }: GoalSetup,
  sourceJoints: number,
  targetJoints: number,
): Goals {
  return {
    source: createModelPose(sourceJoints),
    target: createModelPose(targetJoints),
    raw: new Float64Array(3 * points.length),
    scaled: new Float64Array(3 * points.length),
    copied: new Float64Array(3 * points.length),
    places: new Float64Array(3 * limbs.length),
    turns: Float64Array.from({ length: 4 * limbs.length }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    swivels: new Float64Array(limbs.length),
    calms: new Float64Array(9 * limbs.length),
    bends: new Float64Array(limbs.length),
    weights: new Float64Array(limbs.length),
    follows: new Float64Array(limbs.length),
    carried: new Float64Array(limbs.length),
    free: new Float64Array(limbs.length),
    drawn: new Float64Array(3 * limbs.length),
    touching: new Uint8Array(points.length),
    supports: new Float64Array(points.length),
    rests: new Float64Array(surfaces.length),
    lays: new Float64Array(3 * laid.length),
    ground: new Float64Array(1),
    seconds: new Float64Array(1),
    hips: new Float64Array(3),
    known: -1,
  };
}
