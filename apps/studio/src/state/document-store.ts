import { create } from 'zustand';
import { createDocument, type StudioDocument } from '../document/document.js';
import { commit, createHistory, type History, redo, undo } from '../document/history.js';
import { useView, type ViewState } from './view-store.js';

/** The document with its history; the only state that is undone. */
type DocumentState = { history: History<StudioDocument> };

/** The document's store. Read it with a selector; change it by {@link changeDocument}. */
export const useDocument = create<DocumentState>(() => ({ history: createHistory(createDocument()) }));

/** Where one looked when a document came about. */
const seen = new WeakMap<StudioDocument, Pick<ViewState, 'tab' | 'selection'>>();

/** The panel that was open, and the joint that was selected, when a document came about; null where that is not known. */
export function seenAt(document: StudioDocument): Pick<ViewState, 'tab' | 'selection'> | null {
  return seen.get(document) ?? null;
}

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
  useDocument.setState(({ history }) => {
    const next = change(history.present);
    const { tab, selection } = useView.getState();
    if (next !== history.present) seen.set(next, { tab, selection });
    return { history: commit(history, label, next, gesture) };
  });
}

/** Takes another document as it is, without a step: on arrival. */
export function replaceDocument(document: StudioDocument): void {
  useDocument.setState({ history: createHistory(document) });
}

/** Makes the document what it was meant to be, without a step: where another file stands in for one that is missing. */
export function amendDocument(document: StudioDocument): void {
  useDocument.setState(({ history }) => ({ history: { ...history, present: document } }));
}

/** One step back. */
export function undoDocument(): void {
  useDocument.setState(({ history }) => ({ history: undo(history) }));
}

/** One step forward again. */
export function redoDocument(): void {
  useDocument.setState(({ history }) => ({ history: redo(history) }));
}
