import { deflateSync } from 'node:zlib';
import {
  changeRecords,
  type FbxRecord,
  packedArray,
  readRecords,
  writeRecords,
} from './mutate/fbx-records.js';
import { putTogether, takeApart } from './mutate/mutate-gltf.js';
import { loadSeeds } from './seeds.js';

/** A small file that asks for much. It is refused, or read within what its own size allows. */
export type Bomb = { name: string; bytes: Uint8Array };

const ZEROS = 2 ** 26;

/** Files that ask for a thousand times what they are, each in its own way. */
export async function makeBombs(): Promise<Bomb[]> {
  return [...(await fbxBombs()), ...(await gltfBombs()), ...bvhBombs(), ...jsonBombs()];
}

const encode = (text: string) => new TextEncoder().encode(text);

async function smallest(format: 'glb' | 'fbx-binary' | 'fbx-ascii'): Promise<Uint8Array> {
  const seeds = await loadSeeds(format, 300_000, false);
  return seeds.find(({ path }) => path === 'made/small-linear')!.bytes;
}

async function fbxBombs(): Promise<Bomb[]> {
  const { records } = readRecords(await smallest('fbx-binary'));
  const inflated = (
    count: number,
    zeros: number,
    name: string,
    letter: string,
    most = Number.POSITIVE_INFINITY,
  ) => {
    const packed = deflateSync(Buffer.alloc(zeros), { level: 9 });
    let left = most;
    return writeRecords(
      changeRecords(records, name, (record) =>
        left-- > 0 ? { ...record, count: 1, properties: packedArray(letter, count, packed) } : record,
      ),
    );
  };
  const nest = (depth: number): FbxRecord[] => {
    let inner: FbxRecord[] = [];
    for (let n = 0; n < depth; n++)
      inner = [{ name: 'a', count: 0, properties: new Uint8Array(0), children: inner, isBlock: true }];
    return inner;
  };
  const text = new TextDecoder().decode(await smallest('fbx-ascii'));
  const models = records
    .find(({ name }) => name === 'Objects')!
    .children.filter(({ name }) => name === 'Model' || name === 'AnimationCurve');
  return [
    {
      name: 'FBX: one array of keys that unpacks to 512 MB',
      bytes: inflated(ZEROS, 8 * ZEROS, 'KeyTime', 'l', 1),
    },
    { name: 'FBX: every array of keys unpacks to 8 MB', bytes: inflated(2 ** 20, 2 ** 23, 'KeyTime', 'l') },
    {
      name: 'FBX: every array of values unpacks to 4 MB',
      bytes: inflated(2 ** 20, 2 ** 22, 'KeyValueFloat', 'f'),
    },
    { name: 'FBX: arrays that unpack to more than they say', bytes: inflated(4, ZEROS, 'KeyTime', 'l') },
    { name: 'FBX: arrays that say more than they hold', bytes: inflated(2 ** 29, 8, 'KeyTime', 'l') },
    { name: 'FBX: records 1,000 deep', bytes: writeRecords([...records, ...nest(1000)]) },
    {
      name: 'FBX: 200,000 empty records',
      bytes: writeRecords([...records, ...Array.from({ length: 200_000 }, () => nest(1)[0]!)]),
    },
    {
      name: 'FBX: every object 200 times',
      bytes: writeRecords(
        changeRecords(records, 'Objects', (record) => ({
          ...record,
          children: Array.from({ length: 200 }, () => models).flat(),
        })),
      ),
    },
    {
      name: 'FBX: every connection 1,000 times',
      bytes: writeRecords(
        changeRecords(records, 'Connections', (record) => ({
          ...record,
          children: Array.from({ length: 1000 }, () => record.children.slice(0, 100)).flat(),
        })),
      ),
    },
    {
      name: 'FBX text: a list that says it has a billion numbers',
      bytes: encode(text.replaceAll(/\*\d+ \{/g, '*999999999 {')),
    },
    { name: 'FBX text: blocks 100,000 deep', bytes: encode(`${text}\n${'a: {\n'.repeat(100_000)}`) },
    { name: 'FBX text: a line of a million commas', bytes: encode(`${text}\na: ${'1,'.repeat(1e6)}\n`) },
  ];
}

type Json = Record<string, unknown> & {
  accessors: Record<string, unknown>[];
  bufferViews: Record<string, unknown>[];
  animations: { samplers: Record<string, unknown>[]; channels: Record<string, unknown>[] }[];
  nodes: Record<string, unknown>[];
};

async function gltfBombs(): Promise<Bomb[]> {
  const glb = await smallest('glb');
  const change = (name: string, edit: (json: Json) => void, extra = 0): Bomb => {
    const { json, bin } = takeApart(glb)!;
    edit(json as Json);
    const data = new Uint8Array(bin!.length + extra);
    data.set(bin!);
    (json.buffers as { byteLength: number }[])[0]!.byteLength = data.length;
    return { name: `glTF: ${name}`, bytes: putTogether(encode(JSON.stringify(json)), data) };
  };
  const mesh = (json: Json, primitives: number, more: object = {}) => {
    const position = json.accessors.push({ componentType: 5126, count: 3, type: 'VEC3', ...more }) - 1;
    json.meshes = [
      { primitives: Array.from({ length: primitives }, () => ({ attributes: { POSITION: position } })) },
    ];
    json.nodes.push({ mesh: 0 });
    (json.scenes as { nodes: number[] }[])[0]!.nodes.push(json.nodes.length - 1);
  };
  const meshopt = (json: Json, count: number) => {
    const extension = { buffer: 0, byteOffset: 0, byteLength: 64, byteStride: 16, count, mode: 'ATTRIBUTES' };
    json.extensionsUsed = ['EXT_meshopt_compression'];
    for (const view of json.bufferViews) {
      view.byteLength = 16 * count;
      view.extensions = { EXT_meshopt_compression: extension };
    }
  };
  return [
    change('accessors of a billion zeros', (json) => {
      for (const accessor of json.accessors) {
        accessor.count = 1e9;
        delete accessor.bufferView;
      }
    }),
    change('accessors of 20 million zeros', (json) => {
      for (const accessor of json.accessors) {
        accessor.count = 2e7;
        delete accessor.bufferView;
      }
    }),
    change('sparse accessors of 20 million', (json) => {
      for (const accessor of json.accessors) {
        const { bufferView } = accessor;
        accessor.sparse = { count: 1, indices: { bufferView, componentType: 5121 }, values: { bufferView } };
        accessor.count = 2e7;
        delete accessor.bufferView;
      }
    }),
    change('a mesh of 50 million zeros', (json) => mesh(json, 1, { count: 5e7 })),
    change('a mesh of 100,000 primitives', (json) => mesh(json, 100_000)),
    change('meshopt views of a gigabyte', (json) => meshopt(json, ZEROS)),
    change('meshopt views of 64 MB', (json) => meshopt(json, 2 ** 22)),
    change('Draco of garbage that says it is a mesh', (json) => {
      mesh(json, 1);
      const [{ primitives }] = json.meshes as [{ primitives: Record<string, unknown>[] }];
      primitives[0]!.extensions = {
        KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } },
      };
      json.extensionsUsed = ['KHR_draco_mesh_compression'];
    }),
    change('one animation 3,000 times', (json) => {
      json.animations = Array.from({ length: 3000 }, () => json.animations[0]!);
    }),
    change(
      '10,000 keys that 400 channels share',
      (json) => {
        shareKeys(json, 10_000, 400);
      },
      20 * 10_000,
    ),
    change('a chain of 100,000 nodes', (json) => {
      const first = json.nodes.length;
      for (let n = 0; n < 100_000; n++)
        json.nodes.push({ name: 'n', ...(n < 99_999 && { children: [first + n + 1] }) });
      (json.scenes as { nodes: number[] }[])[0]!.nodes.push(first);
    }),
    change('3,000 skins of all nodes', (json) => {
      const joints = json.nodes.map((_, i) => i);
      json.skins = Array.from({ length: 3000 }, () => ({ joints }));
    }),
    change('extras 300,000 deep', (json) => {
      json.extras = 'here';
    }),
  ].map((bomb) => {
    if (!bomb.name.endsWith('deep')) return bomb;
    const { json, bin } = takeApart(bomb.bytes)!;
    const text = JSON.stringify(json).replace('"here"', `${'['.repeat(300_000)}${']'.repeat(300_000)}`);
    return { ...bomb, bytes: putTogether(encode(text), bin) };
  });
}

