import { create } from 'zustand';
import { createDocument, type StudioDocument } from '../document/document.js';
import { commit, createHistory, type History, redo, undo } from '../document/history.js';

/** The document with its history; the only state that is undone. */
type DocumentState = { history: History<StudioDocument> };

/** The document's store. Read it with a selector; change it by {@link changeDocument}. */
export const useDocument = create<DocumentState>(() => ({ history: createHistory(createDocument()) }));

/** The document as it is now. */
export function currentDocument(): StudioDocument {
  return useDocument.getState().history.present;
}

/** Makes a step. @param gesture An id that all changes of a drag share. */
export function changeDocument(
  label: string,
  change: (document: StudioDocument) => StudioDocument,
  gesture: string | null = null,
): void {
  useDocument.setState(({ history }) => ({
    history: commit(history, label, change(history.present), gesture),
  }));
}

/** Takes another document as it is, without a step: on arrival and on opening a saved one. */
export function replaceDocument(document: StudioDocument): void {
  useDocument.setState({ history: createHistory(document) });
}

/** One step back. */
export function undoDocument(): void {
  useDocument.setState(({ history }) => ({ history: undo(history) }));
}

/** One step forward again. */
export function redoDocument(): void {
  useDocument.setState(({ history }) => ({ history: redo(history) }));
}
