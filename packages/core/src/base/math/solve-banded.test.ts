import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/tiny-rigs.js';
import { solveBanded } from './solve-banded.js';

describe('solveBanded', () => {
  it.each([
    [1, 0],
    [5, 0],
    [7, 2],
    [30, 8],
    [4, 8],
  ])('solves %i equations with a band of %i', (count, width) => {
    const random = createRandom(count + width);
    const dense = Array.from({ length: count }, () => new Array<number>(count).fill(0));
    for (let i = 0; i < count; i++)
      for (let j = Math.max(0, i - width); j < i; j++) dense[i]![j] = dense[j]![i] = random() - 0.5;
    for (let i = 0; i < count; i++)
      dense[i]![i] = 1 + dense[i]!.reduce((sum, value) => sum + Math.abs(value), 0);
    const wanted = Array.from({ length: count }, () => random() - 0.5);
    const right = Float64Array.from(dense, (row) =>
      row.reduce((sum, value, j) => sum + value * wanted[j]!, 0),
    );
    const band = new Float64Array((width + 1) * count);
    for (let i = 0; i < count; i++)
      for (let j = Math.max(0, i - width); j <= i; j++)
        band[(width + 1) * i + width - (i - j)] = dense[i]![j]!;
    solveBanded(band, right, count, width);
    wanted.forEach((value, i) => {
      expect(right[i]).toBeCloseTo(value, 9);
    });
  });

  it('gives numbers for a matrix that says nothing', () => {
    const right = Float64Array.of(0, 0);
    solveBanded(new Float64Array(4), right, 2, 1);
    expect([...right]).toEqual([0, 0]);
  });
});
