import { describe, expect, it } from 'vitest';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { planKnees } from './plan-knees.js';

const COUNT = 40;
const DEGREES = Math.PI / 180;

/** A leg of two bones of half a metre, its hip joint a metre over the floor, copied with a knee of 25 degrees. */
function legOf(goalHeights: readonly number[], ahead = 0) {
  const xyz = (at: (k: number) => [number, number, number]) =>
    Float64Array.from(Array.from({ length: COUNT }, (_, k) => at(k)).flat());
  const copied = Math.cos(12.5 * DEGREES);
  const record = {
    count: COUNT,
    uppers: xyz(() => [0, 1, 0]),
    middles: xyz(() => [0, 1 - copied / 2, Math.sin(12.5 * DEGREES) / 2]),
    ends: xyz(() => [0, 1 - copied, 0]),
    places: xyz((k) => [0, goalHeights[k]!, ahead]),
  } as unknown as GoalRecord;
  const goals = { limbs: [{ kind: 'leg', length: 1 }], hipHeight: 1 } as unknown as GoalSetup;
  const plan = {
    count: COUNT,
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

const snapOf = (bends: readonly number[]) =>
  Math.max(...bends.slice(1, -1).map((bend, k) => Math.abs(bends[k + 2]! - 2 * bend + bends[k]!)));

/** Heights of a goal that leaps by 2 % of the leg in one frame. */
const leap = Array.from({ length: COUNT }, (_, k) => (k < 20 ? 0.05 : 0.07));

describe('planKnees', () => {
  it('a knee that snaps in the air no longer does, and the foot goes along the leg', () => {
    const { record, goals, plan, bends } = legOf(leap, 0.2);
    expect(snapOf(bends())).toBeGreaterThan(5);
    const before = snapOf(bends());
    planKnees({ plan, goals, record, standing: new Float64Array(COUNT) });
    expect(snapOf(bends())).toBeLessThan(before / 2);
    expect(Math.max(...plan.shifts.map(Math.abs))).toBeLessThan(0.02);
  });

  it('a foot that stands is lifted by at most 1 % of the hip height, never lowered, and does not slide', () => {
    const { record, goals, plan, bends } = legOf(leap, 0.2);
    const before = snapOf(bends());
    planKnees({ plan, goals, record, standing: new Float64Array(COUNT).fill(1) });
    expect(snapOf(bends())).toBeLessThan(0.8 * before);
    for (let k = 0; k < COUNT; k++) {
      expect([plan.shifts[3 * k], plan.shifts[3 * k + 2]]).toEqual([0, 0]);
      expect(plan.shifts[3 * k + 1]).toBeGreaterThanOrEqual(0);
      expect(plan.shifts[3 * k + 1]).toBeLessThanOrEqual(0.01 + 1e-12);
    }
  });

  it('hips that tremble over a foot that stands come down by less than 1 % until its knee does not snap', () => {
    // Nearly straight: a thousandth of the leg is three degrees of the knee there.
    const trembling = Array.from({ length: COUNT }, (_, k) => 0.0014 + 0.0012 * Math.sin(1.4 * k) ** 5);
    const { record, goals, plan } = legOf(trembling);
    const [copied, foot] = [Math.cos(2 * DEGREES), plan.shifts];
    for (let k = 0; k < COUNT; k++) {
      record.middles.set([0, 1 - copied / 2, Math.sin(2 * DEGREES) / 2], 3 * k);
      record.ends.set([0, 1 - copied, 0], 3 * k);
    }
    const bends = () =>
      trembling.map((height, k) => {
        const reach = 1 + plan.hips[3 * k + 1]! - height - foot[3 * k + 1]!;
        return (2 * Math.acos(Math.min(1, reach))) / DEGREES;
      });
    const before = snapOf(bends());
    expect(before).toBeGreaterThan(2.5);
    planKnees({ plan, goals, record, standing: new Float64Array(COUNT).fill(1) });
    expect(snapOf(bends())).toBeLessThan(2.5);
    const drops = Array.from({ length: COUNT }, (_, k) => -plan.hips[3 * k + 1]!);
    expect(Math.min(...drops)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drops)).toBeLessThan(0.01);
    // Smoothly: hips that jerk would be no better than knees that do.
    const jumps = drops.slice(1, -1).map((drop, k) => Math.abs(drops[k + 2]! - 2 * drop + drops[k]!));
    expect(Math.max(...jumps)).toBeLessThan(0.0005);
  });

  it('hips stay where nothing stands, where a leg lies flat, and where its foot is far enough', () => {
    for (const [heights, ahead, stands] of [
      [leap, 0, 0],
      [leap.map((height) => height + 0.9), 0.97, 1],
      [leap.map((height) => height / 4 + 0.3), 0, 1],
    ] as const) {
      const { record, goals, plan } = legOf(heights, ahead);
      planKnees({ plan, goals, record, standing: new Float64Array(COUNT).fill(stands) });
      expect(plan.hips.every((value) => value === 0)).toBe(true);
    }
  });

  it('nothing is done to a knee that does not snap, however far it bends', () => {
    const { record, goals, plan } = legOf(
      Array.from({ length: COUNT }, (_, k) => 0.2 - 0.15 * Math.cos((k / COUNT) * 2 * Math.PI)),
    );
    planKnees({ plan, goals, record, standing: new Float64Array(COUNT) });
    expect(plan.shifts.every((value) => value === 0)).toBe(true);
  });

  it('a goal at the hip joint or out of reach gives no NaN', () => {
    for (const heights of [leap.map(() => 1), leap.map((_, k) => (k % 2 ? -3 : 0.5))]) {
      const { record, goals, plan } = legOf(heights);
      planKnees({ plan, goals, record, standing: new Float64Array(COUNT) });
      expect(plan.shifts.every(Number.isFinite)).toBe(true);
    }
  });
});
