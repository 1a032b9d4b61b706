import { type Scene, UsageError } from '@stuntdouble/core';
import { type Limits, type ReadOptions, read } from '@stuntdouble/formats';
import { Failure, sentenceOf, systemReasonOf } from './failure.js';

/**
 * Reads a file that was named on the command line.
 * @throws Failure that names the path as it was typed, whatever went wrong.
 */
export async function readScene(path: string, options: ReadOptions = {}): Promise<Scene> {
  try {
    return await read(path, options);
  } catch (error) {
    // A path that is not there is the library's wrong use, but on the command line it is a file that failed.
    if (error instanceof UsageError) throw new Failure(sentenceOf(error));
    throw new Failure(`cannot read ${path}: ${systemReasonOf(error) ?? sentenceOf(error)}`);
  }
}

/** What the options of a command say of how files are read. */
export function readOptionsOf({
  followLinks,
  limit,
}: {
  followLinks?: boolean;
  limit?: Partial<Limits>;
}): ReadOptions {
  return { ...(followLinks && { followLinks }), ...(limit && { limits: limit }) };
}

/** The file formats as people call them. */
const FORMAT_WORDS: Readonly<Record<Scene['format'], string>> = {
  gltf: 'glTF',
  glb: 'GLB',
  vrm: 'VRM',
  vrma: 'VRM animation',
  bvh: 'BVH',
  fbx: 'FBX',
};

/** A file's format as people call it. */
export function formatWord(scene: Scene): string {
  return FORMAT_WORDS[scene.format];
}

/**
 * Makes sure that a file has a skeleton.
 * @throws Failure that says so in one sentence.
 */
export function requireSkeleton(path: string, scene: Scene): void {
  if (scene.characters.length > 0) return;
  throw new Failure(
    `${path} has no skeleton${scene.morphs.length > 0 ? ', only morph targets' : ''}: there is no body in it to retarget`,
  );
}
