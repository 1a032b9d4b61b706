import { describe, expect, it } from 'vitest';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import { LARGEST_SKIN_LIFT } from '../goal-rules.js';
import type { GoalSetup, LimbGoal } from '../goal-setup.js';
import { createSole, measureSole } from '../parts/measure-sole.js';
import { largestLift, planSoles } from './plan-soles.js';
import type { Resting } from './planning.js';

const IDENTITY = Float64Array.of(0, 0, 0, 1);
const needs = createSole();

/** A foot 0.1 m over its sole, toes 0.15 m ahead of it and 0.08 below, with skin 0.1 m on from them. */
const foot = {
  skin: Float64Array.of(0, -0.1, -0.05, 0, -0.1, 0.15),
  toes: 1,
  toeSkin: Float64Array.of(0, -0.02, 0.1, 0.02, -0.02, 0.1),
  across: Float64Array.of(-1, 0, 0),
} as unknown as LimbGoal;

/** The frames of a foot and its toes that are pitched down by an angle about the ankle. */
function pitched(angle: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  // Ahead goes down.
  const turned = [1, 0, 0, 0, c, s, 0, -s, c];
  const toes = [0, 1, 2].map((i) => turned[3 + i]! * -0.08 + turned[6 + i]! * 0.15);
  return Float64Array.of(...turned, 0, 0, 0, ...turned, ...toes);
}

const measure = (angle: number, ankle: number, told = -1) => {
  Object.assign(needs, { ankle, floor: 0, most: 0, told });
  measureSole(needs, foot, pitched(angle), 0, IDENTITY, 0);
};

describe('measureSole', () => {
  it('a flat foot on the floor is at it, one above it is above: depths have a sign', () => {
    measure(0, 0.1);
    expect(needs.depth).toBeCloseTo(0, 9);
    expect(needs.bend).toBe(0);
    measure(0, 0.3);
    expect(needs.depth).toBeCloseTo(-0.2, 9);
    measure(0, 0.05);
    expect(needs.depth).toBeCloseTo(0.05, 9);
  });

  it('toes that the foot rolls over bend up until they are on the floor, and nothing is in it then', () => {
    for (const degrees of [10, 20, 35, 45]) {
      const angle = (degrees * Math.PI) / 180;
      // The ankle so high that the ball is on the floor.
      const ankle = 0.15 * Math.sin(angle) + 0.1 * Math.cos(angle);
      measure(angle, ankle);
      expect(needs.bend, `${degrees}°`).toBeGreaterThan(0.8 * angle);
      expect(needs.depth).toBeLessThan(1e-6);
      measure(angle, ankle, 0);
      expect(needs.depth, 'unbent they would be').toBeGreaterThan(0.01);
    }
  });

  it('toes that point straight down, or back, do not bend: the foot is to be lifted', () => {
    for (const degrees of [95, 120]) {
      measure((degrees * Math.PI) / 180, 0.1);
      expect(needs.bend).toBe(0);
      expect(needs.depth).toBeGreaterThan(0.05);
    }
  });
});

describe('largestLift', () => {
  it('is little while a foot stands and just after, more and more in the air, and never endless', () => {
    expect(largestLift(0, 2)).toBe(2 * LARGEST_SKIN_LIFT);
    expect(largestLift(1 / 60, 2)).toBe(2 * LARGEST_SKIN_LIFT);
    expect(largestLift(0.1, 2)).toBeGreaterThan(largestLift(0.07, 2));
    expect(largestLift(1e6, 2)).toBe(2 * (LARGEST_SKIN_LIFT + 1));
  });
});

/**
 * How far a foot is lifted that stands over a floor at 0 with its ball, which is 0.2 m from its ankle and so many degrees
 * below it, toes back; a tenth of a metre of its instep hangs below the middle of that.
 */
function liftOf(degrees: number, kneels: boolean): number {
  const count = 61;
  const pitch = (degrees * Math.PI) / 180;
  const ball = [0, -0.2 * Math.sin(pitch), -0.2 * Math.cos(pitch)];
  const per = (values: readonly number[]) =>
    Float64Array.from({ length: values.length * count }, (_, i) => values[i % values.length]!);
  const goals = {
    limbs: [
      {
        ...{ kind: 'leg', points: [0, 1], toes: -1, across: Float64Array.of(-1, 0, 0) },
        skin: Float64Array.of(0, ball[1]! / 2 - 0.1, ball[2]! / 2),
      },
    ],
    points: [{ target: { standing: 0 } }, { target: { standing: 0 } }],
    hipHeight: 1,
  } as unknown as GoalSetup;
  const zeros = (size: number) => new Float64Array(size * count);
  const plan = {
    ...{ count, rate: 60, floor: 0 },
    ...{ turns: zeros(3), shifts: zeros(3), bends: zeros(1) },
  };
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  const record = {
    ...{ pace: 1, places: per([0, -ball[1]!, 0]), ends: zeros(3), copied: per([0, 0, 0, ...ball]) },
    frames: per([...identity, ...identity]),
  } as unknown as GoalRecord;
  const resting = { kneeling: new Uint8Array(count).fill(kneels ? 1 : 0) } as unknown as Resting;
  const standing = new Float64Array(count).fill(1);
  return planSoles({ plan: plan as unknown as GoalPlan, goals, record, standing, resting })[30]!;
}

describe('planSoles', () => {
  it('lifts a foot that lies on its instep, below a knee that does, until its skin is out of the floor', () => {
    // The ball is level with the ankle, and the instep 0.1 m below both.
    expect(liftOf(10, true)).toBeGreaterThan(0.07);
    expect(liftOf(10, false), 'one that stands').toBeLessThan(LARGEST_SKIN_LIFT + 1e-9);
    expect(liftOf(60, true), 'one whose toes point down').toBeLessThan(LARGEST_SKIN_LIFT + 1e-9);
  });
});
