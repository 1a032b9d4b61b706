import { describe, expect, it } from 'vitest';
import { flyFreely } from './fly-freely.js';
import type { Planning } from './planning.js';

const COUNT = 90;

/** A body on one leg that nothing carries from one frame to another, with an offset of the hips. */
function fly(
  from: number,
  to: number,
  offset: (k: number) => number,
  rests?: (k: number) => boolean,
): number[] {
  const hips = new Float64Array(3 * COUNT);
  for (let k = 0; k < COUNT; k++) hips[3 * k + 1] = offset(k);
  flyFreely({
    plan: { count: COUNT, rate: 60, hips },
    goals: { limbs: [{}], surfaces: rests ? [{}] : [] },
    carried: Float64Array.from({ length: COUNT }, (_, k) => (k > from && k < to ? 0 : 1)),
    resting: rests ? { flags: Uint8Array.from({ length: COUNT }, (_, k) => (rests(k) ? 1 : 0)) } : null,
  } as unknown as Planning);
  return Array.from({ length: COUNT }, (_, k) => hips[3 * k + 1]!);
}

/** An offset that fades right after take-off. */
const fading = (k: number) => (k <= 30 ? 0.06 : 0.06 * Math.exp(-(k - 30) / 4));
/** The largest change of speed between two frames. */
const bend = (heights: number[], from: number, to: number) => {
  let most = 0;
  for (let k = from; k <= to; k++)
    most = Math.max(most, Math.abs(heights[k - 1]! - 2 * heights[k]! + heights[k + 1]!));
  return most;
};

describe('flyFreely', () => {
  it('in the air the offset is straight, so that hips fall as the source’s do', () => {
    const heights = fly(30, 60, fading);
    expect(bend(heights, 37, 53)).toBeLessThan(1e-12);
    expect(heights[45]).toBeCloseTo((fading(30) + fading(60)) / 2, 9);
  });

  it('it meets the ground’s without a kink', () => {
    expect(bend(fly(30, 60, fading), 20, 70)).toBeLessThan(0.0005);
    expect(
      bend(
        Array.from({ length: COUNT }, (_, k) => fading(k)),
        20,
        70,
      ),
    ).toBeGreaterThan(0.01);
  });

  it('far from a flight nothing changes', () => {
    const heights = fly(30, 60, (k) => Math.sin(k));
    for (const k of [0, 10, 23, 67, 80]) expect(heights[k]).toBe(Math.sin(k));
  });

  it.each([
    ['a moment without contact', 30, 40],
    ['a clip that begins in the air', -1, 40],
    ['a clip that ends in the air', 50, COUNT],
  ])('%s is left as it is', (_, from, to) => {
    expect(fly(from, to, fading)).toEqual(Array.from({ length: COUNT }, (_, k) => fading(k)));
  });

  it('who rolls over the back does not fly', () => {
    const kept = Array.from({ length: COUNT }, (_, k) => fading(k));
    expect(fly(30, 60, fading, (k) => k > 25 && k < 65)).toEqual(kept);
  });
});
