import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { DATA_FOLDER, hasData } from '../../core/test/real-data.js';

/** Where the real files are, beside the repository. */
export const dataFolder = DATA_FOLDER;

/** Our own characters and motions. */
export const sampleFolder = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

/** Where a file stands: ours, as `samples/…`, in the repository, the others beside it. */
export function pathOf(file: string): string {
  const own = /^samples\/(.*)$/.exec(file);
  return own ? sampleFolder + own[1]! : dataFolder + file;
}

/** Those of a list that can be read here: ours, and the real ones where they are. */
export function present<T extends string | readonly [string, ...unknown[]]>(rows: readonly T[]): T[] {
  return rows.filter((row) => hasData || (typeof row === 'string' ? row : row[0]).startsWith('samples/'));
}

/** A temporary folder for one test file, gone when it has run. */
export type Folder = {
  path: string;
  /** The path of a name in the folder. */
  at(...names: string[]): string;
  /** Writes a file into the folder. @returns its path. */
  put(name: string, content: string | Uint8Array): Promise<string>;
};

/** Makes a temporary folder. */
export function createFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'stuntdouble-'));
  afterAll(() => rm(path, { recursive: true, force: true }));
  const at = (...names: string[]) => join(path, ...names);
  return {
    path,
    at,
    async put(name, content) {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), content);
      return at(name);
    },
  };
}
