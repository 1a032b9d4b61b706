import { expect, it } from 'vitest';
import { sortPositive } from './sort-positive.js';

/** Numbers of all sizes, from a sine, many of them twice, and what is no number. */
const figures = (count: number) =>
  Float64Array.from({ length: count }, (_, n) => {
    if (n % 97 === 0) return n % 194 === 0 ? 0 : Number.POSITIVE_INFINITY;
    if (n % 1013 === 0) return Number.NaN;
    return Math.abs(Math.sin(7 * (n % 5000))) * 10 ** ((n % 40) - 20);
  });

it('sorts few and many as the engine does, and leaves what it is given', () => {
  for (const count of [0, 1, 500, 8192, 20_011]) {
    const values = figures(count);
    const before = values.slice();
    expect(sortPositive(values)).toEqual(values.slice().sort());
    expect(values).toEqual(before);
  }
});

it('sorts many that are all alike, and lists', () => {
  expect(sortPositive(new Float64Array(9000).fill(0.25))).toEqual(new Float64Array(9000).fill(0.25));
  const list = Array.from({ length: 9000 }, (_, n) => (n * 7919) % 9000);
  expect([...sortPositive(list)]).toEqual(list.map((_, n) => n));
});
