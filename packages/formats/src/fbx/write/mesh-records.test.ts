import { type Clip, chooseCharacter, type Scene } from '@stuntdouble/core';
import * as three from 'three';
import { describe, expect, it } from 'vitest';
import { describeData, readData } from '../../../test/data-files.js';
import { readWithThree } from '../../../test/fbx-loader.js';
import { buildGltf } from '../../../test/gltf-builder.js';
import { gltf } from '../../gltf/index.js';
import { readDressedMeshes } from '../../gltf/read/read-dressed-meshes.js';
import { readMeshes } from '../../read-meshes.js';
import { type DressedMesh, wholesOf } from '../../shared/dressed-mesh.js';
import { fbx } from '../index.js';
import { childOf, childrenOf } from '../parse/child-records.js';
import type { FbxNode } from '../parse/fbx-node.js';
import { parseFbx } from '../parse/parse-fbx.js';
import { readFbx } from '../read/read-fbx.js';

const nowhere = async () => {
  throw new Error('not there');
};

async function write(file: string, clips?: (scene: Scene) => Clip[]) {
  const scene = await gltf.read(readData(file), {});
  const { character } = chooseCharacter(scene);
  const own = clips?.(scene) ?? scene.characters[character]!.clips.slice(0, 1);
  const { bytes, warnings } = await fbx.write!({ scene, character, clips: own }, { extension: 'fbx' });
  const all = await readDressedMeshes(scene, nowhere, []);
  return { scene, bytes, warnings, clips: own, meshes: all.filter((mesh) => mesh.character === character) };
}

const objectsOf = (bytes: Uint8Array, type: string, subtype?: string): FbxNode[] =>
  childrenOf(parseFbx(bytes).nodes.find(({ name }) => name === 'Objects')).filter(
    ({ name, values }) => name === type && (subtype === undefined || values[2] === subtype),
  );

/** The meshes that three shows, by name, in the order of the file. */
function shownByThree(bytes: Uint8Array): three.Mesh[] {
  const shown: three.Mesh[] = [];
  readWithThree(bytes).group.traverse((object) => {
    if (object instanceof three.Mesh) shown.push(object);
  });
  return shown;
}

/** Sorted rows of numbers: two readers may put corners in another order. */
const rows = (values: ArrayLike<number>, size: number) => {
  const list: string[] = [];
  for (let i = 0; i < values.length; i += size)
    list.push(Array.from({ length: size }, (_, c) => (values[i + c]! + 0).toFixed(3)).join(' '));
  return list.sort();
};

const corners = (values: Float32Array, { triangles }: DressedMesh, size: number) =>
  Float32Array.from({ length: size * triangles.length }, (_, n) => {
    return values[size * triangles[Math.floor(n / size)]! + (n % size)]!;
  });

