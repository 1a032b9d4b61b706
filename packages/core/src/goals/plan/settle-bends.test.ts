import { describe, expect, it } from 'vitest';
import { COUNT, legOf } from '../../../test/planned-leg.js';
import { liftRoom } from './settle-bends.js';

/** How far hips may be lifted over a limb of a metre whose goal is so high, its root being a metre high, and so far aside. */
function roomOf(height: number, aside: number, carried = 1): number {
  const { record, goals, plan } = legOf(
    Array.from({ length: COUNT }, () => height),
    aside,
  );
  return liftRoom({ record, goals, plan, carried: new Float64Array(COUNT).fill(carried) }, 3);
}

describe('liftRoom', () => {
  it('hips are lifted until a limb that carries is stretched to 0.97 of its length', () => {
    expect(roomOf(0.5, 0)).toBeCloseTo(0.47, 9);
    expect(roomOf(0.5, 0.6)).toBeCloseTo(Math.sqrt(0.97 ** 2 - 0.6 ** 2) - 0.5, 9);
  });

  it('they are not where it is stretched already, and as far as they like where nothing carries', () => {
    expect(roomOf(0, 0)).toBe(0);
    expect(roomOf(0.5, 2)).toBe(0);
    expect(roomOf(0, 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
