import { describe, expect, it } from 'vitest';
import type { LimbGoal } from '../goal-setup.js';
import { createShinOverFloor, measureShin } from './shin-over-floor.js';

const AXES = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** A leg of two bones of half a metre, straight down from a height, whose shin has skin 5 cm ahead of knee and ankle. */
function measure(height: number, goal: readonly [number, number, number]): [depth: number, along: number] {
  const leg = createShinOverFloor();
  leg.upper.set([0, height, 0]);
  leg.middle.set([0, height - 0.5, 0.001]);
  leg.end.set([0, height - 1, 0]);
  leg.goal.set(goal);
  leg.floor[0] = 0;
  const points = Float64Array.of(0, 0, 0.05, 0, 0, -0.5, 0.05, 1);
  leg.bend.set([0, 0, 1]);
  const limb = { kind: 'leg', length: 1, shin: { points, girths: [0.05, 0.05] } } as unknown as LimbGoal;
  measureShin(leg, limb, AXES, 0, 3);
  return [leg.found[0]!, leg.found[1]!];
}

describe('measureShin', () => {
  it('a leg that stands is not in the floor', () => {
    expect(measure(1, [0, 0.05, 0])[0]).toBe(0);
  });

  it('a knee that is bent down into the floor is found there, with its skin', () => {
    // Hips 0.3 m high, the foot behind: the knee goes down and ahead.
    const [depth, along] = measure(0.3, [0, 0.05, -0.5]);
    expect(depth).toBeGreaterThan(0.03);
    expect(along).toBe(0);
    // As much higher as the hips are, where the foot goes along.
    expect(measure(0.35, [0, 0.1, -0.5])[0]).toBeCloseTo(depth - 0.05, 9);
  });

  it('an ankle in the floor is found at the ankle', () => {
    const [depth, along] = measure(0.8, [0, -0.1, 0]);
    expect(depth).toBeCloseTo(0.1, 1);
    expect(along).toBe(1);
  });

  it('W22: a knee stays ahead where the foot passes its hip joint: the shin is as deep on one side of it as on the other', () => {
    const leg = createShinOverFloor();
    const limb = {
      kind: 'leg',
      length: 0.9,
      shin: { points: Float64Array.of(0, 0, 0, 0), girths: [0, 0] },
    } as unknown as LimbGoal;
    leg.upper.set([0, 0.4, 0]);
    leg.middle.set([0, 0.4 - 0.27, 0.36]);
    // Behind the hip joint and below, as a body that squats on its heels has its feet: the knee is ahead and lower.
    leg.goal.set([0, 0.25, -0.15]);
    leg.bend.set([0, 0.36, 0.27]);
    leg.floor[0] = 0.2;
    const depths = Array.from({ length: 41 }, (_, k) => {
      leg.end.set([0, 0.4 + 0.0001 * (k - 20), 0.0005 * (k - 20)]);
      measureShin(leg, limb, AXES, 0, 3);
      return leg.found[0]!;
    });
    expect(Math.min(...depths)).toBeGreaterThan(0.1);
    expect(Math.max(...depths) - Math.min(...depths)).toBeLessThan(0.05);
  });

  it('edges: a goal at the hip joint or far away gives no NaN', () => {
    for (const goal of [
      [0, 0.5, 0],
      [0, -50, 3],
    ] as const)
      expect(measure(0.5, goal).every(Number.isFinite)).toBe(true);
  });
});
