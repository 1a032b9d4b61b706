import { useDerived } from '../state/derived-store.js';
import { useDocument } from '../state/document-store.js';
import type { StudioDocument } from './document.js';
import { keepDocument } from './file-store.js';

/** Milliseconds of quiet after which the document is kept. */
const QUIET = 300;

/** Keeps the document in the browser whenever it has been left alone for a moment. */
export function startAutosave(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = async (document: StudioDocument) => {
    const kept = await keepDocument(document);
    useDerived.setState({ saved: kept ? 'saved' : 'not kept' });
  };
  return useDocument.subscribe(({ history }, before) => {
    if (history.present === before.history.present) return;
    useDerived.setState({ saved: 'saving' });
    clearTimeout(timer);
    timer = setTimeout(() => save(history.present), QUIET);
  });
}
