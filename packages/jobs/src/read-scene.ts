import { type Scene, UsageError } from '@stuntdouble/core';
import { type Limits, type ReadOptions, read, type Source } from '@stuntdouble/formats';
import { FILE_KINDS } from '@stuntdouble/formats/kinds';
import { Failure, sentenceOf } from './failure.js';
import { stemOf } from './output-paths.js';
import { systemReasonOf } from './system-reason.js';

/**
 * Reads the file of a job.
 * @param path What the file is called, for the sentence that says why it cannot be read.
 * @param content What is read; the path itself if left out.
 * @throws Failure that names the path as it was given, whatever went wrong; and what the signal throws, as it is.
 */
export async function readScene(
  path: string,
  options: ReadOptions = {},
  content: Source = path,
): Promise<Scene> {
  try {
    // Bytes have no name of their own, after which clips without one are called.
    const named = content instanceof Uint8Array || content instanceof ArrayBuffer;
    return await read(content, named ? { name: stemOf(path), ...options } : options);
  } catch (error) {
    options.signal?.throwIfAborted();
    // A path that is not there is the library's wrong use, but to a job it is a file that failed.
    if (error instanceof UsageError) throw new Failure(sentenceOf(error));
    throw new Failure(`cannot read ${path}: ${systemReasonOf(error) ?? sentenceOf(error)}`);
  }
}

/** Reads other files with the skeleton of a source. */
export async function readFamily(
  paths: readonly string[] | undefined,
  options: ReadOptions,
): Promise<Scene[]> {
  return Promise.all((paths ?? []).map((path) => readScene(path, options)));
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

/** A file's format as people call it. */
export function formatWord({ format }: Pick<Scene, 'format'>): string {
  return FILE_KINDS[format].title;
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
