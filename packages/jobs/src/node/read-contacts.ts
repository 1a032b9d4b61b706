import { type ContactDocument, readContacts } from '@stuntdouble/core';
import { Failure } from '../failure.js';
import { readJson } from './read-json.js';

/**
 * Reads the file that `--contacts` names, as `inspect --contacts -o` writes it.
 * @throws Failure that names the file and the place in it that is wrong.
 */
export function readContactsFile(path: string): Promise<ContactDocument> {
  return readJson(path, 'contacts', (json) => {
    if (typeof json === 'object' && json !== null && 'skeletons' in json)
      throw new Failure(
        'it is what "inspect --json" prints; "inspect FILE --contacts -o OUT" writes contacts',
      );
    return readContacts(json);
  });
}
