import { describe, expect, it } from 'vitest';
import { LARGEST_SKIN_LIFT } from '../goal-rules.js';
import type { LimbGoal } from '../goal-setup.js';
import { createSole, measureSole } from '../parts/measure-sole.js';
import { largestLift } from './plan-soles.js';

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
