import {
  type Clip,
  chooseCharacter,
  createRig,
  type RetargetOptions,
  type Scene,
  type Setup,
  type Skeleton,
  type Warning,
} from '@stuntdouble/core';
import {
  optionsOfSpireRetarget,
  playSpireRetarget,
  readSpireRetarget,
  spireRetargetOf,
  writeSpireRetarget,
} from '@stuntdouble/formats';
import { Failure, sentenceOf } from '../failure.js';
import type { JobDocument } from './parse-document.js';

/** Whether a path names a `.retarget` file of SpireMiniEngine. */
export function isSpireFile(path: string | undefined): path is string {
  return path !== undefined && /\.retarget$/i.test(path);
}

/**
 * What a `.retarget` file says for two files: map, reference poses and root scales.
 * @throws Failure that names the file, where it is none or was made for other skeletons.
 */
export function readSpireOptions(
  { name: path, bytes }: JobDocument,
  source: Scene,
  target: Scene,
  { sourceSkeleton, targetSkeleton }: Pick<RetargetOptions, 'sourceSkeleton' | 'targetSkeleton'>,
): RetargetOptions {
  const rigOf = (scene: Scene, name: string | undefined) => {
    const { skeleton, clips } = scene.characters[chooseCharacter(scene, name).character]!;
    return createRig(skeleton, { clips });
  };
  try {
    const document = readSpireRetarget(bytes);
    return optionsOfSpireRetarget(document, rigOf(source, sourceSkeleton), rigOf(target, targetSkeleton));
  } catch (error) {
    throw new Failure(`cannot use ${path}: ${sentenceOf(error)}`);
  }
}

/** Options that choose files, clips and what is told; everything else changes a motion. */
const NO_CHANGE: ReadonlySet<string> = new Set([
  'clips',
  'sourceSkeleton',
  'targetSkeleton',
  'measure',
  'onProgress',
  'signal',
]);

/**
 * Whether a `.retarget` file is played as it stands (S9), by its stored offsets and inverse binds. It is not where the
 * user asks for anything that changes the motion: the engine then computes by the file's map and poses.
 */
export function isPlayedAsStored(typed: RetargetOptions): boolean {
  return Object.entries(typed).every(
    ([name, value]) =>
      value === undefined || NO_CHANGE.has(name) || (name === 'corrections' && value === 'none'),
  );
}

/**
 * The clips of a source as a `.retarget` file has them played on a target: nothing but its stored numbers counts.
 * @throws Failure that names the file.
 */
export function playSpireFile(
  { name: path, bytes }: JobDocument,
  source: Skeleton,
  target: Skeleton,
  clips: readonly Clip[],
): Clip[] {
  try {
    const document = readSpireRetarget(bytes);
    return clips.map((clip) => playSpireRetarget(document, source, target, clip));
  } catch (error) {
    throw new Failure(`cannot use ${path}: ${sentenceOf(error)}`);
  }
}

/** A setup as the bytes of a `.retarget` file, and what such a file cannot say of it. */
export function writeSpireFile(setup: Setup): { bytes: Uint8Array; warnings: Warning[] } {
  const { document, losses } = spireRetargetOf(setup);
  return {
    bytes: writeSpireRetarget(document),
    warnings: losses.map((message) => ({ code: 'retarget-file-loss', message })),
  };
}
