import { describe, expect, it } from 'vitest';
import type { BodyPoint } from './body-points.js';
import { contactsOfTracks } from './find-contacts.js';
import { findTreadmill, onMovingGround } from './find-treadmill.js';
import type { PointTracks } from './track-points.js';

const COUNT = 120;
const point = (name: BodyPoint['name']): BodyPoint => ({ name, joint: 0, offset: [0, 0, 0], standing: 0 });

/** Two feet that take turns in going back on the ground at a speed and forwards through the air; hips that travel. */
function tracksOf(speed: number, travel: number): PointTracks {
  const points = [point('leftToe'), point('rightToe'), point('hips')];
  const positions = new Float64Array(9 * COUNT);
  for (let k = 0; k < COUNT; k++) {
    const time = k / 60;
    [0, 1].forEach((n) => {
      const phase = (time + 0.5 * n) % 1;
      const stands = phase < 0.5;
      const back = stands ? 0.25 - phase : -0.25 + (phase - 0.5);
      positions[9 * k + 3 * n + 1] = stands ? 0 : 0.3 * Math.sin(2 * Math.PI * (phase - 0.5));
      positions[9 * k + 3 * n + 2] = speed * back + travel * time;
    });
    positions[9 * k + 7] = 1;
    positions[9 * k + 8] = travel * time;
  }
  return { points, count: COUNT, positions, hipHeight: 1, floor: 0 };
}

describe('findTreadmill', () => {
  it('finds how fast the ground goes under a body that walks on the spot, and the contacts on it', () => {
    const tracks = tracksOf(1.5, 0);
    const [x, z] = findTreadmill(tracks);
    expect(x).toBeCloseTo(0, 9);
    expect(z).toBeCloseTo(-1.5, 6);
    expect(contactsOfTracks(tracks)).toHaveLength(0);
    const found = contactsOfTracks(onMovingGround(tracks, [x, z]));
    expect(found.filter(({ point }) => point === 'leftToe').length).toBeGreaterThanOrEqual(2);
  });

  it('finds slow ground where both feet always go its way, as those of someone who pushes a cart', () => {
    const [x, z] = findTreadmill(tracksOf(0.3, 0));
    expect(x).toBeCloseTo(0, 9);
    expect(z).toBeCloseTo(-0.3, 6);
    expect(findTreadmill(tracksOf(0.05, 0))).toEqual([0, 0]);
    // One foot that shifts is no ground, nor are two that do not go far.
    const one = tracksOf(0.3, 0);
    for (let k = 0; k < COUNT; k++) one.positions[9 * k + 3 + 2] = 0;
    expect(findTreadmill(one)).toEqual([0, 0]);
    expect(findTreadmill({ ...tracksOf(0.3, 0), count: 50 })).toEqual([0, 0]);
  });

  it('feet that swing forwards in the floor do not show the ground', () => {
    const tracks = tracksOf(1.5, 0);
    for (let k = 0; k < COUNT; k++)
      for (let n = 0; n < 2; n++)
        if (tracks.positions[9 * k + 3 * n + 1]! > 0) tracks.positions[9 * k + 3 * n + 1] = -0.1;
    expect(findTreadmill(tracks)[1]).toBeCloseTo(-1.5, 6);
  });

  it('a body that stands up and drags its feet does not walk', () => {
    const tracks = tracksOf(1.5, 0);
    for (let k = 0; k < COUNT; k++) tracks.positions[9 * k + 7] = 0.4 + (0.6 * k) / COUNT;
    expect(findTreadmill(tracks)).toEqual([0, 0]);
  });

  it('a body that travels, or stands, is on ground that stands still', () => {
    expect(findTreadmill(tracksOf(1.5, 1.5))).toEqual([0, 0]);
    expect(findTreadmill(tracksOf(0.1, 0))).toEqual([0, 0]);
    expect(findTreadmill({ ...tracksOf(1.5, 0), count: 5 })).toEqual([0, 0]);
    expect(findTreadmill({ ...tracksOf(1.5, 0), points: [] })).toEqual([0, 0]);
  });
});
