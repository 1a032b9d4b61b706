import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/tiny-rigs.js';
import { createSurface, distanceToSurface, settleSurface, windingNumber } from './winding.js';

/** A ball of triangles, with normals outwards. */
function ball(rings: number, radius: number): { places: Float64Array; triangles: Int32Array } {
  const places: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= rings; i++)
    for (let j = 0; j < 2 * rings; j++) {
      const [a, b] = [(Math.PI * i) / rings, (Math.PI * j) / rings];
      places.push(
        radius * Math.sin(a) * Math.sin(b),
        radius * Math.cos(a),
        radius * Math.sin(a) * Math.cos(b),
      );
    }
  const at = (i: number, j: number) => 2 * rings * i + (j % (2 * rings));
  for (let i = 0; i < rings; i++)
    for (let j = 0; j < 2 * rings; j++)
      triangles.push(at(i, j), at(i + 1, j), at(i, j + 1), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1));
  return { places: Float64Array.from(places), triangles: Int32Array.from(triangles) };
}

describe('windingNumber', () => {
  const { places, triangles } = ball(20, 1);
  const surface = createSurface(triangles, places);
  settleSurface(surface, places);

  it('is 1 inside and 0 outside, near and far, and the distance is that to the ball', () => {
    const random = createRandom(3);
    for (let n = 0; n < 200; n++) {
      const v = [random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...v);
      const far = n % 2 === 0 ? 0.97 * random() : 1.02 + 3 * random();
      const [x, y, z] = v.map((value) => (value * far) / length) as [number, number, number];
      expect(windingNumber(surface, places, x, y, z)).toBeCloseTo(far < 1 ? 1 : 0, 1);
      expect(distanceToSurface(surface, places, x, y, z)).toBeCloseTo(Math.abs(1 - far), 1);
    }
  });

  it('follows what is moved', () => {
    const moved = places.map((value, i) => (i % 3 === 0 ? value + 5 : value));
    settleSurface(surface, moved);
    expect(windingNumber(surface, moved, 0, 0, 0)).toBeCloseTo(0, 2);
    expect(windingNumber(surface, moved, 5, 0, 0)).toBeCloseTo(1, 2);
    settleSurface(surface, places);
  });

  it('is in between where there is a hole, and 0 where there is nothing', () => {
    const half = Int32Array.from(triangles.slice(0, triangles.length / 2));
    const open = createSurface(half, places);
    settleSurface(open, places);
    expect(windingNumber(open, places, 0, 0, 0)).toBeCloseTo(0.5, 1);
    const none = createSurface(new Int32Array(0), places);
    settleSurface(none, places);
    expect(windingNumber(none, places, 0, 0, 0)).toBe(0);
    expect(distanceToSurface(none, places, 0, 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
