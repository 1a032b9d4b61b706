import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import type { Scene } from '@stuntdouble/core/engine';
import type { ReadOptions } from '@stuntdouble/formats';
import { sha256Of } from '../../batch/canonical-json.js';
import { type BatchFile, type Cell, plannedHash } from '../../batch/cell.js';
import { Failure } from '../../failure.js';
import { readScene } from '../../read-scene.js';
import { isBucketPlace } from '../store/object-store.js';
import { openStore } from '../store/open-store.js';
import { hashFile } from './hash-files.js';

/** Where the files of a cell are, and where its results go. */
type Places = {
  /** The folder that paths of sources and characters are counted from, or a place in a bucket. */
  base: string;
  folder: string;
  read: ReadOptions;
};

/**
 * Reads a file of a cell as it was when the batch was planned. A bucket is not asked again: what it holds is known by
 * tags, which it would have to be asked for one by one. A file that others are understood by is read from what was kept
 * of it where it is gone or has changed, since cells are planned by it that are none of its own.
 * @throws Failure where the file has changed since.
 */
export async function readPlanned(path: string, cell: Cell, places: Places): Promise<Scene> {
  const { base, folder, read } = places;
  const hash = plannedHash(cell, path);
  try {
    const scene = await readPlaced(path, places);
    if (!isBucketPlace(base) && hashFile(resolve(base, path), {}).sha256 !== hash)
      throw new Failure(`${path} has changed since the batch began; the same command does it again`);
    return scene;
  } catch (error) {
    const isSpeaker = cell.family.includes(path) && path !== cell.source && path !== cell.target;
    const kept = isSpeaker && hash !== undefined ? keptName({ path, sha256: hash }) : null;
    const store = await openStore(folder);
    if (kept === null || !(await store.head(kept))) throw error;
    return readScene(path, read, await store.get(kept));
  }
}

/** Reads a file of a batch: from a disk with what lies beside it, or from a bucket likewise. */
export async function readPlaced(
  path: string,
  { base, read }: Pick<Places, 'base' | 'read'>,
): Promise<Scene> {
  if (!isBucketPlace(base)) return readScene(path, read, resolve(base, path));
  const store = await openStore(base);
  const beside = (name: string) => {
    const key = posix.join(posix.dirname(path), decodeURIComponent(name));
    if (key.split('/').includes('..') || posix.isAbsolute(key))
      throw new Failure(`${path} names ${name}, which lies outside its bucket`);
    return store.get(key);
  };
  return readScene(path, { ...read, resolve: beside }, await store.get(path));
}

/** Where files are kept that others are understood by, below the folder of a batch. */
const FAMILIES = '.stuntdouble/families';

/** What is kept of a file that others are understood by, below the folder of a batch; null for a hash that is none. */
function keptName({ path, sha256 }: Pick<BatchFile, 'path' | 'sha256'>): string | null {
  // It may come out of a queue: nothing else becomes part of a path.
  if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
  return `${FAMILIES}/${sha256}${posix.extname(path).replace(/[^.\w]/g, '')}`;
}

/**
 * Keeps the files that cells of others are understood by, so that these can be done though a file goes; what was kept for
 * cells that are none any more is removed from a disk. A file that names others beside it is not kept: it would be nothing
 * without them.
 */
export async function keepFamilies(
  cells: readonly Cell[],
  { base, folder }: Omit<Places, 'read'>,
): Promise<void> {
  const speakers = new Map<string, string>();
  for (const cell of cells)
    for (const path of cell.family) {
      const name = keptName({ path, sha256: plannedHash(cell, path)! });
      if (name !== null) speakers.set(name, path);
    }
  if (!isBucketPlace(folder)) dropKept(folder, new Set(speakers.keys()));
  if (speakers.size === 0) return;
  const [from, to] = await Promise.all([openStore(base), openStore(folder)]);
  for (const [name, path] of speakers)
    try {
      if (await to.head(name)) continue;
      const bytes = await from.get(path);
      const isWhole = isBucketPlace(base)
        ? !/\.gltf$/i.test(path)
        : posix.basename(name).startsWith(await sha256Of(bytes));
      if (isWhole) await to.put(name, bytes);
    } catch {
      // It went before it could be kept, or there is no room for it: its cells say so if they need it.
    }
}

function dropKept(folder: string, used: ReadonlySet<string>): void {
  const place = join(folder, FAMILIES);
  if (!existsSync(place)) return;
  for (const name of readdirSync(place))
    if (!used.has(`${FAMILIES}/${name}`)) rmSync(join(place, name), { force: true });
}
