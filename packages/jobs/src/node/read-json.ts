import { parseDocument } from '../documents/parse-document.js';
import { readFileBytes } from './read-file.js';

/**
 * Reads a JSON file and makes of it what `parse` does.
 * @param what What the file should be, for the sentence that says it is not: `a map`.
 * @throws Failure that names the file and what is wrong with it.
 */
export async function readJson<T>(path: string, what: string, parse: (json: unknown) => T): Promise<T> {
  return parseDocument({ name: path, bytes: await readFileBytes(path) }, what, parse);
}
