import { describe, expect, it } from 'vitest';
import { calmLeaps, isLeap, markLeaps, usualOfClip } from './calm-leaps.js';

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
    expect(calmLeaps(curve, 1, leapsOf, null)).toBe(true);
    expect(mostOf(curve)).toBeLessThan(2.5);
    for (const k of [0, 5, COUNT - 6, COUNT - 1]) expect(curve[k]).toBe(before[k]);
  });

  it('what is held stays, and what is free beside it makes up for that', () => {
    const curve = curveOf((k) => (k < 40 ? 0 : 6));
    const held = Float64Array.from({ length: COUNT }, (_, k) => (k < 40 ? 1e6 : 0));
    calmLeaps(curve, 1, leapsOf, held);
    for (let k = 0; k < 40; k++) expect(curve[k]).toBeCloseTo(0, 5);
    expect(mostOf(curve)).toBeLessThan(2.5);
  });

  it('what is held on both sides of a pop gives way at last, and for less than a pop it does not', () => {
    const over = (curve: Float64Array, times: number) =>
      changesOf(curve).map((change) => (isLeap(change, 0, 1, times) ? change : 0));
    const held = (stiffness: number) => new Float64Array(COUNT).fill(stiffness);
    const pop = curveOf((k) => (k < 40 ? 0 : 6));
    calmLeaps(pop, 1, over, held(250));
    expect(mostOf(pop)).toBeLessThan(2.6);
    const leap = curveOf((k) => (k < 40 ? 0 : 2.4));
    calmLeaps(leap, 1, over, held(2000));
    expect(Math.abs(leap[39]!) / DEGREE).toBeLessThan(0.05);
  });

  it('what gave way too far is held again', () => {
    const held = new Float64Array(COUNT).fill(250);
    const over = (curve: Float64Array, times: number) =>
      changesOf(curve).map((change) => (isLeap(change, 0, 1, times) ? change : 0));
    const given = curveOf((k) => (k < 40 ? 0 : 6));
    calmLeaps(given, 1, over, held);
    expect(Math.abs(given[39]!) / DEGREE).toBeGreaterThan(0.5);
    const far = curveOf((k) => (k < 40 ? 0 : 6));
    const asked: number[] = [];
    calmLeaps(far, 1, over, held, (firm, now, first, last) => {
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
    expect(calmLeaps(curve, 1, leapsOf, null)).toBe(false);
    expect(curve).toEqual(before);
    expect(isLeap(3 * DEGREE, 1 * DEGREE, 1)).toBe(true);
    expect(isLeap(3 * DEGREE, 1.5 * DEGREE, 1)).toBe(false);
    expect(isLeap(2 * DEGREE, 0, 1)).toBe(false);
    // Of a clip of thirty frames a second half of that is a leap: its lines have kinks twice as large.
    expect(isLeap(2 * DEGREE, 0, 0.5)).toBe(true);
  });
});

describe('markLeaps', () => {
  /** Turns about x by the given degrees. */
  const turnsOf = (at: (k: number) => number) =>
    Float64Array.from(
      Array.from({ length: COUNT }, (_, k) => {
        const half = (at(k) * DEGREE) / 2;
        return [Math.sin(half), 0, 0, Math.cos(half)];
      }).flat(),
    );
  /** Degrees a frame and frame by which a joint leaps that the copy and what is added turn like this. */
  const leapsIn = (copied: (k: number) => number, added: (k: number) => number, pace: number) => {
    const course = { copied: turnsOf(copied), added: null, size: 4, at: 0, count: COUNT };
    const both = { ...course, added: turnsOf(added) };
    const leaps = markLeaps(null, both, usualOfClip(course, pace), pace);
    return leaps ? [...leaps].map((leap) => leap / DEGREE) : null;
  };
  /** Bends by so many degrees a frame and frame between two frames, and goes on as fast. */
  const bending = (by: number, from: number, to: number) => {
    const angles = [0, 0];
    for (let k = 1; k < COUNT; k++)
      angles.push(2 * angles[k]! - angles[k - 1]! + (k >= from && k <= to ? by : 0));
    return (k: number) => angles[k]!;
  };
  /** Lines between every so many frames of a curve. */
  const lines = (at: (k: number) => number, stride: number) => (k: number) => {
    const from = stride * Math.floor(k / stride);
    return at(from) + ((at(from + stride) - at(from)) * (k - from)) / stride;
  };

  it('of a clip of thirty frames a second what is added over two frames counts, as its kinks show it', () => {
    // The copy's kinks are of 0.9 degrees; what is added is bent by as much in each frame, and so by 1.8 at a kink.
    const copied = lines(bending(0.45, 20, 40), 2);
    const leaps = leapsIn(copied, bending(0.9, 20, 40), 0.5);
    expect(leaps).not.toBeNull();
    expect(Math.max(...leaps!)).toBeGreaterThan(2.5);
    expect(Math.max(...leaps!)).toBeLessThan(2.9);
    expect(leaps!.findIndex((leap) => leap > 0)).toBeGreaterThanOrEqual(18);
    // In a clip of sixty each frame is its own, and the same is none.
    expect(leapsIn(copied, bending(0.9, 20, 40), 1)).toBeNull();
  });

  it('kinks that the copy has are none, nor what is added by so little that none is seen', () => {
    const copied = lines(bending(2, 20, 40), 2);
    expect(leapsIn(copied, () => 0, 0.5)).toBeNull();
    expect(leapsIn(copied, bending(0.5, 20, 40), 0.5)).toBeNull();
    expect(leapsIn(() => 0, bending(0.5, 20, 40), 0.5)).toBeNull();
  });

  it.each([0.5, 0.4, 0.25])(
    'of a clip whose frames are %s as many as the grid has, a jump is a leap',
    (pace) => {
      const leaps = leapsIn(
        () => 0,
        (k) => (k < 40 ? 0 : 16),
        pace,
      );
      const found = leaps!.flatMap((leap, k) => (leap > 0 ? [k] : []));
      expect(found[0]).toBeGreaterThan(30);
      expect(found.at(-1)).toBeLessThan(50);
    },
  );
});
