import { Failure, sentenceOf } from './failure.js';
import { readFileText } from './read-file.js';

/**
 * Reads a JSON file and makes of it what `parse` does.
 * @param what What the file should be, for the sentence that says it is not: `a map`.
 * @throws Failure that names the file and what is wrong with it.
 */
export async function readJson<T>(path: string, what: string, parse: (json: unknown) => T): Promise<T> {
  const text = await readFileText(path);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure(`cannot read ${path}: it is no JSON (${sentenceOf(error)})`);
  }
  try {
    return parse(json);
  } catch (error) {
    throw new Failure(`cannot read ${path} as ${what}: ${sentenceOf(error)}`);
  }
}
