import { chooseTab } from '../../state/actions.js';
import type { Work } from '../../state/use-work.js';
import { useView } from '../../state/view-store.js';
import { scoreWords } from './report-card.js';

const WORDS = { good: 'Looks right', look: 'Worth a look', broken: 'Broken' } as const;

/** The verdict in one line: the figure, the word, the reason. */
export function VerdictLine({ work }: { work: Work }) {
  const { verdict, judged, before } = work;
  const tab = useView((state) => state.tab);
  if (work.sourceFacts && work.sourceFacts.clips.length === 0)
    return (
      <div className="verdict warn">
        <span className="score">…</span>
        <div style={{ minWidth: 0 }}>
          <h2>No motion yet</h2>
          <p>The source has no clips. Drop a file with a motion there; the map below holds for it, too.</p>
        </div>
      </div>
    );
  if (!verdict) return null;
  const tone = verdict.word === 'good' ? 'good' : verdict.word === 'broken' ? 'bad' : 'warn';
  return (
    <div className={`verdict ${tone}`}>
      <span className="score">{scoreWords(judged, verdict)}</span>
      <div style={{ minWidth: 0 }}>
        <h2>
          {judged || verdict.word === 'broken' ? WORDS[verdict.word] : 'Measuring'}
          {judged && before && before.verdict.verdict !== verdict.word && (
            <small className="quiet"> was: {WORDS[before.verdict.verdict].toLowerCase()}</small>
          )}
        </h2>
        <p>
          {judged || verdict.word === 'broken'
            ? verdict.reason
            : 'The result plays; its report is on the way.'}
        </p>
        {tab === 'report' && judged && verdict.reasons.length > 1 && (
          <ul className="reasons" aria-label="Further reasons">
            {verdict.reasons.slice(1).map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {tab !== 'report' && judged && (
          <button type="button" className="link-button" onClick={() => chooseTab('report')}>
            The whole report
          </button>
        )}
      </div>
    </div>
  );
}
