import { describe, expect, it } from 'vitest';
import { SOLVERS, scoreSolver } from './solvers.js';

describe('solvers over random chains', () => {
  // What each must reach of 10,000 goals; those not promised have a floor that they were measured to keep.
  const shares: Record<string, number> = {
    'two-bone': 0.999,
    FABRIK: 0.999,
    'pseudo-inverse': 0.999,
    damped: 0.999,
    'CCD, backward': 0.88,
    'CCD, forward': 0.9,
    transpose: 0.7,
  };
  it.each(SOLVERS)('K28, R10: $name meets goals at 5 to 98 % of reach in any unit', (solver) => {
    const score = scoreSolver(solver, 10_000);
    expect(score.broken).toBe(0);
    expect(score.met / score.cases).toBeGreaterThanOrEqual(shares[solver.name]!);
    expect(score.manyIterations).toBeLessThanOrEqual(100);
  });
});
