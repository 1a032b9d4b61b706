import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { liftHands } from './plan-hands.js';
import { liftTrunk } from './plan-hips.js';
import { planShins } from './plan-shins.js';
import { planSoles } from './plan-soles.js';

/** A source that is deeper than this under its own floor, in hip heights, is under it on purpose: it swims, or falls. */
const UNDER = 0.1;

/**
 * Plans a clip in which nothing touches anything, a jump or a run on the spot: everything stays as copied, but what
 * would be in the floor is lifted out of it. False where nothing would be, or the source itself is.
 */
export function planClearance(plan: GoalPlan, goals: GoalSetup, record: GoalRecord): boolean {
  const { count } = plan;
  const width = goals.limbs.length;
  const lowest = goals.sourceFloor - UNDER * goals.sourceHipHeight;
  for (let i = 1; i < record.source.length; i += 3) if (record.source[i]! < lowest) return false;
  goals.limbs.forEach(({ kind }, n) => {
    if (kind !== 'leg') return;
    for (let k = 0; k < count; k++)
      for (let c = 0; c < 3; c++) {
        const o = 3 * (width * k + n) + c;
        plan.shifts[o] = record.ends[o]! - record.places[o]!;
      }
  });
  const before = plan.shifts.slice();
  const carried = new Float64Array(width * count);
  const lifts = planSoles(plan, goals, record, carried);
  liftTrunk(plan, goals, record);
  planShins(plan, goals, record, carried, lifts);
  liftHands(plan, goals, record);
  // What is only near the floor is lifted a little too: that alone is no reason.
  const least = 0.01 * goals.hipHeight;
  return (
    plan.hips.some((value) => Math.abs(value) > least) ||
    plan.shifts.some((value, i) => Math.abs(value - before[i]!) > least)
  );
}
