import { encode } from 'fast-png';
import { encode as encodeJpeg } from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { fitCamera } from './camera.js';
import { createImage } from './image.js';
import type { Shape } from './rasterize.js';
import { renderScene } from './render-scene.js';
import { readTexture, type Texture, textureOf } from './texture.js';

/** Red above blue, with a hole where the blue's right half is. */
const BYTES = Uint8Array.of(255, 0, 0, 255, 255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 255, 0);
const PNG = encode({ width: 2, height: 2, channels: 4, data: BYTES });

const pictureOf = (bytes: Uint8Array) => ({ name: 'p', extension: 'png', bytes });
const at = (texture: Texture, u: number, v: number, clamps: [boolean, boolean] = [true, true]) => {
  const out = new Float64Array(4);
  readTexture(out, texture.levels[0]!, u, v, clamps);
  return [...out].map((value) => Math.round(100 * value) / 100);
};

describe('textureOf', () => {
  it('reads a PNG, v upwards, and repeats it or stays at its edge', () => {
    const texture = textureOf(pictureOf(PNG))!;
    expect(at(texture, 0.25, 0.75)).toEqual([1, 0, 0, 1]);
    expect(at(texture, 0.25, 0.25)).toEqual([0, 0, 1, 1]);
    expect(at(texture, 0.75, 0.25)).toEqual([0, 0, 1, 0]);
    expect(at(texture, 0.25, 7.25, [false, false])).toEqual([0, 0, 1, 1]);
    expect(at(texture, 0.25, 7.25)).toEqual([1, 0, 0, 1]);
    expect(at(texture, -1.75, 0.25, [false, true])).toEqual([0, 0, 1, 1]);
  });

  it('reads a JPEG, and pictures by a palette and in grey', () => {
    const data = new Uint8Array(4 * 64).fill(255);
    for (let i = 0; i < data.length; i += 4) data.set([0, 255, 0], i);
    const jpeg = encodeJpeg({ width: 8, height: 8, data }, 95).data;
    const [r, g, b] = at(textureOf(pictureOf(new Uint8Array(jpeg)))!, 0.5, 0.5);
    expect(g! - Math.max(r!, b!)).toBeGreaterThan(0.95);
    const grey = encode({ width: 2, height: 1, channels: 1, data: Uint8Array.of(0, 255) });
    expect(at(textureOf(pictureOf(grey))!, 0.75, 0.5)).toEqual([1, 1, 1, 1]);
  });

  it('makes levels, each the mean of the one before, and large pictures smaller', () => {
    const data = Uint8Array.from({ length: 3 * 1024 * 600 }, (_, i) => (Math.floor(i / 3) % 2 ? 255 : 0));
    const { levels } = textureOf(pictureOf(encode({ width: 1024, height: 600, channels: 3, data })))!;
    expect([levels[0]!.width, levels[0]!.height]).toEqual([512, 300]);
    expect(levels[1]!.width).toBe(256);
    expect(levels[levels.length - 1]!.data[0]).toBeCloseTo(0.5, 3);
  });

  it('gives none for what is broken, of another kind, or claims to be huge', () => {
    expect(textureOf(pictureOf(PNG.slice(0, 40)))).toBeNull();
    expect(textureOf(pictureOf(Uint8Array.of(1, 2, 3)))).toBeNull();
    const huge = PNG.slice();
    new DataView(huge.buffer).setUint32(16, 60000);
    new DataView(huge.buffer).setUint32(20, 60000);
    expect(textureOf(pictureOf(huge))).toBeNull();
    expect(
      textureOf(pictureOf(Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 255, 255, 255, 255, 1))),
    ).toBeNull();
  });
});

describe('a textured shape', () => {
  it('shows its picture upright, and nothing where alpha cuts it out', () => {
    const positions = Float32Array.of(-1, 0, 0, 1, 0, 0, 1, 2, 0, -1, 2, 0);
    const shape: Shape = {
      positions,
      normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
      color: [1, 1, 1],
      skin: {
        texture: textureOf(pictureOf(PNG))!,
        uvs: Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1),
        clamps: [true, true],
        cutoff: 0.5,
      },
    };
    const image = createImage(60, 60);
    const view = { azimuthDegrees: 0, elevationDegrees: 0, fieldOfViewDegrees: 20 };
    const camera = fitCamera(positions, { width: 60, height: 60 }, view);
    renderScene(
      image,
      { x: 0, y: 0, width: 60, height: 60 },
      {
        shapes: [shape],
        camera,
        floor: -5,
        tile: 1,
        height: 2,
        fade: { x: 0, z: 0, from: 1, to: 2 },
      },
    );
    const pixel = (x: number, y: number) =>
      [...image.data.subarray(3 * (60 * y + x), 3 * (60 * y + x) + 3)] as [number, number, number];
    const [r, g, b] = pixel(15, 12);
    expect(r - Math.max(g, b)).toBeGreaterThan(80);
    const low = pixel(15, 48);
    expect(low[2] - Math.max(low[0], low[1])).toBeGreaterThan(80);
    const hole = pixel(52, 54);
    expect(Math.max(...hole) - Math.min(...hole)).toBeLessThan(30);
  });
});
