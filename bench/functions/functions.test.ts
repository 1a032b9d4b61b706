import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../cases/solver-cases.js';
import { fitPolynomials, splitConstants } from './coefficients.js';
import { judgeFunctions } from './judge.js';

describe('own functions', () => {
  const source = readFileSync(
    new URL('../../packages/core/src/base/math/functions.ts', import.meta.url),
    'utf8',
  );
  const numbers = new Set(
    [...source.matchAll(/-?\d+\.\d+(?:e-?\d+)?/g)].map(([text]) => Math.abs(Number(text))),
  );

  it.each(Object.entries(fitPolynomials()))(
    'the polynomial of the %s has the coefficients that are computed, and they suffice',
    (_, { coefficients, error }) => {
      for (const coefficient of coefficients) expect(numbers).toContain(Math.abs(coefficient));
      // A quarter of a rounding
      expect(error).toBeLessThan(2 ** -55);
    },
  );

  it.each(Object.entries(splitConstants()))('%s stands there as computed', (_, parts) => {
    const known = [Math.PI, Math.LOG2E];
    for (const part of parts) expect([...numbers, ...known]).toContain(Math.abs(part));
  });

  it('results are within a unit in the last place of the true ones', () => {
    for (const { name, worst, at } of judgeFunctions(1000, seededRandom(11)))
      expect(worst, `${name}(${at.join(', ')})`).toBeLessThan(name === 'hypot' ? 2 : 1);
  });
});
