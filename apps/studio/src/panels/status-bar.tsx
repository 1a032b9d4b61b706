import { Check, CircleAlert, LoaderCircle, PencilLine, TriangleAlert } from 'lucide-react';
import { useDerived } from '../state/derived-store.js';
import { drivenWords, useNotes, useVerdictWords, useWork } from '../state/use-work.js';
import { setView, showsReference, useView } from '../state/view-store.js';
import { plainFailure } from './report/plain-reasons.js';

/** The line at the bottom: what was done, what is under way, what there is to know. */
export function StatusBar() {
  const work = useWork();
  const { solved, understanding, failure, document, job, clip } = work;
  const busy = useDerived((state) => state.busy);
  const draft = useDerived((state) => state.preview !== null) && !solved;
  const notes = useNotes();
  const verdicts = useVerdictWords(work);
  const reference = useView(showsReference);
  return (
    <footer className="status">
      <span role="status" data-state={failure ? 'failed' : solved ? 'exact' : draft ? 'draft' : 'working'}>
        {failure ? (
          <>
            <CircleAlert size={14} className="bad" aria-hidden />
            <span className="bad">Not solved</span>
          </>
        ) : solved ? (
          <>
            <Check size={14} className="good" aria-hidden />
            <span className="good">Exact</span>
          </>
        ) : !clip ? (
          'Waiting for a motion'
        ) : draft ? (
          <>
            <PencilLine size={14} className="warn" aria-hidden />
            <span className="warn">Draft</span>
          </>
        ) : job ? (
          <>
            <LoaderCircle size={14} aria-hidden />
            Working
          </>
        ) : (
          'Ready'
        )}
      </span>
      {failure && (
        <span className="clip" title={failure}>
          {plainFailure(failure)}
        </span>
      )}
      {solved && !failure && (
        <span className="wide-only">
          {solved.frames} {solved.way === 'frames' ? 'frames' : 'keys'} solved in{' '}
          {Math.max(1, Math.round(solved.milliseconds))} ms
        </span>
      )}
      {understanding && <span>{drivenWords(understanding)} joints driven</span>}
      {document.targets.length > 1 && (
        <span className="wide-only">
          {document.targets.length} characters{verdicts && `, ${verdicts}`}
        </span>
      )}
      {reference && <span className="wide-only">Reference pose is shown; motion is paused</span>}
      {busy && <span className="wide-only">{busy}</span>}
      <button
        type="button"
        className="end"
        style={{ display: 'flex', gap: 6, alignItems: 'center' }}
        onClick={() => setView({ bottom: 'console' })}
      >
        <TriangleAlert size={13} aria-hidden />
        {notes} {notes === 1 ? 'note' : 'notes'}
      </button>
      <span className="wide-only">Nothing leaves this machine</span>
    </footer>
  );
}
