import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { UsageError } from '@stuntdouble/core';
import { describe, expect, test } from 'vitest';
import { buildFbx } from '../test/fbx-builder.js';
import { buildGltf } from '../test/gltf-builder.js';
import { LONGEST_TEXT, readText } from './fbx/parse/packed-text.js';
import { FormatError } from './format-error.js';
import { completeLimits, DEFAULT_LIMITS, type Limits } from './limits.js';
import { read } from './read.js';
import { decodeDataUri } from './shared/base64.js';

const encode = (text: string) => new TextEncoder().encode(text);

/** Three joints that turn, over four keys of ten seconds: twelve keys in all. */
function gltfFile(): Uint8Array {
  const file = buildGltf([{ name: 'a', children: [1] }, { name: 'b', children: [2] }, { name: 'c' }]);
  file.json.skins = [{ joints: [0, 1, 2] }];
  const input = file.accessor(Float32Array.of(0, 1, 5, 10), 'SCALAR');
  const output = file.accessor(
    Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    'VEC4',
  );
  file.json.animations = [
    {
      samplers: [{ input, output }],
      channels: [0, 1, 2].map((node) => ({ sampler: 0, target: { node, path: 'rotation' } })),
    },
  ];
  return file.glb();
}

/** The same as text. */
function bvhFile(): Uint8Array {
  const joint = (name: string, inner: string) =>
    `${name} {\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n${inner}}\n`;
  const row = '1 2 3 4 5 6 7 8 9\n';
  return encode(
    `HIERARCHY\n${joint('ROOT a', joint('JOINT b', joint('JOINT c', '')))}MOTION\nFrames: 4\nFrame Time: ${10 / 3}\n${row.repeat(4)}`,
  );
}

function fbxFile(): ReturnType<typeof buildFbx> {
  const file = buildFbx();
  const layer = file.layer(file.stack('take'));
  let above = 0;
  for (const name of ['a', 'b', 'c']) {
    const model = file.model(name, above);
    file.animate(layer, model, 'Lcl Rotation', {
      X: { times: [0, 1, 5, 10], values: [0, 3, 6, 9], flags: [2] },
    });
    above = model;
  }
  return file;
}

const files: [string, () => Uint8Array][] = [
  ['glTF', gltfFile],
  ['BVH', bvhFile],
  ['FBX', () => fbxFile().binary()],
];

describe('limits', () => {
  test.each(files)(
    '%s: a file at its limits is read, one beyond is refused with limit and value',
    async (_, make) => {
      const bytes = make();
      const scene = await read(bytes);
      const [clip] = scene.characters[0]!.clips;
      const keys = clip!.tracks.reduce((sum, { times }) => sum + times.length, 0);
      const exact: Partial<Limits> = { bytes: bytes.length, joints: 3, keys, seconds: 10.0001 };
      expect((await read(bytes, { limits: exact })).characters).toHaveLength(1);
      for (const [limit, most] of [
        ['bytes', bytes.length - 1],
        ['joints', 2],
        ['keys', keys - 1],
        ['seconds', 9.5],
      ] as const) {
        const error = await read(bytes, { limits: { ...exact, [limit]: most } }).catch(
          (cause: unknown) => cause,
        );
        expect(error).toBeInstanceOf(FormatError);
        expect(error).toMatchObject({ limit });
        expect((error as Error).message).toContain(`at most ${most} (limits.${limit})`);
        expect((error as Error).message).toMatch(/found [\d.]+ /);
      }
    },
  );

  test('what cannot be a limit is said', () => {
    expect(completeLimits()).toEqual(DEFAULT_LIMITS);
    expect(completeLimits({ joints: 2 ** 15 }).joints).toBe(2 ** 15);
    expect(completeLimits({ keys: 5, bytes: Number.POSITIVE_INFINITY })).toMatchObject({ keys: 5 });
    for (const given of [
      { keys: 0 },
      { keys: -1 },
      { keys: Number.NaN },
      { joints: 32769 },
      { text: 2 ** 30 },
    ])
      expect(() => completeLimits(given)).toThrow(UsageError);
    expect(() => completeLimits({ bites: 1 } as Partial<Limits>)).toThrow('there is no limit "bites"');
  });
});

