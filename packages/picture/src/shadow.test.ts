import { describe, expect, test } from 'vitest';
import type { Shape } from './rasterize.js';
import {
  castFloorShadow,
  castLightMap,
  type Direction,
  type FloorShadow,
  readFloorShadow,
  readLightMap,
} from './shadow.js';

/** Light from over +X: what is h high casts its shadow h · 0.75 towards −X. */
const LIGHT: Direction = [0.6, 0.8, 0];

/** A level plate of 0.4 × 0.4 m around the origin. */
function plate(height: number): Shape {
  const corners = [-0.2, -0.2, 0.2, -0.2, 0.2, 0.2, -0.2, 0.2];
  const positions = new Float32Array(12);
  for (let v = 0; v < 4; v++) positions.set([corners[2 * v]!, height, corners[2 * v + 1]!], 3 * v);
  return {
    positions,
    normals: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0),
    triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
    color: [1, 1, 1],
  };
}

/** A plate on a mast, so that scenes have one height whatever the plate does. */
function scene(height: number): Shape[] {
  const mast: Shape = {
    ...plate(0),
    positions: Float32Array.of(3, 0, 3, 3.01, 0, 3, 3, 2, 3),
    triangles: Uint32Array.of(0, 1, 2),
  };
  return [plate(height), mast];
}

function cast(height: number, floor = 0): FloorShadow {
  return castFloorShadow(scene(height), floor, LIGHT, 100)!;
}

/** Metres over which the shadow's edge along Z goes from a tenth to nine tenths. */
function edgeWidth(shadow: FloorShadow, x: number): number {
  let width = 0;
  for (let z = 0; z < 0.8; z += 0.002) {
    const value = readFloorShadow(shadow, shadow.key, x, z);
    if (value > 0.1 && value < 0.9) width += 0.002;
  }
  return width;
}

describe('castFloorShadow', () => {
  test('the shadow stands where the light throws it', () => {
    const low = cast(0.01);
    expect(readFloorShadow(low, low.key, 0, 0)).toBeCloseTo(1, 1);
    expect(readFloorShadow(low, low.key, -0.4, 0)).toBe(0);
    const high = cast(1);
    expect(readFloorShadow(high, high.key, -0.75, 0)).toBeGreaterThan(0.9);
    expect(readFloorShadow(high, high.key, 0, 0)).toBe(0);
  });

  test('edges soften with height', () => {
    const widths = [0.01, 0.5, 1].map((height) => edgeWidth(cast(height), -0.75 * height));
    expect(widths[0]).toBeLessThan(0.05);
    expect(widths[1]).toBeGreaterThan(1.5 * widths[0]!);
    expect(widths[2]).toBeGreaterThan(1.5 * widths[1]!);
  });

  test('what touches the floor darkens it underneath, what is lifted does not', () => {
    const under = (height: number) => {
      const shadow = cast(height);
      return readFloorShadow(shadow, shadow.contact, 0, 0);
    };
    expect(under(0)).toBeGreaterThan(0.95);
    expect(under(0.05)).toBeLessThan(under(0));
    expect(under(0.05)).toBeGreaterThan(0);
    expect(under(0.5)).toBe(0);
  });

  test('only the height above the floor counts', () => {
    const here = cast(1);
    const there = castFloorShadow(
      scene(1).map((shape) => ({
        ...shape,
        positions: shape.positions.map((value, i) => (i % 3 === 1 ? value + 5 : value)),
      })),
      5,
      LIGHT,
      100,
    )!;
    for (const x of [-1, -0.9, -0.75, -0.5, 0])
      expect(readFloorShadow(there, there.key, x, 0.1)).toBeCloseTo(
        readFloorShadow(here, here.key, x, 0.1),
        2,
      );
  });

  test('nothing, and nothing finite, casts no shadow', () => {
    expect(castFloorShadow([], 0, LIGHT, 100)).toBeNull();
    const nan = { ...plate(1), positions: new Float32Array(12).fill(Number.NaN) };
    expect(castFloorShadow([nan], 0, LIGHT, 100)).toBeNull();
    expect(castLightMap([nan], LIGHT, 100)).toBeNull();
  });
});

describe('castLightMap', () => {
  test('what is behind something is dark, what is beside or before it is lit', () => {
    const map = castLightMap(scene(1), LIGHT, 100)!;
    expect(readLightMap(map, -0.75, 0, 0, 0.02)).toBe(0);
    expect(readLightMap(map, 0, 0, 0, 0.02)).toBe(1);
    expect(readLightMap(map, 0, 1, 0, 0.02)).toBe(1);
    expect(readLightMap(map, 0.75, 2, 0, 0.02)).toBe(1);
    expect(readLightMap(map, 1000, 0, 0, 0.02)).toBe(1);
  });
});
