import {
  ImportMeshAsync,
  Logger,
  MeshoptCompression,
  NullEngine,
  type Quaternion,
  Scene,
} from '@babylonjs/core';
import '@babylonjs/loaders/glTF/index.js';
import { fileURLToPath } from 'node:url';
import type { Clip, Track } from '@stuntdouble/core/engine';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type * as three from 'three';
import { describe, expect, it } from 'vitest';
import { readGlbWithThree } from '../../../test/gltf-loader.js';
import { read } from '../../read.js';
import { writeBytes } from '../../write.js';
import { COMPRESSED_TIME } from './compress-clips.js';
import { COMPRESSED_PLACE, lookAtCompressed, placesApart, toleranceOf } from './compressed-body.js';

/** What a component of a turn of the fewest bits is off at most: √½ / 2^8 / 2, and what follows from it. */
const KEY_ERROR = 3e-3;

const sample = (name: string) =>
  fileURLToPath(new URL(`../../../../../samples/files/${name}`, import.meta.url));
const scene = await read(sample('motions/climb.glb'));
const { skeleton, clips } = scene.characters[0]!;
const input = { scene, character: 0, clips };
const plain = { replace: true, meshes: false };
const write = async (extension: string, compress: boolean) =>
  (await writeBytes(extension, input, { ...plain, compress })).bytes;

/** How far weights of two lists are apart, as parts of themselves, and times, as parts of the last one. */
function timesApart(a: readonly Track[], b: readonly Track[]): number {
  let worst = 0;
  expect(b.map(({ channel, values }) => [channel, values.length])).toEqual(
    a.map(({ channel, values }) => [channel, values.length]),
  );
  for (const [n, { times }] of a.entries()) {
    const other = b[n]!.times;
    times.forEach((time, k) => {
      worst = Math.max(worst, Math.abs(other[k]! - time) / times.at(-1)!);
      if (k > 0) expect(other[k]).toBeGreaterThan(other[k - 1]!);
    });
  }
  return worst;
}

const split = (values: ArrayLike<number>, size: number) =>
  Array.from({ length: values.length / size }, (_, n) => Array.from(values).slice(size * n, size * (n + 1)));

/** How far keys are apart at most, a turn being the same by either sign. */
function worstOf(a: readonly number[][][], b: readonly number[][][]): number {
  let worst = 0;
  for (const [t, keys] of a.entries())
    for (const [k, key] of keys.entries()) {
      const other = b[t]![k]!;
      const sign = key.length === 4 && key.reduce((sum, value, i) => sum + value * other[i]!, 0) < 0 ? -1 : 1;
      for (const [i, value] of key.entries()) worst = Math.max(worst, Math.abs(value - sign * other[i]!));
    }
  return worst;
}

describe.each(['glb', 'vrma'])('a compressed .%s', (extension) => {
  it('is a fraction of the plain one, and no joint is off by more than the stated bound', async () => {
    const [before, after] = [await write(extension, false), await write(extension, true)];
    expect(after.length).toBeLessThan(0.4 * before.length);
    const bodyOf = async (bytes: Uint8Array) => (await read(bytes)).characters[0]!;
    const [plain, packed] = [await bodyOf(before), await bodyOf(after)];
    const [a, b] = [plain, packed].map(({ clips: [clip] }) => clip!) as [Clip, Clip];
    expect(timesApart(a.tracks, b.tracks)).toBeLessThanOrEqual(COMPRESSED_TIME);
    const { size } = lookAtCompressed(plain.skeleton);
    expect(size).toBeGreaterThan(1);
    const off = placesApart(plain.skeleton, a.tracks, b.tracks, a.duration);
    expect(off).toBeGreaterThan(0);
    expect(off).toBeLessThanOrEqual(COMPRESSED_PLACE * size * (1 + 1e-6));
  });
});

