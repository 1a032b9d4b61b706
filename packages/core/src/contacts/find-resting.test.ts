import { describe, expect, it } from 'vitest';
import type { PointName } from '../options/contact.js';
import type { BodyPoint } from './body-points.js';
import { PLANNED_CONTACTS } from './contact-rules.js';
import { contactsOfTracks } from './find-contacts.js';
import { restingStretches, restsByFlesh } from './find-resting.js';
import type { PointTracks } from './track-points.js';

const COUNT = 121;

/** Points of a body a metre high at the hips, at heights and places along the floor over two seconds. */
function tracksOf(
  courses: Partial<Record<PointName, (t: number) => readonly [height: number, z: number]>>,
): PointTracks {
  const names = Object.keys(courses) as PointName[];
  const positions = new Float64Array(3 * names.length * COUNT);
  for (let k = 0; k < COUNT; k++)
    names.forEach((name, n) => {
      const [y, z] = courses[name]!(k / 60);
      positions.set([0, y, z], 3 * (names.length * k + n));
    });
  const points = names.map((name): BodyPoint => ({ name, joint: 0, offset: [0, 0, 0], standing: 0 }));
  return { points, count: COUNT, positions, hipHeight: 1, floor: 0 };
}

/** From when to when a part rests that goes as told. */
function rests(part: PointName, course: (t: number) => readonly [height: number, z: number], others = {}) {
  const tracks = tracksOf({ [part]: course, ...others });
  const contacts = contactsOfTracks(tracks).filter(({ point }) => point === part);
  return contacts.map(({ start, end, height }) => [Math.round(60 * start), Math.round(60 * end), height]);
}

/** Low but for some time, in which it is at another height. */
const but =
  (from: number, to: number, height: number, low = 0) =>
  (t: number) =>
    [t > from - 1e-6 && t < to - 1e-6 ? height : low, 0] as const;

