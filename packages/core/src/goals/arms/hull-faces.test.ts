import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/tiny-rigs.js';
import { hullFaces } from './hull-faces.js';

const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, 2 * y, 3 * z])));

/** How far a point is before the farthest face. */
function off(faces: Float64Array, [x, y, z]: readonly [number, number, number]): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let f = 0; f < faces.length; f += 4)
    most = Math.max(most, faces[f]! * x + faces[f + 1]! * y + faces[f + 2]! * z - faces[f + 3]!);
  return most;
}

describe('hullFaces', () => {
  it('has nothing for points that are one, on a line, in a plane, or no numbers', () => {
    for (const points of [
      [],
      [1, 2, 3],
      [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3],
      [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
      [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
      [Number.NaN, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
    ])
      expect(hullFaces(points)).toHaveLength(0);
  });

  it('finds the six faces of a box, whatever lies inside or on them', () => {
    const faces = hullFaces([...cube, 0.5, 0.5, 0.5, 1, 0, 0, 0, 2, 0]);
    expect(faces).toHaveLength(24);
    expect(off(faces, [0, 0, 0])).toBeCloseTo(-1, 9);
    expect(off(faces, [3, 0, 0])).toBeCloseTo(2, 9);
    expect(off(faces, [0, 0, -3.5])).toBeCloseTo(0.5, 9);
  });

  it('holds every point, and each point of a ball is on a face', () => {
    const random = createRandom(7);
    const points = Array.from({ length: 26 }, () => {
      const v = [random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...v);
      return v.map((value) => value / length);
    });
    const faces = hullFaces(points.flat());
    for (const [x, y, z] of points) expect(Math.abs(off(faces, [x!, y!, z!]))).toBeLessThan(3e-3);
    expect(off(faces, [0, 0, 0])).toBeLessThan(0);
  });
});
