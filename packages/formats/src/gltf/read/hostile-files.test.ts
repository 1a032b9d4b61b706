import { describe, expect, test } from 'vitest';
import { buildGltf, glbOf } from '../../../test/gltf-builder.js';
import { FormatError } from '../../format-error.js';
import { read } from '../../read.js';

/*
 * Small files made to cost much: each would take minutes or gigabytes if what it claims were believed. They
 * are read, or refused by FormatError, within two seconds, and what is read is small.
 */

type Json = Record<string, unknown>;

const file = (json: Json, bin = new Uint8Array(0)) =>
  glbOf(
    JSON.stringify({
      asset: { version: '2.0' },
      ...(bin.length > 0 ? { buffers: [{ byteLength: bin.length }] } : {}),
      ...json,
    }),
    bin,
  );

const repeat = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Bytes of typed arrays that a scene holds, each array counted once. */
function heldBytes(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    if (seen.has(value.buffer)) return 0;
    seen.add(value.buffer);
    return value.buffer.byteLength;
  }
  let sum = 0;
  const members = value instanceof Map ? value.values() : Object.values(value);
  for (const member of members) sum += heldBytes(member, seen);
  return sum;
}

const one = Float32Array.of(0, 1);

const ATTACKS: Record<string, () => Uint8Array> = {
  'a million nodes': () => file({ nodes: repeat(1_000_000, () => ({})) }),
  'a chain of thirty thousand nodes, each with a mesh': () =>
    file({
      nodes: repeat(30_000, (i) => ({ mesh: 0, ...(i < 29_999 ? { children: [i + 1] } : {}) })),
      meshes: [{ primitives: [{ attributes: {}, targets: [{}] }] }],
      skins: [{ joints: [15_000] }],
    }),
  'a skin of its own for each of four thousand nodes, among thirty thousand': () =>
    file({ nodes: repeat(30_000, () => ({})), skins: repeat(4000, (i) => ({ joints: [i] })) }),
  'thirty thousand separate nodes that all move': () => {
    const built = buildGltf(repeat(30_000, () => ({})));
    const input = built.accessor(one, 'SCALAR');
    const output = built.accessor(new Float32Array(6), 'VEC3');
    const channels = repeat(30_000, (node) => ({ sampler: 0, target: { node, path: 'translation' } }));
    built.json.animations = [{ samplers: [{ input, output }], channels }];
    return built.glb();
  },
  'thirty thousand nodes that show one mesh of sixteen thousand morph targets': () =>
    file({
      nodes: repeat(30_000, () => ({ mesh: 0 })),
      meshes: [{ primitives: [{ attributes: {}, targets: repeat(16_000, () => ({})) }] }],
    }),
  'two hundred clips of the weights of sixteen thousand morph targets': () =>
    file({
      nodes: repeat(200, () => ({ mesh: 0 })),
      meshes: [{ primitives: [{ attributes: {}, targets: repeat(16_000, () => ({})) }] }],
      skins: [{ joints: [0] }],
      accessors: [1, 16_000].map((count) => ({ componentType: 5126, count, type: 'SCALAR' })),
      animations: repeat(200, (node) => ({
        samplers: [{ input: 0, output: 1 }],
        channels: [{ sampler: 0, target: { node, path: 'weights' } }],
      })),
    }),
  'two hundred thousand primitives': () =>
    file({
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: repeat(200_000, () => ({ attributes: {} })) }],
      skins: [{ joints: [0] }],
    }),
  'accessors without bytes that claim a gigabyte each': () => {
    const keys = { componentType: 5126, count: 2 ** 24 };
    return file({
      nodes: [{}],
      skins: [{ joints: [0] }],
      accessors: repeat(40, (i) => ({ ...keys, type: i % 2 === 0 ? 'SCALAR' : 'VEC4' })),
      animations: repeat(20, (i) => ({
        samplers: [{ input: 2 * i, output: 2 * i + 1 }],
        channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
      })),
    });
  },
  'ten thousand channels that share a megabyte': () => {
    const built = buildGltf(repeat(10_000, () => ({})));
    built.json.skins = [{ joints: repeat(10_000, (i) => i) }];
    const input = built.accessor(
      Float32Array.from({ length: 60_000 }, (_, i) => i),
      'SCALAR',
    );
    const output = built.accessor(new Float32Array(240_000).fill(0.5), 'VEC4');
    built.json.animations = [
      {
        samplers: [{ input, output }],
        channels: repeat(10_000, (node) => ({ sampler: 0, target: { node, path: 'rotation' } })),
      },
    ];
    return built.glb();
  },
  'ten thousand accessors over one megabyte': () => {
    const built = buildGltf(repeat(10_000, () => ({})));
    built.json.skins = [{ joints: repeat(10_000, (i) => i) }];
    const input = built.accessor(
      Float32Array.from({ length: 60_000 }, (_, i) => i),
      'SCALAR',
    );
    const bufferView = built.view(new Float32Array(240_000).fill(0.5));
    const outputs = repeat(10_000, () => {
      built.json.accessors.push({ bufferView, componentType: 5126, count: 60_000, type: 'VEC4' });
      return built.json.accessors.length - 1;
    });
    built.json.animations = [
      {
        samplers: outputs.map((output) => ({ input, output })),
        channels: repeat(10_000, (i) => ({ sampler: i, target: { node: i, path: 'rotation' } })),
      },
    ];
    return built.glb();
  },
  'twenty thousand nodes that show one mesh of fifty thousand vertices': () => {
    const built = buildGltf([
      { children: repeat(20_000, (i) => i + 1) },
      ...repeat(20_000, () => ({ mesh: 0 })),
    ]);
    const position = built.accessor(new Float32Array(150_000).fill(1), 'VEC3');
    built.json.meshes = [{ primitives: [{ attributes: { POSITION: position } }] }];
    built.json.skins = [{ joints: [0] }];
    return built.glb();
  },
  'JSON nested a hundred thousand levels deep': () =>
    glbOf(
      `{"asset":{"version":"2.0"},"nodes":[{"translation":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`,
      new Uint8Array(0),
    ),
  'JSON nested deep in an extension': () =>
    glbOf(
      `{"asset":{"version":"2.0"},"extensions":{"x":${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}}}`,
      new Uint8Array(0),
    ),
  'a skin with two million joints': () =>
    file({ nodes: [{}], skins: [{ joints: repeat(2_000_000, () => 0) }] }),
  'meshopt views that claim 256 MB each': () => {
    const bin = new Uint8Array(64);
    const view = (i: number) => ({
      buffer: 0,
      byteLength: 4,
      extensions: {
        EXT_meshopt_compression: {
          ...{ buffer: 0, byteOffset: 0, byteLength: 64 - (i % 2), byteStride: 4 },
          ...{ mode: 'ATTRIBUTES', count: 2 ** 26 },
        },
      },
    });
    return file(
      {
        nodes: [{}],
        skins: [{ joints: [0] }],
        bufferViews: repeat(40, view),
        accessors: repeat(40, (bufferView) => ({
          bufferView,
          componentType: 5126,
          count: 1,
          type: 'SCALAR',
        })),
        animations: repeat(40, (input) => ({
          samplers: [{ input, output: 0 }],
          channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
        })),
      },
      bin,
    );
  },
};

