import { describe, expect, it } from 'vitest';
import type { BodyPoint } from './body-points.js';
import { createMovingGround } from './moving-ground.js';

const points = (['leftToe', 'rightToe', 'hips'] as const).map(
  (name): BodyPoint => ({ name, joint: 0, offset: [0, 0, 0], standing: 0 }),
);

/**
 * Plays feet that take turns of 0.4 s on the floor, going back by `speed` while they stand; hips go on by `travel`.
 * A foot that takes no turn stands where it is. Gives the velocity along z at the end.
 */
function walk(speed: number, travel: number, feet: readonly number[] = [0, 1], seconds = 2): number {
  const ground = createMovingGround(points, 1);
  const before = new Float64Array(9);
  const now = new Float64Array(9);
  for (let k = 0; k < 60 * seconds; k++) {
    const time = k / 60;
    const standing = feet[Math.floor(time / 0.4) % feet.length]!;
    const isStill = (n: number) => !feet.includes(n);
    // What stands still is no lower than what moves: the lowest foot is what is listened to.
    const heights = Float64Array.from(points, (_, n) =>
      n === standing ? 0 : n < 2 ? (isStill(n) ? 0.01 : 0.2) : 1,
    );
    for (let n = 0; n < 2; n++)
      now[3 * n + 2] = before[3 * n + 2]! + (isStill(n) ? 0 : n === standing ? -speed : speed) / 60;
    now[8] = before[8]! + travel / 60;
    ground.update(now, before, 0, heights, 1 / 60, 1 / 60);
    before.set(now);
  }
  return ground.velocity[1]!;
}

describe('createMovingGround', () => {
  it('edges: no feet, no hips, no time and no numbers find nothing', () => {
    for (const some of [[], [points[2]!], points.slice(0, 2)]) {
      const ground = createMovingGround(some, 1);
      ground.update(new Float64Array(9), new Float64Array(9), 0, new Float64Array(3), 0, 0);
      expect([...ground.velocity]).toEqual([0, 0]);
    }
    const ground = createMovingGround(points, 1);
    const broken = new Float64Array(9).fill(Number.NaN);
    for (let k = 0; k < 60; k++) ground.update(broken, broken, 0, new Float64Array(3), 1 / 60, 1 / 60);
    expect([...ground.velocity]).toEqual([0, 0]);
  });

  it('a walk on the spot is on ground that goes back as its feet do', () => {
    expect(walk(1.2, 0)).toBeCloseTo(-1.2, 6);
    expect(walk(-2, 0)).toBeCloseTo(2, 6);
  });

  it('ground stands still under feet that do, hips that travel, slow feet, and one foot that is dragged', () => {
    expect(walk(0, 1)).toBe(0);
    expect(walk(1.2, 1.2)).toBe(0);
    expect(walk(0.1, 0)).toBe(0);
    expect(walk(0.3, 0, [0, 1], 0.6)).toBe(0);
    expect(walk(1.2, 0, [0])).toBe(0);
  });

  it('is found within the first step, and slow ground with the second', () => {
    expect(walk(1.2, 0, [0, 1], 0.05)).toBe(0);
    expect(walk(1.2, 0, [0, 1], 0.1)).toBeCloseTo(-1.2, 6);
    expect(walk(0.6, 0, [0, 1], 0.35)).toBe(0);
    expect(walk(0.6, 0, [0, 1], 0.6)).toBeCloseTo(-0.6, 6);
  });

  it('is found under someone who pushes a cart, slower than feet that shift, when both feet have shown it for long', () => {
    expect(walk(0.3, 0)).toBeCloseTo(-0.3, 6);
  });

  it('is as fast as feet that stand, rather than those that come down', () => {
    const ground = createMovingGround(points, 1);
    const before = new Float64Array(9);
    const now = new Float64Array(9);
    const heights = Float64Array.of(0, 0.2, 1);
    let z = 0;
    for (let k = 0; k < 30; k++) {
      // A foot slows down from 1.6 to 1.2 in its first tenth of a second.
      z -= (k < 6 ? 1.6 - (0.4 * k) / 6 : 1.2) / 60;
      now[2] = z;
      ground.update(now, before, 0, heights, 1 / 60, 1 / 60);
      before.set(now);
    }
    const mean = (6 * 1.4 + 24 * 1.2) / 30;
    expect(-ground.velocity[1]!).toBeLessThan(1.2 + (mean - 1.2) / 2);
    expect(-ground.velocity[1]!).toBeGreaterThan(1.2);
  });
});
