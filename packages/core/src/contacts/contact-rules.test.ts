import { describe, expect, it } from 'vitest';
import type { BodyPoint } from './body-points.js';
import { HELD_CONTACTS, PLANNED_CONTACTS, STANDING_CONTACTS } from './contact-rules.js';
import { contactsOfTracks } from './find-contacts.js';
import { findTreadmill } from './find-treadmill.js';
import { createMovingGround } from './moving-ground.js';
import type { PointTracks } from './track-points.js';

const point = (name: BodyPoint['name']): BodyPoint => ({ name, joint: 0, offset: [0, 0, 0], standing: 0 });

/** Where a foot is at a time: its height and how far ahead it is, in hip heights. */
type Course = (t: number) => readonly [height: number, ahead: number];

/** A left and a right foot on their courses for four seconds, under hips a metre high. */
function tracksOf(left: Course, right: Course = () => [0, 0]): PointTracks {
  const count = 241;
  const positions = new Float64Array(9 * count);
  for (let k = 0; k < count; k++)
    [left(k / 60), right(k / 60), [1, 0] as const].forEach(([height, ahead], n) => {
      positions.set([0, height, ahead], 9 * k + 3 * n);
    });
  return {
    points: [point('leftToe'), point('rightToe'), point('hips')],
    count,
    positions,
    hipHeight: 1,
    floor: 0,
  };
}

const ofLeft = (left: Course, rules = {}, right?: Course) =>
  contactsOfTracks(tracksOf(left, right), rules).filter((contact) => contact.point === 'leftToe');

/** Stands for two seconds, is in the air for half a second, and comes down to a height. */
const comesDownTo =
  (height: number): Course =>
  (t) => [t < 2 ? 0 : t < 2.5 ? 0.2 : height, 0];
/** Stands for two seconds, and then rises by a tenth a second to a height. */
const risesTo =
  (height: number): Course =>
  (t) => [Math.min(height, Math.max(0, 0.1 * (t - 2))), 0];
/** Goes ahead at a speed all the time; or after it has stood for two seconds. */
const slides =
  (speed: number): Course =>
  (t) => [0, speed * t];
const slidesLater =
  (speed: number): Course =>
  (t) => [0, speed * Math.max(0, t - 2)];

describe.each([
  ['what may stand', STANDING_CONTACTS, { height: 0.04, speed: 0.4, releaseHeight: 0.04, releaseSpeed: 0.4 }],
  ['what is held', HELD_CONTACTS, { height: 0.03, speed: 0.3, releaseHeight: 0.037, releaseSpeed: 0.37 }],
  [
    'what is planned',
    PLANNED_CONTACTS,
    { height: 0.035, speed: 0.35, releaseHeight: 0.04, releaseSpeed: 0.4 },
  ],
] as const)('%s', (_, rules, limits) => {
  it('begins a little below its height and speed, and not a little above', () => {
    expect(ofLeft(comesDownTo(0.95 * limits.height), rules)).toHaveLength(2);
    expect(ofLeft(comesDownTo(1.05 * limits.height), rules)).toHaveLength(1);
    expect(ofLeft(slides(0.97 * limits.speed), rules)).toHaveLength(1);
    expect(ofLeft(slides(1.03 * limits.speed), rules)).toHaveLength(0);
  });

  it('goes on up to its release, and no farther', () => {
    const end = (course: Course) => ofLeft(course, rules)[0]!.end;
    expect(end(risesTo(0.97 * limits.releaseHeight))).toBe(4);
    expect(end(risesTo(1.08 * limits.releaseHeight))).toBeLessThan(3);
    expect(end(slidesLater(0.97 * limits.releaseSpeed))).toBe(4);
    expect(end(slidesLater(1.05 * limits.releaseSpeed))).toBeLessThan(2.2);
  });
});

describe('how long contacts are, and how far apart', () => {
  /** Runs, and stops for so many seconds. */
  const stops =
    (seconds: number): Course =>
    (t) => [0, t < 2 ? t : t < 2 + seconds ? 2 : t - seconds];
  /** Stands in one place, but goes ahead and back again at a speed of 1 within so many seconds. */
  const shakes =
    (seconds: number): Course =>
    (t) => [0, Math.max(0, seconds / 2 - Math.abs(t - 2 - seconds / 2))];

  it('a stop of an eighth of a second is none, seen over 66 ms; one of a sixth is one', () => {
    for (const rules of [STANDING_CONTACTS, HELD_CONTACTS]) {
      expect(ofLeft(stops(0.12), rules)).toHaveLength(0);
      expect(ofLeft(stops(0.16), rules)).toHaveLength(1);
    }
  });

  it('ten frames between two in one place are bridged where feet are held, none where they may stand', () => {
    expect(ofLeft(shakes(0.1))).toHaveLength(1);
    expect(ofLeft(shakes(0.2))).toHaveLength(2);
    expect(ofLeft(shakes(0.08), STANDING_CONTACTS)).toHaveLength(2);
  });
});

