import { currentDocument } from '../state/document-store.js';
import { saveFile } from './open-files.js';

/** Gives the person the document as a file: everything decided, with the names and hashes of the files. */
export function saveDocument(): void {
  const document = currentDocument();
  const name = document.targets[0]?.name.replace(/\.[^.]*$/, '') ?? 'work';
  saveFile(`${name}.stuntdouble.json`, JSON.stringify(document, null, 2), 'application/json');
}
