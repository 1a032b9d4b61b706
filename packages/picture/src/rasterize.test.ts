import { describe, expect, test } from 'vitest';
import {
  clearSurface,
  createField,
  createSurface,
  rasterizeGreatest,
  rasterizeShape,
  type Shape,
} from './rasterize.js';

/** A shape whose model positions are its pixels, all at one depth, with normals to the viewer (−Z here). */
function flatShape(points: readonly (readonly [number, number])[], triangles: readonly number[]): Shape {
  return {
    positions: Float32Array.from(points.flatMap(([x, y]) => [x, -y, 0])),
    normals: Float32Array.from(points.flatMap(() => [0, 0, 1])),
    triangles: Uint32Array.from(triangles),
    color: [1, 1, 1],
  };
}

function project(points: readonly (readonly [number, number])[], inverseDepth: number): Float64Array {
  return Float64Array.from(points.flatMap(([x, y]) => [x, y, inverseDepth]));
}

const CORNERS = [
  [2, 1],
  [9, 3],
  [4, 10],
] as const;

/** Whether a point is inside a convex outline, whichever way it goes round. */
function isInside(x: number, y: number, corners: readonly (readonly [number, number])[]): boolean {
  const signs = corners.map(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!;
    return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
  });
  return signs.every((s) => s >= 0) || signs.every((s) => s <= 0);
}

describe('rasterizeShape', () => {
  test.each([
    ['clockwise', [0, 1, 2]],
    ['counter-clockwise', [0, 2, 1]],
  ])('covers exactly the samples whose centre is inside, %s', (_, triangles) => {
    const surface = createSurface(12, 12);
    rasterizeShape(surface, flatShape(CORNERS, triangles), project(CORNERS, 0.5), 7);
    let covered = 0;
    for (let y = 0; y < 12; y++)
      for (let x = 0; x < 12; x++) {
        const inside = isInside(x + 0.5, y + 0.5, CORNERS);
        expect(surface.owners[y * 12 + x], `sample ${x}, ${y}`).toBe(inside ? 7 : 0);
        if (inside) covered++;
      }
    expect(covered).toBeGreaterThan(20);
  });

  test('two triangles with a common edge leave no gap', () => {
    const quad = [
      [1.3, 0.7],
      [30.1, 4.9],
      [27.3, 29.7],
      [3.61, 25.23],
    ] as const;
    // The sample at 6.5, 6.5 stands on the common edge but for rounding.
    const surface = createSurface(32, 32);
    rasterizeShape(surface, flatShape(quad, [0, 1, 2, 0, 2, 3]), project(quad, 0.5), 1);
    for (let y = 0; y < 32; y++)
      for (let x = 0; x < 32; x++) {
        const inside = isInside(x + 0.5, y + 0.5, quad);
        expect(surface.owners[y * 32 + x] === 1).toBe(inside);
      }
  });

  test('the nearer shape is seen, in whatever order they are drawn', () => {
    const shape = flatShape(CORNERS, [0, 1, 2]);
    const owners = (order: readonly number[]) => {
      const surface = createSurface(12, 12);
      for (const owner of order) rasterizeShape(surface, shape, project(CORNERS, owner / 10), owner);
      return [...surface.owners];
    };
    expect(owners([1, 3, 2])).toEqual(owners([3, 2, 1]));
    expect(new Set(owners([1, 3, 2]))).toEqual(new Set([0, 3]));
  });

  test('normals that look away are turned to the viewer', () => {
    const front = flatShape(CORNERS, [0, 1, 2]);
    const back = { ...front, normals: front.normals.map((n) => -n) };
    for (const shape of [front, back])
      for (const triangles of [
        [0, 1, 2],
        [0, 2, 1],
      ]) {
        const surface = createSurface(12, 12);
        rasterizeShape(
          surface,
          { ...shape, triangles: Uint32Array.from(triangles) },
          project(CORNERS, 0.5),
          1,
        );
        const i = surface.owners.indexOf(1);
        expect(surface.normals[3 * i + 2]).toBeGreaterThan(0);
      }
  });

  test('nothing is drawn of what is not finite, behind the camera, without area, or of vertices that are not there', () => {
    const surface = createSurface(12, 12);
    const shape = flatShape(CORNERS, [0, 1, 2]);
    const nan = project(CORNERS, 0.5);
    nan[3] = Number.NaN;
    const endless = project(CORNERS, 0.5);
    endless[4] = Number.POSITIVE_INFINITY;
    const behind = project(CORNERS, 0.5);
    behind[2] = 0;
    rasterizeShape(surface, shape, nan, 1);
    rasterizeShape(surface, shape, endless, 1);
    rasterizeShape(surface, shape, behind, 1);
    rasterizeShape(surface, flatShape(CORNERS, [0, 1, 1]), project(CORNERS, 0.5), 1);
    rasterizeShape(surface, flatShape(CORNERS, [0, 1, 99]), project(CORNERS, 0.5), 1);
    rasterizeShape(surface, flatShape([], []), new Float64Array(0), 1);
    expect(surface.owners.every((owner) => owner === 0)).toBe(true);
  });

  test('what is off the picture is left out, and what covers it all covers it all', () => {
    const surface = createSurface(12, 12);
    const away = CORNERS.map(([x, y]) => [x + 500, y - 500] as const);
    rasterizeShape(surface, flatShape(away, [0, 1, 2]), project(away, 0.5), 1);
    expect(surface.owners.every((owner) => owner === 0)).toBe(true);
    const vast = [
      [-1e12, -1e12],
      [1e12, -1e12],
      [0, 1e12],
    ] as const;
    rasterizeShape(surface, flatShape(vast, [0, 1, 2]), project(vast, 0.5), 1);
    expect(surface.owners.every((owner) => owner === 1)).toBe(true);
    clearSurface(surface);
    expect(surface.owners.every((owner) => owner === 0)).toBe(true);
  });
});

describe('rasterizeGreatest', () => {
  test('keeps the greatest value and covers what the surface does', () => {
    const field = createField(12, 12);
    rasterizeGreatest(field, project(CORNERS, 3), Uint32Array.of(0, 1, 2));
    rasterizeGreatest(field, project(CORNERS, 2), Uint32Array.of(2, 1, 0));
    for (let y = 0; y < 12; y++)
      for (let x = 0; x < 12; x++) {
        const value = field.values[y * 12 + x]!;
        if (isInside(x + 0.5, y + 0.5, CORNERS)) expect(value).toBeCloseTo(3, 6);
        else expect(value).toBe(-Infinity);
      }
  });
});
