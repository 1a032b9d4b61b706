import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/tiny-rigs.js';
import { calmStretch } from './stiff-curve.js';

const COUNT = 30;
const random = createRandom(7);

/** What the sum that shall be least is over a stretch. */
function costOf(x: Float64Array, v: Float64Array, first: number, hold: Float64Array): number {
  let sum = 0;
  for (let k = 1; k < COUNT - 1; k++) sum += (x[k + 1]! - 2 * x[k]! + x[k - 1]!) ** 2;
  hold.forEach((weight, i) => {
    sum += weight * (x[first + i]! - v[first + i]!) ** 2;
  });
  return sum;
}

describe('calmStretch', () => {
  it('no other curve has less of what shall be least', () => {
    const v = Float64Array.from({ length: COUNT }, () => random());
    const hold = Float64Array.from({ length: 20 }, () => 0.01 + random());
    const x = v.slice();
    calmStretch(x, 1, 5, 24, hold);
    const least = costOf(x, v, 5, hold);
    for (let k = 5; k <= 24; k++)
      for (const by of [-1e-3, 1e-3]) {
        const other = x.slice();
        other[k]! += by;
        expect(costOf(other, v, 5, hold)).toBeGreaterThan(least);
      }
  });

  it('all outside of the stretch stays, and a line is left as it is', () => {
    const line = Float64Array.from({ length: COUNT }, (_, k) => 3 - 0.5 * k);
    const x = line.slice();
    calmStretch(x, 1, 2, COUNT - 3, new Float64Array(COUNT - 4).fill(0.1));
    x.forEach((value, k) => {
      expect(value).toBeCloseTo(line[k]!, 9);
    });
    const jump = line.map((value, k) => (k < 15 ? 0 : value));
    const y = jump.slice();
    calmStretch(y, 1, 10, 20, new Float64Array(11).fill(1 / 16));
    for (const k of [0, 9, 21, 29]) expect(y[k]).toBe(jump[k]);
    expect(y[15]).not.toBe(jump[15]);
  });

  it('numbers of a frame do not mix, and what is held hard stays', () => {
    const both = Float64Array.from({ length: 2 * COUNT }, (_, i) => (i % 2 === 0 ? 0 : i < COUNT ? 0 : 1));
    const hold = new Float64Array(20).fill(1 / 16).fill(1e9, 10, 12);
    calmStretch(both, 2, 5, 24, hold);
    for (let k = 0; k < COUNT; k++) expect(both[2 * k]).toBe(0);
    for (const k of [15, 16]) expect(both[2 * k + 1]).toBeCloseTo(1, 6);
    expect(both[2 * 14 + 1]).toBeGreaterThan(0.1);
  });
});
