import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createRig,
  mirrorScene,
  type RetargetOptions,
  retarget,
  type Scene,
  UsageError,
} from '@stuntdouble/core';
import { read, readMeshes, rebind } from '@stuntdouble/formats';
import { WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { attempt, createVerdict, type FuzzCase, note, type Verdict } from './attempt.js';
import { judgeResult } from './judge-result.js';
import { judgeScene } from './judge-scene.js';
import { mutateBvh } from './mutate/mutate-bvh.js';
import { mutateBytes } from './mutate/mutate-bytes.js';
import { mutateFbx } from './mutate/mutate-fbx.js';
import { mutateGltf } from './mutate/mutate-gltf.js';
import { createRandom, type Random } from './random/random.js';
import { type FuzzedFormat, loadSeeds, readBareSample, readSample, type Seed, shortMotion } from './seeds.js';
import { writeAndRead } from './write-and-read.js';

type Mutate = (random: Random, bytes: Uint8Array, other: Uint8Array) => Uint8Array;

/** What knows how files of a kind are built; those of others are changed byte by byte. */
const MUTATIONS: Readonly<Partial<Record<FuzzedFormat, Mutate>>> = {
  gltf: mutateGltf,
  glb: mutateGltf,
  vrm: mutateGltf,
  vrma: mutateGltf,
  bvh: mutateBvh,
  'fbx-binary': mutateFbx,
  'fbx-ascii': mutateFbx,
};

/** Behind every so many files that can be read stand retargeting and writing. */
const DEEP_EVERY = 10;

/** What mutated files are retargeted with. */
type Company = { motions: Scene[]; characters: Scene[] };

/**
 * Opens a format: reads its seeds, and gives what makes its cases.
 * @param largest Seeds of more bytes are left out.
 * @param withData Whether files of `../shared/data` are seeds, too, where that folder is there.
 * @param deepEvery Behind which files retargeting and writing stand.
 */
export async function openFiles(
  format: FuzzedFormat,
  { largest = 300_000, withData = true, deepEvery = DEEP_EVERY } = {},
): Promise<(seed: number, index: number) => FuzzCase> {
  const seeds = await loadSeeds(format, largest, withData);
  const company: Company = {
    motions: [await shortMotion('motions/walk.glb'), await shortMotion('motions/wave-on-one-leg.glb')],
    characters: [
      await readBareSample('characters/goblin.glb'),
      await readBareSample('characters/mixamo-guy.glb'),
      await readBareSample('characters/child.glb'),
      await readSample('characters/vrm-girl.vrm'),
    ],
  };
  return (runSeed, index) => {
    const random = createRandom(runSeed, index);
    // Small files are taken more often: they are as odd and ten times faster.
    const seed = seeds[Math.floor(random.unit() ** 3 * seeds.length)]!;
    const other = random.pick(seeds).bytes;
    const mutate = (random.chance(0.8) && MUTATIONS[format]) || mutateBytes;
    const bytes = mutate(random, seed.bytes, other);
    return {
      from: seed.path,
      run: () => run(seed, bytes, index % deepEvery === 0 ? company : null, random),
      file: () => ({ bytes, extension: format.replace(/-.*/, '') }),
    };
  };
}

async function run(seed: Seed, bytes: Uint8Array, company: Company | null, random: Random): Promise<Verdict> {
  const verdict = createVerdict();
  const resolve = async (uri: string) => {
    // Buffers beside the seed; whatever else a mutated URI names is not there.
    if (!/^[\w.-]+\.bin$/.test(uri)) throw new UsageError('not there');
    return new Uint8Array(
      await readFile(join(dirname(seed.path), uri)).catch(() => {
        throw new UsageError('not there');
      }),
    );
  };
  const scene = await attempt(verdict, 'read', () => read(bytes, { name: 'mutated', resolve }));
  if (!scene) return verdict;
  const problem = judgeScene(scene);
  note(verdict, 'read', problem);
  if (!company) return verdict;
  await attempt(verdict, 'readMeshes', () => readMeshes(scene));
  for (const { skeleton, clips } of scene.characters)
    await attempt(verdict, 'createRig', () => createRig(skeleton, { clips }));
  const motion = random.pick(company.motions);
  const character = random.pick(company.characters);
  const options = fewOptions(random);
  if (random.chance(0.5)) await move(verdict, 'retarget from it', scene, character, options);
  else await move(verdict, 'retarget onto it', motion, scene, options);
  if (random.chance(0.25)) {
    await attempt(verdict, 'mirrorScene', () => mirrorScene(scene));
    const result = await attempt(verdict, 'rebind', () => rebind(motion, scene));
    if (result) {
      note(verdict, 'rebind', judgeResult(result));
      await writeAndRead(verdict, 'glb', result);
    }
  } else if (random.chance(1 / 3)) {
    // As it is, into every format.
    const clips = scene.characters[0]?.clips.slice(0, 2) ?? [];
    for (const extension of WRITTEN_EXTENSIONS)
      await writeAndRead(verdict, extension, { scene, character: 0, clips });
  }
  return verdict;
}

/** Retargets, and writes the result in every format. */
async function move(
  verdict: Verdict,
  step: string,
  source: Scene,
  target: Scene,
  options: RetargetOptions,
): Promise<void> {
  const result = await attempt(verdict, step, () => retarget(source, target, options));
  if (!result) return;
  note(verdict, step, judgeResult(result));
  for (const extension of WRITTEN_EXTENSIONS)
    await writeAndRead(verdict, extension, { ...result, clips: result.clips.slice(0, 2) });
}

/** No options most often; else one that changes the way that clips go. */
function fewOptions(random: Random): RetargetOptions {
  return random.pick<RetargetOptions>([
    {},
    {},
    {},
    { keys: 'bake' },
    { corrections: 'none' },
    { mirror: true },
    { rootMotion: 'apart' },
    { loop: true, reduce: true },
    { imitation: 'direction' },
    { translations: 'copied' },
  ]);
}
