import { expect, test } from 'vitest';
import { findCarried, HAND_FRAME, type HandCourse, mayCarry } from './find-carried.js';

type Place = readonly [number, number, number];

/** A body of which somebody tells over two seconds where its chest is and, seen from there, its left wrist; the right one mirrors it. */
function course(chest: (seconds: number) => Place, wrist: (seconds: number) => Place): HandCourse {
  const count = 121;
  const hands = new Float32Array(HAND_FRAME * count);
  for (let k = 0; k < count; k++) {
    const o = HAND_FRAME * k;
    const at = chest(k / 60);
    const off = wrist(k / 60);
    for (const axes of [o, o + 12, o + 24]) for (let c = 0; c < 3; c++) hands[axes + 4 * c] = 1;
    for (let c = 0; c < 3; c++) {
      const mirrored = c === 0 ? -1 : 1;
      hands[o + 9 + c] = at[c]! + off[c]!;
      hands[o + 21 + c] = at[c]! + mirrored * off[c]!;
      hands[o + 33 + c] = at[c]!;
      const shoulder = [0.18, 0.1, 0][c]!;
      hands[o + 36 + c] = at[c]! + shoulder;
      hands[o + 39 + c] = at[c]! + mirrored * shoulder;
    }
  }
  return { count, rate: 60, hands, arm: 0.5, ahead: Float64Array.of(0, 0, 1), up: Float64Array.of(0, 1, 0) };
}

/** Metres that hands go up and down as the chest sees them, in steps. */
const sway = (seconds: number) => 0.02 * Math.sin(2 * Math.PI * seconds);
const walks = (seconds: number): Place => [0, 1.3, 1.2 * seconds];
const stands = (): Place => [0, 1.3, 0];

test('a box that is carried before the chest is found, from the first frame to the last', () => {
  const box = course(walks, (s) => [0.17, -0.15 + sway(s), 0.35]);
  expect(findCarried(box).map(({ first, last }) => [first, last])).toEqual([[0, 120]]);
  expect(findCarried(box)[0]!.apart).toBeCloseTo(0.34, 5);
  expect(mayCarry(box, 60)).toBe(true);
});

test('arms that hang keep their distance and carry nothing, a little ahead and far apart as they are', () => {
  const hanging = course(walks, (s) => [0.28, -0.36 + sway(s), 0.12]);
  expect(findCarried(hanging)).toEqual([]);
  // Nor as the trunk leans and they no longer go along it.
  expect(findCarried(course(walks, (s) => [0.28, -0.36 + sway(s), 0.12 + 0.1 * s]))).toEqual([]);
  // The same hands before a bent elbow hold something.
  const bent = course(walks, (s) => [0.28, -0.25 + sway(s), 0.2]);
  expect(findCarried(bent)).toHaveLength(1);
});

test('hands that rest while a chest leans to and fro carry nothing', () => {
  const leans = (s: number): Place => [0, 1.3 + 4 * sway(s), 0];
  const rests = (s: number): Place => [0.17, -0.2 - 4 * sway(s), 0.3];
  expect(findCarried(course(leans, rests))).toEqual([]);
  // The same as the chest sees it, but by hands that go.
  expect(findCarried(course(stands, rests))).toHaveLength(1);
});
