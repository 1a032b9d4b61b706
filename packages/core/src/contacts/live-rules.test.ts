import { describe, expect, it } from 'vitest';
import type { BodyPoint } from './body-points.js';
import { createContactTracker } from './contact-tracker.js';
import { createMovingGround } from './moving-ground.js';
import { createStandingHeights } from './standing-heights.js';

const pointOf = (name: BodyPoint['name']): BodyPoint => ({ name, joint: 0, offset: [0, 0, 0], standing: 0 });

describe('the tracker', () => {
  /** A foot on a course at a rate, after it has stood for a second; in contact after so many updates of the course? */
  function holds(
    course: (t: number) => readonly [height: number, ahead: number],
    updates: number,
    rate = 60,
  ): boolean {
    const tracker = createContactTracker([pointOf('leftToe')], 1, 0);
    for (let k = 0; k < rate; k++) tracker.update(Float64Array.of(0, 0, 0), 1 / rate);
    for (let k = 1; k <= updates; k++) {
      const [height, ahead] = course(k / rate);
      tracker.update(Float64Array.of(0, height, ahead), 1 / rate);
    }
    return tracker.inContact[0] === 1;
  }
  const away = (speed: number) => (t: number) => [0, speed * t] as const;

  it('takes speeds over a frame of 60 a second, up to two and a half times the limit while it trembles', () => {
    expect(holds(away(2.3), 1, 240)).toBe(true);
    expect(holds(away(2.3), 2, 240)).toBe(false);
  });

  it('sees over three frames that a point has left', () => {
    expect(holds(away(1.5), 2, 240)).toBe(true);
    expect(holds(away(0.9), 5, 240)).toBe(true);
    expect(holds(away(0.9), 6, 240)).toBe(false);
  });

  it('catches what has slowed down to 0.7 of its speed at a quarter more than the limit', () => {
    /** Goes a way frame by frame, at speeds for so many frames each. */
    const caught = (...speeds: [speed: number, frames: number][]) => {
      const ways = speeds.flatMap(([speed, frames]) => new Array<number>(frames).fill(speed / 60));
      return holds((t) => [0, ways.slice(0, Math.round(60 * t)).reduce((a, b) => a + b, 0)], ways.length);
    };
    expect(caught([1.5, 20])).toBe(false);
    expect(caught([1.5, 20], [0.45, 1])).toBe(true);
    expect(caught([1.5, 20], [0.55, 1])).toBe(false);
    expect(caught([1.5, 20], [0.6, 3], [0.45, 1])).toBe(false);
  });

  it('takes what is steady for a step: after 0.15 s, or sooner near the floor', () => {
    const up = (height: number) => () => [height, 0] as const;
    expect(holds(up(0.3), 8)).toBe(false);
    expect(holds(up(0.3), 12)).toBe(true);
    expect(holds(up(0.06), 24, 240)).toBe(false);
    expect(holds(up(0.06), 28, 240)).toBe(true);
    expect(holds((t) => [0.3 + 0.1 * t, 0], 14)).toBe(true);
    expect(holds((t) => [0.3 + 0.17 * t, 0], 20)).toBe(false);
  });

  it('a seat lies on the floor wherever it is low and slow, and rests on when it is lost for an instant', () => {
    /** After a second at a height, and so many updates at another: does it rest, and on what? */
    const seat = (height: number, then = height, updates = 0) => {
      const tracker = createContactTracker([pointOf('hips')], 1, 0);
      for (let k = 0; k < 60; k++) tracker.update(Float64Array.of(0, height, 0), 1 / 60);
      for (let k = 0; k < updates; k++) tracker.update(Float64Array.of(0, then, 0), 1 / 60);
      return tracker.inContact[0] === 1 && tracker.supports[0] === 0;
    };
    expect([-0.39, -0.2, 0.079].map((height) => seat(height))).toEqual([true, true, true]);
    expect([-0.41, 0.09].map((height) => seat(height))).toEqual([false, false]);
    expect(seat(0, 0.12, 30)).toBe(true);
    expect(seat(0, 0.15, 8)).toBe(true);
    expect(seat(0, 0.15, 12)).toBe(false);
    expect(seat(0, 0.17, 2)).toBe(false);
  });

  it('holds a hand when the body has rested on it for 0.05 s', () => {
    const rests = (updates: number) => {
      const tracker = createContactTracker([pointOf('leftHand'), pointOf('leftToe')], 1, 0);
      for (let k = 0; k < updates; k++)
        tracker.update(Float64Array.of(0, 0.1, (0.5 * k) / 60, 0, 1, 0), 1 / 60);
      return tracker.inContact[0] === 1;
    };
    expect(rests(2)).toBe(false);
    expect(rests(4)).toBe(true);
  });
});