describeData('meshes of glTF and VRM in a new FBX (needs ../shared/data)', () => {
  it('texture coordinates, normals and pictures are those of the file, by three', async () => {
    const { bytes, meshes, warnings } = await write('100avatars/100Avatars_003_Jimmy.vrm');
    expect(warnings).toEqual([]);
    const shown = shownByThree(bytes);
    expect(shown.length).toBe(meshes.length);
    meshes.forEach((mesh, i) => {
      const { geometry } = shown[i]!;
      expect(mesh.uvs).not.toBeNull();
      const uvs = geometry.getAttribute('uv').array;
      expect(rows(uvs, 2)).toEqual(rows(corners(mesh.uvs!, mesh, 2), 2));
      const normals = geometry.getAttribute('normal').array;
      expect(normals.length).toBe(3 * mesh.triangles.length);
    });
    const pictures = new Set(meshes.flatMap(({ material }) => material?.picture ?? []));
    expect(pictures.size).toBeGreaterThan(0);
    const videos = objectsOf(bytes, 'Video');
    expect(videos.map((video) => childOf(video, 'Content')!.values[0])).toEqual(
      [...pictures].map((picture) => picture.bytes),
    );
    for (const { material } of shown) {
      const { map, name } = material as three.MeshLambertMaterial;
      expect(map).not.toBeNull();
      expect(meshes.map((mesh) => mesh.material?.name)).toContain(name);
    }
  });

  it('one material is written once, however many meshes have it', async () => {
    const { bytes, meshes } = await write('threejs/RobotExpressive.glb');
    const materials = new Set(meshes.map(({ material }) => material));
    expect(meshes.length).toBeGreaterThan(materials.size);
    expect(objectsOf(bytes, 'Material').length).toBe(materials.size);
  });

  it('morph targets move the same vertices as far, by three', async () => {
    const { bytes, meshes } = await write('threejs/RobotExpressive.glb');
    const faces = wholesOf(meshes.filter(({ morphs }) => morphs.length > 0));
    expect(faces.length).toBeGreaterThan(0);
    const shown = shownByThree(bytes).filter(({ morphTargetInfluences }) => morphTargetInfluences?.length);
    expect(shown.length).toBe(faces.length);
    expect(faces[0]!.length).toBeGreaterThan(1);
    faces.forEach((parts, i) => {
      const { geometry, morphTargetDictionary, material } = shown[i]!;
      expect((material as three.Material[]).map(({ name }) => name)).toEqual(
        parts.map((part) => part.material!.name),
      );
      expect(Object.keys(morphTargetDictionary!)).toEqual(parts[0]!.morphs.map(({ name }) => name));
      parts[0]!.morphs.forEach((_, m) => {
        const moved = geometry.morphAttributes.position![m]!.array;
        const expected = parts.flatMap((part) => [...corners(part.morphs[m]!.positions, part, 3)]);
        expect(rows(moved, 3)).toEqual(rows(expected, 3));
      });
    });
  });

  it('clips move morph targets, by ours and by three', async () => {
    const { scene, bytes, clips, warnings } = await write('threejs/RobotExpressive.glb', (read) => {
      const [mesh] = read.morphs.filter(({ names }) => names.includes('Angry'));
      const times = Float32Array.of(0, 0.5, 1);
      const track = { mesh: mesh!.mesh, morph: 'Angry', interpolation: 'linear' as const, times };
      return [
        {
          name: 'frown',
          duration: 1,
          tracks: [],
          morphs: [{ ...track, values: Float32Array.of(0, 1, 0.25) }],
        },
      ];
    });
    expect(warnings).toEqual([]);
    const again = readFbx(bytes);
    expect(again.morphs.flatMap(({ names }) => names)).toEqual(
      expect.arrayContaining(scene.morphs.flatMap(({ names }) => names)),
    );
    const [clip] = again.characters[0]!.clips;
    for (const track of clip!.morphs) {
      expect(track.morph).toBe('Angry');
      expect([...track.times]).toEqual([...clips[0]!.morphs[0]!.times]);
      track.values.forEach((value, k) => {
        expect(value).toBeCloseTo(clips[0]!.morphs[0]!.values[k]!, 6);
      });
    }
    expect(clip!.morphs.length).toBeGreaterThan(0);
    const played = readWithThree(bytes).clips[0]!.tracks.filter(({ name }) => /morph/.test(name));
    expect(played.length).toBeGreaterThan(0);
    expect([...played[0]!.values]).toEqual([0, 1, 0.25]);
  });

  it('expressions of a VRM move the morph targets that it binds to them', async () => {
    const times = Float32Array.of(0, 1);
    const { bytes, warnings } = await write('100avatars/100Avatars_003_Jimmy.vrm', () => [
      {
        name: 'talk',
        duration: 1,
        tracks: [],
        morphs: [{ mesh: '', morph: 'aa', interpolation: 'linear', times, values: Float32Array.of(0, 1) }],
      },
    ]);
    expect(warnings).toEqual([]);
    const [clip] = readFbx(bytes).characters[0]!.clips;
    expect(clip!.morphs.length).toBeGreaterThan(0);
  });

  it('vertices that no triangle uses are not written', async () => {
    const { bytes } = await write('100avatars/100Avatars_003_Jimmy.vrm');
    for (const { positions, triangles } of await readMeshes(readFbx(bytes)))
      expect(new Set(triangles).size).toBe(positions.length / 3);
  });
});

