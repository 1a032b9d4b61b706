import { didWork } from '../../base/watch-work.js';
import { planArms } from '../arms/plan-arms.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { liftHands } from './plan-hands.js';
import { liftTrunk } from './plan-hips.js';
import { planShins } from './plan-shins.js';
import { planSoles } from './plan-soles.js';
import { type Planning, slotOf } from './planning.js';

/**
 * Plans a clip in which nothing stands or treads on anything, a dive or a fall: everything stays as copied, but hands
 * touch what the source's touch, and what would be deeper in the floor than the source is in its own is lifted out of it.
 * False where nothing of that is to be done.
 */
export function planClearance(planning: Planning): boolean {
  const { plan, goals, record, scales } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  plan.floor -= scales.vertical * sourceDepth(goals, record);
  goals.limbs.forEach(({ kind }, n) => {
    if (kind !== 'leg') return;
    for (let k = 0; k < count; k++)
      for (let c = 0; c < 3; c++) {
        const o = 3 * slotOf(width, k, n) + c;
        plan.shifts[o] = record.ends[o]! - record.places[o]!;
      }
  });
  const before = plan.shifts.slice();
  const lifts = planSoles(planning);
  didWork(10 * width * count);
  liftTrunk(planning);
  planShins(planning, lifts);
  didWork(10 * width * count);
  planArms(planning);
  didWork(10 * width * count);
  liftHands(planning);
  // A foot that is only near the floor is lifted a little too: that alone is no reason.
  const least = 0.01 * goals.hipHeight;
  return (
    plan.swivels.some((value) => value !== 0) ||
    plan.hips.some((value) => Math.abs(value) > least) ||
    plan.shifts.some((value, i) => Math.abs(value - before[i]!) > least)
  );
}

/** How deep the source is under its floor where it is deepest, in metres; 0 where it never is. */
function sourceDepth({ points, sourceFloor, sourceHipHeight }: GoalSetup, { source }: GoalRecord): number {
  let deepest = 0;
  for (let i = 0; i < source.length; i += 3) {
    const { standing } = points[(i / 3) % points.length]!.source;
    deepest = Math.max(deepest, sourceFloor + sourceHipHeight * standing - source[i + 1]!);
  }
  return deepest;
}