describe('standing heights', () => {
  const points = [pointOf('leftHeel'), pointOf('leftToe')];
  const still = new Float64Array(2);
  /** Updates of a rate at heights of heel and toe. */
  function stand(updates: number, rate: number, ...heights: number[]) {
    const standing = createStandingHeights(points);
    for (let k = 0; k < updates; k++) standing.update(Float64Array.from(heights), still, 1 / rate);
    return standing;
  }

  it('are a floor’s after 0.06 s, and a point’s own after 0.2 s', () => {
    expect(stand(13, 240, 0.1, 0.12).ground[0]).toBe(0);
    expect(stand(16, 240, 0.1, 0.12).ground[0]).toBeCloseTo(0.1, 6);
    expect(stand(44, 240, 0.1, 0.12).offsets[1]).toBeCloseTo(0.1, 6);
    expect(stand(55, 240, 0.1, 0.12).offsets[1]).toBeCloseTo(0.12, 6);
  });

  it('are forgotten within 30 s to a third', () => {
    const standing = stand(200, 10, 0, 0);
    const go = (seconds: number) => {
      for (let k = 0; k < 10 * seconds; k++) standing.update(Float64Array.of(0.05, 0.05), still, 0.1);
      return standing.ground[0];
    };
    expect(go(60)).toBeCloseTo(0, 6);
    expect(go(20)).toBeCloseTo(0.05, 6);
  });
});

describe('moving ground', () => {
  const points = [pointOf('leftToe'), pointOf('rightToe'), pointOf('hips')];

  /** What feet do at an instant: how fast each goes back, how high each is, and how fast the hips go on. */
  type Instant = { back: readonly [number, number]; height: readonly [number, number]; travel?: number };

  /** The speed of the ground after so many frames of a course. */
  function groundAfter(frames: number, course: (k: number) => Instant): number {
    const ground = createMovingGround(points, 1);
    const [before, now] = [new Float64Array(9), new Float64Array(9)];
    for (let k = 0; k < frames; k++) {
      const { back, height, travel = 0 } = course(k);
      for (let n = 0; n < 2; n++) now[3 * n + 2] = before[3 * n + 2]! - back[n]! / 60;
      now[8] = before[8]! + travel / 60;
      ground.update(now, before, 0, Float64Array.of(...height, 1), 1 / 60, 1 / 60);
      before.set(now);
    }
    return -ground.velocity[1]!;
  }

  /** Feet that take turns of 24 frames on ground of a speed, the other one in the air and on its way ahead. */
  const walk =
    (speed: number) =>
    (k: number): Instant =>
      Math.floor(k / 24) % 2 === 0
        ? { back: [speed, -speed], height: [0, 0.2] }
        : { back: [-speed, speed], height: [0.2, 0] };

  it('is shown by both feet for 0.1 s; slow ground for 0.3 s, and it is no slower than 15 %/s', () => {
    expect(groundAfter(28, walk(0.6))).toBeCloseTo(0);
    expect(groundAfter(32, walk(0.6))).toBeCloseTo(0.6);
    expect(groundAfter(39, walk(0.3))).toBeCloseTo(0);
    expect(groundAfter(46, walk(0.3))).toBeCloseTo(0.3);
    expect(groundAfter(120, walk(0.14))).toBeCloseTo(0);
    expect(groundAfter(120, walk(0.16))).toBeCloseTo(0.16);
  });

  it('is shown by one foot for 0.05 s where it is faster than 70 %/s, unless the other stands for 0.04 s', () => {
    expect(groundAfter(3, walk(1.2))).toBeCloseTo(0);
    expect(groundAfter(5, walk(1.2))).toBeCloseTo(1.2);
    expect(groundAfter(20, walk(0.6))).toBeCloseTo(0);
    expect(groundAfter(20, walk(0.8))).toBeCloseTo(0.8);
    const stands = (frames: number) =>
      groundAfter(20, (k) => (k < 20 - frames ? walk(1.2)(k) : { back: [1.2, 0], height: [0, 0.01] }));
    expect(stands(2)).toBeCloseTo(1.2);
    expect(stands(3)).toBeCloseTo(0);
  });

  it('is believed for half a second less 0.1 s when feet stand still', () => {
    const stops = (frames: number) =>
      groundAfter(120 + frames, (k) => (k < 120 ? walk(1.2)(k) : { back: [0, 0], height: [0, 0] }));
    expect(stops(18)).toBeCloseTo(1.2);
    expect(stops(30)).toBeCloseTo(0);
  });

  it('is averaged over a second, and hips over 0.4 s', () => {
    const faster = groundAfter(300, (k) => walk(k < 240 ? 1.2 : 1.3)(k));
    expect(faster).toBeCloseTo(1.2 + 0.1 * (1 - Math.exp(-1)), 2);
    const leaves = (frames: number) =>
      groundAfter(120 + frames, (k) => ({ ...walk(1.2)(k), travel: k < 120 ? 0 : 0.5 }));
    expect(leaves(12)).toBeCloseTo(1.2);
    expect(leaves(20)).toBeCloseTo(0);
  });

  it('is shown by what is steady: a foot that slows down within 0.1 s counts for little', () => {
    /** A foot that slows down from 1.6 to 1.2 in its first frames. */
    const shown = groundAfter(12, (k) => ({
      back: [k < 6 ? 1.6 - (0.4 * k) / 6 : 1.2, 0],
      height: [0, 0.2],
    }));
    expect(shown).toBeCloseTo(1.25, 3);
  });
});
