import type { Mesh } from '@stuntdouble/core/engine';
import { describe, expect, test } from 'vitest';
import { ACCENTS, colorMeshes, type LinearColor, toByte, toLinear, toLinearColor } from './palette.js';

function painted(color: [number, number, number]): Mesh {
  return {
    name: '',
    positions: new Float32Array(0),
    normals: null,
    triangles: new Uint32Array(0),
    color,
    character: 0,
    skin: null,
    joint: null,
  };
}

/** Which channel is strongest, second, weakest. */
function hue(color: LinearColor): number[] {
  return [0, 1, 2].sort((a, b) => color[b]! - color[a]!);
}

describe('toByte', () => {
  test('takes every byte back from linear light', () => {
    for (let byte = 0; byte < 256; byte++) expect(toByte(toLinear(byte))).toBe(byte);
  });

  test('what is no light is black, what is too much is white', () => {
    expect([toByte(-1), toByte(Number.NaN), toByte(7), toByte(Infinity)]).toEqual([0, 0, 255, 255]);
  });
});

describe('colorMeshes', () => {
  const accent = ACCENTS[1]!;

  test('grey materials take the accent, lighter ones lighter', () => {
    const [light, dark] = colorMeshes([painted([1, 1, 1]), painted([0.1, 0.1, 0.1])], accent);
    expect(light).toEqual(toLinearColor(accent));
    expect(hue(dark!)).toEqual(hue(toLinearColor(accent)));
    expect(dark![0]).toBeLessThan(light![0]);
  });

  test('materials with a hue keep it, and no part of such a body takes the accent', () => {
    const [green, white] = colorMeshes([painted([0.1, 0.6, 0.3]), painted([1, 1, 1])], accent);
    expect(hue(green!)).toEqual([1, 2, 0]);
    expect(Math.max(...white!) - Math.min(...white!)).toBeLessThan(1e-9);
    expect(Math.max(...white!)).toBeLessThan(0.9);
  });

  test('black bodies, no meshes and values that are no colours do no harm', () => {
    expect(colorMeshes([], accent)).toEqual([]);
    const odd = colorMeshes([painted([0, 0, 0]), painted([Number.NaN, -3, 50])], accent);
    for (const color of odd)
      for (const channel of color) {
        expect(channel).toBeGreaterThanOrEqual(0);
        expect(channel).toBeLessThanOrEqual(1);
      }
  });
});
