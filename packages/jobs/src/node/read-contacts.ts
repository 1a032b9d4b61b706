import { type ContactDocument, readContacts } from '@stuntdouble/core';
import { readJson } from './read-json.js';

/**
 * Reads the file that `--contacts` names, as `inspect --contacts -o` writes it.
 * @throws Failure that names the file and the place in it that is wrong.
 */
export function readContactsFile(path: string): Promise<ContactDocument> {
  return readJson(path, 'contacts', readContacts);
}
