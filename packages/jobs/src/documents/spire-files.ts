import {
  chooseCharacter,
  createRig,
  type RetargetOptions,
  type Scene,
  type Setup,
  type Warning,
} from '@stuntdouble/core';
import {
  optionsOfSpireRetarget,
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

/** A setup as the bytes of a `.retarget` file, and what such a file cannot say of it. */
export function writeSpireFile(setup: Setup): { bytes: Uint8Array; warnings: Warning[] } {
  const { document, losses } = spireRetargetOf(setup);
  return {
    bytes: writeSpireRetarget(document),
    warnings: losses.map((message) => ({ code: 'retarget-file-loss', message })),
  };
}
