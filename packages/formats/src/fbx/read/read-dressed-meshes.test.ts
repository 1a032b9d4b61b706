import { modelPoseOf, transformPoint, type Warning } from '@stuntdouble/core/engine';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { buildFbx, type FbxBuilder, type Properties } from '../../../test/fbx-builder.js';
import { countErrors } from '../../../test/validate-gltf.js';
import type { Resolve } from '../../format.js';
import { gltf } from '../../gltf/index.js';
import { createArray, createNode, type FbxNode } from '../parse/fbx-node.js';
import { pictureNames } from './materials.js';
import { readFbxDressedMeshes } from './read-dressed-meshes.js';
import { readFbx } from './read-fbx.js';

const PNG = encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(200, 100, 50) });
const TGA = Uint8Array.of(0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0x20, 50, 100, 200);

const nowhere = async (): Promise<Uint8Array> => {
  throw new Error('not there');
};

const layer = (kind: string, mapping: string, reference: string, ...values: FbxNode[]) =>
  createNode(
    kind,
    'I',
    [0],
    [
      createNode('MappingInformationType', 'S', [mapping]),
      createNode('ReferenceInformationType', 'S', [reference]),
      ...values,
    ],
  );
const doubles = (name: string, values: readonly number[]) =>
  createNode(name, 'd', [createArray('d', values)]);
const ints = (name: string, values: readonly number[]) => createNode(name, 'i', [createArray('i', values)]);

/** A square and a triangle beside it, of five points. */
const POINTS = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0];
const POLYGONS = [0, 1, 2, -4, 1, 4, -3];
const BY_CORNER = layer(
  'LayerElementUV',
  'ByPolygonVertex',
  'IndexToDirect',
  doubles('UV', [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5]),
  ints('UVIndex', [0, 1, 2, 3, 1, 4, 2]),
);

type Wanted = {
  /** Another mesh than the square and the triangle. */
  points?: readonly number[];
  polygons?: readonly number[];
  layers?: FbxNode[];
  /** Weights of the five points, per joint. */
  weights?: readonly (readonly [vertices: number[], weights: number[]])[];
  materials?: readonly string[];
  properties?: Properties;
};

/** A file of joints in a row with the square and the triangle on them. */
function build({
  points = POINTS,
  polygons = POLYGONS,
  layers = [BY_CORNER],
  weights = [
    [
      [0, 1, 2, 3, 4],
      [1, 1, 1, 1, 1],
    ],
  ],
  materials = ['skin'],
  properties = {},
}: Wanted = {}) {
  const file = buildFbx();
  file.setting('UnitScaleFactor', 100);
  let above = 0;
  const joints = weights.map((_, i) => {
    above = file.model(`joint${i}`, above, { 'Lcl Translation': [0, i === 0 ? 0 : 0.5, 0] });
    return above;
  });
  const mesh = file.model('body', 0, properties, 'Mesh');
  const geometry = file.object('Geometry', 'body', 'Mesh', [
    doubles('Vertices', points),
    ints('PolygonVertexIndex', polygons),
    ...layers,
  ]);
  file.connect(geometry, mesh);
  const deformer = file.object('Deformer', '', 'Skin', []);
  file.connect(deformer, geometry);
  weights.forEach(([vertices, shares], i) => {
    const cluster = file.object('Deformer', '', 'Cluster', [
      ints('Indexes', vertices),
      doubles('Weights', shares),
    ]);
    file.connect(cluster, deformer);
    file.connect(joints[i]!, cluster);
  });
  const worn = materials.map((name) => {
    const id = file.object('Material', name, '', []);
    file.connect(id, mesh);
    return id;
  });
  return { file, geometry, materials: worn };
}

