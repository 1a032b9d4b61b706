import { existsSync, readFileSync } from 'node:fs';
import { REQUIRED_ROLES } from '@stuntdouble/core';
import { validateBytes } from 'gltf-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  mapsFolder,
  SAMPLE_CAPTURES,
  SAMPLE_CHARACTERS,
  SAMPLE_FORMATS,
  SAMPLE_MOTIONS,
  samplesFolder,
} from './catalogue.js';
import { createRobotRig } from './characters/robot.js';
import { makeCharacters } from './make-characters.js';
import { makeSamples } from './make-samples.js';
import { readDocument, readSkeleton, worldPositions } from './read-sample.js';

let files: Map<string, Uint8Array>;
beforeAll(async () => {
  files = await makeSamples();
}, 600_000);

const binaries = [...SAMPLE_CHARACTERS, ...SAMPLE_MOTIONS, ...SAMPLE_FORMATS].filter(
  ({ file }) => !/\.(bvh|fbx)$/.test(file),
);

describe('sample files', () => {
  it('are all in the catalogue, and all entries of the catalogue are made', () => {
    const listed = [...SAMPLE_CHARACTERS, ...SAMPLE_MOTIONS, ...SAMPLE_CAPTURES, ...SAMPLE_FORMATS].map(
      ({ file }) => samplesFolder + file,
    );
    expect([...files.keys()].sort()).toEqual([...listed, `${mapsFolder}robot.json`].sort());
  });

  // The files were made by another run: the script gives the same on every one.
  it('are what the script makes, byte for byte', () => {
    for (const [path, bytes] of files) {
      expect(existsSync(path), `${path} is missing: run node samples/dist/make-samples.js`).toBe(true);
      expect(Buffer.compare(readFileSync(path), bytes), `${path} differs from what the script makes`).toBe(0);
    }
  });

  it('are small enough to be kept with the project', () => {
    const total = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    expect(total).toBeLessThan(7.5e6);
  });

  it.each(binaries)('$name passes the Khronos validator (R20)', async ({ file }) => {
    const report = await validateBytes(files.get(samplesFolder + file)!, {});
    // VRM 0.x has a name that breaks glTF's rule for names of extensions.
    const known = (code: string) => file.includes('vrm0') && code === 'INVALID_EXTENSION_NAME_FORMAT';
    const issues = report.issues.messages.filter(({ severity, code }) => severity < 2 && !known(code));
    expect(issues).toEqual([]);
  });
});

describe.each(SAMPLE_CHARACTERS)('character $name', ({ file }) => {
  const open = () => readDocument(files.get(samplesFolder + file)!);

  it('rests in the pose its skin is bound in', () => {
    const document = open();
    const { skeleton, nodes } = readSkeleton(document);
    const world = worldPositions(skeleton, skeleton.rest).matrices;
    const skin = document.json.skins![0]!;
    const inverseBinds = document.read(skin.inverseBindMatrices);
    // World times inverse bind is the same for every joint: the mesh's own placement in the scene.
    const first = productOf(world, 16 * nodes.get(skin.joints[0]!)!, inverseBinds, 0);
    skin.joints.forEach((node, k) => {
      const product = productOf(world, 16 * nodes.get(node)!, inverseBinds, 16 * k);
      product.forEach((value, i) => {
        expect(Math.abs(value - first[i]!)).toBeLessThan(2e-5);
      });
    });
  });

  it('stands on the floor, and nothing is below it', () => {
    const { lowest, highest } = restHeights(open());
    expect(lowest).toBeGreaterThan(-0.002);
    expect(lowest).toBeLessThan(0.004);
    expect(highest).toBeGreaterThan(0.75);
    expect(highest).toBeLessThan(2);
  });

  it('has smooth weights: four a vertex that sum to one, and every triangle is whole', () => {
    const document = open();
    let triangles = 0;
    for (const { attributes, indices } of document.json.meshes![0]!.primitives) {
      const weights = document.read(attributes.WEIGHTS_0!);
      const index = document.read(indices);
      const positions = document.read(attributes.POSITION!);
      // One expectation for all: one for each of a hundred thousand numbers takes a minute.
      const sums = new Set<number>();
      for (let v = 0; v < weights.length; v += 4)
        sums.add(weights[v]! + weights[v + 1]! + weights[v + 2]! + weights[v + 3]!);
      expect([...sums]).toEqual([255]);
      expect(index.filter((i) => !(i < positions.length / 3))).toHaveLength(0);
      triangles += index.length / 3;
    }
    expect(triangles).toBeGreaterThan(3000);
    expect(triangles).toBeLessThan(10_000);
  });
});

describe('the VRM', () => {
  it('names all required roles on joints of its skin, each once, in T-pose with plain axes', () => {
    const { json } = readDocument(files.get(`${samplesFolder}characters/vrm-girl.vrm`)!);
    const vrm = json.extensions!.VRMC_vrm!;
    expect(vrm.specVersion).toBe('1.0');
    expect(vrm.meta.licenseUrl).toBe('https://vrm.dev/licenses/1.0/');
    expect(vrm.meta.authors.length).toBeGreaterThan(0);
    const bones = vrm.humanoid.humanBones;
    for (const role of REQUIRED_ROLES) expect(bones[role], role).toBeDefined();
    const nodes = Object.values(bones).map(({ node }) => node);
    expect(new Set(nodes).size).toBe(nodes.length);
    for (const node of nodes) expect(json.nodes[node]!.rotation).toBeUndefined();
  });
});

describe('the robot', () => {
  it('has a saved map whose joints exist and whose names mean nothing', () => {
    const map = JSON.parse(readFileSync(`${mapsFolder}robot.json`, 'utf8')) as {
      version: number;
      roles: Record<string, string>;
    };
    const { json } = readDocument(files.get(`${samplesFolder}characters/robot.glb`)!);
    const names = json.nodes.map(({ name }) => name);
    expect(map.version).toBe(1);
    for (const role of REQUIRED_ROLES) expect(names).toContain(map.roles[role]);
    for (const name of Object.values(map.roles)) expect(name).toMatch(/^bone_\d+$/);
    expect(map.roles).toEqual(createRobotRig().roles);
  });

  it('bends like a machine: every vertex follows one joint', () => {
    const robot = makeCharacters().find(({ name }) => name === 'robot')!;
    for (const { weights, name } of robot.skin)
      expect(
        [...new Set(weights)].filter((weight) => weight !== 0 && weight !== 1),
        name,
      ).toEqual([]);
  });
});

function productOf(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number[] {
  return Array.from({ length: 16 }, (_, n) => {
    const [row, column] = [n % 4, n >> 2];
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[i + 4 * k + row]! * b[j + 4 * column + k]!;
    return sum;
  });
}

/** Heights of the skinned body at rest, in metres. */
function restHeights(document: ReturnType<typeof readDocument>): { lowest: number; highest: number } {
  const { skeleton, nodes } = readSkeleton(document);
  const world = worldPositions(skeleton, skeleton.rest).matrices;
  const skin = document.json.skins![0]!;
  const inverseBinds = document.read(skin.inverseBindMatrices);
  const m = productOf(world, 16 * nodes.get(skin.joints[0]!)!, inverseBinds, 0);
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { attributes } of document.json.meshes![0]!.primitives) {
    const p = document.read(attributes.POSITION!);
    for (let v = 0; v < p.length; v += 3) {
      const y = m[1]! * p[v]! + m[5]! * p[v + 1]! + m[9]! * p[v + 2]! + m[13]!;
      lowest = Math.min(lowest, y);
      highest = Math.max(highest, y);
    }
  }
  return { lowest, highest };
}
