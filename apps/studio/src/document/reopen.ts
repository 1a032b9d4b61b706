import { hashOfId } from '../engine/protocol.js';
import { openDocument, sampleDocument } from '../state/actions.js';
import { replaceDocument } from '../state/document-store.js';
import { dropFiles, keptDocument } from './file-store.js';

/** What is there on arrival: the work of the last visit, else a sample motion on a sample character. */
export async function arrive(fresh: boolean): Promise<void> {
  const kept = fresh ? null : await keptDocument();
  if (kept && (kept.source || kept.targets.length > 0)) {
    const refs = [...(kept.source ? [kept.source] : []), ...kept.targets];
    await openDocument(kept, refs);
    // What earlier steps needed cannot be reached any more.
    dropFiles(new Set(refs.map(({ sha256 }) => hashOfId(sha256))));
    return;
  }
  replaceDocument(await sampleDocument());
}
