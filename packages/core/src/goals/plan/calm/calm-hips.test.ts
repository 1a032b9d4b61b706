import { describe, expect, it } from 'vitest';
import type { GoalPlan } from '../../goal-plan.js';
import type { GoalSetup } from '../../goal-setup.js';
import { calmHips } from './calm-hips.js';

const COUNT = 90;
const HEIGHT = 0.8;

/** How hips give way that would so along one axis, in hip heights. */
function shownOf(places: readonly number[], axis = 1): number[] {
  const plan = { count: COUNT, rate: 60, hips: new Float64Array(3 * COUNT) } as unknown as GoalPlan;
  places.forEach((place, k) => {
    plan.hips[3 * k + axis] = place * HEIGHT;
  });
  calmHips({ plan, goals: { hipHeight: HEIGHT } as unknown as GoalSetup });
  for (let i = 0; i < 3 * COUNT; i++) if (i % 3 !== axis) expect(plan.hips[i]).toBe(0);
  return places.map((_, k) => plan.hips[3 * k + axis]! / HEIGHT);
}

const curveOf = (at: (k: number) => number) => Array.from({ length: COUNT }, (_, k) => at(k));
const leapOf = (places: readonly number[]) =>
  Math.max(...places.slice(2).map((place, k) => Math.abs(place - 2 * places[k + 1]! + places[k]!)));

describe('calmHips', () => {
  it.each([
    ['are thrown up', (k: number) => 0.25 / (1 + Math.exp(-(k - 45) / 1.5))],
    ['begin to fall', (k: number) => -0.015 * Math.max(0, k - 45)],
    ['go up and down', (k: number) => 0.1 * Math.exp(-(((k - 45) / 3) ** 2))],
  ])('hips that %s do so softly, and far from it as before', (_, at) => {
    for (const axis of [0, 1, 2]) {
      const asked = curveOf(at);
      const shown = shownOf(asked, axis);
      expect(leapOf(asked)).toBeGreaterThan(0.01);
      expect(leapOf(shown)).toBeLessThan(0.0035);
      for (const k of [0, 5, COUNT - 6, COUNT - 1]) expect(shown[k]).toBeCloseTo(asked[k]!, 9);
    }
  });

  it('hips that go softly are not touched', () => {
    const asked = curveOf((k) => 0.2 * Math.sin(k / 10));
    expect(shownOf(asked)).toEqual(asked.map((place) => (place * HEIGHT) / HEIGHT));
  });
});
