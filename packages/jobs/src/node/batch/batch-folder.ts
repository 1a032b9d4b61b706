import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type ManifestEntry, manifestCsv } from '../../batch/manifest.js';
import { Failure } from '../../failure.js';
import { jsonText } from '../../json-text.js';
import { systemReasonOf } from '../../system-reason.js';
import { createFolderStore } from '../store/folder-store.js';
import { openStore } from '../store/open-store.js';
import { writeWhole } from '../write-whole.js';
import type { KnownHashes } from './hash-files.js';
import type { KnownLooks } from './look-at-file.js';

/** The folder of a batch, held by one process at a time: its manifest, and what is remembered of files. */
export type BatchFolder = {
  readonly path: string;
  /** Where results go in a bucket, the folder being for what is remembered; they go to the folder if left out. */
  readonly bucket?: string;
  /** The last line of every cell, by key. */
  readonly entries: Map<string, ManifestEntry>;
  readonly hashes: KnownHashes;
  readonly looks: KnownLooks;
  /** Adds a line to the manifest, at once. */
  add(entry: ManifestEntry): void;
  /** Keeps what was seen of files, so that it need not be looked for again. */
  remember(): void;
  /** Writes the manifest anew, one line a cell, with its other forms, and remembers hashes. */
  settle(entries: readonly ManifestEntry[]): Promise<void>;
  close(): void;
};

const OWN = '.stuntdouble';

/**
 * Opens the folder of a batch, and makes it where it is not there.
 * @throws Failure where another process holds it.
 */
export function openBatchFolder(path: string): BatchFolder {
  const own = join(path, OWN);
  const lock = join(own, 'lock');
  try {
    mkdirSync(own, { recursive: true });
  } catch (error) {
    throw new Failure(`cannot write to ${path}: ${systemReasonOf(error) ?? (error as Error).message}`);
  }
  takeLock(lock, path);
  const lines = join(path, 'manifest.jsonl');
  const hashes = readJsonFile<KnownHashes>(join(own, 'hashes.json')) ?? {};
  const looks = readJsonFile<KnownLooks>(join(own, 'looks.json')) ?? {};
  const write = (name: string, text: string) => writeWhole(join(path, name), text, { force: true });
  return {
    path,
    entries: readEntries(lines),
    hashes,
    looks,
    add: (entry) => appendFileSync(lines, `${JSON.stringify(entry)}\n`),
    remember() {
      write(join(OWN, 'hashes.json'), JSON.stringify(hashes));
      write(join(OWN, 'looks.json'), JSON.stringify(looks));
    },
    async settle(entries) {
      write('manifest.jsonl', entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      write('manifest.json', jsonText({ version: 1, cells: entries }));
      write('manifest.csv', manifestCsv(entries));
      this.remember();
    },
    close: () => rmSync(lock, { force: true }),
  };
}

/** The forms of a manifest that a bucket has too. */
const MANIFESTS = ['manifest.jsonl', 'manifest.json', 'manifest.csv'];

/**
 * Opens a place in a bucket for the results of a batch. The manifest is kept in a folder of this machine while the batch
 * runs, since objects cannot be added to, and put into the bucket with the results; where the folder has none, that of
 * the bucket goes on.
 * @throws Failure where another process of this machine holds the folder, or the bucket cannot be read.
 */
export async function openBucketFolder(place: string, folder: string): Promise<BatchFolder> {
  const store = await openStore(place);
  const lines = join(folder, 'manifest.jsonl');
  if (!existsSync(lines) && (await store.head('manifest.jsonl')))
    await createFolderStore(folder).put('manifest.jsonl', await store.get('manifest.jsonl'));
  const local = openBatchFolder(folder);
  return {
    ...local,
    bucket: place,
    async settle(entries) {
      await local.settle(entries);
      for (const name of MANIFESTS)
        await store.put(name, readFileSync(join(folder, name)), { replace: true });
    },
  };
}

/** The lines of a manifest; one that was cut off when a process was ended is left out. */
function readEntries(path: string): Map<string, ManifestEntry> {
  const entries = new Map<string, ManifestEntry>();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return entries;
  }
  for (const line of text.split('\n'))
    try {
      const entry = JSON.parse(line) as ManifestEntry;
      if (typeof entry.key === 'string' && Array.isArray(entry.output)) entries.set(entry.key, entry);
    } catch {
      // The end of a file that was being written.
    }
  return entries;
}

function readJsonFile<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** Takes the lock of a folder; that of a process of this machine which is no more is taken over. */
function takeLock(lock: string, folder: string): void {
  const mine = { pid: process.pid, host: hostname() };
  for (let tries = 0; tries < 2; tries++)
    try {
      const file = openSync(lock, 'wx');
      writeSync(file, JSON.stringify(mine));
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new Failure(`cannot write to ${folder}: ${systemReasonOf(error) ?? (error as Error).message}`);
      const holder = readJsonFile<typeof mine>(lock);
      if (holder && (holder.host !== mine.host || (holder.pid !== mine.pid && isRunning(holder.pid))))
        throw new Failure(
          `${folder} is being written by another batch (process ${holder.pid} on ${holder.host}); wait for it, or remove ${lock} if it is no more`,
        );
      rmSync(lock, { force: true });
    }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
