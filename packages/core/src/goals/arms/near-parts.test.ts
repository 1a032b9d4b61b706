import { expect, test } from 'vitest';
import type { ArmShape } from './body-shape.js';
import { hullFaces } from './hull-faces.js';
import { areNear, ballOfHand, ballOfProbes, isBeyondFace, readBalls } from './near-parts.js';
import { gapsToPart } from './part-frame.js';
import { PALM_PROBES, placeProbes, probeCount } from './shape-row.js';

/** Numbers from −1 to 1 that look random and are always the same. */
function createNumbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

test('balls never hide what faces would find, be it one probe or a hand of them', () => {
  const next = createNumbers();
  const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, 2 * y, 3 * z])));
  const faces = hullFaces(cube);
  const part = {
    joint: 0,
    touched: 0,
    faces,
    outer: faces.length,
    ball: Float64Array.of(0, 0, 0, Math.sqrt(14)),
  };
  const row = Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0, 5, 6, 7);
  const balls = readBalls(new Float64Array(0), [part], row, 0);
  const hand = new Float64Array(4);
  let found = 0;
  for (let turn = 0; turn < 2000; turn++) {
    const probes = Float64Array.from({ length: 8 }, (_, i) =>
      i % 4 === 3 ? 0.3 : row[9 + (i % 4)]! + 5 * next(),
    );
    const most = 0.5 + 0.5 * next();
    ballOfProbes(hand, 0, probes, 0, 2);
    const gaps = Float64Array.of(most, most);
    gapsToPart(gaps, part, row, 0, probes, 2);
    for (const p of [0, 4]) {
      const gap = gaps[p / 4]!;
      if (!(gap < most)) continue;
      found++;
      expect(areNear(balls, 0, probes, p, most)).toBe(true);
      expect(areNear(balls, 0, hand, 0, most)).toBe(true);
    }
  }
  expect(found).toBeGreaterThan(100);
});

test('a hand that is not placed is told to be far only where none of its probes would be found', () => {
  const next = createNumbers();
  const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z])));
  const faces = hullFaces(cube);
  const ball = Float64Array.of(0, 0, 0, Math.sqrt(3));
  const part = { joint: 0, touched: 0, faces, outer: faces.length, ball };
  const arm: ArmShape = {
    ...{ side: 'left', upper: 0, middle: 1, end: 2, thick: [0.2, 0.2, 0.1] },
    palm: { joint: 2, touched: 4, faces, outer: 0, ball: Float64Array.of(0, -0.5, 0, 0.6) },
    points: Float64Array.of(0.2, -1, 0, -0.2, -1, 0, 0, 0, 0.3),
    ...{ fingers: [3, 4], fingerThick: 0.1 },
  };
  const count = probeCount(arm);
  const probes = new Float64Array(4 * count);
  const hand = new Float64Array(4);
  let [far, near] = [0, 0];
  for (let turn = 0; turn < 2000; turn++) {
    const row = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, ...new Float64Array(36));
    const wrist = [4 * next(), 4 * next(), 4 * next()];
    row.set(wrist, 12 + 6);
    row.set([0, 0, 1, 1, 0, 0, 0, 1, 0], 12 + 9);
    for (let f = 0; f < 2; f++)
      row.set(
        wrist.map((value) => value + (f + 1) * next()),
        12 + 18 + 3 * f,
      );
    placeProbes(probes, arm, row, 12, row.slice(12, 21));
    ballOfHand(hand, 0, arm, row, 12);
    const most = 0.2 + 0.2 * next();
    const gaps = new Float64Array(count).fill(most);
    gapsToPart(gaps, part, row, 0, probes, count);
    const isFound = gaps.subarray(PALM_PROBES).some((gap) => gap <= most);
    const isFar = !areNear(ball, 0, hand, 0, most) || isBeyondFace(part, row, 0, hand, 0, most);
    if (isFar) far++;
    if (isFound) near++;
    expect(isFar && isFound, `${turn}`).toBe(false);
  }
  expect(far).toBeGreaterThan(500);
  expect(near).toBeGreaterThan(100);
});
