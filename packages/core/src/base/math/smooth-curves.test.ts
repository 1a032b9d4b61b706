import { describe, expect, it } from 'vitest';
import { easeStretches, secondsFree, stretchesOf } from '../../goals/plan/ease-stretches.js';
import {
  fadeOut,
  isAbove,
  slowLeave,
  smoothCurve,
  smoothWeighted,
  softly,
  widenCurve,
} from './smooth-curves.js';

const curve = (...values: number[]) => Float64Array.from(values);

/** A repeatable curve that trembles, with stretches of zero. */
const trembling = (count: number) =>
  Float64Array.from({ length: count }, (_, k) => (k % 40 < 18 ? 0 : Math.sin(1.7 * k * k)));

/** What is within reach of a frame, with its weight. */
const around = (values: Float64Array, k: number, deviation: number) =>
  [...values].flatMap((value, j) =>
    Math.abs(j - k) <= Math.ceil(3 * deviation)
      ? [{ value, j, bell: Math.exp(-((j - k) ** 2) / (2 * deviation ** 2)) }]
      : [],
  );
const sumOf = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

describe('curves, by their definitions', () => {
  it.each([5, 30, 200])('are what they are defined as, of %i frames', (count) => {
    const values = trembling(count);
    const weights = values.map((value, k) => (k % 3 === 0 ? 0 : Math.abs(value)));
    for (const deviation of [0.7, 3, 7.2]) {
      const smooth = smoothCurve(values, deviation);
      const weighted = smoothWeighted(values, weights, deviation, 0.02);
      for (let k = 0; k < count; k++) {
        const near = around(values, k, deviation);
        const mean = sumOf(near.map(({ value, bell }) => bell * value)) / sumOf(near.map(({ bell }) => bell));
        expect(smooth[k]).toBeCloseTo(mean, 12);
        const sum = sumOf(near.map(({ value, j, bell }) => bell * weights[j]! * value));
        const total = sumOf(near.map(({ j, bell }) => bell * (weights[j]! + 0.02)));
        expect(weighted[k]).toBeCloseTo(sum / total, 12);
      }
    }
    for (const reach of [0, 1, 4, 50])
      expect([...widenCurve(values, reach)]).toEqual(
        [...values].map((_, k) => Math.max(...values.subarray(Math.max(0, k - reach), k + reach + 1))),
      );
  });
});

describe('smoothCurve', () => {
  it('keeps constants, to the ends, and the sum of a bump inside', () => {
    for (const value of smoothCurve(new Float64Array(9).fill(3), 2)) expect(value).toBeCloseTo(3, 12);
    const bump = new Float64Array(41);
    bump[20] = 1;
    const smooth = smoothCurve(bump, 3);
    expect(smooth.reduce((a, b) => a + b)).toBeCloseTo(1, 6);
    expect(smooth[20]).toBeLessThan(0.2);
  });

  it('takes curves of one frame and of none', () => {
    expect([...smoothCurve(curve(2), 3)]).toEqual([2]);
    expect(smoothCurve(new Float64Array(0), 3)).toHaveLength(0);
  });
});

