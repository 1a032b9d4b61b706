import { existsSync } from 'node:fs';
import {
  bakeClip,
  copyPose,
  createPose,
  createSkeleton,
  END,
  type Mesh,
  type Pose,
  readFrame,
  type Skeleton,
  sampleClip,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { decode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { DATA_FOLDER } from '../../core/test/real-data.js';
import { animationStrip, contactSheet, drawAnimationStrip, drawContactSheet } from './contact-sheet.js';
import type { PictureRow } from './figures.js';
import type { Image, Rgb } from './image.js';
import { ACCENTS, PALETTE } from './palette.js';

const data = DATA_FOLDER;

/** A body of boxes on three joints, 1.8 m high, standing on the floor. */
function boxFigure(): { skeleton: Skeleton; meshes: Mesh[] } {
  const { skeleton } = createSkeleton('boxes', [
    { name: 'hips', parent: -1, translation: [0, 0.9, 0] },
    { name: 'chest', parent: 0, translation: [0, 0.4, 0] },
    { name: 'head', parent: 1, translation: [0, 0.3, 0] },
    { name: 'head_end', parent: 2, translation: [0, 0.2, 0], flags: END },
  ]);
  return {
    skeleton,
    meshes: [
      box([-0.2, -0.9, -0.12], [0.2, 0.1, 0.12], 0),
      box([-0.25, -0.3, -0.14], [0.25, 0.25, 0.14], 1),
      box([-0.1, -0.05, -0.1], [0.1, 0.2, 0.12], 2),
    ],
  };
}

function box(low: readonly number[], high: readonly number[], joint: number): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [low, high]) {
      const start = positions.length / 3;
      for (const [u, v] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const) {
        const corner = [0, 0, 0];
        corner[axis] = side[axis]!;
        corner[(axis + 1) % 3] = (u ? high : low)[(axis + 1) % 3]!;
        corner[(axis + 2) % 3] = (v ? high : low)[(axis + 2) % 3]!;
        positions.push(...corner);
      }
      triangles.push(start, start + 1, start + 2, start, start + 2, start + 3);
    }
  return {
    name: `box ${joint}`,
    positions: Float32Array.from(positions),
    normals: null,
    triangles: Uint32Array.from(triangles),
    color: [0.8, 0.8, 0.8],
    character: 0,
    skin: null,
    joint,
  };
}

function boxRow(overrides: Partial<PictureRow> = {}): PictureRow {
  const { skeleton, meshes } = boxFigure();
  return { title: 'Boxes', skeleton, meshes, poses: [skeleton.rest, skeleton.rest], ...overrides };
}

/** The pose with its first joint moved. */
function movedPose(pose: Pose, x: number, y: number, z: number): Pose {
  const out = copyPose(pose);
  out.translations[0] = out.translations[0]! + x;
  out.translations[1] = out.translations[1]! + y;
  out.translations[2] = out.translations[2]! + z;
  return out;
}

/** Hue apart, bodies are what is darker and more coloured than floor, page and card. */
function isBody(image: Image, x: number, y: number, accent: Rgb): boolean {
  const o = 3 * (y * image.width + x);
  const [r, g, b] = [image.data[o]!, image.data[o + 1]!, image.data[o + 2]!];
  const spread = Math.max(r, g, b) - Math.min(r, g, b);
  const strongest = accent.indexOf(Math.max(...accent));
  return spread > 30 && [r, g, b].indexOf(Math.max(r, g, b)) === strongest;
}

function bodyPixels(image: Image, accent: Rgb, x0 = 0, x1 = image.width): number {
  let count = 0;
  for (let y = 0; y < image.height; y++)
    for (let x = x0; x < x1; x++) if (isBody(image, x, y, accent)) count++;
  return count;
}

const BLUE = ACCENTS[0]!;
const RED = ACCENTS[1]!;

