import { describe, expect, it } from 'vitest';
import { calmLeaps, isLeap } from './calm-leaps.js';

const COUNT = 80;
const DEGREE = Math.PI / 180;

const changesOf = (curve: Float64Array) =>
  curve.map((value, k) => (k > 0 && k < COUNT - 1 ? Math.abs(curve[k + 1]! - 2 * value + curve[k - 1]!) : 0));
const leapsOf = (curve: Float64Array) =>
  changesOf(curve).map((change) => (isLeap(change, 0, 1) ? change : 0));
const curveOf = (at: (k: number) => number) => Float64Array.from({ length: COUNT }, (_, k) => at(k) * DEGREE);
const mostOf = (curve: Float64Array) => Math.max(...changesOf(curve)) / DEGREE;

describe('calmLeaps', () => {
  it.each([
    ['a kink', (k: number) => 4 * Math.max(0, k - 40)],
    ['a jump', (k: number) => (k < 40 ? 0 : 20)],
    ['a turn that flips half way round', (k: number) => (k < 40 ? 0 : 160)],
    ['a spike', (k: number) => (k === 40 ? 10 : 0)],
  ])('%s becomes no leap, and far from it nothing is moved', (_, at) => {
    const curve = curveOf(at);
    const before = curve.slice();
    expect(mostOf(curve)).toBeGreaterThan(3);
    expect(calmLeaps(curve, { size: 1, rate: 60 }, leapsOf, null)).toBe(true);
    expect(mostOf(curve)).toBeLessThan(2.5);
    for (const k of [0, 5, COUNT - 6, COUNT - 1]) expect(curve[k]).toBe(before[k]);
  });

  it('what is held stays, and what is free beside it makes up for that', () => {
    const curve = curveOf((k) => (k < 40 ? 0 : 6));
    const held = Float64Array.from({ length: COUNT }, (_, k) => (k < 40 ? 1e6 : 0));
    calmLeaps(curve, { size: 1, rate: 60 }, leapsOf, held);
    for (let k = 0; k < 40; k++) expect(curve[k]).toBeCloseTo(0, 5);
    expect(mostOf(curve)).toBeLessThan(2.5);
  });

  it('what is held on both sides of a pop gives way at last, and for less than a pop it does not', () => {
    const over = (curve: Float64Array, times: number) =>
      changesOf(curve).map((change) => (isLeap(change, 0, 1, times) ? change : 0));
    const held = (stiffness: number) => new Float64Array(COUNT).fill(stiffness);
    const pop = curveOf((k) => (k < 40 ? 0 : 6));
    calmLeaps(pop, { size: 1, rate: 60 }, over, held(250));
    expect(mostOf(pop)).toBeLessThan(2.6);
    const leap = curveOf((k) => (k < 40 ? 0 : 2.4));
    calmLeaps(leap, { size: 1, rate: 60 }, over, held(2000));
    expect(Math.abs(leap[39]!) / DEGREE).toBeLessThan(0.05);
  });

  it('on a grid of half the rate what is held stays as near, and what is free is moved no longer', () => {
    // A kink of 240 degrees a second, held as feet are from where it begins on.
    const moved = (rate: number) => {
      const pace = 60 / rate;
      const curve = curveOf((k) => (240 / rate) * Math.max(0, k - 40));
      const before = curve.slice();
      const over = (now: Float64Array, times: number) =>
        changesOf(now).map((change) => (isLeap(change, 0, pace, times) ? change : 0));
      const held = Float64Array.from({ length: COUNT }, (_, k) => (k > 40 ? 250 : 0));
      calmLeaps(curve, { size: 1, rate }, over, held);
      const off = curve.map((value, k) => Math.abs(value - before[k]!) / DEGREE);
      return { held: Math.max(...off.slice(41)), seconds: off.filter((by) => by > 0.01).length / rate };
    };
    const [dense, coarse] = [moved(60), moved(30)];
    expect(dense.held).toBeGreaterThan(0);
    expect(coarse.held).toBeLessThan(dense.held);
    expect(coarse.seconds).toBeLessThan(1.3 * dense.seconds);
  });

  it('what gave way too far is held again', () => {
    const held = new Float64Array(COUNT).fill(250);
    const over = (curve: Float64Array, times: number) =>
      changesOf(curve).map((change) => (isLeap(change, 0, 1, times) ? change : 0));
    const given = curveOf((k) => (k < 40 ? 0 : 6));
    calmLeaps(given, { size: 1, rate: 60 }, over, held);
    expect(Math.abs(given[39]!) / DEGREE).toBeGreaterThan(0.5);
    const far = curveOf((k) => (k < 40 ? 0 : 6));
    const asked: number[] = [];
    calmLeaps(far, { size: 1, rate: 60 }, over, held, (firm, now, first, last) => {
      asked.push(first, last);
      return Math.abs(now[39]! - firm[39]!) > 0.1 * DEGREE;
    });
    expect(Math.abs(far[39]!) / DEGREE).toBeLessThan(0.3);
    expect(asked[0]).toBeLessThan(40);
    expect(asked[1]).toBeGreaterThanOrEqual(40);
  });

  it('a curve that changes slowly, or no faster than the copy does, is not touched', () => {
    const curve = curveOf((k) => 20 * Math.sin(k / 8));
    const before = curve.slice();
    expect(calmLeaps(curve, { size: 1, rate: 60 }, leapsOf, null)).toBe(false);
    expect(curve).toEqual(before);
    expect(isLeap(3 * DEGREE, 1 * DEGREE, 1)).toBe(true);
    expect(isLeap(3 * DEGREE, 1.5 * DEGREE, 1)).toBe(false);
    expect(isLeap(2 * DEGREE, 0, 1)).toBe(false);
    // Of a clip of thirty frames a second half of that is a leap: its lines have kinks twice as large.
    expect(isLeap(2 * DEGREE, 0, 0.5)).toBe(true);
  });
});
