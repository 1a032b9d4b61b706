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

  it('is the sum of all triangles, whichever way they look and however often they go round', () => {
    const random = createRandom(11);
    const vector = () => Array.from({ length: 3 }, () => random() - 0.5);
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    const halfAngle = (corners: number[][]) => {
      const [a, b, c] = corners as [number[], number[], number[]];
      const [x, y, z] = [a, b, c].map((each) => Math.hypot(...each)) as [number, number, number];
      const across = [
        b[1]! * c[2]! - b[2]! * c[1]!,
        b[2]! * c[0]! - b[0]! * c[2]!,
        b[0]! * c[1]! - b[1]! * c[0]!,
      ];
      return Math.atan2(dot(a, across), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
    };
    let most = 0;
    for (let n = 0; n < 200; n++) {
      // Balls within balls: several turns in one group, forwards, and backwards where they are turned over.
      const corners = Array.from({ length: 20 }, () => [vector(), vector(), vector()]).map((each) =>
        halfAngle(each) > 0 === n % 2 > 0 ? each : each.reverse(),
      );
      const soup = Float64Array.from(corners.flat(2));
      const own = createSurface(
        Int32Array.from({ length: 60 }, (_, i) => i),
        soup,
      );
      settleSurface(own, soup);
      const expected = corners.reduce((sum, each) => sum + halfAngle(each), 0) / (2 * Math.PI);
      expect(windingNumber(own, soup, 0, 0, 0)).toBeCloseTo(expected, 9);
      most = Math.max(most, Math.abs(expected));
    }
    expect(most).toBeGreaterThan(1.5);
    // In its plane a triangle goes half round whoever is inside it.
    const flat = Float64Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0);
    const one = createSurface(Int32Array.of(0, 1, 2), flat);
    settleSurface(one, flat);
    expect(windingNumber(one, flat, 0, 0, 0)).toBeCloseTo(0.5, 9);
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
