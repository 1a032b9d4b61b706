import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { BatchFile } from '../../batch/cell.js';
import { Failure } from '../../failure.js';
import { systemReasonOf } from '../../system-reason.js';

/** What was found of a file before: it is read again only where its size or its time has changed. */
export type KnownHashes = Record<string, { size: number; time: number; sha256: string; beside: string[] }>;

/**
 * Hashes the files of a batch, with every file that they name.
 * @param known What was found before; what is found now is added to it.
 * @throws Failure that names a file which cannot be read.
 */
export function hashFile(path: string, known: KnownHashes): BatchFile {
  const own = hashOne(path, known);
  const others = own.beside.map((name) => hashOne(join(dirname(path), name), known));
  const all = [own, ...others];
  const sha256 =
    others.length === 0
      ? own.sha256
      : createHash('sha256')
          .update(all.map((each) => each.sha256).join('\n'))
          .digest('hex');
  return { path, sha256, bytes: all.reduce((sum, { size }) => sum + size, 0) };
}

function hashOne(path: string, known: KnownHashes): KnownHashes[string] {
  try {
    const stats = statSync(path);
    // Reading a pipe waits, and reading a device may never end.
    if (!stats.isFile()) throw new Error('it is a folder, a pipe or a device, not a file');
    const { size, mtimeMs: time } = stats;
    const place = resolve(path);
    const before = known[place];
    if (before?.size === size && before.time === time) return before;
    const bytes = readFileSync(path);
    const found = {
      ...{ size, time },
      sha256: createHash('sha256').update(bytes).digest('hex'),
      beside: /\.(gltf|vrm)$/i.test(path)
        ? namedBeside(bytes).filter((name) => isBelow(dirname(path), name))
        : [],
    };
    known[place] = found;
    return found;
  } catch (error) {
    throw new Failure(`cannot read ${path}: ${systemReasonOf(error) ?? (error as Error).message}`);
  }
}

/** Buffers and pictures that a glTF of text names, as it names them; none where it is no such text. */
export function namedBeside(bytes: Uint8Array): string[] {
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes)) as {
      buffers?: { uri?: unknown }[];
      images?: { uri?: unknown }[];
    };
    return [...(json.buffers ?? []), ...(json.images ?? [])]
      .map(({ uri }) => uri)
      .filter((uri): uri is string => typeof uri === 'string' && !/^[a-z][a-z0-9+.-]*:/i.test(uri))
      .map((uri) => decodeURIComponent(uri));
  } catch {
    return [];
  }
}

/** Whether a file lies in a folder or below. What is not there, and what lies elsewhere, by its name or by a link, is told when the file is read. */
function isBelow(folder: string, name: string): boolean {
  try {
    const place = realpathSync(join(folder, name));
    return place.startsWith(`${realpathSync(folder)}${sep}`) && statSync(place).isFile();
  } catch {
    return false;
  }
}
