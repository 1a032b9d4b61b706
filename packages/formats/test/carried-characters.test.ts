import { type Clip, chooseCharacter, createRig, type Scene } from '@stuntdouble/core';
import * as three from 'three';
import { describe, expect, it } from 'vitest';
import { read, readDressedMeshes, readMeshes, writeBytes } from '../src/index.js';
import { allFiles, pathOf, present, readData } from './data-files.js';
import { readWithThree } from './fbx-loader.js';
import { cornersShown, readGlbWithThree } from './gltf-loader.js';
import { skinMeshes } from './skin-meshes.js';
import { countErrors } from './validate-gltf.js';

const STILL: Clip = { name: '', duration: 0, tracks: [], morphs: [] };

async function convert(file: string, extension: string) {
  const scene = await read(pathOf(file));
  const { character } = chooseCharacter(scene);
  const { clips } = scene.characters[character]!;
  return {
    scene,
    character,
    ...(await writeBytes(extension, { scene, character, clips }, { replace: true })),
  };
}

/** Points taken from the file's own space to metres, upright: as the node above the joints does it. */
function throughSpace(points: Float64Array, group: three.Object3D, name: string): Float64Array {
  const space = group.getObjectByName(three.PropertyBinding.sanitizeNodeName(`${name} space`));
  const out = points.slice();
  const point = new three.Vector3();
  if (space)
    for (let i = 0; i < out.length; i += 3)
      point.fromArray(out, i).applyMatrix4(space.matrixWorld).toArray(out, i);
  return out;
}

/** So many points of a list are looked at. */
const MOST_POINTS = 1500;

/** The farthest that a point of one list is from the nearest of another, as a share of their extent. */
function farthest(from: Float64Array, to: Float64Array): number {
  if (!from.every(Number.isFinite) || !to.every(Number.isFinite)) return Number.NaN;
  const box = new three.Box3().setFromArray(to);
  const size = box.getSize(new three.Vector3()).length();
  // Sorted along one axis: the nearest is among those whose place along it is near.
  const order = Array.from({ length: to.length / 3 }, (_, i) => 3 * i).sort((a, b) => to[a]! - to[b]!);
  const step = 3 * Math.max(1, Math.floor(from.length / 3 / MOST_POINTS));
  let most = 0;
  for (let i = 0; i < from.length; i += step) {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (to[order[middle]!]! < from[i]!) low = middle + 1;
      else high = middle;
    }
    let least = Number.POSITIVE_INFINITY;
    const look = (n: number) => {
      const j = order[n]!;
      const along = Math.abs(to[j]! - from[i]!);
      if (along >= least) return false;
      const apart = Math.hypot(along, from[i + 1]! - to[j + 1]!, from[i + 2]! - to[j + 2]!);
      least = Math.min(least, apart);
      return true;
    };
    for (let n = low; n < order.length && look(n); n++);
    for (let n = low - 1; n >= 0 && look(n); n--);
    most = Math.max(most, least);
  }
  return most / size;
}

/** Texture coordinates of all corners, v upwards, as points with a third coordinate of zero. */
function uvsShown(group: three.Object3D, isUpwards: boolean): Float64Array {
  const all: number[] = [];
  group.traverse((object) => {
    if (!(object instanceof three.Mesh)) return;
    const { index } = object.geometry as three.BufferGeometry;
    const uv = object.geometry.getAttribute('uv') as three.BufferAttribute | undefined;
    if (!uv) return;
    const count = index ? index.count : uv.count;
    for (let i = 0; i < count; i++) {
      const n = index ? index.getX(i) : i;
      all.push(uv.getX(n), isUpwards ? uv.getY(n) : 1 - uv.getY(n), 0);
    }
  });
  return Float64Array.from(all);
}

/** Files that three's loader cannot serve as a measure for, and why. */
const NO_MEASURE: Readonly<Record<string, string>> = {
  'samples/formats/child-greeting.fbx': 'it places joints of this ASCII file nowhere (NaN)',
  'ufbx/synthetic_broken_cluster_7500_ascii.fbx': 'it fails on the broken cluster',
  'ufbx/blender_340_z_up_7400_binary.fbx': 'has no skeleton',
};

