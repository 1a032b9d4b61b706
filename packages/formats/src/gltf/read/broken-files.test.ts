import { UsageError } from '@stuntdouble/core';
import { describe, expect, test } from 'vitest';
import { present, readData } from '../../../test/data-files.js';
import { buildGltf, glbOf } from '../../../test/gltf-builder.js';
import { FormatError } from '../../format-error.js';
import { read } from '../../read.js';
import { writeBytes } from '../../write.js';
import { readGlb } from '../glb.js';
import { readMeshes } from './read-meshes.js';

/** Reads, draws and writes; a FormatError (or a missing file) is a fine answer, anything else is not. */
async function survive(bytes: Uint8Array, replace: boolean): Promise<'read' | 'refused'> {
  try {
    const scene = await read(bytes);
    await readMeshes(scene);
    const [character] = scene.characters;
    if (character)
      await writeBytes('glb', { scene, character: 0, clips: character.clips.slice(0, 1) }, { replace });
    return 'read';
  } catch (error) {
    if (error instanceof FormatError || error instanceof UsageError) {
      expect(error.message).not.toContain('\n');
      expect(error.message.length).toBeLessThan(400);
      return 'refused';
    }
    throw error;
  }
}

/** Numbers that look random and are the same on every run (a linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const small = present([
  'samples/characters/vrm0-sister.vrm',
  'samples/formats/child-draco.glb',
  'samples/formats/goblin-meshopt.glb',
  'samples/formats/wave.vrma',
  'samples/motions/walk.glb',
  'vrm/test.vrma',
  'vrm/basic_armature_vrm1.vrm',
  'khronos/RiggedSimple.glb',
  'misc/viverse_run.glb',
  'misc/kenney_character.glb',
  'misc/viverse_mannequin.glb',
  'npm/xrengine_CyberbotRed.glb',
]);

describe('broken files give a FormatError or a scene', () => {
  test.each(small)('%s cut off anywhere', async (file) => {
    const bytes = readData(file);
    for (let part = 0; part < 20; part++)
      expect(await survive(bytes.slice(0, Math.floor((bytes.length * part) / 20)), false)).toBe('refused');
  });

  test.each(small)('%s with bytes changed at random', async (file) => {
    const random = createRandom(file.length);
    const source = readData(file);
    const answers = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const bytes = source.slice();
      for (let i = 0; i < 3; i++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      answers.add(await survive(bytes, random() < 0.5));
    }
    // The sample is worth something only if it reaches past the first check.
    expect(answers).toContain('read');
  });

  test.each(small)('%s with members of its JSON replaced at random', async (file) => {
    const random = createRandom(file.length + 1);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const { json, bin } = readGlb(readData(file));
    const text = new TextDecoder().decode(json);
    const values = ['null', '-1', '0', '3', '4294967296', '1e999', '0.5', '"x"', '[]', '{}', '[0]', 'true'];
    for (let round = 0; round < 60; round++) {
      const root: Record<string, unknown> = JSON.parse(text);
      let owner = root;
      for (;;) {
        const key = pick(Object.keys(owner));
        const member = owner[key];
        const isDeep = typeof member === 'object' && member !== null && Object.keys(member).length > 0;
        if (isDeep && random() < 0.9) {
          owner = member as Record<string, unknown>;
          continue;
        }
        owner[key] = '@@';
        break;
      }
      const broken = JSON.stringify(root).replace('"@@"', pick(values));
      await survive(glbOf(broken, bin ?? new Uint8Array(0)), random() < 0.5);
    }
  });
});

describe('lying lengths and counts', () => {
  const sentence = (bytes: Uint8Array) => read(bytes).then(String, (error: Error) => error.message);
  const animated = (accessor: Record<string, unknown>) => {
    const file = buildGltf([{ name: 'joint' }]);
    const bufferView = file.view(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
    file.json.accessors.push({ bufferView, componentType: 5126, count: 2, type: 'SCALAR' });
    file.json.accessors.push({ bufferView, componentType: 5126, count: 2, type: 'VEC3', ...accessor });
    file.json.animations = [
      {
        channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
        samplers: [{ input: 0, output: 1 }],
      },
    ];
    return file;
  };

  test('the lengths of a GLB', async () => {
    const whole = buildGltf([{}]).glb();
    const with32 = (at: number, value: number) => {
      const bytes = whole.slice();
      new DataView(bytes.buffer).setUint32(at, value, true);
      return bytes;
    };
    expect(await sentence(with32(8, 9999))).toContain('a length of 9999');
    expect(await sentence(with32(12, 9999))).toContain('a chunk of 9999 bytes');
    expect(await sentence(with32(4, 1))).toContain('version 1; expected version 2');
    expect(await sentence(with32(16, 7))).toContain('a JSON chunk');
    expect(await sentence(whole.slice(0, 11))).toContain('cut off');
  });

  test('chunks that were not padded are read', async () => {
    const file = animated({});
    file.json.extra = 'x';
    let json = JSON.stringify({ ...file.json, buffers: [{ byteLength: 32 }] });
    while (json.length % 4 !== 1) json += ' ';
    const padded = glbOf(json, file.buffer());
    // The JSON chunk ends where its text does, and the binary chunk follows at once.
    const bytes = new Uint8Array(padded.length - 3);
    bytes.set(padded.subarray(0, 20 + json.length));
    bytes.set(padded.subarray(23 + json.length), 20 + json.length);
    new DataView(bytes.buffer).setUint32(8, bytes.length, true);
    new DataView(bytes.buffer).setUint32(12, json.length, true);
    expect((await read(bytes)).characters[0]!.clips).toHaveLength(1);
  });

  test('accessors beyond their view, huge ones, and views beyond their buffer', async () => {
    const warningOf = async (accessor: Record<string, unknown>) =>
      (await read(animated(accessor).glb())).warnings[0]?.message;
    expect(await warningOf({})).toBeUndefined();
    expect(await warningOf({ count: 3 })).toContain('3 elements of 12 bytes');
    expect(await warningOf({ count: 2 ** 40 })).toContain('elements within the 32 bytes');
    expect(await warningOf({ count: 2 ** 40, bufferView: undefined })).toContain('without a buffer view');
    expect(await warningOf({ byteOffset: 12 })).toContain('from byte 12');
    expect(await warningOf({ bufferView: 9 })).toContain('one of 1 buffer views');
    expect(await warningOf({ componentType: 5130 })).toContain('found 5130');
    const beyond = animated({});
    beyond.json.bufferViews[0]!.byteLength = 33;
    expect((await read(beyond.glb())).warnings[0]!.message).toContain('within the 32 bytes of buffer 0');
  });

  test('a meshopt view that claims to unpack to more than memory', async () => {
    const file = animated({});
    file.json.bufferViews[0]!.extensions = {
      EXT_meshopt_compression: {
        buffer: 0,
        byteLength: 32,
        byteStride: 256,
        count: 2 ** 30,
        mode: 'ATTRIBUTES',
      },
    };
    expect((await read(file.glb())).warnings[0]!.message).toContain('unpacked bytes');
  });

  test('a long chain of nodes is read, an endless one refused', async () => {
    const chain = (count: number) => {
      const file = buildGltf(
        Array.from({ length: count }, (_, i) => (i + 1 < count ? { children: [i + 1] } : {})),
      );
      file.json.skins = [{ joints: [count - 1] }];
      return file.glb();
    };
    expect((await read(chain(1000))).characters[0]!.skeleton.names).toHaveLength(1000);
    expect(await sentence(chain(9000))).toContain('nested more than 1024 deep');
  });

  test('a skin whose matrices cannot be read is left out, not the motion', async () => {
    const file = buildGltf([{ name: 'a', children: [1] }, { name: 'b' }]);
    const input = file.accessor(Float32Array.of(0, 1), 'SCALAR');
    const output = file.accessor(new Float32Array(6), 'VEC3');
    file.json.accessors.push({ bufferView: 99, componentType: 5126, count: 2, type: 'MAT4' });
    file.json.skins = [{ joints: [0, 1], inverseBindMatrices: 2 }];
    const channels = [{ sampler: 0, target: { node: 1, path: 'translation' } }];
    file.json.animations = [{ name: 'go', samplers: [{ input, output }], channels }];
    const scene = await read(file.glb());
    expect(scene.characters[0]!.clips).toHaveLength(1);
    expect(scene.characters[0]!.skeleton.bind).toBeUndefined();
    expect(scene.warnings[0]!.message).toContain('Skin 0 was not read');
  });

  test('a buffer file that is a Git LFS pointer is called that', async () => {
    const file = buildGltf([{ name: 'a' }]);
    file.view(new Float32Array(1000));
    const pointer = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:0\n');
    await expect(read(file.gltf('a.bin'), { resolve: async () => pointer })).rejects.toThrow(
      'run git lfs pull',
    );
  });

  test('files of glTF 1.0 are refused by name', async () => {
    const file = buildGltf([{}]);
    file.json.asset = { version: '1.0' };
    expect(await sentence(file.glb())).toBe(
      'glTF, asset.version: found "1.0"; expected glTF 2.0; convert older files first',
    );
  });
});
