import { UsageError } from '@stuntdouble/core';
import { nodeBuiltin } from './node-builtin.js';
import { reasonOf } from './read-whole-file.js';

/** What writing may do to what is there already. */
export type PutOptions = {
  /** Whether a file that is there is replaced, by one of its mode and owner; false if left out. */
  force?: boolean;
  /** Whether a link is written through, to what it leads to; if left out, a link is refused. */
  writeThrough?: boolean;
};

/** What is kept of a file that is replaced. Said here: who has this package need not have Node's types. */
type Stats = { mode: number; uid: number; gid: number };

/** Where a file goes, links followed where that is asked for, and what stands there. */
type Place = { path: string; present: Stats | null };

/** More links in a row than any system follows. */
const MOST_LINKS = 40;

/**
 * Finds where a file would be written.
 * @throws UsageError where that is a folder, a device, a link or a file that is to stay.
 */
export async function findPlace(path: string, { force, writeThrough }: PutOptions): Promise<Place> {
  const { lstat, readlink, realpath } = nodeBuiltin('node:fs').promises;
  const { dirname, resolve } = nodeBuiltin('node:path');
  let place = path;
  for (let links = 0; ; links++) {
    const present = await lstat(place).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return null;
      throw new UsageError(`cannot write "${path}": ${reasonOf(cause)}`, { cause });
    });
    if (!present?.isSymbolicLink()) {
      if (present?.isDirectory()) throw new UsageError(`cannot write "${path}": it is a folder`);
      if (present && !present.isFile())
        throw new UsageError(`cannot write "${path}": it is no file but a device, a pipe or a socket`);
      if (present && !force) throw new UsageError(`"${path}" exists; pass force to replace it`);
      return { path: place, present };
    }
    if (!writeThrough)
      throw new UsageError(`"${path}" is a link; pass writeThrough to write what it leads to`);
    if (links === MOST_LINKS) throw new UsageError(`cannot write "${path}": its links go round in a circle`);
    place = resolve(await realpath(dirname(place)), await readlink(place));
  }
}

/**
 * A new name for a temporary file, of the kind that every command looks for and removes once it is a day old: a
 * process that is killed outright leaves one. The zeros stand for a system that is not told.
 */
function temporaryName(): string {
  const { pid } = (globalThis as { process?: { pid?: number } }).process ?? {};
  const chance = () =>
    Math.floor(Math.random() * 0x1000000)
      .toString(16)
      .padStart(6, '0');
  return `.stuntdouble-00000000-${pid ?? 0}-${chance()}${chance()}.tmp`;
}

/**
 * Puts bytes into a file, whole or not at all: into a temporary file beside it, which is on the disk before it takes
 * the name. Without `force` a file that has appeared since stays.
 * @throws UsageError that names the path and the reason.
 */
export async function putFile(path: string, bytes: Uint8Array, options: PutOptions): Promise<void> {
  const { link, open, rename, rm } = nodeBuiltin('node:fs').promises;
  const { path: place, present } = await findPlace(path, options);
  const { dirname, join } = nodeBuiltin('node:path');
  const temporary = join(dirname(place), temporaryName());
  try {
    // One that will replace another is nobody else's until it is like it.
    const file = await open(temporary, 'wx', present ? 0o600 : 0o666);
    try {
      if (present) {
        const own = await file.stat();
        if (own.uid !== present.uid || own.gid !== present.gid) await file.chown(present.uid, present.gid);
        await file.chmod(present.mode & 0o777);
      }
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (options.force) await rename(temporary, place);
    else
      await link(temporary, place).catch(async (cause: NodeJS.ErrnoException) => {
        if (cause.code === 'EEXIST') throw cause;
        // Some file systems have no links: an empty file takes the name first, which only one process can make.
        await (await open(place, 'wx')).close();
        await rename(temporary, place);
      });
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new UsageError(
      isTaken
        ? `"${path}" exists; pass force to replace it`
        : `cannot write "${path}": ${reasonOf(cause).replace('file', 'folder')}`,
      { cause },
    );
  } finally {
    await rm(temporary, { force: true });
  }
}