describe('FBX to GLB', () => {
  for (const file of allFiles(/\.fbx$/).filter((one) => NO_MEASURE[one] === undefined))
    it(`${file} shows the same vertices and texture coordinates, by three, and the validator finds no error`, async () => {
      const { scene, bytes } = await convert(file, 'glb');
      expect([...(await countErrors(bytes))]).toEqual([]);
      const there = readWithThree(readData(file));
      const here = await readGlbWithThree(bytes);
      const duration = scene.characters[0]!.clips[0]?.duration ?? 0;
      for (const time of [undefined, duration / 2]) {
        const before = cornersShown(there, time);
        const after = cornersShown(here, time);
        expect(after.length).toBe(before.length);
        if (before.length === 0) continue;
        const placed = throughSpace(before, here.group, scene.name);
        expect(farthest(placed, after)).toBeLessThan(1e-6);
        expect(farthest(after, placed)).toBeLessThan(1e-6);
      }
      const uvs = [uvsShown(here.group, false), uvsShown(there.group, true)] as const;
      expect(uvs[0].length).toBe(uvs[1].length);
      if (uvs[0].length > 0) expect(farthest(uvs[0], uvs[1])).toBeLessThan(1e-6);
    });
});

it('an FBX with a picture inside gives a GLB with the same picture, byte for byte, and back', async () => {
  const file = 'samples/formats/guy-painted.fbx';
  const pictureOf = async (scene: Scene) =>
    (await readDressedMeshes(scene)).flatMap(({ material }) => material?.picture?.bytes ?? [])[0]!;
  const own = await pictureOf(await read(pathOf(file)));
  expect(String.fromCharCode(...own.subarray(1, 4))).toBe('PNG');
  const { bytes, warnings } = await convert(file, 'glb');
  expect(warnings).toEqual([]);
  const glb = await read(bytes);
  expect(Buffer.compare(await pictureOf(glb), own)).toBe(0);
  const back = await writeBytes('fbx', { scene: glb, character: 0, clips: [] }, { replace: true });
  expect(Buffer.compare(await pictureOf(await read(back.bytes)), own)).toBe(0);
});

describe('GLB to FBX', () => {
  for (const file of allFiles(/^characters\/.*\.(glb|vrm)$|Jimmy\.vrm$/))
    it(`${file} shows the same vertices and texture coordinates, by three`, async () => {
      const { scene, bytes, character } = await convert(file, 'fbx');
      const there = await readGlbWithThree(readData(file));
      const here = readWithThree(bytes);
      const duration = scene.characters[character]!.clips[0]?.duration ?? 0;
      for (const time of [undefined, duration / 2]) {
        const before = cornersShown(there, time);
        const after = cornersShown(here, time);
        expect(after.length).toBe(before.length);
        // Weights are doubles there and bytes here; angles are Euler's.
        expect(farthest(before, after)).toBeLessThan(1e-4);
        expect(farthest(after, before)).toBeLessThan(1e-4);
      }
    });
});

describe('there and back', () => {
  for (const [file, by] of present([
    ['samples/formats/child-greeting.fbx', 'glb'],
    ['samples/formats/guy-walk.fbx', 'glb'],
    ['samples/characters/robot.glb', 'fbx'],
    ['samples/characters/vrm1-sister.vrm', 'fbx'],
    ['threejs/RobotExpressive.glb', 'fbx'],
    ['misc/Geno.fbx', 'glb'],
  ] as const))
    it(`${file} by .${by} has the same vertices, by our reader`, async () => {
      const { scene, character, bytes } = await convert(file, by);
      const again = await read(bytes);
      const [one, two] = [scene.characters[character]!, again.characters[0]!];
      const meshes = (await readMeshes(scene)).filter((mesh) => mesh.character === character);
      const made = await readMeshes(again);
      expect(made.map(({ triangles }) => triangles.length)).toEqual(
        meshes.map(({ triangles }) => triangles.length),
      );
      const clip = one.clips[0] ?? STILL;
      const before = skinMeshes(createRig(one.skeleton, one).skeleton, meshes, clip, clip.duration / 2, 1e9);
      const after = skinMeshes(
        createRig(two.skeleton, two).skeleton,
        made,
        two.clips[0] ?? STILL,
        clip.duration / 2,
        1e9,
      );
      expect(farthest(before, after)).toBeLessThan(1e-5);
      expect(farthest(after, before)).toBeLessThan(1e-5);
    });
});