function addPicture(
  file: FbxBuilder,
  material: number,
  path: string,
  content: FbxNode[],
  property = 'DiffuseColor',
) {
  const video = file.object('Video', 'v', 'Clip', [createNode('RelativeFilename', 'S', [path]), ...content]);
  const texture = file.object('Texture', 't', '', [createNode('FileName', 'S', [`C:\\work\\${path}`])]);
  file.connect(video, texture);
  file.connect(texture, material, property);
}

async function dress(file: FbxBuilder, resolve: Resolve = nowhere, bytes = file.binary()) {
  const warnings: Warning[] = [];
  const scene = readFbx(bytes);
  const meshes = await readFbxDressedMeshes(scene, resolve, warnings);
  return { scene, meshes, warnings: warnings.map(({ message }) => message) };
}

/** Texture coordinates of a mesh by the places of its vertices. */
const uvsByPlace = (mesh: Awaited<ReturnType<typeof dress>>['meshes'][number]) =>
  Array.from(
    { length: mesh.positions.length / 3 },
    (_, v) => `${mesh.positions.slice(3 * v, 3 * v + 2)}: ${mesh.uvs!.slice(2 * v, 2 * v + 2)}`,
  ).sort();

describe('readFbxDressedMeshes', () => {
  it('leaves out normals that are of other points: as many lean to one side of their polygons as to the other', async () => {
    // A strip of squares that lies flat: a side up, and its points in pairs.
    const count = 80;
    const strip = {
      points: Array.from({ length: count + 1 }, (_, n) => [n, 0, 0, n, 0, 1]).flat(),
      polygons: Array.from({ length: count }, (_, n) => [2 * n, 2 * n + 1, 2 * n + 3, -2 * n - 3]).flat(),
    };
    const normalsOf = async (up: (n: number) => number) => {
      const normals = Array.from({ length: 4 * count }, (_, corner) => [0, up(Math.floor(corner / 4)), 0]);
      const layers = [
        layer('LayerElementNormal', 'ByPolygonVertex', 'Direct', doubles('Normals', normals.flat())),
      ];
      const weights = [[strip.points.map((_, n) => n).slice(0, 2 * count + 2), [1]]] as never;
      return (await dress(build({ ...strip, layers, weights }).file)).meshes[0]!.normals;
    };
    expect((await normalsOf(() => 1))![1]).toBe(1);
    expect((await normalsOf(() => -1))![1]).toBe(-1);
    expect((await normalsOf((n) => (n % 10 === 0 ? -1 : 1)))!.length).toBeGreaterThan(0);
    expect(await normalsOf((n) => (n % 2 === 0 ? 1 : -1))).toBeNull();
  });

  it('cuts polygons into triangles, and points into vertices where their texture coordinates differ', async () => {
    const { meshes, warnings } = await dress(build().file);
    expect(warnings).toEqual([]);
    expect(meshes.length).toBe(1);
    expect(meshes[0]!.triangles.length).toBe(9);
    expect(uvsByPlace(meshes[0]!)).toEqual(['0,0: 0,0', '0,1: 0,1', '1,0: 1,0', '1,1: 1,1', '2,0: 0.5,0.5']);
  });

  it.each([
    [
      'by control point',
      layer('LayerElementUV', 'ByVertice', 'Direct', doubles('UV', [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5])),
      5,
      '0,0',
    ],
    [
      'by polygon',
      layer('LayerElementUV', 'ByPolygon', 'Direct', doubles('UV', [0.25, 0.25, 0.75, 0.75])),
      7,
      '0.25,0.25',
    ],
    ['once for all', layer('LayerElementUV', 'AllSame', 'Direct', doubles('UV', [0.5, 0.5])), 5, '0.5,0.5'],
  ])('reads a layer that is mapped %s', async (_, uvLayer, count, first) => {
    const { meshes } = await dress(build({ layers: [uvLayer] }).file);
    expect(meshes[0]!.positions.length).toBe(3 * count);
    const there = uvsByPlace(meshes[0]!);
    expect(there[0]).toBe(`0,0: ${first}`);
    expect(there.length).toBe(count);
  });

  it('gives each polygon its material, and names those without a name', async () => {
    const { file, materials } = build({
      layers: [
        BY_CORNER,
        layer('LayerElementMaterial', 'ByPolygon', 'IndexToDirect', ints('Materials', [1, 0])),
      ],
      materials: ['coat', ''],
    });
    addPicture(file, materials[0]!, 'coat.png', [createNode('Content', 'R', [PNG])]);
    const { meshes } = await dress(file);
    expect(meshes.map(({ material, triangles }) => [material!.name, triangles.length])).toEqual([
      ['coat', 3],
      ['material1', 6],
    ]);
    expect(meshes[0]!.whole).toBe(meshes[1]!.whole);
    expect(meshes[0]!.material!.picture).toEqual({ name: 'coat', extension: 'png', bytes: PNG });
    expect(meshes[0]!.color).toEqual([1, 1, 1]);
  });

  it('finds pictures in ASCII files, whose bytes are text', async () => {
    const { file, materials } = build();
    addPicture(file, materials[0]!, 'skin.png', [createNode('Content', 'R', [PNG])]);
    const { meshes } = await dress(file, nowhere, file.ascii());
    expect([...meshes[0]!.material!.picture!.bytes]).toEqual([...PNG]);
  });

  it('finds pictures beside the file, and makes a PNG of a TGA', async () => {
    const { file, materials } = build();
    addPicture(file, materials[0]!, '..\\maps\\skin.tga', []);
    const asked: string[] = [];
    const { meshes, warnings } = await dress(file, async (uri) => {
      asked.push(uri);
      return uri === 'textures/skin.tga' ? TGA : nowhere();
    });
    expect(asked).toEqual(['skin.tga', 'textures/skin.tga']);
    expect(warnings).toEqual([]);
    expect(meshes[0]!.material!.picture!.extension).toBe('png');
  });

  it('looks for pictures downwards alone', () => {
    expect(
      pictureNames(['..\\..\\etc\\passwd', 'C:\\Users\\me\\a.png', '/root/b.png', 'maps\\c.png']),
    ).toEqual([
      'maps/c.png',
      ...['passwd', 'a.png', 'b.png', 'c.png'].flatMap((name) => [
        name,
        `textures/${name}`,
        `Textures/${name}`,
        `tex/${name}`,
      ]),
    ]);
    expect(pictureNames(['..', '.', '', 'a\\..\\..\\b.png'])).toEqual([
      'b.png',
      'textures/b.png',
      'Textures/b.png',
      'tex/b.png',
    ]);
  });

  it('warns of pictures that are missing or of a kind that cannot be carried, by their names', async () => {
    const { file, materials } = build({ materials: ['a', 'b'] });
    addPicture(file, materials[0]!, 'gone.jpg', []);
    addPicture(
      file,
      materials[0]!,
      'paint.psd',
      [createNode('Content', 'R', [Uint8Array.from([...'8BPS\0\x01'].map((c) => c.charCodeAt(0)))])],
      'NormalMap',
    );
    addPicture(file, materials[0]!, 'shine.png', [createNode('Content', 'R', [PNG])], 'SpecularColor');
    const { meshes, warnings } = await dress(file);
    expect(warnings).toEqual([
      'The picture "gone" is neither in the file nor beside it; materials go without it.',
      'The material "a" has pictures that are not carried: SpecularColor.',
      'The picture "paint" is a PSD; materials go without it.',
    ]);
    expect(meshes[0]!.material!.picture).toBeNull();
    expect(meshes[0]!.material!.normalPicture).toBeNull();
  });

  it('warns of a picture on a mesh without texture coordinates', async () => {
    const { file, materials } = build({ layers: [] });
    addPicture(file, materials[0]!, 'skin.png', [createNode('Content', 'R', [PNG])]);
    const { meshes, warnings } = await dress(file);
    expect(meshes[0]!.uvs).toBeNull();
    expect(warnings.join()).toMatch(/no texture coordinates .*: body\./);
  });

  it('keeps the four strongest of five joints, and says how much was lost', async () => {
    const five = [0.4, 0.3, 0.15, 0.1, 0.05].map((share) => [[0], [share]] as [number[], number[]]);
    five[0]![0].push(1, 2, 3, 4);
    five[0]![1].push(1, 1, 1, 1);
    const { meshes, warnings } = await dress(build({ weights: five }).file);
    expect(warnings).toEqual([
      '"body": 1 vertices follow more than four joints; the four strongest were kept, and 5 % of the pull at most was shared among them.',
    ]);
    const [mesh] = meshes;
    const v = [...Array(mesh!.positions.length / 3).keys()].find(
      (i) => mesh!.positions[3 * i] === 0 && mesh!.positions[3 * i + 1] === 0,
    )!;
    const weights = [...mesh!.skin!.weights.slice(4 * v, 4 * v + 4)].sort();
    expect(weights.map((weight) => weight.toFixed(3))).toEqual(['0.105', '0.158', '0.316', '0.421']);
    expect([...mesh!.skin!.joints.slice(4 * v, 4 * v + 4)].sort()).toEqual([0, 1, 2, 3]);
  });

  it('takes points through the part of a transform that children do not get', async () => {
    const { file } = build({
      properties: {
        GeometricTranslation: [0, 0, 3],
        GeometricScaling: [-1, 1, 1],
        'Lcl Translation': [10, 0, 0],
      },
    });
    const { scene, meshes } = await dress(file);
    const { skeleton } = scene.characters[0]!;
    const [mesh] = meshes;
    const places = new Set<string>();
    const { matrices } = modelPoseOf(skeleton, skeleton.rest);
    const at = new Float64Array(3);
    for (let v = 0; v < mesh!.positions.length; v += 3) {
      transformPoint(at, 0, mesh!.skin!.inverseBinds, 0, mesh!.positions, v);
      transformPoint(at, 0, matrices, 0, at.slice(), 0);
      places.add([...at].join());
    }
    expect([...places].sort()).toEqual(['10,0,3', '10,1,3', '8,0,3', '9,0,3', '9,1,3']);
  });

  it('reads blend shapes with the weight at rest, and glTF made of it holds them', async () => {
    const { file, geometry } = build();
    const deformer = file.object('Deformer', '', 'BlendShape', []);
    file.connect(deformer, geometry);
    const channel = file.object('Deformer', 'smile', 'BlendShapeChannel', [
      doubles('FullWeights', [50, 100]),
      createNode('DeformPercent', 'D', [25]),
    ]);
    file.connect(channel, deformer);
    for (const height of [1, 2]) {
      const shape = file.object('Geometry', `smile${height}`, 'Shape', [
        ints('Indexes', [2, 99]),
        doubles('Vertices', [0, 0, height, 7, 7, 7]),
      ]);
      file.connect(shape, channel);
    }
    const { scene, meshes, warnings } = await dress(file);
    expect(warnings).toEqual(['Blend shapes have shapes in between, which were left out: smile.']);
    const [morph] = meshes[0]!.morphs;
    expect([morph!.name, morph!.weight]).toEqual(['smile', 0.25]);
    const moved = [...Array(5).keys()].filter((v) => morph!.positions[3 * v + 2] !== 0);
    expect(
      moved.map((v) => [
        meshes[0]!.positions[3 * v],
        meshes[0]!.positions[3 * v + 1],
        morph!.positions[3 * v + 2],
      ]),
    ).toEqual([[1, 1, 2]]);
    const { bytes } = await gltf.write!({ scene, character: 0, clips: [] }, { extension: 'glb' });
    expect([...(await countErrors(bytes))]).toEqual([]);
    const again = await gltf.read(bytes, {});
    expect(again.morphs).toEqual([{ mesh: 'body', names: ['smile'] }]);
  });
});