describe('hostile files', () => {
  test.each(Object.keys(ATTACKS))('%s', async (name) => {
    const bytes = ATTACKS[name]!();
    // Time of the processor, not of the clock: other programs may keep it busy.
    const start = process.cpuUsage();
    // As many nodes as can be held: what more than the usual limit costs is looked at, too.
    const scene = await read(bytes, { limits: { joints: 2 ** 15 } }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(FormatError);
      return null;
    });
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(heldBytes(scene?.characters)).toBeLessThan(20 * bytes.length + 2 ** 26);
  });

  test('words of JavaScript are no words of the format', async () => {
    const built = buildGltf([{ name: 'a' }]);
    built.json.skins = [{ joints: [0] }];
    const input = built.accessor(one, 'SCALAR');
    const output = built.accessor(new Float32Array(6), 'VEC3');
    built.json.animations = ['constructor', '__proto__', 'toString'].map((word) => ({
      samplers: [
        { input, output, interpolation: word },
        { input, output },
      ],
      channels: [
        { sampler: 0, target: { node: 0, path: 'translation' } },
        { sampler: 1, target: { node: 0, path: word } },
      ],
    }));
    const scene = await read(built.glb());
    expect(scene.characters[0]!.clips).toEqual([]);
    expect(scene.warnings).toHaveLength(6);
  });

  test('one buffer file that many buffers name is fetched once', async () => {
    let fetched = 0;
    const json = {
      asset: { version: '2.0' },
      buffers: repeat(100, () => ({ byteLength: 4, uri: 'a.bin' })),
      nodes: [{}],
      skins: [{ joints: [0] }],
    };
    await read(new TextEncoder().encode(JSON.stringify(json)), {
      resolve: async () => {
        fetched++;
        return new Uint8Array(4);
      },
    });
    expect(fetched).toBe(1);
  });
});