describe('what carries, and on which floor', () => {
  it('the lowest foot on a step carries, and the other one where it is less than 2 % higher', () => {
    const onStep =
      (higher: number): Course =>
      (t) => [t < 2 ? 0 : 0.3 + higher, 0];
    expect(ofLeft(onStep(0.018), {}, onStep(0))).toHaveLength(2);
    expect(ofLeft(onStep(0.022), {}, onStep(0))).toHaveLength(1);
  });

  it('a floor within 15 % of the one expected is the floor; a foot may stand 4 % off it all the time', () => {
    const heightOf = (height: number) =>
      ofLeft(
        () => [height, 0],
        {},
        () => [height, 0],
      )[0]!.height;
    expect(heightOf(0.14)).toBe(0);
    expect(heightOf(0.16)).toBeCloseTo(0.16, 6);
    expect(ofLeft(() => [0.038, 0])).toHaveLength(1);
    expect(ofLeft(() => [0.042, 0])).toHaveLength(0);
  });
});

describe('ground that moves', () => {
  /** Feet that take turns on a belt: its speed under either, how high they are over it, and how fast the hips go on. */
  function belt(speeds: readonly [number, number], { height = 0, travel = 0 } = {}): PointTracks {
    const tracks = tracksOf(() => [0, 0]);
    for (let k = 0; k < tracks.count; k++) {
      const time = k / 60;
      [0, 1].forEach((n) => {
        const phase = (time + 0.5 * n) % 1;
        const stands = phase < 0.5;
        const back = stands ? 0.25 - phase : -0.25 + (phase - 0.5);
        const up = stands ? height : 0.3;
        tracks.positions.set([0, up, speeds[n]! * back + travel * time], 9 * k + 3 * n);
      });
      tracks.positions[9 * k + 8] = travel * time;
    }
    return tracks;
  }

  /** The same live: the velocity that is found within so many seconds. */
  function liveBelt(speeds: readonly [number, number], { height = 0, travel = 0, seconds = 2 } = {}): number {
    const tracks = belt(speeds, { height, travel });
    const ground = createMovingGround(tracks.points, 1);
    const at = (k: number) => tracks.positions.slice(9 * k, 9 * k + 9);
    for (let k = 1; k <= 60 * seconds; k++) {
      const now = at(k);
      const heights = Float64Array.of(now[1]!, now[4]!, now[7]!);
      ground.update(now, at(k - 1), 0, heights, 1 / 60, 1 / 60);
    }
    return ground.velocity[1]!;
  }

  it('is what standing feet show that go faster than 40 %/s; slower ones must show it for longer', () => {
    expect(liveBelt([0.38, 0.38], { seconds: 0.7 })).toBe(0);
    expect(liveBelt([0.42, 0.42], { seconds: 0.7 })).toBeCloseTo(-0.42, 6);
  });

  const velocities = (...[speeds, how]: Parameters<typeof liveBelt>) => [
    findTreadmill(belt(speeds, how))[1],
    liveBelt(speeds, how),
  ];

  it('is shown by feet within 5 % of it, as fast as each other to within a third', () => {
    for (const velocity of velocities([1.2, 1.2], { height: 0.045 })) expect(velocity).toBeCloseTo(-1.2, 6);
    expect(velocities([1.2, 1.2], { height: 0.055 })).toEqual([0, 0]);
    for (const velocity of velocities([1.2, 1.2 * 1.3])) expect(velocity).toBeLessThan(-1);
    expect(velocities([1.2, 1.2 * 1.45])).toEqual([0, 0]);
  });

  it('stands still under hips that go on faster than a fifth of its speed', () => {
    for (const velocity of velocities([1.2, 1.2], { travel: 0.15 })) expect(velocity).toBeCloseTo(-1.05, 2);
    expect(velocities([1.2, 1.2], { travel: 0.26 })).toEqual([0, 0]);
  });
});
