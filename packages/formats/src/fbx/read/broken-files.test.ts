import { describe, expect, it } from 'vitest';
import { allFiles, readData } from '../../../test/data-files.js';
import { buildFbx } from '../../../test/fbx-builder.js';
import { FormatError } from '../../format-error.js';
import { childrenOf } from '../parse/child-records.js';
import { createArray, createNode, type FbxNode, type FbxValue } from '../parse/fbx-node.js';
import { type FbxLink, readObjects } from '../parse/objects.js';
import { parseFbx } from '../parse/parse-fbx.js';
import { encodeBinary } from '../write/encode-binary.js';
import { readFbx } from './read-fbx.js';
import { readFbxMeshes } from './read-meshes.js';

/** Numbers from 0 to 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Reads bytes that may be anything: a scene of finite numbers, or a FormatError. What never ends, the runner ends. */
function readAnything(bytes: Uint8Array, label: string): 'read' | 'refused' {
  try {
    const scene = readFbx(bytes);
    for (const { skeleton, clips } of scene.characters) {
      for (const pose of [skeleton.rest, skeleton.bind])
        if (pose) {
          expect(pose.translations.every(Number.isFinite), label).toBe(true);
          expect(pose.rotations.every(Number.isFinite), label).toBe(true);
          expect(pose.scales.every(Number.isFinite), label).toBe(true);
        }
      for (const { tracks } of clips)
        for (const { values, times } of tracks) {
          expect(values.every(Number.isFinite), label).toBe(true);
          expect(times.every(Number.isFinite), label).toBe(true);
        }
    }
    readFbxMeshes(scene);
    return 'read';
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.message.length, label).toBeLessThan(400);
    return 'refused';
  }
}

const SMALL = allFiles(/\.fbx$/).filter(
  (file) => readData(file).length < (file.startsWith('samples') ? 1_000_000 : 350_000),
);

describe('broken FBX files', () => {
  it.each(SMALL)('%s with bytes changed at random', (file) => {
    const random = createRandom(7);
    const bytes = readData(file);
    const outcomes = { read: 0, refused: 0 };
    for (let n = 0; n < 40; n++) {
      const copy = bytes.slice();
      // Half of the time near the start, where the records that matter most are.
      const reach = random() < 0.5 ? copy.length : Math.min(copy.length, 20_000);
      for (let k = 0; k < 6; k++) copy[Math.floor(random() * reach)] = Math.floor(random() * 256);
      outcomes[readAnything(copy, `${file} ${n}`)]++;
    }
    expect(outcomes.read + outcomes.refused).toBe(40);
  });

  it.each(SMALL)('%s cut off anywhere', (file) => {
    const random = createRandom(11);
    const bytes = readData(file);
    for (let n = 0; n < 20; n++)
      readAnything(bytes.slice(0, Math.floor(random() * bytes.length)), `${file} ${n}`);
    expect(() => readFbx(bytes.slice(0, Math.floor(bytes.length / 2)))).toThrow(FormatError);
  });

  it.each(SMALL.filter((file) => file.includes('binary') || !/ascii|greeting/.test(file)))(
    '%s with values and records changed at random',
    (file) => {
      const random = createRandom(13);
      const { nodes, version, footer } = parseFbx(readData(file));
      for (let n = 0; n < 40; n++) {
        const changed = nodes.map((node) =>
          ['Objects', 'Connections', 'GlobalSettings'].includes(node.name)
            ? mutate(mutate(node, random, 0), random, 0)
            : node,
        );
        readAnything(encodeBinary(changed, version, footer), `${file} ${n}`);
      }
    },
  );
});

const ODD_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e300, -1e300, 2 ** 31, 0.5, -(2 ** 31)];

/** A record with one thing in it changed: a value, or a record left out, doubled or changed in its turn. */
function mutate(node: FbxNode, random: () => number, depth: number): FbxNode {
  const pick = <T>(list: readonly T[]) => Math.floor(random() * list.length);
  const own = childrenOf(node);
  if (own.length > 0 && (node.values.length === 0 || depth === 0 || random() < 0.8)) {
    const children = [...own];
    const at = pick(children);
    const kind = random();
    if (kind < 0.05) children.splice(at, 1);
    else if (kind < 0.1) children.push(children[at]!);
    else children[at] = mutate(children[at]!, random, depth + 1);
    return createNode(node.name, node.types, node.values, children);
  }
  if (node.values.length === 0) return node;
  const values: FbxValue[] = [...node.values];
  const at = pick(values);
  const type = node.types[at]!;
  const value = values[at]!;
  if (type === 'S') values[at] = random() < 0.5 ? '' : 'x'.repeat(300);
  else if (typeof value === 'object' && 'kind' in value)
    values[at] = { ...value, count: Math.floor(random() * 40) };
  else if (type === 'F' || type === 'D') values[at] = ODD_NUMBERS[pick(ODD_NUMBERS)]!;
  else if (typeof value === 'number') values[at] = Math.floor(random() * 100) - 50;
  return { ...node, values };
}

