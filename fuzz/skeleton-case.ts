import {
  type Clip,
  createRetargeter,
  createRig,
  type Pose,
  poseAt,
  type RetargetOptions,
  retarget,
  type Scene,
  type Skeleton,
  setUpScenes,
} from '@stuntdouble/core';
import { WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { attempt, createVerdict, type FuzzCase, note, type Verdict } from './attempt.js';
import { judgePose, judgeResult } from './judge-result.js';
import { createRandom, type Random } from './random/random.js';
import { randomClip } from './random/random-clip.js';
import { randomOptions } from './random/random-options.js';
import { randomSkeletons } from './random/random-skeleton.js';
import { writeAndRead } from './write-and-read.js';

/** What a case of random skeletons is: two scenes, what is asked for, and how far it goes. */
type Parts = {
  source: Scene;
  target: Scene;
  options: RetargetOptions;
  /** The format that the result is written in; null for none. */
  written: string | null;
  from: string;
};

/** Every so many results are written, too, in one format after the other, and read again. */
const WRITTEN_EVERY = 10;

/** Makes case `index`: two random skeletons, clips of the one to be put on the other, and random options. */
export function makeSkeletonCase(seed: number, index: number): FuzzCase {
  const random = createRandom(seed, index);
  const [source, other] = randomSkeletons(random);
  // At times one skeleton, or two that are alike, so that keys are kept and clips taken over whole.
  const kind = random.unit();
  const target = kind < 0.12 ? source : kind < 0.24 ? structuredClone(source) : other;
  if (kind >= 0.18 && kind < 0.24) target.rest.rotations.set([0, 1, 0, 0], 0);
  const clips = Array.from({ length: random.chance(0.04) ? 0 : 1 + random.below(2) }, () =>
    randomClip(random, source),
  );
  const from = sceneOf('source', source, clips);
  const to = sceneOf('target', target, random.chance(0.2) ? [randomClip(random, target)] : []);
  if (random.chance(0.05)) from.characters.push({ skeleton: other, clips: [] });
  if (random.chance(0.1)) to.morphs.push({ mesh: 'face', names: ['happy', 'A'] });
  const options = randomOptions(random, from, to);
  const turn = index / WRITTEN_EVERY;
  const written = Number.isInteger(turn) ? WRITTEN_EXTENSIONS[turn % WRITTEN_EXTENSIONS.length]! : null;
  return caseOf(
    {
      source: from,
      target: to,
      options,
      written,
      from: `${source.names.length} to ${target.names.length} joints`,
    },
    index,
  );
}

function sceneOf(name: string, skeleton: Skeleton, clips: Clip[]): Scene {
  return { format: 'glb', name, characters: [{ skeleton, clips }], morphs: [], document: null, warnings: [] };
}

function caseOf(parts: Parts, liveSeed: number): FuzzCase {
  return {
    from: `${parts.from}, options ${Object.keys(parts.options).join(' ') || 'none'}`,
    run: () => run(parts, createRandom(liveSeed, 0)),
    file: () => ({ bytes: new TextEncoder().encode(textOf(parts)), extension: 'json' }),
    smaller: () => smallerParts(parts).map((each) => caseOf(each, liveSeed)),
  };
}

async function run({ source, target, options, written }: Parts, random: Random): Promise<Verdict> {
  const verdict = createVerdict();
  for (const { characters } of [source, target])
    await attempt(verdict, 'createRig', () =>
      createRig(characters[0]!.skeleton, { clips: characters[0]!.clips }),
    );
  const result = await attempt(verdict, 'retarget', () => retarget(source, target, options));
  if (result) {
    note(verdict, 'retarget', judgeResult(result));
    if (written !== null) await writeAndRead(verdict, written, result);
  }
  await playLive(verdict, source, target, options, random);
  return verdict;
}

/** Plays a few instants live: those of the clip, and poses of no clip. */
async function playLive(
  verdict: Verdict,
  source: Scene,
  target: Scene,
  options: RetargetOptions,
  random: Random,
): Promise<void> {
  const live = await attempt(verdict, 'live', () => {
    const { setup } = setUpScenes(source, target, options);
    return createRetargeter(setup, options.passes ? { passes: options.passes } : {});
  });
  if (!live) return;
  const { skeleton } = live.setup.source;
  const clip = source.characters.find(
    (character) => character.skeleton.names.length === skeleton.names.length,
  )?.clips[0];
  for (let n = 0; n < 6; n++) {
    const pose = await attempt(verdict, 'live', () => livePose(random, skeleton, clip, n));
    if (!pose) return;
    const seconds = random.pick([1 / 60, 1 / 60, 0, 1, 1e9, -1, Number.NaN]);
    const moved = await attempt(verdict, 'live', () => live.update(pose, seconds));
    if (!moved) return;
    const problem = judgePose(moved);
    note(verdict, 'live', problem);
    if (problem) return;
    const { translation, rotation } = live.rootMotion;
    if (![...translation, ...rotation].every(Number.isFinite))
      note(verdict, 'live', 'root motion is not finite');
    if (random.chance(0.1)) live.reset();
  }
}

function livePose(random: Random, skeleton: Skeleton, clip: Clip | undefined, n: number): Pose {
  const pose = clip ? poseAt(skeleton, clip, n / 20) : structuredClone(skeleton.rest);
  if (random.chance(0.15)) {
    const i = random.below(pose.rotations.length);
    pose.rotations[i] = random.pick([0, 5, 1e-30, 1e30, Number.NaN, Number.POSITIVE_INFINITY]);
  }
  if (random.chance(0.15)) {
    const i = random.below(pose.translations.length);
    pose.translations[i] = random.pick([0, 1e6, 1e30, 1e200, Number.NaN]);
  }
  return pose;
}

/** The same with less: one option, one clip, half of the tracks left out. */
function smallerParts(parts: Parts): Parts[] {
  const { source, options } = parts;
  const fewer: Parts[] = [];
  for (const name of Object.keys(options)) {
    const rest: Record<string, unknown> = { ...options };
    delete rest[name];
    fewer.push({ ...parts, options: rest });
  }
  const [first, ...others] = source.characters;
  const withClips = (clips: Clip[]): Parts => ({
    ...parts,
    source: { ...source, characters: [{ ...first!, clips }, ...others] },
  });
  const { clips } = first!;
  if (clips.length > 1)
    for (let n = 0; n < clips.length; n++) fewer.push(withClips(clips.filter((_, i) => i !== n)));
  for (const [n, clip] of clips.entries()) {
    const half = clip.tracks.length >> 1;
    if (clip.tracks.length > 1)
      for (const tracks of [clip.tracks.slice(0, half), clip.tracks.slice(half)])
        fewer.push(withClips(clips.map((each, i) => (i === n ? { ...clip, tracks } : each))));
  }
  return fewer;
}

/** A case as text. Numbers that JSON does not know are written as texts. */
function textOf({ source, target, options }: Parts): string {
  return JSON.stringify(
    { source, target, options },
    (_, value: unknown) => {
      if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
      if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
      return typeof value === 'function' ? 'a function' : value;
    },
    1,
  );
}