describe('contactSheet', () => {
  test('gives a PNG of the size asked for that is not all background', () => {
    const png = contactSheet({
      rows: [boxRow(), boxRow({ caption: 'worst arm 0.00°' })],
      columns: ['0.0 s', '0.5 s'],
      title: 'Walk',
      size: { width: 500, height: 480 },
    });
    const decoded = decode(png);
    expect([decoded.width, decoded.height, decoded.channels]).toEqual([500, 480, 3]);
    const image: Image = { width: 500, height: 480, data: Uint8Array.from(decoded.data) };
    expect([...image.data.subarray(0, 3)]).toEqual([...PALETTE.page]);
    expect(bodyPixels(image, BLUE)).toBeGreaterThan(2000);
    expect(bodyPixels(image, RED)).toBeGreaterThan(2000);
  });

  test('a body that travels is as large and in the same place of every cell', () => {
    const row = boxRow();
    const poses = [row.poses[0]!, movedPose(row.poses[0]!, 7, 0, 30)];
    const image = drawContactSheet({ rows: [{ ...row, poses }], size: { width: 400, height: 300 } });
    const cells = [bodyPixels(image, BLUE, 0, 200), bodyPixels(image, BLUE, 200, 400)];
    expect(cells[0]).toBeGreaterThan(1500);
    expect(Math.abs(cells[1]! - cells[0]!)).toBeLessThan(0.02 * cells[0]!);
  });

  test('two poses in a row are drawn at one scale', () => {
    const row = boxRow();
    const poses = [row.poses[0]!, movedPose(row.poses[0]!, 0, 1, 0)];
    const image = drawContactSheet({ rows: [{ ...row, poses }], size: { width: 400, height: 300 } });
    const lowest = (x0: number, x1: number) => {
      for (let y = image.height - 1; y >= 0; y--)
        for (let x = x0; x < x1; x++) if (isBody(image, x, y, BLUE)) return y;
      return 0;
    };
    const cells = [bodyPixels(image, BLUE, 0, 200), bodyPixels(image, BLUE, 200, 400)];
    expect(Math.abs(cells[1]! - cells[0]!)).toBeLessThan(0.1 * cells[0]!);
    // The second one is in the air.
    expect(lowest(0, 200) - lowest(200, 400)).toBeGreaterThan(30);
  });

  test('what is under the floor is only a hint', () => {
    const row = boxRow({ poses: [boxFigure().skeleton.rest] });
    const size = { width: 300, height: 400 };
    const above = bodyPixels(drawContactSheet({ rows: [{ ...row, floor: 0 }], size }), BLUE);
    const sunk = bodyPixels(drawContactSheet({ rows: [{ ...row, floor: 0.9 }], size }), BLUE);
    expect(sunk).toBeLessThan(0.8 * above);
    expect(sunk).toBeGreaterThan(0.2 * above);
  });

  test('without a mesh the skeleton is drawn, and so for meshes without triangles', () => {
    const bare = boxRow({ meshes: [] });
    const empty: Mesh = {
      ...boxFigure().meshes[0]!,
      positions: new Float32Array(0),
      triangles: new Uint32Array(0),
    };
    const size = { width: 400, height: 300 };
    const drawn = bodyPixels(drawContactSheet({ rows: [bare], size }), BLUE);
    expect(drawn).toBeGreaterThan(200);
    expect(bodyPixels(drawContactSheet({ rows: [{ ...bare, meshes: [empty] }], size }), BLUE)).toBe(drawn);
  });

  test('materials with a hue keep it', () => {
    const { meshes } = boxFigure();
    const red = meshes.map((mesh): Mesh => ({ ...mesh, color: [0.6, 0.1, 0.05] }));
    const image = drawContactSheet({
      rows: [boxRow({ meshes: red })],
      size: { width: 400, height: 300 },
    });
    expect(bodyPixels(image, RED)).toBeGreaterThan(2000);
    expect(bodyPixels(image, BLUE)).toBeLessThan(100);
  });

  test('rows of different length, no joints, not finite, enormous and tiny bodies do no harm', () => {
    const row = boxRow();
    const broken = copyPose(row.poses[0]!);
    broken.rotations.fill(Number.NaN);
    const scaled = (factor: number) => {
      const pose = copyPose(row.poses[0]!);
      pose.translations[1] = pose.translations[1]! * factor;
      for (let c = 0; c < 3; c++) pose.scales[c] = factor;
      return pose;
    };
    const { skeleton: nobody } = createSkeleton('nobody', []);
    const image = drawContactSheet({
      rows: [
        { ...row, poses: [row.poses[0]!] },
        { ...row, poses: [broken, row.poses[0]!, broken] },
        { ...row, poses: [broken] },
        { ...row, meshes: [], poses: [broken] },
        { title: '', skeleton: nobody, meshes: [], poses: [createPose(0)] },
        { ...row, poses: [] },
        { ...row, poses: [scaled(1e30)] },
        { ...row, poses: [scaled(1e-6)] },
        { ...row, floor: Number.NaN },
        { ...row, floor: 1e9 },
      ],
      size: { width: 300, height: 1600 },
    });
    expect(bodyPixels(image, BLUE)).toBeGreaterThan(100);
  });

  test('wrong use is said in one sentence', () => {
    expect(() => contactSheet({ rows: [] })).toThrow('at least one row with one pose');
    expect(() => contactSheet({ rows: [boxRow({ poses: [] })] })).toThrow('at least one row with one pose');
    expect(() => contactSheet({ rows: [boxRow()], size: { width: 40 } })).toThrow('too small');
    expect(() => contactSheet({ rows: [boxRow()], size: { height: 60 } })).toThrow('too small');
    expect(() => animationStrip({ rows: [] })).toThrow('at least one pose');
    expect(() => animationStrip({ rows: [boxRow()], size: { width: 1, height: 1 } })).toThrow('too small');
  });
});

