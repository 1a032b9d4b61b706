import { UsageError } from '@stuntdouble/core';
import { type ByteRoom, requireRoom } from './byte-room.js';
import { FormatError } from './format-error.js';
import { nodeBuiltin } from './node-builtin.js';

/** How much is asked for at once where a file does not say how long it is. */
const PIECE = 2 ** 16;
/** The most that is asked for at once: the system's own calls take no more than 2³¹ bytes. */
const LARGEST_PIECE = 2 ** 28;

/**
 * Reads a file whole, in Node. Folders, pipes, sockets and devices are refused without waiting for what may never
 * come out of them, and a file that goes on without end where the room ends.
 * @param room how many bytes there may be; what was read is added to it.
 * @param folder where the file must lie in the end, whatever links lead to it; null if anywhere.
 * @throws UsageError where it is not there, is no file, may not be read or lies elsewhere.
 * @throws FormatError where it is larger than there is room.
 */
export async function readWholeFile(
  path: string | URL,
  room: ByteRoom,
  folder: string | null = null,
): Promise<Uint8Array> {
  const shown = JSON.stringify(String(path).slice(0, 200));
  const { constants, promises } = nodeBuiltin('node:fs');
  try {
    // Looked at before it is opened: a pipe or a device would notice.
    refuseUnlessFile(await promises.stat(path));
    const handle = await promises.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      // And again: what is open now need not be what was there.
      const stats = await handle.stat();
      refuseUnlessFile(stats);
      if (folder !== null) await refuseOutside(path, stats, folder);
      requireRoom(room, stats.size, shown);
      const bytes = await readToEnd(handle, stats.size, room, shown);
      room.used += bytes.length;
      return bytes;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    throw new UsageError(`cannot read ${shown}: ${reasonOf(cause)}`, { cause });
  }
}

/** What is known of an open file. */
type Stats = Pick<
  import('node:fs').Stats,
  'dev' | 'ino' | 'size' | 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'
>;

/** A path that leads to something other than a file; the message says to what. */
class NoFile extends Error {}

function refuseUnlessFile(stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new NoFile('it is a folder');
  if (stats.isFIFO()) throw new NoFile('it is a pipe; save what comes out of it to a file first');
  throw new NoFile(stats.isSocket() ? 'it is a socket, not a file' : 'it is a device, not a file');
}

/**
 * Refuses an open file that does not lie in a folder or below it. Its place is looked up after it was opened, and
 * the file there must be the one that is open: a link that is changed in between leads to no other.
 */
async function refuseOutside(path: string | URL, opened: Stats, folder: string): Promise<void> {
  const { lstat, realpath } = nodeBuiltin('node:fs').promises;
  const { isAbsolute, relative } = nodeBuiltin('node:path');
  const { fileURLToPath } = nodeBuiltin('node:url');
  const place = await realpath(path instanceof URL ? fileURLToPath(path) : path);
  const way = relative(await realpath(folder), place);
  if (way === '' || way === '..' || /^\.\.[/\\]/.test(way) || isAbsolute(way))
    throw new NoFile('it is a link out of the folder; followLinks allows these');
  const there = await lstat(place);
  if (there.dev !== opened.dev || there.ino !== opened.ino) throw new NoFile('it changed while it was read');
}

/** The part of an open file that reading needs. */
type Handle = {
  read(buffer: Uint8Array, offset: number, length: number, position: null): Promise<{ bytesRead: number }>;
};

/** Reads until nothing more comes, which may be less or more than the size says: files of the system say 0. */
async function readToEnd(handle: Handle, size: number, room: ByteRoom, shown: string): Promise<Uint8Array> {
  // One more than there should be: the read that fills it all tells that it is all.
  let bytes = new Uint8Array(Math.max(size + 1, Math.min(PIECE, room.most - room.used + 1)));
  let length = 0;
  for (;;) {
    if (length === bytes.length) {
      requireRoom(room, length, shown);
      const larger = new Uint8Array(Math.min(2 * length, room.most - room.used + 1));
      larger.set(bytes);
      bytes = larger;
    }
    const wanted = Math.min(bytes.length - length, LARGEST_PIECE);
    const { bytesRead } = await handle.read(bytes, length, wanted, null);
    length += bytesRead;
    if (bytesRead === 0) break;
  }
  requireRoom(room, length, shown);
  return bytes.subarray(0, length);
}

/** What went wrong with a file, in words. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const words: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is no folder',
    EACCES: 'it may not be opened',
    EPERM: 'it may not be opened',
    ENOSPC: 'the disk is full',
    ENXIO: 'it is a socket or a device, not a file',
    EAGAIN: 'nothing comes out of it yet',
    ELOOP: 'its links go round in a circle',
    ENAMETOOLONG: 'the name is too long',
    ERR_INVALID_ARG_VALUE: 'the name holds a letter that no file can have',
  };
  return words[code] ?? (cause instanceof Error ? cause.message : String(cause));
}
