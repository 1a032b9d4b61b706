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
import { type Clip, quaternionAngle, type Track } from '@stuntdouble/core/engine';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type * as three from 'three';
import { describe, expect, it } from 'vitest';
import { readGlbWithThree } from '../../../test/gltf-loader.js';
import { read } from '../../read.js';
import { writeBytes } from '../../write.js';
import { COMPRESSED_NUMBER, COMPRESSED_TURN_DEGREES } from './compress-clips.js';

const sample = (name: string) =>
  fileURLToPath(new URL(`../../../../../samples/files/${name}`, import.meta.url));
const scene = await read(sample('motions/climb.glb'));
const { skeleton, clips } = scene.characters[0]!;
const input = { scene, character: 0, clips };
const plain = { replace: true, meshes: false };
const write = async (extension: string, compress: boolean) =>
  (await writeBytes(extension, input, { ...plain, compress })).bytes;

/** How far the values of two lists of tracks are apart: turns in degrees, numbers as parts of themselves. */
function difference(a: readonly Track[], b: readonly Track[]): { turn: number; number: number } {
  const out = { turn: 0, number: 0 };
  expect(b.length).toBe(a.length);
  for (const [n, track] of a.entries()) {
    const other = b[n]!;
    expect([other.channel, other.values.length]).toEqual([track.channel, track.values.length]);
    expect([...other.times]).toEqual([...track.times]);
    if (track.channel === 'rotation')
      for (let i = 0; i < track.values.length; i += 4)
        out.turn = Math.max(out.turn, (180 / Math.PI) * quaternionAngle(track.values, i, other.values, i));
    else
      track.values.forEach((value, i) => {
        out.number = Math.max(out.number, Math.abs(other.values[i]! - value) / (Math.abs(value) || 1));
      });
  }
  return out;
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
  it('is a fraction of the plain one, and within the stated bound of it', async () => {
    const [before, after] = [await write(extension, false), await write(extension, true)];
    expect(after.length).toBeLessThan(0.45 * before.length);
    const tracks = async (bytes: Uint8Array) => (await read(bytes)).characters[0]!.clips[0]!.tracks;
    const { turn, number } = difference(await tracks(before), await tracks(after));
    expect(turn).toBeGreaterThan(0);
    expect(turn).toBeLessThanOrEqual(COMPRESSED_TURN_DEGREES);
    expect(number).toBeLessThanOrEqual(COMPRESSED_NUMBER);
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
    expect(worst).toBeLessThan(2e-4);
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
    expect(worst).toBeLessThan(2e-4);
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
