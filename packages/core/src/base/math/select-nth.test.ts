import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectNth } from './select-nth.js';

describe('selectNth', () => {
  it('gives what sorting gives, at every place, whatever the order and however many are alike', () => {
    const values = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(values, fc.nat(), (list, at) => {
        const n = at % list.length;
        const sorted = Float64Array.from(list).sort();
        // 0 and −0 are alike.
        expect(selectNth(Float64Array.from(list), list.length, n) + 0).toBe(sorted[n]! + 0);
      }),
    );
  });

  it('looks at the first values alone, and loses none', () => {
    const values = Float64Array.of(5, 1, 4, 2, 3, -9, -8);
    expect(selectNth(values, 5, 2)).toBe(3);
    expect([...values.subarray(5)]).toEqual([-9, -8]);
    expect([...values.subarray(0, 5)].sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('comes to an end where values are no numbers', () => {
    for (let n = 0; n < 5; n++) {
      const values = Float64Array.of(2, Number.NaN, 1, Number.NaN, Number.NaN);
      selectNth(values, 5, n);
      expect([...values].filter((value) => value > 0).sort()).toEqual([1, 2]);
    }
  });
});
