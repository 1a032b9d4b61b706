import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { triangulatePolygon } from './triangulate.js';

/** The triangles of a polygon in the plane z = x / 2, as places of its corners. */
function cut(corners: readonly (readonly [number, number])[]): number[][] {
  const points = corners.flatMap(([x, y]) => [x, y, x / 2]);
  const triangles: number[][] = [];
  triangulatePolygon(
    points,
    corners.map((_, i) => i),
    0,
    corners.length,
    (a, b, c) => triangles.push([a, b, c]),
  );
  return triangles;
}

const areaOf = (corners: readonly (readonly [number, number])[]) =>
  corners.reduce((sum, [x, y], i) => {
    const [nx, ny] = corners[(i + 1) % corners.length]!;
    return sum + (x * ny - nx * y) / 2;
  }, 0);

/** Every triangle goes round as the polygon does, and together they cover what it covers. */
function expectWhole(corners: readonly (readonly [number, number])[]): void {
  const triangles = cut(corners);
  expect(triangles.length).toBe(corners.length - 2);
  let sum = 0;
  const whole = areaOf(corners);
  for (const triangle of triangles) {
    const area = areaOf(triangle.map((i) => corners[i]!));
    expect(area * Math.sign(whole)).toBeGreaterThan(-1e-9);
    sum += Math.abs(area);
  }
  expect(sum).toBeCloseTo(Math.abs(whole), 6);
}

describe('triangulatePolygon', () => {
  it('gives nothing for less than a triangle, and a triangle as it is', () => {
    expect(
      cut([
        [0, 0],
        [1, 0],
      ]),
    ).toEqual([]);
    expect(
      cut([
        [0, 0],
        [1, 0],
        [0, 1],
      ]),
    ).toEqual([[0, 1, 2]]);
  });
  it('is a fan where a polygon bulges', () => {
    expect(
      cut([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
    ).toEqual([
      [0, 1, 2],
      [0, 2, 3],
    ]);
  });
  it('cuts an arrow along its dent, whichever corner comes first and whichever way it goes round', () => {
    const arrow = [
      [0, 0],
      [2, -2],
      [0, 3],
      [-2, -2],
    ] as const;
    for (let turn = 0; turn < 4; turn++) {
      const turned = arrow.map((_, i) => arrow[(i + turn) % 4]!);
      expectWhole(turned);
      expectWhole([...turned].reverse());
    }
  });
  it('cuts stars of any number of points', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 24 }),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        (points, dent) => {
          expectWhole(
            Array.from({ length: 2 * points }, (_, i) => {
              const angle = (Math.PI * i) / points;
              const radius = i % 2 ? dent : 1;
              return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
            }),
          );
        },
      ),
    );
  });
  it('comes to an end for polygons that cross themselves or cover nothing', () => {
    for (const corners of [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      [
        [0, 0],
        [2, 0],
        [1, 0],
        [3, 0],
        [Number.NaN, 1],
      ],
    ] as const)
      expect(cut(corners).length).toBe(corners.length - 2);
  });
});
