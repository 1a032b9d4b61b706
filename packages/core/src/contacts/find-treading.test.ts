import { describe, expect, it } from 'vitest';
import type { Contact } from '../options/contact.js';
import type { BodyPoint } from './body-points.js';
import { findTreading } from './find-treading.js';
import type { PointTracks } from './track-points.js';

const COUNT = 120;
const WIDTH = 3;
const point = (name: BodyPoint['name']): BodyPoint => ({ name, joint: 0, offset: [0, 0, 0], standing: 0 });

/**
 * Two feet that take turns of half a second in going back along the floor, now faster, now slower, and forwards at a
 * height; both with the floor at 0. Heights per point per instant beside the tracks.
 */
function runOf(swing: number): { tracks: PointTracks; heights: Float64Array } {
  const points = [point('leftToe'), point('rightToe'), point('hips')];
  const positions = new Float64Array(3 * WIDTH * COUNT);
  const heights = new Float64Array(WIDTH * COUNT);
  for (let k = 0; k < COUNT; k++) {
    for (let n = 0; n < 2; n++) {
      const phase = (k / 60 + 0.5 * n) % 1;
      const stands = phase < 0.5;
      const way = stands ? Math.cos(2 * Math.PI * phase) : -Math.cos(2 * Math.PI * (phase - 0.5));
      heights[WIDTH * k + n] = stands ? 0 : swing;
      positions[3 * (WIDTH * k + n) + 1] = heights[WIDTH * k + n]!;
      positions[3 * (WIDTH * k + n) + 2] = way;
    }
    heights[WIDTH * k + 2] = 1;
    positions[3 * (WIDTH * k + 2) + 1] = 1;
  }
  return { tracks: { points, count: COUNT, positions, hipHeight: 1, floor: 0 }, heights };
}

const treadsAt = (treading: Uint8Array, n: number) =>
  Array.from({ length: COUNT }, (_, k) => k).filter((k) => treading[WIDTH * k + n] === 1);

describe('findTreading', () => {
  it('finds feet that go back along the floor, though none stands on any ground', () => {
    const { tracks, heights } = runOf(0.3);
    const treading = findTreading(tracks, heights, [], [0, 0]);
    const left = treadsAt(treading, 0);
    expect(left.length).toBeGreaterThan(50);
    expect(left.every((k) => heights[WIDTH * k] === 0)).toBe(true);
    expect(treadsAt(treading, 2)).toEqual([]);
  });

  it('a foot that swings forwards in the floor carries nothing, and hides no foot that does', () => {
    const { tracks, heights } = runOf(-0.1);
    for (const ground of [
      [0, 0],
      [0, -4],
    ] as const) {
      const left = treadsAt(findTreading(tracks, heights, [], ground), 0);
      expect(left.length).toBeGreaterThan(50);
      // But for the instants at which it turns.
      expect(left.filter((k) => heights[WIDTH * k]! < 0).length).toBeLessThan(6);
    }
  });

  it('nothing treads where a foot stands, where all are high, and where there are no feet', () => {
    const { tracks, heights } = runOf(0.3);
    const contact: Contact = { point: 'leftToe', start: 0, end: 0.2, height: 0, position: null };
    expect(findTreading(tracks, heights, [contact], [0, 0])).toHaveLength(0);
    expect(
      findTreading(
        tracks,
        heights.map((height) => height + 0.1),
        [],
        [0, 0],
      ),
    ).toHaveLength(0);
    expect(findTreading({ ...tracks, points: [] }, heights, [], [0, 0])).toHaveLength(0);
    expect(findTreading({ ...tracks, count: 0 }, heights, [], [0, 0])).toHaveLength(0);
  });

  it('what is low for an instant only does not tread', () => {
    const { tracks, heights } = runOf(0.3);
    const brief = heights.map((height, i) => {
      const phase = (Math.floor(i / WIDTH) / 60) % 0.5;
      return height === 0 && phase > 0.02 ? 0.2 : height;
    });
    expect(findTreading(tracks, brief, [], [0, 0])).toHaveLength(0);
  });
});
