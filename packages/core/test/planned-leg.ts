import type { GoalPlan } from '../src/goals/goal-plan.js';
import type { GoalRecord } from '../src/goals/goal-record.js';
import type { GoalSetup } from '../src/goals/goal-setup.js';

/** Frames that a leg is planned over. */
export const COUNT = 40;
export const DEGREES = Math.PI / 180;

/** A leg of two bones of half a metre, its hip joint a metre over the floor, copied with a knee of 25 degrees. */
export function legOf(goalHeights: readonly number[], ahead = 0) {
  const xyz = (at: (k: number) => [number, number, number]) =>
    Float64Array.from(Array.from({ length: COUNT }, (_, k) => at(k)).flat());
  const copied = Math.cos(12.5 * DEGREES);
  const record = {
    count: COUNT,
    rate: 60,
    pace: 1,
    uppers: xyz(() => [0, 1, 0]),
    middles: xyz(() => [0, 1 - copied / 2, Math.sin(12.5 * DEGREES) / 2]),
    ends: xyz(() => [0, 1 - copied, 0]),
    places: xyz((k) => [0, goalHeights[k]!, ahead]),
  } as unknown as GoalRecord;
  const goals = { limbs: [{ kind: 'leg', length: 1 }], hipHeight: 1 } as unknown as GoalSetup;
  const plan = {
    count: COUNT,
    rate: 60,
    shifts: new Float64Array(3 * COUNT),
    holds: new Float64Array(COUNT).fill(1),
    hips: new Float64Array(3 * COUNT),
  } as unknown as GoalPlan;
  const reachAt = (k: number) =>
    Math.hypot(
      plan.shifts[3 * k]!,
      goalHeights[k]! + plan.shifts[3 * k + 1]! - 1,
      ahead + plan.shifts[3 * k + 2]!,
    );
  const bends = () =>
    Array.from({ length: COUNT }, (_, k) => 2 * Math.acos(Math.min(1, reachAt(k))) * (1 / DEGREES));
  return { record, goals, plan, bends };
}

/** By how many degrees the speed of a knee changes most. */
export const snapOf = (bends: readonly number[]) =>
  Math.max(...bends.slice(1, -1).map((bend, k) => Math.abs(bends[k + 2]! - 2 * bend + bends[k]!)));

/** Heights of a goal that leaps by 2 % of the leg in one frame. */
export const leap = Array.from({ length: COUNT }, (_, k) => (k < 20 ? 0.05 : 0.07));