/** Makes the first animation one of many channels that share the keys behind the buffer's end. */
function shareKeys(json: Json, keys: number, channels: number): void {
  const end = json.bufferViews.reduce(
    (last, { byteOffset = 0, byteLength }) => Math.max(last, Number(byteOffset) + Number(byteLength)),
    0,
  );
  const view = (byteOffset: number, byteLength: number) =>
    json.bufferViews.push({ buffer: 0, byteOffset, byteLength }) - 1;
  const start = Math.ceil(end / 4) * 4;
  const input =
    json.accessors.push({
      bufferView: view(start, 4 * keys),
      componentType: 5126,
      count: keys,
      type: 'SCALAR',
    }) - 1;
  const output =
    json.accessors.push({
      bufferView: view(start + 4 * keys, 16 * keys - 64),
      componentType: 5126,
      count: keys - 4,
      type: 'VEC4',
    }) - 1;
  json.accessors[input]!.count = keys - 4;
  json.animations[0] = {
    samplers: Array.from({ length: channels }, () => ({ input, output })),
    channels: Array.from({ length: channels }, (_, sampler) => ({
      sampler,
      target: { node: sampler % json.nodes.length, path: 'rotation' },
    })),
  };
}

function bvhBombs(): Bomb[] {
  const joint = (inside: string) =>
    `ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n${inside}}\n`;
  const motion = (frames: number | string, lines: string) =>
    `MOTION\nFrames: ${frames}\nFrame Time: 0.0333\n${lines}`;
  const deep = (count: number) =>
    `${'JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n'.repeat(count)}${'}\n'.repeat(count)}`;
  const wide = (count: number) =>
    'JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n'.repeat(count);
  const texts: [string, string][] = [
    ['a billion frames that are not there', `HIERARCHY\n${joint('')}${motion(1e9, '0 0 0\n')}`],
    ['1e30 frames that are not there', `HIERARCHY\n${joint('')}${motion('1e30', '0 0 0\n')}`],
    ['20,000 joints one below the other', `HIERARCHY\n${joint(deep(20_000))}${motion(1, '0 0 0\n')}`],
    [
      '20,000 joints side by side',
      `HIERARCHY\n${joint(wide(20_000))}${motion(1, `${'0 '.repeat(60_003)}\n`)}`,
    ],
    ['one line of two million numbers', `HIERARCHY\n${joint('')}${motion(1, `${'0 '.repeat(2e6)}\n`)}`],
    ['a million empty lines', `HIERARCHY\n${joint('')}${motion(2, '\n'.repeat(1e6))}`],
    [
      'a million channels',
      `HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1000000 ${'Xrotation '.repeat(1e6)}\n}\n${motion(1, '0\n')}`,
    ],
    [
      'channels that are not there',
      `HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 999999999 Xrotation\n}\n${motion(1, '0\n')}`,
    ],
    [
      'a frame time of a year',
      `HIERARCHY\n${joint('')}MOTION\nFrames: 3\nFrame Time: 31536000\n0 0 0\n9 0 0\n0 9 0\n`,
    ],
  ];
  return texts.map(([name, text]) => ({ name: `BVH: ${name}`, bytes: encode(text) }));
}

function jsonBombs(): Bomb[] {
  return [
    { name: 'JSON: a million brackets', bytes: encode('{"asset":'.padEnd(1e6, '[')) },
    { name: 'JSON: 30 MB of blanks', bytes: encode(`{"asset":{"version":"2.0"}${' '.repeat(3e7)}}`) },
    {
      name: 'GLB: chunks that say they are 4 GB',
      bytes: Uint8Array.from([
        0x67, 0x6c, 0x54, 0x46, 2, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 127, 0x4a, 0x53, 0x4f, 0x4e,
        123, 125,
      ]),
    },
  ];
}
