import { ArrowRight } from 'lucide-react';
import { Tip } from '../../controls/controls.js';
import type { CardRow } from './report-card.js';

/** Lines of a report card: what was, and what is. */
export function MeasureRows({ now, before }: { now: readonly CardRow[]; before: readonly CardRow[] | null }) {
  return (
    <div>
      <div className="section-head">
        <span>Report card</span>
        {before && <span className="plain quiet">before your last step → now</span>}
      </div>
      {now.map((row) => {
        const old = before?.find(({ name }) => name === row.name);
        const tone = row.grade === null || row.isWorse ? '' : ['good', 'warn', 'bad'][row.grade];
        return (
          <Tip key={row.name} text={row.summary}>
            <div
              className="measure-row"
              data-measure={row.name}
              data-moved={
                old !== undefined && old.value.toFixed(row.digits) !== row.value.toFixed(row.digits)
              }
            >
              <span className="clip">{row.title}</span>
              <span className="was">{old ? old.value.toFixed(row.digits) : ''}</span>
              {old ? <ArrowRight size={13} className="faint" aria-label="now" /> : <span />}
              <span className={`now ${tone}`}>
                {row.value.toFixed(row.digits)} <small>{row.unit}</small>
              </span>
            </div>
          </Tip>
        );
      })}
    </div>
  );
}
