import type { RootScales } from '../../align/root-scales.js';
import type { Contact } from '../../options/contact.js';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';

/** A clip that is looked at: two bodies made ready, the copied motion, and the plan that is being written. */
export type PlannedClip = { plan: GoalPlan; goals: GoalSetup; record: GoalRecord };

/** The parts of a body that lie on the floor, over a clip. */
export type Resting = {
  /** Per surface of `GoalSetup.surfaces` and frame 1 where it does. */
  flags: Uint8Array;
  /**
   * The same: how much higher it is than where it comes to lie, in metres of the target: a knee that comes down within
   * its contact comes down so on every body.
   */
  overs: Float64Array;
  /** Per frame how much seat, back or head do, 0 to 1; and how much knees do. */
  trunk: Float64Array;
  knees: Float64Array;
  /** Per limb and frame 1 for a leg whose knee rests. */
  kneeling: Uint8Array;
};

/** All that the steps of planning share while they go over one clip; each reads what those before it have written. */
export type Planning = PlannedClip & {
  contacts: readonly Contact[];
  /** The source's metres as the target's, over the ground and upwards. */
  scales: Pick<RootScales, 'horizontal' | 'vertical'>;
  /** Per limb and frame how much the limb carries, 0 to 1. */
  carried: Float64Array;
  /** The same of limbs that stand still, which must reach and which hips come down for; limbs that only tread need not. */
  standing: Float64Array;
  /** The parts that lie on the floor; null where nothing ever does but feet and hands. */
  resting: Resting | null;
};

/** Where frame `k` of the `n`th of `width` limbs or points stands in a flat record; times the numbers that each has. */
export function slotOf(width: number, k: number, n: number): number {
  return width * k + n;
}
