import { randomBytes } from 'node:crypto';
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure, sentenceOf, systemReasonOf } from './failure.js';

/**
 * Writes a file whole or not at all: into a temporary file beside it, which then takes its name. A file that
 * is there already stays as it was unless `force` is given.
 * @throws Failure that names the path and the reason.
 */
export async function writeWhole(
  path: string,
  content: Uint8Array | string,
  options: { force?: boolean } = {},
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    // Looked at as late as can be: hard links would close the gap, but not every file system has them.
    if (!options.force && (await stat(path).catch(() => null)))
      throw new Failure('it is there already (--force replaces it)');
    await rename(temporary, path);
  } catch (error) {
    throw new Failure(`cannot write ${path}: ${writeReasonOf(error) ?? sentenceOf(error)}`);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** Why a file could not be written, in words; null where the system did not refuse. */
export function writeReasonOf(error: unknown): string | null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'its folder is not there';
  return systemReasonOf(error);
}

/**
 * Says before any work is done that a file could not be written: its folder is missing or closed, it is a
 * folder itself, or it is there and `force` was not given.
 */
export async function checkWritable(path: string, force: boolean): Promise<void> {
  const folder = dirname(resolve(path));
  const info = await stat(folder).catch(() => null);
  if (!info) throw new Failure(`cannot write ${path}: its folder is not there`);
  if (!info.isDirectory()) throw new Failure(`cannot write ${path}: ${folder} is a file, not a folder`);
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw new Failure(`cannot write ${path}: ${systemReasonOf(error) ?? 'its folder is closed'}`);
  });
  const present = await stat(path).catch(() => null);
  if (present?.isDirectory()) throw new Failure(`cannot write ${path}: it is a folder`);
  if (present && !force) throw new Failure(`cannot write ${path}: it is there already (--force replaces it)`);
}

/** Whether two paths lead to one file, through links as well. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => resolve(path));
  return (await real(a)) === (await real(b));
}
