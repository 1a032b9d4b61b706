import type { StudioDocument } from '../document/document.js';
import { chooseTab } from './actions.js';
import { redoDocument, seenAt, undoDocument, useDocument } from './document-store.js';
import { setView } from './view-store.js';

/** One step back, in the panel and with the joint at which the step was made: so one sees what is undone. */
export function undoStep(): void {
  const { past, present } = useDocument.getState().history;
  if (past.length === 0) return;
  undoDocument();
  goTo(present);
}

/** One step forward again, where it was made. */
export function redoStep(): void {
  if (useDocument.getState().history.future.length === 0) return;
  redoDocument();
  goTo(useDocument.getState().history.present);
}

function goTo(document: StudioDocument): void {
  const seen = seenAt(document);
  if (!seen) return;
  chooseTab(seen.tab);
  setView({ selection: seen.selection });
}
