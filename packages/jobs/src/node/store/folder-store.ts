import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { Failure, sentenceOf } from '../../failure.js';
import { systemReasonOf } from '../../system-reason.js';
import { writeWhole } from '../write-whole.js';
import type { ObjectStore, StoredObject } from './object-store.js';

/** Keeps objects as files of a folder, which is made when something is put. */
export function createFolderStore(folder: string): ObjectStore {
  const refused = (verb: string, key: string, error: unknown) =>
    new Failure(`cannot ${verb} ${join(folder, key)}: ${systemReasonOf(error) ?? sentenceOf(error)}`, {
      cause: error,
    });
  const head = (key: string): StoredObject | null => {
    const stats = statSync(join(folder, key), { throwIfNoEntry: false });
    return stats?.isFile() ? { key, bytes: stats.size, tag: `${stats.size}-${stats.mtimeMs}` } : null;
  };
  return {
    async get(key) {
      try {
        return readFileSync(join(folder, key));
      } catch (error) {
        throw refused('read', key, error);
      }
    },
    async put(key, bytes, { replace = false } = {}) {
      const path = join(folder, key);
      if (!replace && statSync(path, { throwIfNoEntry: false })) return false;
      try {
        mkdirSync(dirname(path), { recursive: true });
      } catch (error) {
        throw refused('write', key, error);
      }
      try {
        writeWhole(path, bytes, { force: replace });
        return true;
      } catch (error) {
        // Somebody else was faster.
        if (!replace && ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EEXIST')
          return false;
        throw error;
      }
    },
    async head(key) {
      const found = head(key);
      if (!found) return null;
      return {
        ...found,
        sha256: createHash('sha256')
          .update(readFileSync(join(folder, key)))
          .digest('hex'),
      };
    },
    async *list(prefix) {
      const all = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .filter((key) => key.startsWith(prefix))
        .sort();
      for (const key of all) {
        const found = head(key);
        if (found) yield found;
      }
    },
  };
}
