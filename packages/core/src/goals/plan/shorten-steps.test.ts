import { describe, expect, it } from 'vitest';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { shortenSteps } from './shorten-steps.js';

const COUNT = 60;

/** A leg of a metre, its hip joint 0.9 m over the ankle as copied, whose foot is to be at a distance ahead. */
function step(ahead: (k: number) => number, stands: (k: number) => boolean) {
  const xyz = (at: (k: number) => [number, number, number]) =>
    Float64Array.from(Array.from({ length: COUNT }, (_, k) => at(k)).flat());
  const record = {
    count: COUNT,
    rate: 60,
    uppers: xyz(() => [0, 1, 0]),
    ends: xyz(() => [0, 0.1, 0]),
    places: xyz((k) => [0, 0.1, ahead(k)]),
  } as unknown as GoalRecord;
  const goals = { limbs: [{ kind: 'leg', length: 1 }], hipHeight: 1 } as unknown as GoalSetup;
  const plan = {
    count: COUNT,
    rate: 60,
    shifts: new Float64Array(3 * COUNT),
    hips: new Float64Array(3 * COUNT),
  } as unknown as GoalPlan;
  const carried = Float64Array.from({ length: COUNT }, (_, k) => (stands(k) ? 1 : 0));
  const shortened = shortenSteps({ plan, goals, record, standing: carried });
  return { shortened, at: (k: number) => ahead(k) + plan.shifts[3 * k + 2]!, plan };
}

const planted = (k: number) => k >= 20 && k <= 40;

describe('shortenSteps', () => {
  it('a foot that is planted too far away is planted nearer, in one place, and eased there', () => {
    const { shortened, at } = step(() => 0.8, planted);
    expect(shortened).toBe(true);
    // With the hips 0.07 lower a leg of 0.97 spans this.
    const span = Math.sqrt(0.97 ** 2 - 0.83 ** 2);
    for (let k = 20; k <= 40; k++) expect(at(k)).toBeCloseTo(span, 6);
    for (let k = 1; k < COUNT; k++) expect(Math.abs(at(k) - at(k - 1))).toBeLessThan(0.06);
    expect([at(0), at(59)]).toEqual([0.8, 0.8]);
  });

  it('what is in reach stays, and so does a stride that is as far behind at last as it was ahead', () => {
    expect(step(() => 0.4, planted).shortened).toBe(false);
    const { plan } = step((k) => 0.8 - 0.08 * (k - 20), planted);
    expect(Math.max(...plan.shifts.map(Math.abs))).toBeLessThan(1e-9);
  });

  it('feet in the air are no steps', () => {
    expect(
      step(
        () => 3,
        () => false,
      ).shortened,
    ).toBe(false);
  });
});
