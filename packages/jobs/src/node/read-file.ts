import { createByteRoom, readWholeFile } from '@stuntdouble/formats';
import type { JobDocument } from '../documents/parse-document.js';
import { Failure, sentenceOf } from '../failure.js';
import { systemReasonOf } from '../system-reason.js';

/** Far beyond any map, recipe or script; what a document is parsed to takes many times its text. */
const MOST_BYTES = 2 ** 26;

/**
 * Reads a document that was named on the command line: a map, a recipe, a script. Folders, pipes and devices are
 * refused, and what goes on without end.
 * @throws Failure that names the path as it was typed.
 */
export async function readFileBytes(path: string): Promise<Uint8Array> {
  try {
    return await readWholeFile(path, createByteRoom(MOST_BYTES));
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Failure(`cannot read ${path}: ${systemReasonOf(cause) ?? sentenceOf(cause)}`);
  }
}

/** Reads a document as text of UTF-8, without a mark of the byte order. */
export async function readFileText(path: string): Promise<string> {
  return new TextDecoder().decode(await readFileBytes(path));
}

/** Reads a document that a job takes, where one was named. */
export async function readDocument(path: string | undefined): Promise<JobDocument | undefined> {
  return path === undefined ? undefined : { name: path, bytes: await readFileBytes(path) };
}
