import { describe, expect, it } from 'vitest';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { followFolded } from './follow-folded.js';
import type { Resting } from './planning.js';

const COUNT = 120;

/** One leg of a metre under hips at rest, whose foot is copied so far below them, with a goal that is aside of it. */
function follow(
  reach: number,
  carries: boolean | ((k: number) => boolean) = false,
  kind = 'leg',
  kneels = false,
): { shifts: Float64Array; goal: number[] } {
  const at = (y: number, z = 0) => Float64Array.from({ length: 3 * COUNT }, (_, i) => [0, y, z][i % 3]!);
  const record = {
    uppers: at(1),
    ends: at(1 - reach),
    places: at(1 - reach, 0.05),
  } as GoalRecord;
  const plan = {
    count: COUNT,
    rate: 60,
    shifts: at(0.02),
    holds: new Float64Array(COUNT).fill(0.5),
    hips: at(-0.1),
  } as GoalPlan;
  const goals = { limbs: [{ kind, length: 1 }] } as unknown as GoalSetup;
  const carriesAt = typeof carries === 'function' ? carries : () => carries;
  const carried = Float64Array.from({ length: COUNT }, (_, k) => (carriesAt(k) ? 1 : 0));
  const resting = kneels ? ({ kneeling: new Uint8Array(COUNT).fill(1) } as unknown as Resting) : null;
  followFolded({ plan, goals, record, carried, resting });
  const o = 3 * 60;
  const goal = [0, 1, 2].map(
    (c) => record.places[o + c]! + plan.shifts[o + c]! - 0.5 * plan.hips[o + c]! - record.uppers[o + c]!,
  );
  return { shifts: plan.shifts, goal };
}

describe('followFolded', () => {
  it('a foot in the air that comes to its hip goes with the copied leg', () => {
    const { goal } = follow(0.05);
    [0, -0.05, 0].forEach((value, c) => {
      expect(goal[c]).toBeCloseTo(value, 9);
    });
  });

  it('goes over softly into what was planned, which stays where the leg is open', () => {
    const planned = follow(0.5).goal;
    expect(follow(0.9).shifts.every((shift, i) => shift === [0, 0.02, 0][i % 3])).toBe(true);
    const aside = [0.1, 0.2, 0.3, 0.4].map((reach) => follow(reach).goal[2]!);
    expect(aside[0]).toBeCloseTo(0, 9);
    expect(aside[3]).toBeCloseTo(planned[2]!, 9);
    for (let i = 1; i < aside.length; i++) expect(aside[i]).toBeGreaterThan(aside[i - 1]!);
  });

  it('comes to follow within 0.3 s of its last contact, and without a leap', () => {
    const { shifts } = follow(0.05, (k) => k <= 30);
    expect(shifts[3 * 30 + 2]).toBe(0);
    expect(shifts[3 * 34 + 2]).toBeGreaterThan(-0.01);
    expect(shifts[3 * 48 + 2]).toBeCloseTo(-0.05, 6);
    // A foot that is a leg's length aside would change its speed by 20 times this; its thigh turned round.
    for (let k = 20; k < 60; k++)
      expect(Math.abs(shifts[3 * k + 5]! - 2 * shifts[3 * k + 2]! + shifts[3 * k - 1]!) / 0.05).toBeLessThan(
        0.025,
      );
  });

  it('leaves feet that stand, and arms, to their goals', () => {
    expect(follow(0.05, true).shifts[3 * 60 + 2]).toBe(0);
    expect(follow(0.05, false, 'arm').shifts[3 * 60 + 2]).toBe(0);
  });

  it('leaves the foot of a leg that kneels: its knee carries', () => {
    expect(follow(0.05, false, 'leg', true).shifts[3 * 60 + 2]).toBe(0);
  });
});
