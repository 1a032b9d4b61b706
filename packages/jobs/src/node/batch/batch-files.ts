import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { UsageError } from '@stuntdouble/core/engine';
import { sha256Of } from '../../batch/canonical-json.js';
import type { BatchFile } from '../../batch/cell.js';
import { Failure } from '../../failure.js';
import { isBucketPlace, readBucketPlace, type StoredObject } from '../store/object-store.js';
import { openStore } from '../store/open-store.js';
import type { BatchFolder } from './batch-folder.js';
import { hashFile, namedBeside } from './hash-files.js';
import { isReadName, listFiles } from './list-files.js';

/** Where the files of a batch are, on a disk or in a bucket. */
export type BatchFiles = {
  /** What paths of sources and characters are counted from. */
  base: string;
  /** What paths of results are counted from. */
  place: string;
  /** The files that arguments name, results of the batch left out, and why some of them cannot be read. */
  find(names: readonly string[]): Promise<{ files: BatchFile[]; unread: Map<string, unknown> }>;
  /** Whether a result is there with the bytes that it was written with. */
  isAsWritten(path: string, sha256: string | undefined): Promise<boolean>;
  isThere(path: string): boolean;
  /** What a result would be called that took the place of a file that is read; null where none could. */
  resultNameOf(path: string): string | null;
};

/** The files of a batch, by the place of its results. */
export async function findBatchFiles(folder: BatchFolder): Promise<BatchFiles> {
  return folder.bucket === undefined ? diskFiles(folder) : bucketFiles(folder.bucket, folder);
}

/** Results by their names below the folder of a batch, as its manifest has them. */
function resultsOf({ entries }: BatchFolder): Set<string> {
  return new Set([...entries.values()].flatMap(({ output }) => output));
}

function diskFiles(folder: BatchFolder): BatchFiles {
  const { hashes } = folder;
  const place = resolve(folder.path);
  // Counted from the folder that the batch's own stands in, so that both can be moved together.
  const base = dirname(place);
  return {
    base,
    place,
    async find(names) {
      const inBucket = names.find(isBucketPlace);
      if (inBucket !== undefined) throw new UsageError(mixedWords(inBucket));
      const unread = new Map<string, unknown>();
      const results = new Set([...resultsOf(folder)].map((path) => join(place, path)));
      const files = listFiles(names, (path) => path === place || results.has(path)).flatMap((typed) => {
        const path = relative(base, resolve(typed.path)).split(sep).join('/');
        try {
          return [{ ...hashFile(resolve(typed.path), hashes), path, below: typed.below }];
        } catch (error) {
          unread.set(path, error);
          return [];
        }
      });
      return { files, unread };
    },
    async isAsWritten(path, sha256) {
      const whole = join(place, path);
      if (!existsSync(whole)) {
        delete hashes[resolve(whole)];
        return false;
      }
      hashFile(whole, hashes);
      return hashes[resolve(whole)]!.sha256 === sha256;
    },
    isThere: (path) => existsSync(join(place, path)),
    resultNameOf(path) {
      const whole = join(base, path);
      // By whatever links it is named; a result takes the place of a link, not of what that leads to.
      const name = relative(realpathSync(place), join(realpathSync(dirname(whole)), basename(whole)));
      return name.startsWith('..') ? null : name.split(sep).join('/');
    },
  };
}

const mixedWords = (name: string) =>
  `${name}: a batch has all its files in one bucket, or all on disks; results go to --out s3://bucket/folder where sources come from a bucket`;

/** Files of a bucket are known by what the store says of them: nothing is read to be hashed. */
async function bucketFiles(place: string, folder: BatchFolder): Promise<BatchFiles> {
  const { bucket, prefix } = readBucketPlace(place);
  const base = `s3://${bucket}`;
  const store = await openStore(base);
  const results = await openStore(place);
  const there = new Map<string, StoredObject>();
  for await (const object of results.list('')) there.set(object.key, object);
  const written = resultsOf(folder);
  const resultNameOf = (key: string) =>
    prefix === '' ? key : key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : null;
  const isResult = (key: string) => (prefix === '' ? written.has(key) : resultNameOf(key) !== null);
  const tagOf = async (object: StoredObject): Promise<string> => {
    const tags = [object.tag];
    if (/\.gltf$/i.test(object.key))
      for (const name of namedIn(await store.get(object.key))) {
        const key = posix.join(posix.dirname(object.key), name);
        tags.push((await store.head(key))?.tag ?? '');
      }
    return sha256Of(tags.join('\n'));
  };
  return {
    base,
    place,
    async find(names) {
      const files = new Map<string, BatchFile>();
      for (const name of names) {
        if (!isBucketPlace(name) || readBucketPlace(name).bucket !== bucket)
          throw new UsageError(mixedWords(name));
        const { prefix: start } = readBucketPlace(name);
        const before = files.size;
        for await (const object of store.list(start)) {
          const { key, bytes } = object;
          const isNamed = key === start || start === '' || key.startsWith(`${start}/`);
          if (!isNamed || !isReadName(key) || isResult(key) || files.has(key)) continue;
          const below = key === start ? '' : posix.dirname(posix.relative(start, key)).replace(/^\.$/, '');
          files.set(key, { path: key, sha256: await tagOf(object), bytes, below });
        }
        if (files.size === before) throw new Failure(`${name}: no object in it can be read`);
      }
      const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
      return { files: sorted, unread: new Map() };
    },
    async isAsWritten(path, sha256) {
      return there.has(path) && (await results.head(path))?.sha256 === sha256;
    },
    isThere: (path) => there.has(path),
    resultNameOf,
  };
}

/** What a glTF of text names, as far as it lies beside or below it. */
function namedIn(bytes: Uint8Array): string[] {
  return namedBeside(bytes).filter((name) => !name.split('/').includes('..') && !posix.isAbsolute(name));
}
