import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Work } from '../../state/use-work.js';
import { useView } from '../../state/view-store.js';
import { heatOf, nextSpot } from '../../timeline/heat.js';
import { jumpToSpot } from '../../timeline/spot-actions.js';
import { inWords, scalesInWords } from '../in-words.js';
import { later } from '../later.js';
import { MeasureRows } from './measure-rows.js';
import { cardOf } from './report-card.js';
import { VerdictLine } from './verdict-line.js';

/** All figures, fetched when somebody asks for them. */
const FiguresTable = later(async () => (await import('./figures-table.js')).FiguresTable);

/** The report card of the played clip, before and after the last step. */
export function ReportPanel({ work }: { work: Work }) {
  const { judged, solved, understanding, before } = work;
  const names = useView((state) => state.hiddenHeat);
  const [isOpen, setOpen] = useState(false);
  if (!work.target || !work.source) return <p className="quiet">Drop a motion and a character first.</p>;
  const heat = judged && heatOf(judged.curves, names);
  const spot = heat && nextSpot(heat, -1, 1);
  return (
    <>
      <VerdictLine work={work} />
      {judged && <MeasureRows now={cardOf(judged.measures)} before={before && cardOf(before.measures)} />}
      {spot !== null && spot !== undefined && (
        <p style={{ marginTop: 12 }}>
          <button type="button" className="button" onClick={() => jumpToSpot(1)}>
            Go to the next spot <span className="key">]</span>
          </button>
        </p>
      )}
      {judged && (
        <>
          <button
            type="button"
            className="group-head"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="clip">Every measure</span>
            <span className="value" />
            {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </button>
          {isOpen && <FiguresTable measures={judged.measures} />}
        </>
      )}
      {judged && Object.keys(judged.measures.motion.notMeasured).length > 0 && (
        <>
          <div className="section-head">Not measured</div>
          <table className="plain">
            <tbody>
              {Object.entries(judged.measures.motion.notMeasured).map(([name, why]) => (
                <tr key={name}>
                  <td className="quiet" style={{ width: 100 }}>
                    {inWords(name)}
                  </td>
                  <td>{why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {understanding && !understanding.failure && (
        <>
          <div className="section-head">How it was done</div>
          <table className="plain">
            <tbody>
              <Fact
                name="Source stands"
                text={`${understanding.source.kind}: ${understanding.source.reason}`}
              />
              <Fact
                name="Target stands"
                text={`${understanding.target.kind}: ${understanding.target.reason}`}
              />
              <Fact
                name="Root scales"
                text={`${scalesInWords(understanding.rootScales)}; ${understanding.rootScales.reason}`}
              />
              {solved && (
                <Fact
                  name="Keys"
                  text={
                    solved.way === 'frames'
                      ? `${solved.frames} frames baked${solved.reason ? `: ${solved.reason}` : ''}`
                      : solved.way === 'keys'
                        ? 'kept as they were'
                        : 'taken over whole: both skeletons are one'
                  }
                />
              )}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <tr>
      <td className="quiet" style={{ width: 100 }}>
        {name}
      </td>
      <td>{text}</td>
    </tr>
  );
}