/** A triangle that hangs on a node which a clip moves, with a morph target, and a picture in another file. */
function buildFlag(): Uint8Array {
  const builder = buildGltf([
    { name: 'mast', children: [1] },
    { name: 'flag', mesh: 0, translation: [0, 2, 0], scale: [2, 2, 2] },
  ]);
  const { json } = builder;
  json.scene = 0;
  json.scenes = [{ nodes: [0] }];
  json.images = [{ uri: 'flag.png' }];
  json.textures = [{ source: 0 }];
  const transform = { offset: [0.5, 0], scale: [0.25, 1], rotation: Math.PI / 2 };
  const baseColorTexture = { index: 0, extensions: { KHR_texture_transform: transform } };
  json.materials = [
    {
      name: 'cloth',
      alphaMode: 'BLEND',
      pbrMetallicRoughness: { baseColorFactor: [1, 0.5, 0.25, 0.5], baseColorTexture },
    },
  ];
  const attributes = {
    POSITION: builder.accessor(Float32Array.of(9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0), 'VEC3'),
    TEXCOORD_0: builder.accessor(Float32Array.of(9, 9, 0, 0, 1, 0, 0, 1), 'VEC2'),
  };
  const POSITION = builder.accessor(Float32Array.of(9, 9, 9, 0, 0, 0, 0, 0, 1, 0, 0, 0), 'VEC3');
  const indices = builder.accessor(Uint16Array.of(1, 2, 3), 'SCALAR');
  json.meshes = [
    {
      name: 'flag',
      primitives: [{ attributes, indices, material: 0, targets: [{ POSITION }] }],
      weights: [0.25],
      extras: { targetNames: ['wave'] },
    },
  ];
  const input = builder.accessor(Float32Array.of(0, 1), 'SCALAR');
  const output = builder.accessor(Float32Array.of(0, 0, 0, 1, 0, 0), 'VEC3');
  const weights = builder.accessor(Float32Array.of(0.25, 1), 'SCALAR');
  json.animations = [
    {
      name: 'hoist',
      channels: [
        { sampler: 0, target: { node: 0, path: 'translation' } },
        { sampler: 1, target: { node: 1, path: 'weights' } },
      ],
      samplers: [
        { input, output },
        { input, output: weights },
      ],
    },
  ];
  return builder.glb();
}

/** A file that begins as pictures of its kind do. */
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0);

describe('a mesh in a new FBX', () => {
  const writeFlag = async (resolve: (uri: string) => Promise<Uint8Array>) => {
    const scene = await gltf.read(buildFlag(), {});
    const { clips } = scene.characters[0]!;
    return fbx.write!({ scene, character: 0, clips }, { extension: 'fbx', resolve });
  };

  it('has texture coordinates as the transform of its texture moves them, v upwards', async () => {
    const scene = await gltf.read(buildFlag(), {});
    const [mesh] = await readDressedMeshes(scene, nowhere, []);
    // (u, v) · scale, turned by 90°: (v, −u / 4), then moved: (0.5 + v, −u / 4); then upwards.
    const expected = [0.5, 1, 0.5, 1.25, 1.5, 1];
    mesh!.uvs!.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i]!, 6);
    });
  });

  it('has its picture inside the file, under the name it had', async () => {
    const { bytes, warnings } = await writeFlag(async (uri) => {
      expect(uri).toBe('flag.png');
      return PNG;
    });
    expect(warnings).toEqual([]);
    const [video] = objectsOf(bytes, 'Video');
    expect(childOf(video, 'Content')!.values[0]).toEqual(PNG);
    expect(childOf(video, 'RelativeFilename')!.values[0]).toBe('flag.png');
  });

  it('has its colour alone where the picture is not there, with a warning', async () => {
    const { bytes, warnings } = await writeFlag(nowhere);
    expect(warnings.map(({ code }) => code)).toEqual(['feature-ignored']);
    expect(objectsOf(bytes, 'Video')).toEqual([]);
    const material = shownByThree(bytes)[0]!.material as three.MeshLambertMaterial;
    expect(material.name).toBe('cloth');
    expect(material.opacity).toBeCloseTo(0.5, 6);
    expect((await readMeshes(readFbx(bytes)))[0]!.color).toEqual([1, 0.5, 0.25]);
  });

  it('keeps its morph targets, their weight at rest and their motion, though a joint has its name', async () => {
    const { bytes, warnings } = await writeFlag(async () => PNG);
    expect(warnings).toEqual([]);
    const scene = readFbx(bytes);
    expect(scene.morphs).toEqual([{ mesh: 'flag_mesh', names: ['wave'] }]);
    const [track] = scene.characters[0]!.clips[0]!.morphs;
    expect([...track!.values]).toEqual([0.25, 1]);
    const [channel] = objectsOf(bytes, 'Deformer', 'BlendShapeChannel');
    expect(childOf(channel, 'DeformPercent')!.values).toEqual([25]);
    const [mesh] = shownByThree(bytes);
    expect(rows(mesh!.geometry.morphAttributes.position![0]!.array, 3)).toEqual(
      rows([0, 0, 0, 0, 0, 1, 0, 0, 0], 3),
    );
  });
});
