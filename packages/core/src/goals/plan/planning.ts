import type { RootScales } from '../../align/root-scales.js';
import type { Contact } from '../../options/contact.js';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';

/** A clip that is looked at: two bodies made ready, the copied motion, and the plan that is being written. */
export type PlannedClip = { plan: GoalPlan; goals: GoalSetup; record: GoalRecord };

/** All that the steps of planning share while they go over one clip; each reads what those before it have written. */
export type Planning = PlannedClip & {
  contacts: readonly Contact[];
  /** The source's metres as the target's, over the ground and upwards. */
  scales: Pick<RootScales, 'horizontal' | 'vertical'>;
  /** Per limb and frame how much the limb carries, 0 to 1. */
  carried: Float64Array;
  /** The same of limbs that stand still, which must reach and which hips come down for; limbs that only tread need not. */
  standing: Float64Array;
};

/** Where frame `k` of the `n`th of `width` limbs or points stands in a flat record; times the numbers that each has. */
export function slotOf(width: number, k: number, n: number): number {
  return width * k + n;
}