describe('what lies on the floor with flesh', () => {
  it('is knees, elbows, seat, back and head; soles and hands are known', () => {
    const all: PointName[] = ['leftKnee', 'rightElbow', 'hips', 'back', 'head'];
    expect(all.filter(restsByFlesh)).toEqual(all);
    expect(
      (['leftHeel', 'rightToe', 'leftHand', 'hindLeftFoot'] as PointName[]).filter(restsByFlesh),
    ).toEqual([]);
  });

  it('lies on the floor at whatever height its joint is: from 0.4 below to 0.08 above where flesh usually ends', () => {
    for (const height of [-0.39, -0.2, 0, 0.079])
      expect(
        rests('hips', () => [height, 0]),
        `${height}`,
      ).toEqual([[0, 120, 0]]);
    expect(rests('hips', () => [-0.41, 0])).toEqual([]);
    expect(rests('hips', () => [0.081, 0])).toEqual([]);
  });

  it('once it is down it rests until it is 0.13 up', () => {
    expect(rests('back', (t) => [0.0645 * t, 0])).toEqual([[0, 120, 0]]);
    // At 0.13 it is after 1.3 s.
    expect(rests('back', (t) => [0.1 * t, 0])[0]![1] / 60).toBeCloseTo(1.3, 1);
  });

  it('begins slower than 0.35 and rests on up to 0.7 hip heights a second', () => {
    const sliding = (speed: number) => rests('head', (t) => [0, speed * t]);
    expect(sliding(0.34)).toHaveLength(1);
    expect(sliding(0.36)).toHaveLength(0);
    const faster = (speed: number) => rests('head', (t) => [0, t < 1 ? 0 : speed * (t - 1)]);
    expect(faster(0.69)).toEqual([[0, 120, 0]]);
    expect(faster(0.75)[0]![1]).toBeLessThan(63);
  });

  it('a support that drops out for an instant does not let the body go, unless the part is lifted', () => {
    const seat = (from: number, to: number, height: number) => rests('hips', but(from, to, height));
    expect(seat(0.5, 0.7, 0.155)).toEqual([[0, 120, 0]]);
    expect(seat(0.5, 0.7, 0.165)[0]![1]).toBeLessThan(30);
    expect(seat(0.5, 0.9, 0.155)[0]![1]).toBeLessThan(30);
  });

  it('an instant of less than 0.15 s is none', () => {
    const still = (seconds: number) => rests('leftElbow', (t) => [t < seconds ? 0 : 0.5 + t, 0]);
    expect(still(0.1)).toHaveLength(0);
    expect(still(0.25)).toHaveLength(1);
  });

  it('what is low and slow for less than that is none either', () => {
    const low = (seconds: number) =>
      restingStretches(
        tracksOf({ head: () => [0, 0] }),
        0,
        Float64Array.from({ length: COUNT }, (_, k) => (k <= 60 * seconds ? 0 : 1)),
        new Float64Array(COUNT),
      );
    expect(low(0.12)).toHaveLength(0);
    expect(low(0.17)).toHaveLength(1);
  });

  it('a knee that is hardly bent must be lower: that of a plank carries nothing', () => {
    const plank = (height: number, hips: number) => ({
      hips: () => [hips, 0.45] as const,
      leftHeel: () => [height, -0.45] as const,
    });
    const knee = (height: number, hips: number) =>
      restingStretches(
        tracksOf({ leftKnee: () => [height, 0], ...plank(height, hips) }),
        0,
        Float64Array.from({ length: 3 * COUNT }, (_, i) => (i % 3 === 0 ? height : 1)),
        new Float64Array(3 * COUNT),
      );
    expect(knee(0.05, 0.1)).toHaveLength(0);
    expect(knee(0.03, 0.1)).toHaveLength(1);
    // A third of a right angle is hardly bent.
    expect(knee(0.05, 0.31)).toHaveLength(0);
    // Bent by half a right angle, and more.
    expect(knee(0.05, 0.55)).toHaveLength(1);
  });

  it('a knee above the other leg lies on that, and not on the floor, however low it is', () => {
    // The other leg lies straight on the floor; the knee above it is bent.
    const below = { hips: () => [0.1, 0.4], rightKnee: () => [0, 0], rightHeel: () => [0, -0.5] };
    const knee = (height: number, z: number, others: object) =>
      rests('leftKnee', () => [height, z] as const, { leftHeel: () => [height, z + 0.5], ...others });
    expect(knee(0.07, 0, {})).toHaveLength(1);
    expect(knee(0.07, 0, below)).toHaveLength(0);
    // Above the shin too, but not beside the leg, nor as low as it.
    expect(knee(0.07, -0.3, below)).toHaveLength(0);
    expect(knee(0.07, -0.6, below)).toHaveLength(1);
    expect(knee(0.03, 0, below)).toHaveLength(1);
  });

  it('the ball of a foot whose knee rests stands as high as it may: a foot that kneels is on the tips of its toes', () => {
    // Low at first, so that it is known where it stands.
    const ball = (t: number) => [t < 0.3 ? 0 : 0.038, 0] as const;
    // Lifted in between it does not go on standing as it did.
    const step = (t: number) => (t >= 0.3 && t < 0.4 ? ([0.3, 0] as const) : ball(t));
    const knee = (t: number) => [t < 0.3 ? 0.5 : 0.05, t < 0.3 ? -0.3 : 0.4] as const;
    const standing = (others: object) => rests('leftToe', ball, { leftHeel: () => [0.2, 0], ...others });
    const planned = (others: object) =>
      contactsOfTracks(tracksOf({ leftToe: step, leftHeel: () => [0.2, 0], ...others }), PLANNED_CONTACTS)
        .filter(({ point }) => point === 'leftToe')
        .map(({ end }) => Math.round(60 * end));
    expect(standing({})).toHaveLength(1);
    expect(planned({ leftKnee: knee }).at(-1)).toBe(120);
    expect(planned({ rightKnee: knee }).at(-1)).toBeLessThan(30);
  });

  it('a seat on a chair stays what it is', () => {
    const chair = rests('hips', () => [0.5, 0]);
    expect(chair).toHaveLength(1);
    expect(chair[0]![2]).toBeCloseTo(0.5, 6);
  });
});
