import { expect, test } from 'vitest';
import { type ArmShape, type BodyShape, OTHER_HAND } from './body-shape.js';
import { mayHandsMeet, palmReach } from './hands-apart.js';
import { hullFaces } from './hull-faces.js';
import { createHandGaps, readGaps } from './read-gaps.js';
import { armAt, FINGERS, PALM_AXES, rowLength } from './shape-row.js';

/** Numbers from −1 to 1 that look random and are always the same. */
function createNumbers(): () => number {
  let state = 5;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

/** A palm of random points, whose ball is about its middle and not about its wrist. */
function armOf(side: 'left' | 'right', next: () => number, fingers: number): ArmShape {
  const middle = [0.03 * next(), -0.06, 0.03 * next()];
  const points = Float64Array.from({ length: 24 }, (_, i) => middle[i % 3]! + 0.06 * next());
  const off = (i: number) => points[i]! - middle[i % 3]!;
  const radius = Math.max(
    ...[0, 3, 6, 9, 12, 15, 18, 21].map((i) => Math.hypot(off(i), off(i + 1), off(i + 2))),
  );
  const faces = hullFaces(points);
  return {
    ...{ side, upper: 0, middle: 0, end: 0, thick: [0.06, 0.05, 0.03] },
    palm: {
      joint: 0,
      touched: OTHER_HAND,
      faces,
      outer: faces.length,
      ball: Float64Array.of(...middle, radius),
    },
    points,
    ...{ fingers: Array.from({ length: fingers }, () => 0), fingerThick: 0.01 },
  };
}

test('hands that are said to be apart have no gap that is found, however they are held', () => {
  const next = createNumbers();
  const gaps = createHandGaps();
  const said = [0, 0];
  let nearest = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3000; turn++) {
    const shape: BodyShape = {
      ...{ arm: 0.6, parts: [], isSkin: true, chest: -1, ahead: null, up: null },
      arms: [armOf('left', next, turn % 4), armOf('right', next, 3)],
    };
    const row = Float64Array.from({ length: rowLength(shape) }, () => 0.3 * next());
    for (let hand = 0; hand < 2; hand++) {
      const a = armAt(shape, hand);
      const [x, y, z, w] = [next(), next(), next(), next()];
      const k = 2 / (x * x + y * y + z * z + w * w);
      row.set([1 - k * (y * y + z * z), k * (x * y + z * w), k * (x * z - y * w)], a + PALM_AXES);
      row.set([k * (x * y - z * w), 1 - k * (x * x + z * z), k * (y * z + x * w)], a + PALM_AXES + 3);
      row.set([k * (x * z + y * w), k * (y * z - x * w), 1 - k * (x * x + y * y)], a + PALM_AXES + 6);
      // Fingers go on from the palm, some of them far.
      for (let i = 0; i < 9; i++)
        row[a + FINGERS + i] = row[a + 6 + (i % 3)]! + (0.06 + 0.05 * (turn % 7)) * next();
    }
    const reaches = Float64Array.from(shape.arms, (arm) => palmReach(arm!));
    gaps.most[0] = 0.15;
    readGaps(gaps, shape, row, 0);
    const mayMeet = mayHandsMeet(shape, reaches, row, 0, gaps.most);
    said[mayMeet ? 1 : 0]!++;
    const [left, right] = [armAt(shape, 0) + 6, armAt(shape, 1) + 6];
    const wrists = Math.hypot(
      row[right]! - row[left]!,
      row[right + 1]! - row[left + 1]!,
      row[right + 2]! - row[left + 2]!,
    );
    if (!mayMeet) {
      expect(gaps.gaps[OTHER_HAND]).toBe(Number.POSITIVE_INFINITY);
      nearest = Math.min(nearest, wrists);
    }
  }
  // Both are said, and apart is said of hands that are no arm's length from each other.
  expect(said[0]).toBeGreaterThan(300);
  expect(said[1]).toBeGreaterThan(300);
  expect(nearest).toBeLessThan(0.55);
});
