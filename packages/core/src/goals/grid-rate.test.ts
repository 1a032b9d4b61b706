import { describe, expect, it, test } from 'vitest';
import type { PointTracks } from '../contacts/track-points.js';
import type { Clip } from '../scene/clip.js';
import { atContactRate, framesOver, gridRateOf, heightsOnGrid, marksOnGrid, paceOf } from './grid-rate.js';

/** A clip of one track with keys at some times. */
const clipAt = (times: readonly number[]): Clip => ({
  name: 'clip',
  duration: times.at(-1) ?? 0,
  morphs: [],
  tracks: [
    {
      joint: 0,
      channel: 'rotation',
      interpolation: 'linear',
      times: Float32Array.from(times),
      values: Float32Array.from(times.flatMap((time) => [Math.sin(time), 0, 0, Math.cos(time)])),
    },
  ],
});
const even = (rate: number, seconds = 2) =>
  clipAt(Array.from({ length: Math.round(rate * seconds) + 1 }, (_, k) => k / rate));
const joints = new Set([0]);

describe('gridRateOf', () => {
  it.each([24, 25, 30])('clips of %d frames a second are planned in these', (rate) => {
    expect(gridRateOf(even(rate), joints, null)).toBe(rate);
    expect(gridRateOf(even(rate), joints, rate)).toBe(rate);
  });

  it.each([12, 48, 60, 120])('of %d a second at 60, as contacts are looked for', (rate) => {
    expect(gridRateOf(even(rate), joints, null)).toBe(60);
  });

  it('where frames are asked for at another rate, or stand elsewhere, at 60', () => {
    expect(gridRateOf(even(30), joints, 24)).toBe(60);
    expect(gridRateOf(even(30), joints, 60)).toBe(60);
    expect(gridRateOf(clipAt([0, 0.5, 2]), joints, null)).toBe(60);
    expect(gridRateOf(clipAt([0]), joints, null)).toBe(60);
  });
});

test('a leap of the grid is as large as is seen of it at 60 frames a second, times the pace', () => {
  // θ = ½·a·t² on the grid; in the result, lines between the clip's frames, a kink of a / F a second.
  for (const [own, rate] of [
    [30, 30],
    [24, 24],
    [30, 60],
    [120, 60],
  ] as const) {
    const frames = Math.min(own, rate);
    const bend = (1 / rate) ** 2;
    expect(bend / paceOf(even(own), rate)).toBeCloseTo(1 / frames / 60, 9);
  }
});

test('frames over a stretch are those that it lies between, and its own ends where these are frames', () => {
  expect(framesOver(0.1, 0.2, 60)).toEqual([6, 12]);
  expect(framesOver(0.11, 0.19, 30)).toEqual([3, 6]);
});

test('what is found at 60 instants a second and what is planned in fewer frames are at the same times', () => {
  const grid = { count: 13, rate: 24 };
  const tracks = {
    points: [{}, {}],
    count: grid.count,
    positions: Float64Array.from({ length: 6 * grid.count }, (_, i) => Math.floor(i / 6) / 24 + (i % 6)),
  } as unknown as PointTracks;
  const dense = atContactRate(tracks, 24, 0.5);
  expect(dense.count).toBe(31);
  for (let k = 0; k < dense.count; k++)
    for (let c = 0; c < 6; c++) expect(dense.positions[6 * k + c]).toBeCloseTo(k / 60 + c, 9);
  const heights = Float64Array.from({ length: 31 }, (_, k) => k / 60);
  heightsOnGrid(heights, 1, grid).forEach((height, k) => {
    expect(height).toBeCloseTo(k / 24, 9);
  });
  const marks = Uint8Array.from({ length: 31 }, (_, k) => (k >= 10 && k <= 20 ? 1 : 0));
  expect([...marksOnGrid(marks, 1, grid)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
  expect(atContactRate(tracks, 60, 0.2)).toBe(tracks);
  expect(heightsOnGrid(heights, 1, { count: 31, rate: 60 })).toBe(heights);
});