describe('FBX files that ask for too much', () => {
  const withArray = (count: number, packed: Uint8Array, encoding: 0 | 1) => {
    const file = buildFbx();
    const a = file.model('a');
    const layer = file.layer(file.stack('take', [0, 1]));
    file.animate(layer, a, 'Lcl Translation', { X: { times: [0, 1], values: [0, 1] } });
    const store = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    const array = {
      kind: 'array',
      type: 'd',
      count,
      encoding,
      store,
      start: 0,
      length: packed.length,
      at: 0,
    } as const;
    const nodes = file.nodes().map((node) =>
      node.name === 'Objects'
        ? createNode(
            node.name,
            '',
            [],
            childrenOf(node).map(({ name, types, values, block }) =>
              name === 'AnimationCurve'
                ? createNode(name, types, values, [
                    createNode('KeyTime', 'd', [array]),
                    ...block!.nodes!.slice(1),
                  ])
                : { name, types, values, block },
            ),
          )
        : node,
    );
    return encodeBinary(nodes, 7400);
  };

  it('a deflated array that is not one', () => {
    const scene = readFbx(withArray(10, new Uint8Array(100).fill(7), 1));
    expect(scene.warnings.map(({ message }) => message).join()).toMatch(/does not unpack/);
  });

  it('an array of more numbers than its bytes can hold', () => {
    expect(() => readFbx(withArray(2 ** 31, new Uint8Array(100), 1))).toThrow(
      /2147483648 numbers in 100 bytes/,
    );
  });

  it('a take of years on two keys has a bounded number of keys', () => {
    const file = buildFbx();
    const a = file.model('a');
    const layer = file.layer(file.stack('take'));
    file.animate(layer, a, 'Lcl Rotation', { X: { times: [0, 100_000], values: [0, 1e6], flags: [0x404] } });
    const scene = readFbx(file.binary());
    const [track] = scene.characters[0]!.clips[0]!.tracks;
    expect(track!.times.length).toBeLessThanOrEqual(320_000);
    expect(scene.warnings.map(({ code }) => code)).toContain('keys-resampled');
  });

  it('two hundred thousand records of nothing are read', () => {
    const nodes = Array.from({ length: 200_000 }, () => createNode('A', '', []));
    const bytes = encodeBinary([createNode('Objects', '', [], nodes)], 7400);
    expect(readFbx(bytes).characters).toEqual([]);
  });

  it('skins of many meshes, and meshes in many places', () => {
    const file = buildFbx();
    const list = (make: (n: number) => number) => Array.from({ length: 16 }, (_, n) => make(n));
    const joints = list((n) => file.model(`joint ${n}`));
    const models = list((n) => file.model(`mesh ${n}`, 0, {}, 'Mesh'));
    const geometries = list(() => file.object('Geometry', '', 'Mesh', []));
    const skins = list(() => file.object('Deformer', '', 'Skin', []));
    const clusters = list(() => file.object('Deformer', '', 'Cluster', []));
    clusters.forEach((cluster, n) => {
      file.connect(joints[n]!, cluster);
      for (const skin of skins) file.connect(cluster, skin);
    });
    for (const geometry of geometries) {
      for (const skin of skins) file.connect(skin, geometry);
      for (const model of models) file.connect(geometry, model);
    }
    // 16 · 16 · 16 · 16 clusters on a thousand connections.
    expect(() => readFbx(file.binary())).toThrow(/skins of very many meshes/);
  });

  it('connections that are said again and again are one', () => {
    const built = buildFbx();
    const hips = built.model('hips');
    built.model('spine', hips);
    const curve = { times: [0, 1], values: [0, 90] };
    built.animate(built.layer(built.stack('take')), hips, 'Lcl Rotation', { X: curve, Y: curve, Z: curve });
    const nodes = built.nodes();
    const connections = nodes.find(({ name }) => name === 'Connections')!;
    const often = createNode(
      'Connections',
      '',
      [],
      Array.from({ length: 500 }, () => childrenOf(connections)).flat(),
    );
    const objects = (list: FbxNode[]) => readObjects(parseFbx(encodeBinary(list, 7400)), []);
    const [once, again] = [
      objects(nodes),
      objects(nodes.map((node) => (node === connections ? often : node))),
    ];
    for (const [n, object] of again.all.entries()) {
      const links = (list: readonly FbxLink[]) => list.map(({ object: { id }, property }) => [id, property]);
      expect(links(again.sourcesOf(object))).toEqual(links(once.sourcesOf(once.all[n]!)));
      expect(links(again.targetsOf(object))).toEqual(links(once.targetsOf(once.all[n]!)));
    }
  });

  it('a layer of many takes is read once', () => {
    const file = buildFbx();
    const a = file.model('a');
    const layer = file.layer(file.stack('take'));
    file.animate(layer, a, 'Lcl Translation', { X: { times: [0, 1], values: [0, 1] } });
    for (let n = 0; n < 100; n++) file.connect(layer, file.stack(`take ${n}`));
    expect(readFbx(file.binary()).characters[0]!.clips.map(({ name }) => name)).toEqual(['take']);
  });

  it('a curve that moves thousands of joints has a bounded number of keys', () => {
    const file = buildFbx();
    const models: number[] = [];
    for (let n = 0; n < 1000; n++) models.push(file.model(`${n}`, models[n - 1]));
    const layer = file.layer(file.stack('take'));
    const times = Array.from({ length: 8000 }, (_, k) => k / 30);
    const curve = file.object('AnimationCurve', '', '', [
      createNode('KeyTime', 'l', [
        createArray(
          'l',
          times.map((time) => Math.round(time * 46186158000)),
        ),
      ]),
      createNode('KeyValueFloat', 'f', [createArray('f', times)]),
    ]);
    for (const model of models) {
      const node = file.object('AnimationCurveNode', '', '', []);
      file.connect(node, layer);
      file.connect(node, model, 'Lcl Translation');
      for (const letter of ['X', 'Y', 'Z']) file.connect(curve, node, `d|${letter}`);
    }
    const bytes = file.binary();
    const { characters, warnings } = readFbx(bytes);
    let size = 0;
    for (const { values } of characters[0]!.clips[0]!.tracks) size += values.byteLength;
    expect(size).toBeGreaterThan(1e6);
    expect(size).toBeLessThan(16 * bytes.length + 2 ** 25);
    expect(warnings.map(({ message }) => message).join()).toMatch(/curves that move very many objects/);
  });

  it('many takes and many blend shapes do not ask for each other', () => {
    const file = buildFbx();
    const a = file.model('a');
    const face = file.model('face', a, {}, 'Mesh');
    const geometry = file.object('Geometry', '', 'Mesh', []);
    const shapes = file.object('Deformer', '', 'BlendShape', []);
    file.connect(geometry, face);
    file.connect(shapes, geometry);
    const channels = Array.from({ length: 1500 }, (_, n) =>
      file.object('Deformer', `shape ${n}`, 'BlendShapeChannel', []),
    );
    for (const channel of channels) file.connect(channel, shapes);
    for (let n = 0; n < 1500; n++) {
      const layer = file.layer(file.stack(`take ${n}`));
      const percent = { times: [0, 1], values: [0, 100] };
      file.animate(layer, channels[n]!, 'DeformPercent', { DeformPercent: percent });
    }
    const start = process.cpuUsage();
    const { characters } = readFbx(file.binary());
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(2000);
    const { clips } = characters[0]!;
    expect(clips.length).toBe(1500);
    expect(clips.every(({ morphs }, n) => morphs.length === 1 && morphs[0]!.morph === `shape ${n}`)).toBe(
      true,
    );
  });

  it('thousands of loose joints are not thousands of lists of each other', () => {
    const file = buildFbx();
    for (let n = 0; n < 3000; n++) file.model(`${n}`);
    const whole = file.model('whole');
    file.model('part', whole);
    const { characters, warnings } = readFbx(file.binary());
    expect(characters.length).toBeLessThan(1500);
    expect(characters.some(({ skeleton }) => skeleton.names[0] === 'whole')).toBe(true);
    expect(warnings.map(({ message }) => message).join()).toMatch(/3001 separate skeletons/);
  });

  it('a value of no known type is refused, wherever it stands', () => {
    const file = buildFbx();
    file.model('a');
    file.object('Material', 'never looked at', '', [createNode('Version', 'I', [7777])]);
    const bytes = file.binary();
    const view = new DataView(bytes.buffer);
    let at = bytes.length - 5;
    while (view.getInt32(at + 1, true) !== 7777) at--;
    bytes[at] = 120;
    expect(() => readFbx(bytes)).toThrow(/a value of type "x"/);
  });

  it('curves of other lengths than their times are left out', () => {
    const file = buildFbx();
    const a = file.model('a');
    file.model('b', a);
    const stack = file.stack('take', [0, 1]);
    const layer = file.layer(stack);
    const node = file.object('AnimationCurveNode', 'T', '', []);
    file.connect(node, layer);
    file.connect(node, a, 'Lcl Translation');
    const curve = file.object('AnimationCurve', '', '', [
      createNode('KeyTime', 'l', [createArray('l', [0, 1, 2])]),
      createNode('KeyValueFloat', 'f', [createArray('f', [0, 1])]),
    ]);
    file.connect(curve, node, 'd|X');
    const scene = readFbx(file.binary());
    expect(scene.warnings.map(({ message }) => message).join()).toMatch(/3 times and 2 values/);
  });
});
