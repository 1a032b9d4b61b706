import { describe, expect, it } from 'vitest';
import { changeAt, eachQuickFrame, type TurnCourse } from './turn-changes.js';

const DEGREE = Math.PI / 180;
const COUNT = 60;

/** Turns about x by the given angles, in degrees, in a store in which every frame has a number before and one behind. */
const aboutX = (angles: readonly number[], sign: (k: number) => number = () => 1): TurnCourse => {
  const turns = new Float64Array(6 * angles.length).fill(7);
  angles.forEach((angle, k) => {
    const half = (angle * DEGREE) / 2;
    [Math.sin(half), 0, 0, Math.cos(half)].forEach((value, c) => {
      turns[6 * k + 1 + c] = sign(k) * value;
    });
  });
  return { copied: turns, added: null, size: 6, at: 1, count: angles.length };
};

const quickOf = (course: TurnCourse, most: number) => {
  const quick: number[] = [];
  eachQuickFrame(course, most, (k, bound) => {
    expect(bound, `frame ${k}`).not.toBeLessThan(changeAt(course, k));
    quick.push(k);
  });
  return quick;
};

/** Numbers from 0 to 1 that look random. */
const noise = (seed: number) => {
  let at = seed;
  return () => {
    at = (at * 16807) % 2147483647;
    return at / 2147483647;
  };
};

describe('changeAt', () => {
  it('is what the speed of a turn changes by, whatever the signs of its quaternions, and 0 at both ends', () => {
    const course = aboutX([0, 3, 6, 11, 16], (k) => (k % 2 ? -1 : 1));
    expect([0, 1, 2, 3, 4].map((k) => changeAt(course, k) / DEGREE)).toEqual(
      [0, 0, 2, 0, 0].map((degrees) => expect.closeTo(degrees, 9)),
    );
  });

  it('is that of both turns together where one is added', () => {
    const still = aboutX([10, 10, 10]);
    const kink = aboutX([0, 0, 5]);
    expect(changeAt({ ...still, added: kink.copied }, 1) / DEGREE).toBeCloseTo(5, 9);
  });
});

describe('eachQuickFrame', () => {
  it('misses no frame whose speed changes by more, however the joint turns, and visits few others', () => {
    let quick = 0;
    let visited = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const next = noise(seed);
      const speed = seed * DEGREE;
      const turns = new Float64Array(4 * COUNT);
      const added = new Float64Array(4 * COUNT);
      for (let k = 0; k < COUNT; k++)
        for (const [store, reach] of [
          [turns, speed],
          [added, speed / 4],
        ] as const) {
          const v = [0, 1, 2].map(() => reach * (next() - 0.5));
          const half = Math.hypot(...v) / 2;
          const sign = next() < 0.5 ? -1 : 1;
          v.forEach((value, c) => {
            store[4 * k + c] = (sign * value * Math.sin(half)) / (2 * half);
          });
          store[4 * k + 3] = sign * Math.cos(half);
        }
      const course: TurnCourse = { copied: turns, added, size: 4, at: 0, count: COUNT };
      const most = 2.2 * DEGREE;
      const told = quickOf(course, most);
      for (let k = 0; k < COUNT; k++) {
        const change = changeAt(course, k);
        if (change > most) {
          expect(told, `seed ${seed}, frame ${k}`).toContain(k);
          quick++;
        }
        if (told.includes(k) && change < 0.95 * most) visited++;
      }
    }
    expect(quick).toBeGreaterThan(500);
    expect(visited).toBeLessThan(0.1 * quick);
  });

  it('visits frames that turn far, or whose numbers are no turn, to be on the safe side', () => {
    const far = aboutX([0, 40, 80, 120, 160]);
    expect(quickOf(far, 2.2 * DEGREE)).toEqual([1, 2, 3]);
    const broken = aboutX([0, 0, 0, 0, 0, 0, 0]);
    broken.copied[6 * 3 + 2] = Number.NaN;
    expect(quickOf(broken, 2.2 * DEGREE)).toEqual([2, 3, 4]);
    const long = aboutX([0, 0, 0, 0, 0]);
    for (let c = 1; c < 5; c++) long.copied[6 * 2 + c]! *= 2;
    expect(quickOf(long, 2.2 * DEGREE)).toEqual([1, 2, 3]);
    expect(quickOf(aboutX([0, 1, 2, 3, 4]), 2.2 * DEGREE)).toEqual([]);
  });
});
