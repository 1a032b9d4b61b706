import { accessSync, constants, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '@stuntdouble/core';
import { Failure, sentenceOf } from '../failure.js';
import { foldName } from '../output-paths.js';
import { systemReasonOf } from '../system-reason.js';

/** What writing may do to what is there already. */
export type WriteOptions = {
  /** Whether a file that is there is replaced; it stays and writing fails if not. */
  force?: boolean;
  /** Whether a link is written through, to what it leads to; it stays and writing fails if not. */
  writeThrough?: boolean;
};

/** Where a file goes, links followed, and the file that stands there now. */
export type OutputPlace = { path: string; present: Stats | null };

/** More links in a row than any system follows. */
const MOST_LINKS = 40;

/**
 * Finds where a file would be written, and refuses places that must not be touched: folders, devices, pipes, links
 * unless they are to be followed, and files that are there unless they are to be replaced.
 * @throws Failure that names the path and the reason.
 */
export function findOutputPlace(path: string, options: WriteOptions = {}): OutputPlace {
  try {
    let place = path;
    for (let links = 0; ; links++) {
      const present = lstatSync(place, { throwIfNoEntry: false }) ?? null;
      if (!present?.isSymbolicLink()) {
        refusePresent(present, options);
        return { path: place, present };
      }
      const to = readlinkSync(place);
      if (!options.writeThrough) {
        const isThere = statSync(place, { throwIfNoEntry: false }) !== undefined;
        throw new Failure(
          `it is a link to ${to}${isThere ? '' : ', which is not there'} (--write-through writes through it)`,
        );
      }
      if (links === MOST_LINKS) throw new Failure('its links go round in a circle');
      place = resolve(realpathSync(dirname(place)), to);
    }
  } catch (error) {
    throw new Failure(`cannot write ${path}: ${writeReasonOf(error)}`);
  }
}

function refusePresent(present: Stats | null, { force }: WriteOptions): void {
  if (!present) return;
  if (present.isDirectory()) throw new Failure('it is a folder');
  if (!present.isFile()) throw new Failure('it is no file but a device, a pipe or a socket');
  if (!force) throw new Failure('it is there already (--force replaces it)');
}

/** Why a file could not be written, in words. */
export function writeReasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'its folder is not there';
  return systemReasonOf(error) ?? sentenceOf(error);
}

/**
 * Says before any work is done that files could not be written: a folder is missing or closed, the place must not be
 * touched (see {@link findOutputPlace}), or two of them are one file.
 * @throws Failure, or UsageError where two paths name one file.
 */
export function checkOutputs(paths: readonly string[], options: WriteOptions = {}): void {
  const taken = new Map<string, string>();
  for (const path of paths) {
    const place = findOutputPlace(path, options).path;
    const folder = dirname(resolve(place));
    const info = statSync(folder, { throwIfNoEntry: false });
    if (!info) throw new Failure(`cannot write ${path}: its folder is not there`);
    if (!info.isDirectory()) throw new Failure(`cannot write ${path}: ${folder} is a file, not a folder`);
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw new Failure(`cannot write ${path}: ${writeReasonOf(error)}`);
    }
    const key = foldName(join(realpathSync(folder), basename(place)));
    const other = taken.get(key);
    if (other !== undefined)
      throw new UsageError(
        other === path
          ? `${path} is to be written twice; give two names`
          : `${other} and ${path} are one file, at least where case does not count; give two names`,
      );
    taken.set(key, path);
  }
}

/** Whether two paths lead to one file: through links, other names of the same file, and case that does not count. */
export function isSameFile(a: string, b: string): boolean {
  const identity = (path: string) => {
    try {
      const info = statSync(path, { bigint: true, throwIfNoEntry: false });
      return info ? `${info.dev}:${info.ino}` : resolve(path);
    } catch {
      return resolve(path);
    }
  };
  return identity(a) === identity(b);
}
