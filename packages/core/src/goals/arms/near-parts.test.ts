import { expect, test } from 'vitest';
import { hullFaces } from './hull-faces.js';
import { areNear, ballOfProbes, readBalls } from './near-parts.js';
import { gapsToPart } from './part-frame.js';

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
