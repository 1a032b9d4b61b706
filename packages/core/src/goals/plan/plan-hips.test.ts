import { describe, expect, it } from 'vitest';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { reachOf } from '../parts/reach.js';
import { liftTrunk } from './plan-hips.js';

describe('reachOf', () => {
  it('a limb may be stretched to 0.97 of its length, or as far as it is copied, to its whole length', () => {
    expect(reachOf(0.5, 2)).toBeCloseTo(2 * 0.97, 9);
    expect(reachOf(1.97, 2)).toBe(1.97);
    expect(reachOf(2, 2)).toBe(2);
    expect(reachOf(2.1, 2)).toBe(2);
  });
});

describe('liftTrunk', () => {
  const COUNT = 60;
  /** A body whose head comes down into the floor by a tenth of a hip height a frame, and up again. */
  const lift = (depth: (k: number) => number) => {
    const plan = {
      count: COUNT,
      rate: 60,
      hips: new Float64Array(3 * COUNT),
      floor: 0,
    } as unknown as GoalPlan;
    const trunk = Float64Array.from({ length: COUNT }, (_, k) => -depth(k));
    liftTrunk({
      plan,
      goals: { hipHeight: 1 } as GoalSetup,
      record: { trunk } as unknown as GoalRecord,
    });
    return Array.from({ length: COUNT }, (_, k) => plan.hips[3 * k + 1]!);
  };

  it('no head is left in the floor, and hips are lifted no sooner than a fifth of a second before', () => {
    const depth = (k: number) => 1 - 0.1 * Math.abs(k - 30);
    const lifts = lift(depth);
    for (let k = 0; k < COUNT; k++) expect(lifts[k]).toBeGreaterThan(depth(k) - 0.06);
    for (const k of [0, 7, 53, 59]) expect(lifts[k]).toBe(0);
    expect(lifts[14]).toBeLessThan(0.1);
  });

  it('hips do not start with a kink: their speed changes by less than half of the head’s in a frame', () => {
    const lifts = lift((k) => 1 - 0.1 * Math.abs(k - 30));
    const kinks = lifts.slice(1, -1).map((value, k) => Math.abs(lifts[k + 2]! - 2 * value + lifts[k]!));
    expect(Math.max(...kinks)).toBeLessThan(0.05);
  });

  it('a body that is not in the floor stays where it is', () => {
    expect(lift(() => -0.3).every((value) => value === 0)).toBe(true);
  });
});
