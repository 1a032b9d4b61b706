import { describe, expect, it } from 'vitest';
import { isStill } from './still-track.js';

const turns = (values: Float32Array) => ({
  joint: 0,
  channel: 'rotation' as const,
  interpolation: 'linear' as const,
  times: Float32Array.from({ length: values.length / 4 }, (_, k) => k),
  values,
});

/** One turn again and again, at a place in memory that is a multiple of eight bytes, or not. */
function same(count: number, isAligned: boolean): Float32Array {
  const values = new Float32Array(new ArrayBuffer(16 * count + 8), isAligned ? 0 : 4, 4 * count);
  for (let k = 0; k < count; k++) values.set([0.5, -0.5, 0, Math.SQRT1_2], 4 * k);
  return values;
}

describe('a track that is still', () => {
  it.each([3, 16, 17, 200])('has one turn all the time, of %i keys', (count) => {
    for (const isAligned of [true, false]) {
      expect(isStill(turns(same(count, isAligned)))).toBe(true);
      for (let i = 0; i < 4 * count; i++) {
        const values = same(count, isAligned);
        values[i] = 0.25;
        expect(isStill(turns(values)), `number ${i} of ${4 * count}`).toBe(false);
      }
    }
  });

  it('may hold a nought of either sign, and nothing that is no number', () => {
    for (const place of [2, 42, 398, 399]) {
      const values = same(100, true);
      if (place % 4 === 2) {
        values[place] = -0;
        expect(isStill(turns(values))).toBe(true);
      }
      values[place] = Number.NaN;
      expect(isStill(turns(values))).toBe(false);
    }
    const all = same(100, true).map((value, i) => (i % 4 === 3 ? Number.NaN : value));
    expect(isStill(turns(all))).toBe(false);
  });
});