describe('text is refused before it is decoded', () => {
  /** Fails where the bytes of a text are decoded as one. */
  const withoutDecoding = async (longest: number, work: () => Promise<unknown>) => {
    const { decode } = TextDecoder.prototype;
    TextDecoder.prototype.decode = function (this: TextDecoder, input, options) {
      if (input && input.byteLength > longest) throw new Error('it was decoded');
      return decode.call(this, input, options);
    };
    try {
      return await work().catch((cause: unknown) => cause);
    } finally {
      TextDecoder.prototype.decode = decode;
    }
  };

  test.each([
    ['JSON', () => encode(`{"asset":{"version":"2.0"},"extras":"${'x'.repeat(10_000)}"}`)],
    [
      'JSON that begins with something else',
      () => encode(`{"x":"${'x'.repeat(10_000)}","asset":{"version":"2.0"}}`),
    ],
    [
      'GLB',
      () => {
        const file = buildGltf([]);
        file.json.extras = 'x'.repeat(10_000);
        return file.glb();
      },
    ],
    ['ASCII FBX', () => encode(`; FBX 7.4.0 project file\nA: "${'x'.repeat(10_000)}"\n`)],
    [
      'BVH in UTF-16',
      () => {
        const text = `HIERARCHY\n${' '.repeat(10_000)}`;
        const bytes = new Uint8Array(2 + 2 * text.length);
        bytes.set([0xff, 0xfe]);
        for (let i = 0; i < text.length; i++) bytes[2 + 2 * i] = text.charCodeAt(i);
        return bytes;
      },
    ],
  ])('%s', async (_, make) => {
    const bytes = make();
    const error = await withoutDecoding(8000, () => read(bytes, { limits: { text: 8000 } }));
    expect(error).toMatchObject({ name: 'FormatError', limit: 'text' });
    expect((error as Error).message).toContain('bytes of text; expected at most 8000 (limits.text)');
  });

  test('JSON of very many values, and FBX of very many records', async () => {
    const many = encode(`{"asset":{"version":"2.0"},"extras":[${'0,'.repeat(2 ** 23)}0]}`);
    await expect(read(many)).rejects.toThrow(/JSON: found 83886\d\d values; expected at most 8388608/);
    const records = encode(`; FBX 7.4.0 project file\n${'A:\n'.repeat(2 ** 20)}`);
    await expect(read(records)).rejects.toThrow('the objects of the scene');
  });

  test('a word of BVH, a text of FBX', async () => {
    const word = encode(`HIERARCHY\nROOT ${'x'.repeat(100_000)}\n{\nOFFSET 0 0 0\n}`);
    await expect(read(word)).rejects.toThrow('found a word of 100001 bytes; expected at most 65536');
    const long = new Uint8Array(LONGEST_TEXT + 1).fill(65);
    expect(readText(long, 0, long.length)).toBeInstanceOf(Uint8Array);
    expect(typeof readText(long, 1, long.length)).toBe('string');
  });

  test('the letters of a data URI', () => {
    expect(decodeDataUri('data:,a%ffb')).toEqual(Uint8Array.of(97, 255, 98));
    expect(decodeDataUri('DATA:;base64,AQID')).toEqual(Uint8Array.of(1, 2, 3));
  });
});

describe('little that claims much', () => {
  test('BVH: short lines do not become whole frames by the million', async () => {
    const names = Array.from(
      { length: 2000 },
      (_, i) => `JOINT j${i} {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n`,
    );
    const row = `${Array(2001).fill('1').join(' ')}\n`;
    const file = encode(
      `HIERARCHY\nROOT r {\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n${names.join('')}}\nMOTION\nFrames: 3\nFrame Time: 1\n${row}${'1\n'.repeat(100_000)}${row}`,
    );
    await expect(read(file)).rejects.toThrow('100002 lines of 104002 numbers together');
  });

  test('FBX: models that must be posed at very many times', async () => {
    const file = buildFbx();
    const layer = file.layer(file.stack('take'));
    // A scale that differs along the axes above a model that does not take it over: all must be posed at once.
    const root = file.model('root', 0, { 'Lcl Scaling': [1, 2, 1] });
    let at = 0;
    for (let i = 0; i < 400; i++) {
      const model = file.model(`m${i}`, root, { InheritType: [2] });
      const times = Array.from({ length: 8 }, () => ++at / 100);
      file.animate(layer, model, 'Lcl Rotation', { X: { times, values: times, flags: [2] } });
    }
    await expect(read(file.binary())).rejects.toThrow('times at which 401 models must be posed');
  });
});

const built = new URL('../dist/index.js', import.meta.url);

describe.skipIf(!existsSync(built))('a thread without memory (needs a build)', () => {
  /** How a thread with a small heap ends that reads a file: its error's code, or the name of what reading threw. */
  const readInThread = (bytes: Uint8Array) =>
    new Promise<string>((resolve) => {
      const worker = new Worker(
        `const { parentPort, workerData } = require('node:worker_threads');
         import(workerData.module).then(({ read }) => read(workerData.bytes)).then(
           () => parentPort.postMessage('read'), (error) => parentPort.postMessage(error.name));`,
        {
          eval: true,
          workerData: { module: built.href, bytes },
          resourceLimits: { maxOldGenerationSizeMb: 24 },
        },
      );
      worker.on('message', resolve);
      worker.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    });

  test('ends alone, and is told before where a text would take the process with it', async () => {
    const records = '; FBX 7.4.0 project file\nObjects:  {\n';
    const honest = encode(`${records}${'A: 1\n'.repeat(2 ** 21)}}\n`);
    expect(await readInThread(honest)).toBe('ERR_WORKER_OUT_OF_MEMORY');
    // One string of these alone is longer than the heap and all that it is given to end in peace.
    const long = encode(`${records}${' '.repeat(2 ** 26)}}\n`);
    expect(await readInThread(long)).toBe('FormatError');
    const json = encode(`{"asset":{"version":"2.0"},"extras":"${'x'.repeat(2 ** 26)}"}`);
    expect(await readInThread(json)).toBe('FormatError');
    expect(await readInThread(bvhFile())).toBe('read');
  });
});
