import { ChevronDown, ChevronRight, MousePointerClick, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Tip } from '../../controls/controls.js';
import { toggleMapping } from '../../keyboard.js';
import { CHAIN_COLORS, chainTitles } from '../../stage/colors.js';
import { resetMap } from '../../state/actions.js';
import type { Work } from '../../state/use-work.js';
import { setView, useView } from '../../state/view-store.js';
import { shortNames } from '../joint-names.js';
import { later, openedLater } from '../later.js';
import { partWords, withPartsInWords } from '../report/plain-reasons.js';
import { VerdictLine } from '../report/verdict-line.js';
import { type MapRow, mapGroups, SURE } from './map-rows.js';

const ChainsMenu = openedLater(async () => (await import('./chains-menu.js')).ChainsMenu);
const DriverMenu = openedLater(async () => (await import('./driver-menu.js')).DriverMenu);
const JointInfo = later(async () => (await import('./joint-info.js')).JointInfo);

/** Who drives whom, how sure that is, and why; to be mended by list or by clicking. */
export function MapPanel({ work }: { work: Work }) {
  const { sourceFacts, targetFacts, understanding } = work;
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Record<string, boolean>>({});
  const mapping = useView((state) => state.mapping);
  const selection = useView((state) => state.selection);
  const groups = useMemo(
    () =>
      sourceFacts?.skeleton && targetFacts?.skeleton && understanding
        ? mapGroups(sourceFacts, targetFacts, understanding, search)
        : [],
    [sourceFacts, targetFacts, understanding, search],
  );
  const changes = (work.target && work.document.own[work.target.sha256]?.map?.changes?.length) || 0;
  const chosen =
    mapping ??
    (selection?.side === 'target'
      ? selection.joint
      : selection
        ? (understanding?.map.joints.find(({ sources }) => sources.includes(selection.joint))?.target ?? -1)
        : -1);
  if (!work.target || !work.source)
    return <p className="quiet">Drop a motion and a character: then it stands here who drives whom.</p>;
  if (!understanding) return <p className="quiet">{work.failure ?? 'Finding out who drives whom …'}</p>;
  const titles = chainTitles(targetFacts?.points ?? {});
  const chosenName = shortNames(targetFacts?.skeleton?.names ?? [])[mapping ?? -1];
  return (
    <>
      <VerdictLine work={work} />
      <label className="field-search">
        <Search size={15} aria-hidden />
        <input
          type="search"
          id="map-search"
          placeholder="Joint, body part or reason"
          aria-label="Search the map"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      {mapping !== null && (
        <div className="banner" role="status">
          <MousePointerClick size={17} aria-hidden />
          {mapping < 0 ? (
            <span>
              <b>Click a joint of the character</b> that shall be driven by another one. Esc leaves off.
            </span>
          ) : (
            <span>
              <b>Click a joint of the source</b> that shall drive <b>{chosenName}</b>. Backspace takes its
              driver away, Esc leaves it as it was.
            </span>
          )}
        </div>
      )}
      <div style={{ marginTop: 10 }}>
        {groups.map(({ chain, rows, driven, total, isUnsure }) => {
          const isOpen =
            open[chain] ?? (isUnsure || search !== '' || rows.some(({ joint }) => joint === chosen));
          return (
            <section key={chain} className="group" aria-label={titles[chain]}>
              <button
                type="button"
                className="group-head"
                aria-expanded={isOpen}
                onClick={() => setOpen({ ...open, [chain]: !isOpen })}
              >
                <span className="dot" style={{ color: CHAIN_COLORS[chain] }} aria-hidden />
                <span className="clip">{titles[chain]}</span>
                <span className="value">
                  {total > 0
                    ? `${driven} of ${total} · ${isUnsure ? 'look here' : 'sure'}`
                    : `${rows.length} at rest`}
                </span>
                <ChevronRight
                  size={14}
                  aria-hidden
                  style={{ transform: isOpen ? 'rotate(90deg)' : 'none' }}
                />
              </button>
              {isOpen && (
                <ul aria-label={`Joints of ${titles[chain]}`}>
                  {rows.map((row) => (
                    <li key={row.joint}>
                      <PairRow row={row} isChosen={row.joint === chosen} work={work} />
                    </li>
                  ))}
                </ul>
              )}
            </section>
          );
        })}
        {groups.length === 0 && <p className="quiet">Nothing is called like that.</p>}
      </div>
      {chosen >= 0 && <JointInfo work={work} target={chosen} />}
      {changes > 0 && (
        <p style={{ marginTop: 12 }}>
          <span className="quiet">
            {changes} pair{changes > 1 ? 's' : ''} changed by hand.{' '}
          </span>
          <button type="button" className="link-button" onClick={resetMap}>
            Back to what was found
          </button>
        </p>
      )}
      <p className="faint" style={{ marginTop: 12, fontSize: 12 }}>
        Click a joint in a view, or a row here, and its partner lights up.{' '}
        <button type="button" className="link-button" onClick={toggleMapping}>
          Pair by clicking
        </button>{' '}
        <span className="key">M</span>
      </p>
      {work.job && (
        <ChainsMenu work={work}>
          <button type="button" className="link-button">
            Chains …
          </button>
        </ChainsMenu>
      )}
    </>
  );
}

function PairRow({ row, isChosen, work }: { row: MapRow; isChosen: boolean; work: Work }) {
  const { joint, name, chain, drivers, confidence, reason, part, isWanting } = row;
  const why = `${part ? `${partWords(part)}. ` : ''}${withPartsInWords(reason)}${drivers.length > 1 ? ` (${drivers.join(', ')})` : ''}`;
  return (
    <div style={{ position: 'relative' }}>
      <Tip text={why}>
        <button
          type="button"
          className="pair-row"
          data-joint={name}
          aria-pressed={isChosen}
          // While joints are paired by clicking, a row is clicked as its joint is.
          onClick={() =>
            setView(({ mapping }) => ({
              selection: { side: 'target', joint },
              ...(mapping !== null && { mapping: joint }),
            }))
          }
          onDoubleClick={() => setView({ selection: { side: 'target', joint }, mapping: joint })}
          onFocus={() => setView({ hovered: { side: 'target', joint } })}
          onBlur={() => setView({ hovered: null })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              setView({ selection: { side: 'target', joint }, mapping: joint });
            }
          }}
        >
          <span className="dot" style={{ color: CHAIN_COLORS[chain] }} aria-hidden />
          <span className="clip">{name}</span>
          <span className="faint" aria-hidden>
            ←
          </span>
          <span className={`clip ${isWanting ? 'warn' : confidence === null ? 'faint' : ''}`}>
            {drivers.at(-1) ?? 'nothing'}
          </span>
          <span className={`percent ${confidence !== null && confidence < SURE ? 'warn' : ''}`}>
            {confidence === null ? '—' : `${Math.round(100 * confidence)} %`}
          </span>
        </button>
      </Tip>
      {isChosen && (
        <DriverMenu joint={joint} work={work}>
          <button
            type="button"
            className="icon-button small"
            style={{ position: 'absolute', right: 48, top: 2, background: 'var(--panel)' }}
            aria-label={`Choose who drives ${name}`}
            title="Choose who drives it"
          >
            <ChevronDown size={14} aria-hidden />
          </button>
        </DriverMenu>
      )}
    </div>
  );
}
