import { countChanged } from '../document/count-changed.js';
import { chooseTab } from '../state/actions.js';
import { drivenWords, useWork } from '../state/use-work.js';
import { type Tab, useView } from '../state/view-store.js';
import { later } from './later.js';
import { MapPanel } from './map/map-panel.js';
import { toldReference } from './pose/pose-actions.js';
import { MeasureRows } from './report/measure-rows.js';
import { cardOf, scoreWords } from './report/report-card.js';

const PosePanel = later(async () => (await import('./pose/pose-panel.js')).PosePanel);
const ReportPanel = later(async () => (await import('./report/report-panel.js')).ReportPanel);
const TunePanel = later(async () => (await import('./tune/tune-panel.js')).TunePanel);

/** The right panel: four tabs, each with a word on its state. */
export function Inspector() {
  const work = useWork();
  const tab = useView((state) => state.tab);
  const { understanding, judged, verdict, job, document, target } = work;
  const changed = job ? countChanged(job.recipe) : 0;
  const reference = target && toldReference(document, 'target', target.sha256);
  const edits = reference?.edits?.length ?? 0;
  const poseWords =
    edits > 0
      ? `${edits} edit${edits > 1 ? 's' : ''}`
      : reference && typeof reference.base === 'string'
        ? reference.base
        : reference
          ? 'a frame'
          : 'auto';
  const tabs: { tab: Tab; title: string; badge: string }[] = [
    { tab: 'map', title: 'Map', badge: drivenWords(understanding) || 'none yet' },
    { tab: 'pose', title: 'Pose', badge: poseWords },
    { tab: 'tune', title: 'Tune', badge: changed > 0 ? `${changed} changed` : 'as usual' },
    {
      tab: 'report',
      title: 'Report',
      badge: verdict?.word === 'broken' ? 'broken' : scoreWords(judged, verdict),
    },
  ];
  return (
    <>
      <div className="tabs" role="tablist" aria-label="Work">
        {tabs.map((entry) => (
          <button
            key={entry.tab}
            type="button"
            role="tab"
            id={`tab-${entry.tab}`}
            aria-selected={tab === entry.tab}
            aria-controls="inspector"
            tabIndex={tab === entry.tab ? 0 : -1}
            onClick={() => chooseTab(entry.tab)}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
              if (step === 0) return;
              event.stopPropagation();
              const at = tabs.findIndex((one) => one.tab === tab);
              const next = tabs[(at + step + tabs.length) % tabs.length]!.tab;
              chooseTab(next);
              window.document.getElementById(`tab-${next}`)?.focus();
            }}
          >
            {entry.title}
            <small className="clip" title={entry.badge}>
              {entry.badge}
            </small>
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className="scroll" role="tabpanel" id="inspector" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <div className="panel-body">
          {tab === 'map' && <MapPanel work={work} />}
          {tab === 'pose' && <PosePanel work={work} />}
          {tab === 'tune' && <TunePanel work={work} />}
          {tab === 'report' && <ReportPanel work={work} />}
        </div>
      </div>
      {tab === 'tune' && judged && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where the window is low
        <section className="pinned" aria-label="Report card" tabIndex={0}>
          <MeasureRows now={cardOf(judged.measures)} before={work.before && cardOf(work.before.measures)} />
        </section>
      )}
    </>
  );
}