describe('animationStrip', () => {
  test('stands every pose of every row in its own part of the picture', () => {
    const width = 600;
    const image = drawAnimationStrip({
      rows: [boxRow({ poses: [boxFigure().skeleton.rest] }), boxRow()],
      title: 'Three',
      labels: ['a', 'b', 'c'],
      size: { width, height: 260 },
    });
    expect(bodyPixels(image, BLUE, 0, 200)).toBeGreaterThan(1000);
    expect(bodyPixels(image, BLUE, 220, width)).toBe(0);
    expect(bodyPixels(image, RED, 200, 400)).toBeGreaterThan(1000);
    expect(bodyPixels(image, RED, 400, 600)).toBeGreaterThan(1000);
  });

  test('the height follows from the poses unless it is asked for', () => {
    const { skeleton } = boxFigure();
    const many = boxRow({ poses: new Array(16).fill(skeleton.rest) });
    const free = decode(animationStrip({ rows: [many], size: { width: 800 } }));
    const asked = decode(animationStrip({ rows: [many], size: { width: 800, height: 440 } }));
    expect([asked.width, asked.height]).toEqual([800, 440]);
    expect(free.width).toBe(800);
    expect(free.height).toBeLessThan(300);
    expect(free.height).toBeGreaterThan(80);
  });
});

describe.skipIf(!existsSync(data))('pictures of real files (needs ../shared/data)', () => {
  test.each(['cmu/02_01.bvh', 'misc/momask_smpl22.bvh', 'makehuman/walk1.bvh'])(
    'a capture is pictured by its skeleton: %s',
    async (file) => {
      const scene = await read(data + file);
      const { skeleton, clips } = scene.characters[0]!;
      const motion = bakeClip(skeleton, clips[0]!, 10);
      const poses = [0.2, 0.5, 0.8].map((share) => {
        const pose = createPose(skeleton.names.length);
        readFrame(pose, motion, Math.floor(share * (motion.frameCount - 1)));
        return pose;
      });
      const image = drawContactSheet({
        rows: [{ title: file, skeleton, meshes: [], poses }],
        size: { width: 480, height: 300 },
      });
      for (const c of [0, 1, 2])
        expect(bodyPixels(image, BLUE, 160 * c, 160 * (c + 1)), `pose ${c}`).toBeGreaterThan(500);
    },
  );

  test.each([
    ['quaternius/Fox.glb', 'Gallop'],
    ['misc/mannequiny-0.3.0.glb', 'run'],
    ['kaykit/Knight.glb', 'Walking_A'],
  ])('a character is pictured by its skin: %s', async (file, name) => {
    const scene = await read(data + file);
    const meshes = (await readMeshes(scene)).filter(({ character }) => character === 0);
    const { skeleton, clips } = scene.characters[0]!;
    const clip = clips.find((one) => one.name.endsWith(name))!;
    const poses = [0, 0.25, 0.5, 0.75].map((share) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clip, share * clip.duration);
      return pose;
    });
    // One grey for all parts gives the accent, by which pixels are counted.
    const plain = meshes.map((mesh): Mesh => ({ ...mesh, color: [0.5, 0.5, 0.5] }));
    const row = { title: file, skeleton, meshes: plain, poses };
    const image = drawContactSheet({ rows: [row], size: { width: 640, height: 280 } });
    const cells = poses.map((_, c) => bodyPixels(image, BLUE, 160 * c, 160 * (c + 1)));
    for (const count of cells) expect(count).toBeGreaterThan(1500);
    const bones = drawContactSheet({
      rows: [{ ...row, meshes: [] }],
      size: { width: 640, height: 280 },
    });
    // A body has more flesh than bone.
    expect(bodyPixels(image, BLUE)).toBeGreaterThan(1.3 * bodyPixels(bones, BLUE));
    expect(bodyPixels(bones, BLUE)).toBeGreaterThan(500);
  });
});
