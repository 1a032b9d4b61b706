import type { Scene } from '@stuntdouble/core';
import { FormatError, read } from '@stuntdouble/formats';
import { Failure, sentenceOf, systemReasonOf } from './failure.js';

/**
 * Reads a file that was named on the command line.
 * @throws Failure that names the path as it was typed, whatever went wrong.
 */
export async function readScene(path: string): Promise<Scene> {
  try {
    return await read(path);
  } catch (error) {
    const reason =
      error instanceof FormatError ? error.message : (systemReasonOf(error) ?? sentenceOf(error));
    throw new Failure(`cannot read ${path}: ${reason}`);
  }
}

/** The file formats as people call them. */
const FORMAT_WORDS: Readonly<Record<Scene['format'], string>> = {
  gltf: 'glTF',
  glb: 'GLB',
  vrm: 'VRM',
  bvh: 'BVH',
};

/** A file's format as people call it. */
export function formatWord(scene: Scene): string {
  return FORMAT_WORDS[scene.format];
}
