import { describe, expect, it } from 'vitest';
import type { Contact, PointName } from '../options/contact.js';
import { addCarryingHands } from './add-carrying-hands.js';
import type { BodyPoint } from './body-points.js';
import { HELD_CONTACTS } from './contact-rules.js';
import { contactsOfTracks, pointHeights, pointSpeeds } from './find-contacts.js';
import type { PointTracks } from './track-points.js';

type Path = (second: number) => [number, number, number];

/** A body of points that move as told: heights over the floor in metres, with hips a metre high. */
function tracksOf(paths: Partial<Record<PointName, Path>>, seconds = 1): PointTracks {
  const names = Object.keys(paths) as PointName[];
  const points = names.map((name, joint): BodyPoint => ({ name, joint, offset: [0, 0, 0], standing: 0 }));
  const count = Math.round(60 * seconds) + 1;
  const positions = new Float64Array(3 * points.length * count);
  for (let k = 0; k < count; k++)
    names.forEach((name, n) => {
      positions.set(paths[name]!(k / 60), 3 * (points.length * k + n));
    });
  return { points, count, positions, hipHeight: 1, floor: 0 };
}

const found = (tracks: PointTracks) => contactsOfTracks(tracks).filter(({ point }) => point === 'leftHand');

/** A foot that is in the air from 0.3 to 0.7 s. */
const hop: Path = (t) => [0, t > 0.3 && t < 0.7 ? 1.2 : 0, 0];

describe('addCarryingHands', () => {
  it('a hand that floats and glides is on the floor while nothing else carries the body', () => {
    const hand: Path = (t) => [0.5 * t, t > 0.3 && t < 0.7 ? 0.15 : 0.8, 0];
    const [contact, ...more] = found(tracksOf({ leftToe: hop, leftHand: hand }));
    expect(more).toEqual([]);
    expect(contact!.height).toBe(0);
    expect(contact!.start).toBeGreaterThan(0.28);
    expect(contact!.end).toBeLessThan(0.72);
    expect(contact!.end - contact!.start).toBeGreaterThan(0.3);
    expect(contact!.position![0]).toBeCloseTo(0.25, 1);
  });

  it('what is as low beside feet that stand, flies as fast as the body, or is higher than a hand is long does not', () => {
    const low: Path = (t) => [0.5 * t, 0.15, 0];
    const stands: Path = () => [0, 0, 0];
    const fast: Path = (t) => [1.5 * t, t > 0.3 && t < 0.7 ? 0.15 : 0.8, 0];
    const high: Path = (t) => [0.5 * t, t > 0.3 && t < 0.7 ? 0.4 : 0.8, 0];
    expect(found(tracksOf({ leftToe: stands, leftHand: low }))).toEqual([]);
    expect(found(tracksOf({ leftToe: hop, leftHand: fast }))).toEqual([]);
    expect(found(tracksOf({ leftToe: hop, leftHand: high }))).toEqual([]);
  });

  it('joins what it overlaps, and leaves other points and contacts as they are', () => {
    const hand: Path = () => [0, 0.1, 0];
    const tracks = tracksOf({ leftToe: () => [0, 1, 0], leftHand: hand });
    const speeds = pointSpeeds(tracks);
    const heights = pointHeights(tracks, new Float64Array(2));
    const own: Contact[] = [
      { point: 'leftToe', start: 0, end: 0.5, height: 1, position: [0, 1, 0] },
      { point: 'leftHand', start: 0.2, end: 0.4, height: 0.1, position: [0, 0.1, 0] },
    ];
    const lowest = new Float64Array(tracks.count).fill(0.1);
    const all = addCarryingHands(tracks, own, heights, speeds, lowest);
    expect(all[0]).toEqual(own[0]);
    expect(all.slice(1)).toEqual([
      { point: 'leftHand', start: 0, end: 1, height: 0, position: [0, expect.closeTo(0.1, 9), 0] },
    ]);
    expect(HELD_CONTACTS.height).toBeLessThan(0.1);
  });

  it('numbers that are none find nothing', () => {
    const hand: Path = () => [Number.NaN, Number.NaN, Number.NaN];
    expect(found(tracksOf({ leftToe: hop, leftHand: hand }))).toEqual([]);
  });
});
