import type { Clip } from '@stuntdouble/core';
import { describe, expect, test } from 'vitest';
import { buildFbx } from '../../test/fbx-builder.js';
import { buildGltf } from '../../test/gltf-builder.js';
import { read } from '../read.js';
import { writeBytes } from '../write.js';
import { giveFreeNames } from './free-names.js';
import { findHolders, findOwners } from './node-owners.js';

const JOINTS = 8;

/** Characters that stand in one scene under one node, each with a skin, a mesh with a morph target, and a part of the motion. */
function gltfCrowd(count: number): Uint8Array {
  const file = buildGltf([{ name: 'scene', children: [] }]);
  const nodes = file.json.nodes as { name?: string; children?: number[]; mesh?: number; skin?: number }[];
  const input = file.accessor(Float32Array.of(0, 1), 'SCALAR');
  const output = file.accessor(Float32Array.of(0, 0, 0, 1, 0, 1, 0, 0), 'VEC4');
  const weights = file.accessor(Float32Array.of(0, 1), 'SCALAR');
  const position = file.accessor(new Float32Array(9), 'VEC3');
  const joints = file.accessor(new Uint8Array(12), 'VEC4');
  const influence = file.accessor(Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0), 'VEC4');
  const channels: object[] = [];
  const attributes = { POSITION: position, JOINTS_0: joints, WEIGHTS_0: influence };
  file.json.meshes = [];
  file.json.skins = [];
  for (let c = 0; c < count; c++) {
    const first = nodes.length;
    nodes[0]!.children!.push(first);
    for (let j = 0; j < JOINTS; j++) {
      nodes.push({ name: `c${c} j${j}`, ...(j + 1 < JOINTS ? { children: [first + j + 1] } : {}) });
      channels.push({ sampler: 0, target: { node: first + j, path: 'rotation' } });
    }
    (file.json.skins as object[]).push({ joints: Array.from({ length: JOINTS }, (_, j) => first + j) });
    (file.json.meshes as object[]).push({
      name: `face ${c}`,
      primitives: [{ attributes, targets: [{ POSITION: position }] }],
    });
    channels.push({ sampler: 1, target: { node: nodes.length, path: 'weights' } });
    nodes.push({ mesh: c, skin: c });
  }
  const samplers = [
    { input, output },
    { input, output: weights },
  ];
  file.json.animations = [{ name: 'all', samplers, channels }];
  return file.glb();
}

function fbxCrowd(count: number): Uint8Array {
  const file = buildFbx();
  const layer = file.layer(file.stack('all'));
  for (let c = 0; c < count; c++) {
    let above = 0;
    for (let j = 0; j < JOINTS; j++) {
      above = file.model(`c${c} j${j}`, above);
      file.animate(layer, above, 'Lcl Rotation', { X: { times: [0, 1], values: [0, 9], flags: [2] } });
    }
    file.model(`mesh ${c}`, above, {}, 'Mesh');
  }
  return file.binary();
}

describe('a crowd', () => {
  test.each([
    ['glTF', gltfCrowd],
    ['FBX', fbxCrowd],
  ])('%s: each has its own joints and its own part of the motion', async (_, make) => {
    const { characters } = await read(make(5));
    expect(characters).toHaveLength(5);
    characters.forEach(({ skeleton, clips }, c) => {
      const own = skeleton.names.filter((name) => name.startsWith(`c${c} `));
      expect(own).toHaveLength(JOINTS);
      expect(skeleton.names.filter((name) => /^c\d/.test(name))).toHaveLength(JOINTS);
      expect(clips).toHaveLength(1);
      const moved = clips[0]!.tracks.map(({ joint }) => skeleton.names[joint]);
      expect(moved).toEqual(own);
      for (const { mesh } of clips[0]!.morphs) expect(mesh).toBe(`face ${c}`);
    });
  });

  test('clips and joints of one name are numbered without asking for every number again', async () => {
    const clips = Array.from(
      { length: 20_000 },
      (): Clip => ({ name: 'walk', duration: 0, tracks: [], morphs: [] }),
    );
    const named = giveFreeNames(clips, ['walk', 'walk (3)'], []);
    expect(named.slice(0, 3).map(({ name }) => name)).toEqual(['walk (2)', 'walk (4)', 'walk (5)']);
    expect(new Set(named.map(({ name }) => name)).size).toBe(20_000);

    const file = buildGltf(
      Array.from({ length: 2000 }, (_, i) => ({ name: 'same', children: i === 0 ? [] : undefined })),
    );
    file.json.nodes[0]!.children = Array.from({ length: 1999 }, (_, i) => i + 1);
    file.json.skins = [{ joints: file.json.nodes.map((_, i) => i) }];
    const scene = await read(file.glb());
    const { bytes } = await writeBytes('bvh', { scene, character: 0, clips: [] });
    const names = new TextDecoder().decode(bytes).match(/(ROOT|JOINT) \S+/g)!;
    expect(new Set(names).size).toBe(2000);
  });
});

test('owners and holders: a node above several skeletons is in all, what hangs below a joint on that alone', () => {
  const tree = { parents: [-1, 0, 1, 0, 3, 0], order: [0, 1, 2, 3, 4, 5] };
  const skeleton = (...nodes: number[]) => ({ fileIndices: Int32Array.from(nodes) }) as never;
  const owners = findOwners(6, [skeleton(0, 1), skeleton(0, 3)]);
  expect(owners).toEqual([[0, 1], [0], [], [1], [], []]);
  expect(findHolders(tree, owners, (_, node) => node > 0)).toEqual([[], [0], [0], [1], [1], []]);
  expect(findHolders(tree, owners, () => true)).toEqual(Array(6).fill([0, 1]));
});
