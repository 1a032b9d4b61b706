import { describe, expect, it } from 'vitest';
import { addCarryingHands } from './add-carrying-hands.js';
import type { BodyPoint } from './body-points.js';
import { HELD_CONTACTS, PLANNED_CONTACTS, STANDING_CONTACTS } from './contact-rules.js';
import { contactsOfTracks, pointSpeeds, standingOffsets } from './find-contacts.js';
import { findTreading } from './find-treading.js';
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

  it('a floor within 15 % of the one expected is the floor; a foot may stand 7 % off it all the time', () => {
    const heightOf = (height: number) =>
      ofLeft(
        () => [height, 0],
        {},
        () => [height, 0],
      )[0]!.height;
    expect(heightOf(0.14)).toBe(0);
    expect(heightOf(0.16)).toBeCloseTo(0.16, 6);
    expect(ofLeft(() => [0.068, 0])).toHaveLength(1);
    expect(ofLeft(() => [0.072, 0])).toHaveLength(0);
  });
});

describe('a whole clip', () => {
  it('is looked at over four frames for speeds, and by the 5th percentile for floors', () => {
    const jumps = pointSpeeds(tracksOf((t) => [0, t < 2 ? 0 : 0.1]));
    const moving = Array.from({ length: 241 }, (_, k) => k).filter((k) => jumps[3 * k]! > 0);
    expect(moving).toEqual([118, 119, 120, 121]);
    const offset = (low: number) => {
      const course: Course = (t) => [t < low * 4 ? 0 : 0.02, 0];
      return standingOffsets(tracksOf(course, course))[0];
    };
    expect(offset(0.06)).toBeCloseTo(0, 9);
    expect(offset(0.035)).toBeCloseTo(0.02, 9);
  });

  /** Stands on the floor for a second, then on a step of 30 % for a while, then is high up. */
  const onStep =
    (seconds: number, course: Course = () => [0, 0]): Course =>
    (t) => {
      const [up, ahead] = course(t - 1);
      return t < 1 ? [0, 0] : t < 1 + seconds ? [0.3 + up, ahead] : [0.9, 0];
    };
  const onSteps = (seconds: number, course?: Course) =>
    ofLeft(onStep(seconds, course), {}, onStep(seconds, course)).filter(
      ({ height }) => height > 0.2 && height < 0.5,
    );

  it('a step carries who stands on it for a fifth of a second, and neither glides nor drifts', () => {
    expect(onSteps(0.24)).toHaveLength(0);
    expect(onSteps(0.3)).toHaveLength(1);
    expect(onSteps(1, (t) => [0, 0.1 * t])).toHaveLength(1);
    expect(onSteps(1, (t) => [0, 0.14 * t])).toHaveLength(0);
    expect(onSteps(0.6, (t) => [0.07 * t, 0])).toHaveLength(1);
    expect(onSteps(0.6, (t) => [0.09 * t, 0])).toHaveLength(0);
  });

  it('four frames are bridged by a foot that lands 3 % away, not by one 5 % away, nor by one that was lifted', () => {
    const shifts = (way: number) => ofLeft((t) => [0, t < 2 ? 0 : way]);
    expect(shifts(0.03)).toHaveLength(1);
    expect(shifts(0.05)).toHaveLength(2);
    const hops = (height: number) => ofLeft((t) => [t >= 1.99 && t < 2.02 ? height : 0, 0]);
    expect(hops(0.05)).toHaveLength(1);
    expect(hops(0.06)).toHaveLength(2);
  });

  it('a foot treads for three frames at least', () => {
    const treads = (frames: number) => {
      const tracks = tracksOf(() => [0, 0]);
      const heights = new Float64Array(3 * tracks.count).fill(0.5);
      for (let k = 100; k < 100 + frames; k++) heights[3 * k] = 0;
      return findTreading(tracks, heights, [], [0, -1]).reduce((sum, flag) => sum + flag, 0);
    };
    expect(treads(2)).toBe(0);
    expect(treads(3)).toBe(3);
  });
});

