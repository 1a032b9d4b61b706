import { describe, expect, test } from 'vitest';
import { type Camera, DEFAULT_VIEW, fitCamera, moveCamera, projectPoints } from './camera.js';

const PICTURE = { width: 200, height: 260 };
const MARGIN = { left: 10, right: 20, top: 30, bottom: 15 };

function boxAround(camera: Camera, points: Float32Array) {
  const projected = new Float64Array(points.length);
  projectPoints(projected, camera, points);
  const xs = [...projected].filter((_, i) => i % 3 === 0);
  const ys = [...projected].filter((_, i) => i % 3 === 1);
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
    projected,
  };
}

const bodies: Record<string, Float32Array> = {
  tall: Float32Array.of(-0.2, 0, 0, 0.2, 0, 0.1, 0, 1.8, 0, 0.1, 1.5, -0.2),
  wide: Float32Array.of(-3, 0, 0, 3, 0, 0.5, 0, 0.4, -2, 0, 0.2, 2),
  tiny: Float32Array.of(-0.001, 0.0005, 0, 0.001, 0, 0, 0, 0.002, 0.001),
  huge: Float32Array.of(-900, 0, 0, 900, 100, 0, 0, 2500, 1000),
};

describe('fitCamera', () => {
  test.each(Object.keys(bodies))('a %s body fills the free part of the picture and stays in it', (name) => {
    for (const azimuthDegrees of [0, 40, 170, -75]) {
      const camera = fitCamera(bodies[name]!, PICTURE, { ...DEFAULT_VIEW, azimuthDegrees }, MARGIN);
      const box = boxAround(camera, bodies[name]!);
      const rounding = 0.01;
      expect(box.left).toBeGreaterThan(MARGIN.left - rounding);
      expect(box.right).toBeLessThan(PICTURE.width - MARGIN.right + rounding);
      expect(box.top).toBeGreaterThan(MARGIN.top - rounding);
      expect(box.bottom).toBeCloseTo(PICTURE.height - MARGIN.bottom, 1);
      const fillsWidth = box.right - box.left > PICTURE.width - MARGIN.left - MARGIN.right - rounding;
      const fillsHeight = box.bottom - box.top > PICTURE.height - MARGIN.top - MARGIN.bottom - rounding;
      expect(fillsWidth || fillsHeight).toBe(true);
    }
  });

  test('from the front, the body’s own left is on the right of the picture, and up is up', () => {
    const camera = fitCamera(bodies.tall!, PICTURE, { ...DEFAULT_VIEW, azimuthDegrees: 0 });
    const { projected } = boxAround(camera, Float32Array.of(0, 1, 0, 0.1, 1, 0, 0, 1.1, 0, 0, 1, 0.1));
    expect(projected[3]).toBeGreaterThan(projected[0]!);
    expect(projected[7]).toBeLessThan(projected[1]!);
    // +Z is forward: nearer to a camera in front.
    expect(projected[11]).toBeGreaterThan(projected[2]!);
  });

  test('a camera that moves along sees the same', () => {
    const camera = fitCamera(bodies.tall!, PICTURE);
    const there = bodies.tall!.map((value, i) => value + [4, 0, -3][i % 3]!);
    const before = boxAround(camera, bodies.tall!);
    const after = boxAround(moveCamera(camera, 4, -3), there);
    before.projected.forEach((value, i) => {
      expect(after.projected[i]).toBeCloseTo(value, 3);
    });
  });

  test.each([
    ['nothing', []],
    ['one point', [1, 2, 3]],
    ['a point that is no number', [Number.NaN, 0, 0, 0, 1, 0, 0, Number.POSITIVE_INFINITY, 0]],
  ])('%s gives a camera that can be used', (_, points) => {
    const camera = fitCamera(points, PICTURE);
    expect([...camera.eye, camera.focal].every(Number.isFinite)).toBe(true);
  });
});

describe('projectPoints', () => {
  test('a point behind the camera has no depth', () => {
    const camera = fitCamera(bodies.tall!, PICTURE, { ...DEFAULT_VIEW, azimuthDegrees: 0 });
    const { projected } = boxAround(camera, Float32Array.of(0, 1, 1000));
    expect(projected[2]).toBe(0);
  });
});
