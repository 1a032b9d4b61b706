import { describe, expect, it } from 'vitest';
import { quaternionOfVector, vectorOfQuaternion } from './rotation-vectors.js';
import { springToZero } from './spring.js';

describe('springToZero', () => {
  it('gives the same in one step and in many, and never overshoots from rest', () => {
    const [one, many] = [Float64Array.of(1), Float64Array.of(1)];
    const [v, w] = [new Float64Array(1), new Float64Array(1)];
    springToZero(one, v, 0, 20, Float64Array.of(0.1));
    for (let n = 0; n < 10; n++) {
      springToZero(many, w, 0, 20, Float64Array.of(0.01));
      expect(many[0]).toBeGreaterThan(0);
    }
    expect(many[0]).toBeCloseTo(one[0]!, 12);
    expect(w[0]).toBeCloseTo(v[0]!, 10);
    springToZero(one, v, 0, 20, Float64Array.of(10));
    expect(one[0]).toBeCloseTo(0, 12);
  });

  it('rates and steps that take turns are each gone by, those too that are remembered in one place', () => {
    for (const [rate, seconds] of [
      [20, 0.1],
      [84, 0.1],
      [20.5, 0.1],
      [20, 0.2],
      [20, 0.1],
    ] as const) {
      const x = Float64Array.of(1);
      springToZero(x, new Float64Array(1), 0, rate, Float64Array.of(seconds));
      expect(x[0]).toBeCloseTo((1 + rate * seconds) * Math.exp(-rate * seconds), 14);
    }
  });

  it('stays where it is in no time', () => {
    const x = Float64Array.of(0.3);
    springToZero(x, Float64Array.of(2), 0, 20, Float64Array.of(0));
    expect(x[0]).toBe(0.3);
  });
});

describe('rotation vectors', () => {
  it.each([
    [0, 0, 0],
    [1e-14, 0, 0],
    [0.1, -0.2, 0.05],
    [0, 3, 0],
  ])('%s, %s, %s becomes a turn and comes back', (x, y, z) => {
    const q = new Float64Array(4);
    const back = new Float64Array(3);
    quaternionOfVector(q, 0, Float64Array.of(x, y, z), 0);
    expect(Math.hypot(...q)).toBeCloseTo(1, 12);
    vectorOfQuaternion(back, 0, q);
    [x, y, z].forEach((value, c) => {
      expect(back[c]).toBeCloseTo(value, 10);
    });
    // The same turn by the other sign.
    vectorOfQuaternion(
      back,
      0,
      q.map((value) => -value),
    );
    expect(back[1]).toBeCloseTo(y, 10);
  });
});