describe('hands that carry', () => {
  /** How many instants a hand carries, in each stretch, by its height, how far it is over the lowest, and its speed. */
  function carries(course: (k: number) => readonly [height: number, over: number, speed: number]): number[] {
    const points = [point('leftHand'), point('leftToe')];
    const count = 60;
    const [heights, speeds] = [new Float64Array(2 * count), new Float64Array(2 * count)];
    const lowest = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const [height, over, speed] = course(k);
      heights.set([height, height - over], 2 * k);
      speeds[2 * k] = speed;
      lowest[k] = height - over;
    }
    const tracks = { points, count, positions: new Float64Array(6 * count), hipHeight: 1, floor: 0 };
    return addCarryingHands(tracks, [], heights, speeds, lowest).map(({ start, end }) =>
      Math.round(60 * (end - start)),
    );
  }

  it('are no higher than 25 %, within 4 % of the lowest and slower than 70 %/s', () => {
    expect(carries(() => [0.24, 0.035, 0.65])).toEqual([59]);
    expect(carries(() => [0.26, 0.035, 0.65])).toEqual([]);
    expect(carries(() => [0.24, 0.045, 0.65])).toEqual([]);
    expect(carries(() => [0.24, 0.035, 0.75])).toEqual([]);
  });

  it('go on up to 12 % over the lowest and 100 %/s', () => {
    const after = (over: number, speed: number) => carries((k) => [0, k < 20 ? 0 : over, k < 20 ? 0 : speed]);
    expect(after(0.11, 0.95)).toEqual([59]);
    expect(after(0.13, 0.95)).toEqual([19]);
    expect(after(0.11, 1.05)).toEqual([19]);
  });

  it('carry for 0.15 s at least, and a tenth of a second in between is none', () => {
    const during = (...stretches: [number, number][]) =>
      carries((k) => [stretches.some(([a, b]) => k >= a && k <= b) ? 0 : 0.5, 0, 0]);
    expect(during([10, 19])).toEqual([9]);
    expect(during([10, 18])).toEqual([]);
    expect(during([5, 20], [26, 40])).toEqual([35]);
    expect(during([5, 20], [27, 40])).toEqual([15, 13]);
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

describe('ground that moves, in a whole clip', () => {
  /**
   * Feet on a belt, one after the other the lower one: the left for so much of each second. What is not told is steady.
   * @param speed How fast the belt goes back, at a share of the clip.
   */
  function onBelt(
    speed: (share: number) => number,
    { seconds = 8, left = 0.5, low = 1, rise = 0, shift = 0 } = {},
  ): number {
    const count = 60 * seconds + 1;
    const positions = new Float64Array(9 * count);
    let ahead = 0;
    for (let k = 0; k < count; k++) {
      const share = k / (count - 1);
      ahead -= speed(share) / 60;
      const isLeft = (k / 60) % 1 < left;
      const up = share < low ? 0 : 0.3;
      positions.set([0, up + (isLeft ? 0 : 0.02), ahead], 9 * k);
      positions.set([0, up + (isLeft ? 0.02 : 0), ahead], 9 * k + 3);
      positions.set([0, 1 + rise * share, shift * share], 9 * k + 6);
    }
    const points = [point('leftToe'), point('rightToe'), point('hips')];
    return -findTreadmill({ points, count, positions, hipHeight: 1, floor: 0 })[1];
  }

  it('is no slower than 8 %/s, and goes 30 % at least where it is slow', () => {
    expect(onBelt(() => 0.075)).toBeCloseTo(0);
    expect(onBelt(() => 0.09)).toBeCloseTo(0.09);
    expect(onBelt(() => 0.1, { seconds: 2.5 })).toBeCloseTo(0);
    expect(onBelt(() => 0.1, { seconds: 3.5 })).toBeCloseTo(0.1);
  });

  it('is shown by slow feet that go along with 0.3 of it, nearly always, and both of them', () => {
    const stalls = (during: number, at: number) => onBelt((share) => (share < during ? 0.2 * at : 0.2));
    expect(stalls(0.12, 0)).toBeCloseTo(0.2);
    expect(stalls(0.18, 0)).toBeCloseTo(0);
    expect(stalls(0.3, 0.35)).toBeCloseTo(0.2);
    expect(stalls(0.3, 0.25)).toBeCloseTo(0);
    expect(onBelt(() => 0.2, { left: 0.25 })).toBeCloseTo(0.2);
    expect(onBelt(() => 0.2, { left: 0.15 })).toBeCloseTo(0);
  });

  it('is shown by feet that are low 0.3 of the time, and half of that as fast as the ground', () => {
    expect(onBelt(() => 1.2, { low: 0.35 })).toBeCloseTo(1.2);
    expect(onBelt(() => 1.2, { low: 0.25 })).toBeCloseTo(0);
    const mixed = (even: number) =>
      onBelt((share) => (share < even ? 1.2 : share < even + (1 - even) / 2 ? 2.4 : 0));
    expect(mixed(0.6)).toBeCloseTo(1.2);
    expect(mixed(0.4)).toBeCloseTo(0);
  });

  it('is under hips that rise by no more than 30 %, and come no farther than 5 % beyond a fifth of its way', () => {
    expect(onBelt(() => 1.2, { rise: 0.28 })).toBeCloseTo(1.2);
    expect(onBelt(() => 1.2, { rise: 0.32 })).toBeCloseTo(0);
    expect(onBelt(() => 0.5, { seconds: 0.5, shift: 0.09 })).toBeCloseTo(0.5);
    expect(onBelt(() => 0.5, { seconds: 0.5, shift: 0.11 })).toBeCloseTo(0);
  });
});