describe('smoothWeighted', () => {
  it('looks only at what has weight, and fades to zero where nothing has', () => {
    const values = curve(5, 99, 99, 99, 99, 99, 99, 99, 99, 99);
    const weights = curve(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const held = smoothWeighted(values, weights, 1);
    expect(held[2]).toBeCloseTo(5, 9);
    expect(held[9]).toBe(0);
    const faded = smoothWeighted(values, weights, 1, 0.05);
    expect(faded[0]).toBeGreaterThan(4);
    expect(faded[3]).toBeLessThan(1);
  });
});

describe('widenCurve', () => {
  it('is never lower than the curve near it, so that smoothing it is in time', () => {
    expect([...widenCurve(curve(0, 0, 4, 0, 0, 1), 1)]).toEqual([0, 4, 4, 4, 1, 1]);
  });
});

describe('easing', () => {
  it('fades from one to zero and leaves with the slope asked for, at rest at the end', () => {
    expect([fadeOut(-1), fadeOut(0), fadeOut(0.5), fadeOut(1), fadeOut(2)]).toEqual([1, 1, 0.5, 0, 0]);
    const h = 1e-6;
    expect(slowLeave(h) / h).toBeCloseTo(1, 5);
    expect(slowLeave(1 - h) / h).toBeCloseTo(0, 5);
  });

  it('finds stretches and bridges gaps', () => {
    const on = Uint8Array.of(0, 1, 1, 0, 1, 0, 0, 0, 1);
    expect(stretchesOf(on, 1)).toEqual([
      { first: 1, last: 4 },
      { first: 8, last: 8 },
    ]);
  });

  it('tells whether a curve is above a number', () => {
    const curve = Float64Array.of(-1, 0, Number.NaN, 2);
    expect([isAbove(curve), isAbove(curve, 2), isAbove(curve.subarray(0, 3))]).toEqual([true, false, false]);
  });

  it('goes on from a stretch with its value and slope, and comes to the usual value', () => {
    const known = new Float64Array(60);
    for (let k = 20; k <= 30; k++) known[k] = 2 + 0.1 * (k - 20);
    easeStretches({ rate: 60 }, known, 1, [{ first: 20, last: 30 }], [1], [0.2]);
    expect(known[31]! - known[30]!).toBeGreaterThan(0.05);
    expect(known[19]! - known[20]!).toBeLessThan(-0.05);
    expect([known[0], known[59]]).toEqual([1, 1]);
    for (let k = 1; k < 60; k++) expect(Math.abs(known[k]! - known[k - 1]!)).toBeLessThan(0.4);
  });
});

describe('easeStretches', () => {
  const back = (value: number, gentle?: number) => {
    const curve = new Float64Array(90);
    curve.fill(value, 40, 51);
    easeStretches(
      { rate: 60, ...(gentle && { gentle: 3600 * gentle }) },
      curve,
      1,
      [{ first: 40, last: 50 }],
      [0],
      [0.1],
    );
    let change = 0;
    for (let k = 51; k < 88; k++)
      change = Math.max(change, Math.abs(curve[k + 1]! - 2 * curve[k]! + curve[k - 1]!));
    return { change, curve };
  };

  it('takes longer over a long way, so that its speed changes no faster than is gentle', () => {
    expect(back(0.1).change).toBeGreaterThan(0.012);
    expect(back(0.1, 0.006).change).toBeLessThan(0.006);
    expect(back(0.1, 0.006).curve[57]).toBeGreaterThan(0.01);
  });

  it('takes no longer over a short one, and never more than two and a half times as long', () => {
    expect(back(0.02, 0.006).curve).toEqual(back(0.02).curve);
    const { curve } = back(5, 0.006);
    expect(curve[50 + 14]).toBeGreaterThan(0);
    expect(curve[50 + 15]).toBe(0);
  });
});

describe('softly', () => {
  it('is never less than the value or 0, exact outside its softness, and has no kink', () => {
    for (let x = -0.5; x <= 0.5; x += 0.01) {
      const y = softly(x, 0.2);
      expect(y).toBeGreaterThanOrEqual(Math.max(0, x));
      if (Math.abs(x) >= 0.2) expect(y).toBeCloseTo(Math.max(0, x), 12);
      // The slope goes from 0 to 1 over 0.4.
      const bend = softly(x + 0.01, 0.2) - 2 * y + softly(x - 0.01, 0.2);
      expect(bend).toBeLessThan(0.01 * 0.01 * 2.6);
    }
  });

  it('without softness it is what is above zero; what is no number is nothing', () => {
    expect([softly(-1, 0), softly(0, 0), softly(2, 0)]).toEqual([0, 0, 2]);
    expect(softly(Number.NaN, 0.1)).toBe(0);
  });
});

describe('secondsFree', () => {
  it('counts to the nearest frame that carries, both ways, per limb', () => {
    // Two limbs; the second carries at frames 2 and 3 of 8.
    const carried = Float64Array.from({ length: 16 }, (_, i) => (i === 5 || i === 7 ? 1 : 0));
    expect([...secondsFree({ count: 8, rate: 60 }, carried, 1, 2)].map((t) => Math.round(60 * t))).toEqual([
      2, 1, 0, 0, 1, 2, 3, 4,
    ]);
    for (const t of secondsFree({ count: 8, rate: 60 }, carried, 0, 2)) expect(t).toBeGreaterThan(0.1);
  });
});
