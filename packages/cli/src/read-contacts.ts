import { readFile } from 'node:fs/promises';
import { type ContactDocument, readContacts } from '@stuntdouble/core';
import { Failure, sentenceOf, systemReasonOf } from './failure.js';

/**
 * Reads the file that `--contacts` names, as `inspect --contacts -o` writes it.
 * @throws Failure that names the file and the place in it that is wrong.
 */
export async function readContactsFile(path: string): Promise<ContactDocument> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure(`cannot read ${path}: ${systemReasonOf(error) ?? sentenceOf(error)}`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure(`cannot read ${path}: it is no JSON (${sentenceOf(error)})`);
  }
  try {
    return readContacts(json);
  } catch (error) {
    throw new Failure(`cannot read ${path} as contacts: ${sentenceOf(error)}`);
  }
}
