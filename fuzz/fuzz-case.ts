import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRig, type Scene, UsageError } from '@stuntdouble/core';
import { FormatError, read, writeBytes } from '@stuntdouble/formats';
import { mutateBvh } from './mutate-bvh.js';
import { mutateBytes } from './mutate-bytes.js';
import { mutateFbx } from './mutate-fbx.js';
import { mutateGltf } from './mutate-gltf.js';
import { createRandom } from './random.js';
import type { FuzzedFormat, Seed } from './seeds.js';

const MUTATIONS = { gltf: mutateGltf, bvh: mutateBvh, fbx: mutateFbx } as const;

/** One mutated file: the same for the same seeds, seed number and index. */
export type FuzzCase = { index: number; seed: Seed; bytes: Uint8Array };

/** Makes case `index` of a run. Small files are taken more often: they are as odd and ten times faster. */
export function makeCase(
  format: FuzzedFormat,
  seeds: readonly Seed[],
  runSeed: number,
  index: number,
): FuzzCase {
  const random = createRandom(runSeed, index);
  const seed = seeds[Math.floor(random.unit() ** 2 * seeds.length)]!;
  const other = random.pick(seeds).bytes;
  const mutate = random.chance(0.75) ? MUTATIONS[format] : mutateBytes;
  return { index, seed, bytes: mutate(random, seed.bytes, other) };
}

/** How a case ended: read, refused as it should be, or a fault of ours. */
export type Outcome = { kind: 'read' | 'refused' } | { kind: 'fault'; error: string };

/**
 * Reads a mutated file. Anything but a scene of sound numbers or a FormatError is a fault.
 * @param isDeep also understands what was read and writes it in other formats.
 */
export async function tryCase(
  { seed, bytes }: Pick<FuzzCase, 'seed' | 'bytes'>,
  isDeep: boolean,
): Promise<Outcome> {
  let scene: Scene;
  try {
    scene = await read(bytes, {
      name: 'mutated',
      // Buffers beside the seed; whatever else a mutated URI names is not there.
      resolve: async (uri) => {
        if (!/^[\w.-]+\.bin$/.test(uri)) throw new UsageError('not there');
        return new Uint8Array(await readFile(join(dirname(seed.path), uri)));
      },
    });
    const problem = problemOf(scene);
    if (problem) return { kind: 'fault', error: problem };
  } catch (error) {
    if (error instanceof FormatError) return { kind: 'refused' };
    return { kind: 'fault', error: describeError(error) };
  }
  if (!isDeep) return { kind: 'read' };
  try {
    for (const [character, { skeleton, clips }] of scene.characters.entries()) {
      createRig(skeleton, { clips });
      if (character > 0) continue;
      for (const extension of ['glb', 'bvh', 'vrma', 'fbx'])
        await writeBytes(extension, { scene, character, clips: clips.slice(0, 2) }).catch(
          (error: unknown) => {
            // A clip that is too long, a body without hips: said in one sentence.
            if (!(error instanceof UsageError)) throw error;
          },
        );
    }
  } catch (error) {
    return { kind: 'fault', error: `after reading: ${describeError(error)}` };
  }
  return { kind: 'read' };
}

/** What is unsound about a scene that was read: what a program that uses it would stumble over. */
function problemOf(scene: Scene): string | null {
  for (const { skeleton, clips } of scene.characters) {
    const count = skeleton.names.length;
    for (const [i, parent] of skeleton.parents.entries())
      if (parent >= i) return `joint ${i} has parent ${parent}`;
    for (const values of [skeleton.rest.translations, skeleton.rest.rotations, skeleton.rest.scales])
      if (!values.every(Number.isFinite)) return 'the rest pose is not finite';
    for (const { tracks } of clips)
      for (const { joint, channel, interpolation, times, values } of tracks) {
        if (!(joint >= 0 && joint < count)) return `a track moves joint ${joint} of ${count}`;
        if (!['translation', 'rotation', 'scale'].includes(channel))
          return `a track moves ${String(channel)}`;
        const size = (channel === 'rotation' ? 4 : 3) * (interpolation === 'cubic' ? 3 : 1);
        if (values.length !== size * times.length) return `${values.length} numbers for ${times.length} keys`;
        for (let k = 0; k < times.length; k++)
          if (!Number.isFinite(times[k]!) || (k > 0 && times[k]! < times[k - 1]!)) return 'times do not rise';
        for (let k = 0; k < values.length; k++)
          if (!Number.isFinite(values[k]!)) return 'a key is not finite';
      }
  }
  return null;
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = (error.stack ?? error.message).split('\n').slice(0, 4);
  return lines.map((line) => line.trim()).join(' | ');
}
