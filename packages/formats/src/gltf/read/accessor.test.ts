import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { describe, expect, test } from 'vitest';
import { buildGltf, type GltfBuilder, glbOf } from '../../../test/gltf-builder.js';
import { read } from '../../read.js';
import { encodeBase64 } from '../../shared/base64.js';

/** A joint that is moved by the given accessors, and the keys that are read. */
async function keysOf(
  make: (file: GltfBuilder) => { input: number; output: number; interpolation?: string; path?: string },
  toBytes: (file: GltfBuilder) => Uint8Array = (file) => file.glb(),
) {
  const file = buildGltf([{ name: 'joint' }]);
  const { path = 'translation', ...sampler } = make(file);
  file.json.animations = [{ channels: [{ sampler: 0, target: { node: 0, path } }], samplers: [sampler] }];
  const scene = await read(toBytes(file));
  const track = scene.characters[0]?.clips[0]?.tracks[0];
  return { times: [...(track?.times ?? [])], values: [...(track?.values ?? [])], warnings: scene.warnings };
}

const translations = Float32Array.of(1, 2, 3, 4, 5, 6);
const times = Float32Array.of(0, 0.5);

describe('accessors', () => {
  test('plain floats, from a GLB and from a data URI', async () => {
    const make = (file: GltfBuilder) => ({
      input: file.accessor(times, 'SCALAR'),
      output: file.accessor(translations, 'VEC3'),
    });
    const toText = (file: GltfBuilder) =>
      file.gltf(`data:application/octet-stream;base64,${encodeBase64(file.buffer())}`);
    for (const toBytes of [undefined, toText])
      expect(await keysOf(make, toBytes)).toEqual({
        times: [...times],
        values: [...translations],
        warnings: [],
      });
  });

  test('a buffer beside the file is found, one above it is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
    try {
      const file = buildGltf([{ name: 'joint' }]);
      const input = file.accessor(times, 'SCALAR');
      const output = file.accessor(translations, 'VEC3');
      file.json.animations = [
        {
          channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
          samplers: [{ input, output }],
        },
      ];
      await writeFile(join(folder, 'some data.bin'), file.buffer());
      await writeFile(join(folder, 'motion.gltf'), file.gltf('some%20data.bin'));
      const scene = await read(join(folder, 'motion.gltf'));
      expect(scene.name).toBe('motion');
      expect([...scene.characters[0]!.clips[0]!.tracks[0]!.values]).toEqual([...translations]);
      for (const uri of [
        '../some%20data.bin',
        '%2e%2e/x.bin',
        '/etc/hostname',
        'file:///etc/hostname',
        'a\\..\\b',
      ])
        await expect(
          writeFile(join(folder, 'escape.gltf'), file.gltf(uri)).then(() =>
            read(join(folder, 'escape.gltf')),
          ),
        ).rejects.toThrow('expected a file in the same folder or below');
      await writeFile(join(folder, 'lost.gltf'), file.gltf('lost.bin'));
      await expect(read(join(folder, 'lost.gltf'))).rejects.toThrow('there is no such file');
      // From bytes alone nothing can be beside; the caller can say where things are.
      await expect(read(file.gltf('lost.bin'))).rejects.toThrow('pass resolve');
      const resolved = await read(file.gltf('../anywhere'), { resolve: async () => file.buffer() });
      expect(resolved.characters[0]!.clips).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('interleaved', async () => {
    // Per key: time, then translation, then four bytes that belong to nobody.
    const mixed = Float32Array.of(0, 1, 2, 3, 99, 0.5, 4, 5, 6, 99);
    const keys = await keysOf((file) => {
      const bufferView = file.view(mixed, { byteStride: 20 });
      file.json.accessors.push(
        { bufferView, componentType: 5126, count: 2, type: 'SCALAR' },
        { bufferView, byteOffset: 4, componentType: 5126, count: 2, type: 'VEC3' },
      );
      return { input: 0, output: 1 };
    });
    expect(keys).toEqual({ times: [...times], values: [...translations], warnings: [] });
  });

  test('sparse, with and without a base', async () => {
    for (const hasBase of [true, false]) {
      const keys = await keysOf((file) => {
        const indices = { bufferView: file.view(Uint8Array.of(1)), componentType: 5121 };
        const values = { bufferView: file.view(Float32Array.of(7, 8, 9)) };
        const base = hasBase ? { bufferView: file.view(translations) } : {};
        file.json.accessors.push({
          ...base,
          componentType: 5126,
          count: 2,
          type: 'VEC3',
          sparse: { count: 1, indices, values },
        });
        return { input: file.accessor(times, 'SCALAR'), output: 0 };
      });
      expect(keys.values).toEqual(hasBase ? [1, 2, 3, 7, 8, 9] : [0, 0, 0, 7, 8, 9]);
    }
  });

  test('normalised integers of every type mean −1 to 1, or 0 to 1', async () => {
    const cases: [ArrayBufferView & ArrayLike<number>, number[]][] = [
      [Int8Array.of(-128, 0, 0, 127), [-1, 0, 0, 1]],
      [Uint8Array.of(0, 0, 0, 255), [0, 0, 0, 1]],
      [Int16Array.of(-32768, 0, 16384, 32767), [-1, 0, 16384 / 32767, 1]],
      [Uint16Array.of(0, 0, 0, 65535), [0, 0, 0, 1]],
    ];
    for (const [values, expected] of cases) {
      const keys = await keysOf((file) => ({
        input: file.accessor(Float32Array.of(0), 'SCALAR'),
        output: file.accessor(values, 'VEC4', { normalized: true }),
        path: 'rotation',
      }));
      expect(keys.values).toEqual(expected.map(Math.fround));
    }
  });

  test('meshopt, under both of its names, with every filter that motion uses', async () => {
    await MeshoptEncoder.ready;
    const count = 6;
    const curve = Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(i) * 3);
    const turns = Float32Array.from(
      { length: 4 * count },
      (_, i) => [0, Math.sin(i / 9), 0, Math.cos(i / 9)][i % 4]!,
    );
    for (let k = 0; k < count; k++) {
      const length = Math.hypot(...turns.subarray(4 * k, 4 * k + 4));
      for (let c = 0; c < 4; c++) turns[4 * k + c]! /= length;
    }
    const bytesOf = (array: Float32Array) => new Uint8Array(array.buffer);
    const cases = [
      {
        filter: undefined,
        path: 'translation',
        source: bytesOf(curve),
        stride: 12,
        expected: curve,
        within: 0,
      },
      {
        filter: 'EXPONENTIAL',
        path: 'translation',
        source: MeshoptEncoder.encodeFilterExp(curve, count, 12, 16),
        stride: 12,
        expected: curve,
        within: 1e-3,
      },
      {
        filter: 'QUATERNION',
        path: 'rotation',
        source: MeshoptEncoder.encodeFilterQuat(turns, count, 8, 12),
        stride: 8,
        expected: turns,
        within: 2e-3,
      },
    ];
    for (const extension of ['EXT_meshopt_compression', 'KHR_meshopt_compression'])
      for (const { filter, path, source, stride, expected, within } of cases) {
        const keys = await keysOf(
          (file) => {
            const packed = MeshoptEncoder.encodeGltfBuffer(source, count, stride, 'ATTRIBUTES');
            const bufferView = file.view(packed);
            const { byteOffset, byteLength } = file.json.bufferViews[bufferView]!;
            file.json.bufferViews[bufferView] = {
              buffer: 1,
              byteLength: count * stride,
              extensions: {
                [extension]: {
                  buffer: 0,
                  byteOffset,
                  byteLength,
                  byteStride: stride,
                  count,
                  mode: 'ATTRIBUTES',
                  filter,
                },
              },
            };
            file.json.accessors.push(
              path === 'rotation'
                ? { bufferView, componentType: 5122, normalized: true, count, type: 'VEC4' }
                : { bufferView, componentType: 5126, count, type: 'VEC3' },
            );
            const input = file.accessor(
              Float32Array.from({ length: count }, (_, i) => i),
              'SCALAR',
            );
            return { input, output: 0, path };
          },
          (file) => {
            // A placeholder for programs that cannot unpack, as the extension has it.
            const json: { buffers: object[] } = JSON.parse(new TextDecoder().decode(file.gltf('x')));
            json.buffers = [
              { byteLength: file.buffer().length },
              { byteLength: count * stride, extensions: { [extension]: { fallback: true } } },
            ];
            return glbOf(JSON.stringify(json), file.buffer());
          },
        );
        expect(keys.values).toHaveLength(expected.length);
        const isTurn = path === 'rotation';
        for (let k = 0; k < count; k++) {
          const size = isTurn ? 4 : 3;
          const got = keys.values.slice(size * k, size * k + size);
          const want = expected.subarray(size * k, size * k + size);
          // A turn may come back as its negative, which is the same turn.
          const sign = isTurn && got.reduce((dot, value, c) => dot + value * want[c]!, 0) < 0 ? -1 : 1;
          got.forEach((value, c) => {
            expect(Math.abs(sign * value - want[c]!)).toBeLessThanOrEqual(within);
          });
        }
      }
  });
});

describe('keys that need repair', () => {
  const keyed = (input: ArrayLike<number>, output: ArrayLike<number>, more: Record<string, string> = {}) =>
    keysOf((file) => ({
      input: file.accessor(Float32Array.from(input), 'SCALAR'),
      output: file.accessor(Float32Array.from(output), more.path === 'rotation' ? 'VEC4' : 'VEC3'),
      ...more,
    }));

  test('times that do not rise are put in order, of two at one time the later stands', async () => {
    const keys = await keyed([1, 0, 1], [1, 1, 1, 0, 0, 0, 2, 2, 2]);
    expect(keys).toMatchObject({ times: [0, 1], values: [0, 0, 0, 2, 2, 2] });
    expect(keys.warnings[0]!.code).toBe('file-repaired');
  });

  test('values that are not finite take the value before', async () => {
    const keys = await keyed([0, 1], [1, 2, 3, Number.NaN, 5, Number.POSITIVE_INFINITY]);
    expect(keys.values).toEqual([1, 2, 3, 1, 5, 3]);
    expect(keys.warnings[0]!.code).toBe('value-not-finite');
  });

  test('a turn of zero length is no turn', async () => {
    const keys = await keyed([0], [0, 0, 0, 0], { path: 'rotation' });
    expect(keys.values).toEqual([0, 0, 0, 1]);
  });

  test('too few values: the keys that have some are read', async () => {
    const keys = await keyed([0, 1, 2], [1, 2, 3, 4, 5, 6]);
    expect(keys).toMatchObject({ times: [0, 1], values: [1, 2, 3, 4, 5, 6] });
    expect(keys.warnings[0]!.code).toBe('file-repaired');
  });

  test('cubic keys keep their tangents', async () => {
    const values = Array.from({ length: 18 }, (_, i) => i);
    expect((await keyed([0, 1], values, { interpolation: 'CUBICSPLINE' })).values).toEqual(values);
  });

  test('an accessor of the wrong kind costs the channel, not the file', async () => {
    const keys = await keysOf((file) => ({
      input: file.accessor(times, 'SCALAR'),
      output: file.accessor(times, 'SCALAR'),
    }));
    expect(keys.values).toEqual([]);
    expect(keys.warnings[0]!.message).toContain('found "SCALAR"; expected VEC3');
  });

  test('animation pointers to nodes are channels of these nodes', async () => {
    const file = buildGltf([{ name: 'root', children: [1] }, { name: 'joint' }]);
    const input = file.accessor(times, 'SCALAR');
    const output = file.accessor(translations, 'VEC3');
    const pointer = '/nodes/1/translation';
    file.json.animations = [
      {
        channels: [
          { sampler: 0, target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } } },
        ],
        samplers: [{ input, output }],
      },
    ];
    const scene = await read(file.glb());
    const { skeleton, clips } = scene.characters[0]!;
    const [track] = clips[0]!.tracks;
    expect(skeleton.names[track!.joint]).toBe('joint');
    expect([track!.channel, ...track!.values]).toEqual(['translation', ...translations]);
    expect(scene.warnings).toEqual([]);
  });

  test('animation pointers to other things are left alone and said', async () => {
    const file = buildGltf([{ name: 'joint' }]);
    const input = file.accessor(times, 'SCALAR');
    const output = file.accessor(translations, 'VEC3');
    file.json.animations = [
      {
        channels: [
          { sampler: 0, target: { node: 0, path: 'translation' } },
          { sampler: 0, target: { path: 'pointer', extensions: { KHR_animation_pointer: {} } } },
        ],
        samplers: [{ input, output }],
      },
    ];
    const scene = await read(file.glb());
    expect(scene.characters[0]!.clips[0]!.tracks).toHaveLength(1);
    expect(scene.warnings.map(({ code }) => code)).toEqual(['feature-ignored']);
  });
});
