import { describe, expect, it } from 'vitest';
import type { BodyPoint } from './body-points.js';
import { createStandingHeights } from './standing-heights.js';

const points = (['leftHeel', 'leftToe', 'rightHeel', 'rightToe', 'hips'] as const).map(
  (name): BodyPoint => ({ name, joint: 0, offset: [0, 0, 0], standing: 0 }),
);
const heights = (...values: number[]) => Float64Array.from(values);
const speeds = (value: number) => new Float64Array(points.length).fill(value);

/** Seconds of 60 updates of the same. */
function stand(standing: ReturnType<typeof createStandingHeights>, at: Float64Array, seconds: number): void {
  for (let k = 0; k < 60 * seconds; k++) standing.update(at, speeds(0), 1 / 60);
}

describe('createStandingHeights', () => {
  it('edges: no feet, no numbers and no time teach nothing', () => {
    const none = createStandingHeights([points[4]!]);
    none.update(heights(0.1), speeds(0), 1 / 60);
    expect([...none.ground, ...none.offsets]).toEqual([0, 0]);
    const standing = createStandingHeights(points);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 3])
      stand(standing, heights(value, value, value, value, value), 1);
    standing.update(heights(0.1, 0.1, 0.1, 0.1, 1), speeds(0), 0);
    expect([...standing.ground, ...standing.offsets].every((offset) => offset === 0)).toBe(true);
  });

  it('a floor that is off is found by the lowest foot that stands, and each point by itself', () => {
    const standing = createStandingHeights(points);
    stand(standing, heights(0.1, 0.12, 0.3, 0.3, 1), 0.5);
    expect(standing.ground[0]).toBeCloseTo(0.1, 3);
    expect(standing.offsets[0]).toBeCloseTo(0.1, 3);
    expect(standing.offsets[1]).toBeCloseTo(0.12, 3);
    expect(standing.offsets[2], 'a foot in the air stands on the same floor').toBeCloseTo(0.1, 3);
    standing.reset();
    expect([...standing.ground, ...standing.offsets].every((offset) => offset === 0)).toBe(true);
  });

  it('what moves teaches nothing, and a heel that is lifted for a while does not raise its floor', () => {
    const standing = createStandingHeights(points);
    for (let k = 0; k < 60; k++) standing.update(heights(0.05, 0.05, 0.05, 0.05, 1), speeds(1), 1 / 60);
    expect(standing.ground[0]).toBe(0);
    stand(standing, heights(0, 0, 0, 0, 1), 1);
    stand(standing, heights(0.03, 0, 0.03, 0, 1), 8);
    expect(standing.offsets[0]).toBeCloseTo(0, 3);
  });

  it('what was long ago is forgotten, however long it is played', () => {
    const standing = createStandingHeights(points);
    stand(standing, heights(0, 0, 0, 0, 1), 20);
    for (let k = 0; k < 20; k++) standing.update(heights(0.05, 0.05, 0.05, 0.05, 1), speeds(0), 60);
    expect(standing.ground[0]).toBeCloseTo(0.05, 3);
    expect(standing.offsets.every(Number.isFinite)).toBe(true);
  });
});
