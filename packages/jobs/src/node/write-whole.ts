import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.js';
import { findOutputPlace, type WriteOptions, writeReasonOf } from './output-place.js';
import { sweepTemporaryFiles, temporaryName } from './temporary-files.js';
import { beginFile, endFile } from './unfinished-files.js';

/** Bytes that are written at once. */
const CHUNK = 16 * 1024 * 1024;

/**
 * Writes a file whole or not at all, whatever happens meanwhile: into a temporary file beside it, which is on the
 * disk before it takes the name. Without `force` a file that is there stays, also one that another process put
 * there a moment ago; with it the new file gets mode and owner of the old. Every file of every command is written
 * here.
 *
 * All calls are synchronous: between two of them nothing else runs, so that a thread that is ended has either told
 * of its temporary file or not made it yet (`unfinished-files.ts`).
 * @throws Failure that names the path and the reason.
 */
export function writeWhole(path: string, content: Uint8Array | string, options: WriteOptions = {}): void {
  const place = findOutputPlace(path, options);
  const folder = dirname(place.path);
  sweepTemporaryFiles(folder);
  const temporary = join(folder, temporaryName());
  beginFile(temporary);
  try {
    fillFile(temporary, typeof content === 'string' ? Buffer.from(content) : content, place.present);
    if (options.force) renameSync(temporary, place.path);
    else linkNew(temporary, place.path);
    syncFolder(folder);
  } catch (error) {
    throw new Failure(`cannot write ${path}: ${writeReasonOf(error)}`, { cause: error });
  } finally {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // A later run sweeps it.
    }
    endFile(temporary);
  }
}

/** Makes a new file with all its bytes on the disk. One that will replace another is nobody else's until it is like it. */
function fillFile(path: string, bytes: Uint8Array, replaced: Stats | null): void {
  const file = openSync(path, 'wx', replaced ? 0o600 : 0o666);
  try {
    if (replaced) takeOwnerAndMode(file, replaced);
    for (let at = 0; at < bytes.byteLength; )
      at += writeSync(file, bytes, at, Math.min(CHUNK, bytes.byteLength - at));
    sync(file);
  } finally {
    closeSync(file);
  }
}

/** Bits that say who may read, write and run a file; those that lend its owner's rights are never passed on. */
const PERMISSIONS = 0o777;

function takeOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file);
  if (own.uid !== uid || own.gid !== gid)
    try {
      fchownSync(file, uid, gid);
    } catch {
      throw new Failure('it belongs to another user or group, which a new file would not; remove it first');
    }
  if ((own.mode & PERMISSIONS) !== (mode & PERMISSIONS)) fchmodSync(file, mode & PERMISSIONS);
}

/** What file systems without hard links, or that do not grant them, answer. */
const NO_LINKS = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV']);

/** Gives a file a name that nobody has, in one step: of two processes that try, one fails with EEXIST. */
function linkNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
    return;
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  // An empty file takes the name first, which only one process can make, and is then replaced.
  closeSync(openSync(path, 'wx'));
  beginFile(path);
  try {
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    endFile(path);
  }
}

/** What file systems answer that cannot put a file on the disk by request. */
const NO_SYNC = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EISDIR', 'EACCES']);

function sync(file: number): void {
  try {
    fsyncSync(file);
  } catch (error) {
    if (!NO_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Puts a new name on the disk, where folders can be opened for that (not on Windows). */
function syncFolder(folder: string): void {
  let file: number;
  try {
    file = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    sync(file);
  } finally {
    closeSync(file);
  }
}
