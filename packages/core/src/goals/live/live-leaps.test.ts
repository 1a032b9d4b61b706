import { describe, expect, it } from 'vitest';
import { leapLimit, looseLimit } from './live-leaps.js';

const DEGREES = Math.PI / 180;
/** By how much a joint may leap beyond a copy that changes its speed by so much, at a rate: degrees a frame and frame. */
function limitOf(copy: number, rate = 60, limit = leapLimit): number {
  const out = new Float64Array(1);
  limit(out, Float64Array.of(copy * DEGREES), 0, Float64Array.of(1 / rate));
  return out[0]! / DEGREES;
}

describe('leapLimit', () => {
  it('with what the copy does on top of it no joint pops: 2.5 degrees, or 2.5 times the copy', () => {
    for (const copy of [0, 0.3, 0.8, 1, 1.5, 3, 20])
      expect(limitOf(copy) + copy).toBeLessThan(2.5 * Math.max(1, copy));
    expect(limitOf(0)).toBeGreaterThan(1.9);
    expect(limitOf(10)).toBeGreaterThan(10);
  });

  it('feet in the air are held back less, by the whole of what the copy leaves', () => {
    for (const copy of [0.3, 1, 10])
      expect(limitOf(copy, 60, looseLimit) - limitOf(copy)).toBeCloseTo(copy, 9);
  });

  it('is a quarter at twice the rate', () => {
    expect(limitOf(0, 120)).toBeCloseTo(limitOf(0) / 4, 9);
  });
});
