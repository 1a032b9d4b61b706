import { describe, expect, it } from 'vitest';
import type { GoalPlan } from '../../goal-plan.js';
import type { GoalRecord } from '../../goal-record.js';
import type { GoalSetup } from '../../goal-setup.js';
import { keepUnfolded } from './keep-unfolded.js';

const COUNT = 60;
const SHOULDER = 0.9;

/**
 * An arm of a metre, its upper bone so long, copied straight down and a little ahead, whose goal goes this way: gives where the
 * goal is seen from the shoulder, before and after.
 */
function goalsOf(upper: number, way: (k: number) => [number, number, number], kind = 'arm') {
  const xyz = (at: (k: number) => [number, number, number]) =>
    Float64Array.from(Array.from({ length: COUNT }, (_, k) => at(k)).flat());
  const record = {
    count: COUNT,
    rate: 60,
    uppers: xyz(() => [0, SHOULDER, 0]),
    middles: xyz(() => [0, SHOULDER - upper, 0]),
    ends: xyz(() => [0, SHOULDER - upper - Math.sqrt((1 - upper) ** 2 - 0.01), 0.1]),
    places: xyz((k) => {
      const [x, y, z] = way(k);
      return [x, SHOULDER + y, z];
    }),
  } as unknown as GoalRecord;
  const plan = {
    count: COUNT,
    rate: 60,
    shifts: new Float64Array(3 * COUNT),
    holds: new Float64Array(COUNT).fill(1),
    hips: new Float64Array(3 * COUNT),
  } as unknown as GoalPlan;
  keepUnfolded({ plan, record, goals: { limbs: [{ kind, length: 1 }] } as unknown as GoalSetup });
  expect(plan.shifts.every(Number.isFinite)).toBe(true);
  return Array.from({ length: COUNT }, (_, k) => {
    const at = way(k);
    return [0, 1, 2].map((c) => at[c]! + plan.shifts[3 * k + c]!) as [number, number, number];
  });
}

const farOf = (goal: readonly number[]) => Math.hypot(...goal);
const angleOf = (a: readonly number[], b: readonly number[]) =>
  Math.acos(
    Math.min(1, a.reduce((sum, value, c) => sum + value * b[c]!, 0) / Math.max(1e-12, farOf(a) * farOf(b))),
  );

describe('keepUnfolded', () => {
  /** Goes by the shoulder from ahead to behind, a tenth of the arm below it and a hair aside. */
  const past = (k: number): [number, number, number] => [0.005, -0.1, 0.5 - k / (COUNT - 1)];

  it('a goal that goes by the shoulder of an arm that cannot be folded stays out of the fold, as high as it was', () => {
    const goals = goalsOf(0.3, past);
    for (const [k, goal] of goals.entries()) {
      expect(farOf(goal)).toBeGreaterThan(0.4 + 0.039);
      expect(goal[1]).toBeCloseTo(past(k)[1], 12);
    }
  });

  it('one that goes under the shoulder and back stays on its side, and never leaps', () => {
    const under = (k: number): [number, number, number] => [
      0,
      -0.15,
      0.4 * Math.cos((k / COUNT) * 2 * Math.PI) + 0.2,
    ];
    expect(Math.max(...goalsOf(0.5, under).map((goal, k) => (k ? angleOf(goal, under(k)) : 0)))).toBeCloseTo(
      0,
      6,
    );
    const kept = goalsOf(0.3, under);
    for (let k = 1; k < COUNT; k++) expect(angleOf(kept[k]!, kept[k - 1]!)).toBeLessThan(0.25);
    for (const goal of kept) expect(goal[2]).toBeGreaterThan(0);
  });

  it('arms whose bones are as long, legs, and goals that are far enough are left alone', () => {
    const still = (goals: number[][], way = past) => expect(goals).toEqual(goals.map((_, k) => [...way(k)]));
    still(goalsOf(0.45, past));
    still(goalsOf(0.3, past, 'leg'));
    const far = (k: number): [number, number, number] => [0, -0.5, 0.2 + k / 200];
    still(goalsOf(0.3, far), far);
  });

  it('edges: a goal at the shoulder, and an arm that is copied straight down, give no NaN', () => {
    for (const goal of goalsOf(0.3, () => [0, 0, 0])) expect(farOf(goal)).toBeGreaterThan(0.43);
    goalsOf(0.05, () => [0, -0.9, 0]);
  });
});
