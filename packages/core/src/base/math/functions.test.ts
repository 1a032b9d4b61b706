import { describe, expect, it } from 'vitest';
import { acos, asin, atan2, cbrt, cos, exp, hypot, lengthOf, log, pow, sin, squared } from './functions.js';

const { POSITIVE_INFINITY: INFINITE, NaN: NONE, MAX_VALUE, MIN_VALUE } = Number;
const ENDS = [0, -0, 1, -1, INFINITE, -INFINITE, NONE, MAX_VALUE, -MAX_VALUE, MIN_VALUE, -MIN_VALUE];

describe('functions: their edges are those of Math', () => {
  // What the language does specify: zeros with their signs, infinities, what is no number.
  it.each([
    ['sin', sin, Math.sin],
    ['cos', cos, Math.cos],
    ['asin', asin, Math.asin],
    ['acos', acos, Math.acos],
    ['exp', exp, Math.exp],
    ['log', log, Math.log],
    ['cbrt', cbrt, Math.cbrt],
  ])('%s', (_, own, theirs) => {
    for (const x of [...ENDS, 0.5, -0.5, 2, 709, 709.9, -745, -746, 1e-310]) {
      const [a, b] = [own(x), theirs(x)];
      if (b === 0 || !Number.isFinite(b)) expect(Object.is(a, b), `${x}: ${a}, ${b}`).toBe(true);
      else expect(Math.abs(a / b - 1), `${x}: ${a}, ${b}`).toBeLessThan(b < 1e-307 ? 0.5 : 4e-16);
    }
  });

  it('atan2', () => {
    for (const y of [...ENDS, 3, -1e-200, 1e200])
      for (const x of [...ENDS, 2, -2e-200, 1e200]) {
        const [a, b] = [atan2(y, x), Math.atan2(y, x)];
        if (b === 0 || Number.isNaN(b)) expect(Object.is(a, b), `${y}, ${x}: ${a}, ${b}`).toBe(true);
        else expect(Math.abs(a - b), `${y}, ${x}: ${a}, ${b}`).toBeLessThanOrEqual(4e-16 * Math.abs(b));
      }
  });

  it('hypot and lengthOf', () => {
    for (const x of ENDS)
      for (const y of [...ENDS, 1e200, 1e-200]) {
        const expected = Math.hypot(x, y, 3e-170);
        const least = expected < INFINITE ? 4e-16 * expected : 0;
        for (const length of [hypot(x, y, 3e-170), lengthOf([x, y, 3e-170])])
          if (Number.isFinite(expected)) expect(Math.abs(length - expected)).toBeLessThanOrEqual(least);
          else expect(length).toBe(expected);
      }
    expect(hypot(3, 4)).toBe(5);
    expect(hypot(1, 1, 1, 1)).toBe(2);
    expect(lengthOf([])).toBe(0);
    expect(lengthOf([2, 3, 6])).toBe(7);
  });

  it('pow of what is not below zero', () => {
    expect(pow(0, 0)).toBe(1);
    expect(pow(0, 2.4)).toBe(0);
    expect(pow(0.3, 1)).toBe(0.3);
    expect(pow(INFINITE, 0.5)).toBe(INFINITE);
    for (const x of [1e-9, 0.04, 0.5, 0.99, 1, 3, 1e6])
      for (const y of [0.1, 1 / 2.4, 2.4, 6, -3])
        expect(Math.abs(pow(x, y) / x ** y - 1)).toBeLessThan(3e-16 * (1 + Math.abs(y * Math.log(x))));
    expect(squared(-1.5)).toBe(2.25);
  });
});

describe('functions: properties', () => {
  const places = Array.from({ length: 400 }, (_, k) => (k - 200) * 0.0837 + 1e-4 * k * k);

  it('sines are odd, cosines even, and both lie on the circle', () => {
    for (const x of places) {
      expect(sin(-x)).toBe(-sin(x));
      expect(cos(-x)).toBe(cos(x));
      expect(Math.abs(squared(sin(x)) + squared(cos(x)) - 1)).toBeLessThan(4e-16);
    }
  });

  it('far out they are as exact as near', () => {
    // 10²² is the classic of reductions; then both sides of where whole numbers take over.
    expect(sin(1e22)).toBeCloseTo(-0.8522008497671888, 15);
    for (const x of [12866.9, 12867.1, -12866.9, -12867.1, 1e15, -1e16, 2 ** 60]) {
      expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(3e-16);
      expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(3e-16);
    }
  });

  it('arcs undo sines, logarithms undo exponentials', () => {
    for (const x of places) {
      const angle = atan2(sin(x), cos(x));
      expect(Math.abs(sin(angle) - sin(x))).toBeLessThan(4e-16);
      expect(Math.abs(asin(sin(angle / 2)) - angle / 2)).toBeLessThan(1e-15 / Math.abs(cos(angle / 2)));
      expect(Math.abs(log(exp(x)) - x)).toBeLessThan(4e-16 * (1 + Math.abs(x)));
      expect(cbrt(x * x * x)).toBeCloseTo(x, 12);
    }
  });
});
