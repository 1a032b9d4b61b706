import { Failure, sentenceOf } from '../failure.js';

/** A document beside the two files of a job, such as a map or a recipe: what it is called, and its bytes. */
export type JobDocument = { name: string; bytes: Uint8Array };

/**
 * Makes of a JSON document what `parse` does.
 * @param what What it should be, for the sentence that says it is not: `a map`.
 * @throws Failure that names the document and what is wrong with it.
 */
export function parseDocument<T>({ name, bytes }: JobDocument, what: string, parse: (json: unknown) => T): T {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Failure(`cannot read ${name}: it is no JSON (${sentenceOf(error)})`);
  }
  try {
    return parse(json);
  } catch (error) {
    throw new Failure(`cannot read ${name} as ${what}: ${sentenceOf(error)}`);
  }
}
