import { describe, expect, it } from 'vitest';
import { solveBanded } from '../../base/math/solve-banded.js';
import { solveEightBand } from './solve-eight-band.js';

describe('solveEightBand', () => {
  it('finds what the solver for any width finds, for few rows and for many', () => {
    for (const count of [1, 2, 7, 8, 9, 10, 40]) {
      const band = Float64Array.from({ length: 9 * count }, (_, n) => {
        const [row, before] = [Math.floor(n / 9), 8 - (n % 9)];
        if (before > row) return 0;
        return before === 0 ? 12 + Math.abs(((row * 37) % 11) - 5) : (((row * 13 + before * 7) % 17) - 8) / 9;
      });
      const right = Float64Array.from({ length: count }, (_, n) => ((n * 29) % 23) - 11);
      const [wanted, found] = [right.slice(), right.slice()];
      solveBanded(band.slice(), wanted, count, 8);
      solveEightBand(band, found, count);
      for (let n = 0; n < count; n++) expect(found[n]).toBeCloseTo(wanted[n]!, 11);
    }
  });

  it('what has no size of its own does not become infinite', () => {
    const found = Float64Array.of(1, 0);
    solveEightBand(new Float64Array(18), found, 2);
    expect(found.every(Number.isFinite)).toBe(true);
  });
});