describe('a body whose clips are compressed', () => {
  it('is off by a millimetre at most where its longest side is 2 m, as help and docs say', () => {
    expect(2 * COMPRESSED_PLACE).toBeLessThanOrEqual(0.001);
  });

  it('has finer turns the more hangs on a joint, whatever unit it is in', () => {
    const { names } = skeleton;
    const body = lookAtCompressed(skeleton);
    const at = (name: string) => names.findIndex((each) => each.endsWith(name));
    const allowed = (joint: number) => toleranceOf(body, joint, 'rotation', 0.001);
    expect(at('Hips')).toBeGreaterThanOrEqual(0);
    expect(allowed(at('Hips'))).toBeLessThan(allowed(at('LeftArm')));
    expect(allowed(at('LeftArm'))).toBeLessThan(allowed(at('LeftHand')));
    // A hundred times as large in its own numbers, and a hundredth outside: the same body.
    const { rest } = skeleton;
    const centimetres = lookAtCompressed({
      ...skeleton,
      container: skeleton.container.map((value, n) => (n < 12 ? value / 100 : value)) as never,
      rest: { ...rest, translations: rest.translations.map((value) => 100 * value) },
    });
    expect(centimetres.size).toBeCloseTo(body.size, 9);
    expect(toleranceOf(centimetres, at('Hips'), 'translation', 0.001)).toBeCloseTo(
      100 * toleranceOf(body, at('Hips'), 'translation', 0.001),
      9,
    );
  });
});

describe('a compressed clip', () => {
  const turnsOf = ({ tracks }: three.AnimationClip) =>
    tracks.filter(({ name }) => name.endsWith('.quaternion')).sort((a, b) => (a.name < b.name ? -1 : 1));

  it('is read by three.js to the same keys as the plain one', async () => {
    const [before, after] = [
      await readGlbWithThree(await write('glb', false)),
      await readGlbWithThree(await write('glb', true)),
    ];
    const [a, b] = [turnsOf(before.clips[0]!), turnsOf(after.clips[0]!)];
    expect(b.map(({ name }) => name)).toEqual(a.map(({ name }) => name));
    const worst = worstOf(
      a.map(({ values }) => split(values, 4)),
      b.map(({ values }) => split(values, 4)),
    );
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(KEY_ERROR);
  });

  it('is read by Babylon.js to the same keys as the plain one', async () => {
    Logger.LogLevels = Logger.NoneLogLevel;
    await MeshoptDecoder.ready;
    // Its own decoder is fetched from a host; this is the same one.
    Object.assign(MeshoptCompression, {
      _Default: {
        decodeGltfBufferAsync: async (
          bytes: Uint8Array,
          count: number,
          stride: number,
          mode: string,
          filter?: string,
        ) => {
          const out = new Uint8Array(count * stride);
          MeshoptDecoder.decodeGltfBuffer(out, count, stride, bytes, mode, filter);
          return out;
        },
      },
    });
    const keysOf = async (bytes: Uint8Array) => {
      const stage = new Scene(new NullEngine());
      const { animationGroups } = await ImportMeshAsync(bytes, stage, { pluginExtension: '.glb' });
      return animationGroups[0]!.targetedAnimations
        .filter(({ animation }) => animation.targetProperty === 'rotationQuaternion')
        .map(
          ({ target, animation }) =>
            [
              `${(target as { name: string }).name} ${animation.targetProperty}`,
              animation.getKeys().map(({ value }) => (value as Quaternion).asArray() as number[]),
            ] as const,
        )
        .sort(([a], [b]) => (a < b ? -1 : 1));
    };
    const [a, b] = [await keysOf(await write('glb', false)), await keysOf(await write('glb', true))];
    expect(b.map(([name]) => name)).toEqual(a.map(([name]) => name));
    const worst = worstOf(
      a.map(([, keys]) => keys),
      b.map(([, keys]) => keys),
    );
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(KEY_ERROR);
  });

  it('keeps cubic keys exact, and clips that stand beside it in the file', async () => {
    const cubic: Clip = {
      ...{ name: 'cubic', duration: 1, morphs: [] },
      tracks: [
        {
          ...{ joint: 1, channel: 'rotation' as const, interpolation: 'cubic' as const },
          times: Float64Array.of(0, 1),
          values: Float64Array.of(
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            1,
            0.5,
            0,
            0,
            0,
            0.25,
            0,
            0,
            0,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
          ),
        },
      ],
    };
    const { bytes } = await writeBytes('glb', { ...input, clips: [cubic] }, { compress: true });
    const again = (await read(bytes)).characters[0]!.clips;
    expect(again).toHaveLength(clips.length + 1);
    expect([...again.at(-1)!.tracks[0]!.values]).toEqual([...cubic.tracks[0]!.values]);
    expect(skeleton.names.length).toBeGreaterThan(1);
  });

  it('is refused where a format has none', async () => {
    await expect(write('bvh', true)).rejects.toThrow(/\.bvh has no compressed form; write \.glb or \.vrma/);
  });
});
