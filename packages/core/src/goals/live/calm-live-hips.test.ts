import { describe, expect, it } from 'vitest';
import { createCalmHips } from './calm-live-hips.js';

const seconds = Float64Array.of(1 / 60);
const HEIGHT = 0.9;

/** Where hips are shown that would be in these places along one axis, in hip heights. */
function shownOf(places: readonly number[], axis = 1): number[] {
  const hips = createCalmHips(HEIGHT);
  return places.map((place) => {
    const shift = new Float64Array(3);
    shift[axis] = place * HEIGHT;
    hips.update(shift, seconds);
    expect(shift.every(Number.isFinite)).toBe(true);
    return shift[axis]! / HEIGHT;
  });
}

const leapOf = (places: readonly number[]) =>
  Math.max(...places.slice(2).map((place, k) => Math.abs(place - 2 * places[k + 1]! + places[k]!)));

describe('createCalmHips', () => {
  it.each([
    ['jump up', (k: number) => (k < 20 ? 0 : 0.1)],
    ['begin to fall', (k: number) => -0.02 * Math.max(0, k - 20)],
    ['are thrown up for a frame', (k: number) => (k === 20 ? 0.05 : 0)],
  ])('hips that %s do not leap, and come there', (_, at) => {
    const asked = Array.from({ length: 120 }, (__, k) => at(k));
    const shown = shownOf(asked);
    expect(leapOf(asked)).toBeGreaterThan(0.015);
    expect(leapOf(shown)).toBeLessThan(0.0031);
    expect(Math.abs(shown.at(-1)! - asked.at(-1)!)).toBeLessThan(0.005);
  });

  it('hips that go softly are where they would be, to the last bit', () => {
    const asked = Array.from({ length: 120 }, (_, k) => 0.05 * (1 - Math.cos(k / 12)));
    expect(leapOf(asked)).toBeLessThan(0.002);
    expect(shownOf(asked, 2)).toEqual(asked.map((place) => (place * HEIGHT) / HEIGHT));
  });

  it('edges: after a reset, and where no time has passed, they are where they would be at once', () => {
    const hips = createCalmHips(HEIGHT);
    const at = (place: number, t = 1 / 60) => {
      const shift = Float64Array.of(place, 0, 0);
      hips.update(shift, Float64Array.of(t));
      return shift[0];
    };
    expect(at(0.3)).toBe(0.3);
    expect(at(0.9)).toBeLessThan(0.31);
    expect(at(0.9, 0)).toBe(0.9);
    expect(at(0.1)).toBeGreaterThan(0.8);
    hips.reset();
    expect(at(0.1)).toBe(0.1);
  });
});
