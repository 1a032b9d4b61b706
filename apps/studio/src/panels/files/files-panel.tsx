import { Film, FolderOpen, Plus, Search, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { IconButton } from '../../controls/controls.js';
import { type FileRef, jobOf } from '../../document/document.js';
import type { FileFacts } from '../../engine/protocol.js';
import { activateTarget, chooseSkeleton, removeTarget, takeFiles, takeSample } from '../../state/actions.js';
import { clipKey, useDerived } from '../../state/derived-store.js';
import { usePresent, useTargetWork, useWork } from '../../state/use-work.js';
import { setView, useView } from '../../state/view-store.js';
import { heatOf, heatSpans } from '../../timeline/heat.js';
import { later } from '../later.js';
import { browseFiles, droppedFiles } from '../open-files.js';
import { scoreWords } from '../report/report-card.js';
import { SHELF, type ShelfEntry } from '../shelf.js';
import { Outline } from './outline.js';

const Select = later(async () => (await import('../../controls/select.js')).Select);

const extension = (name: string) => /\.[^.]*$/.exec(name)?.[0] ?? '';
const plain = (name: string) => name.replace(/\.[^.]*$/, '');

/** The source, its clips, the characters, and the shelf. */
export function FilesPanel() {
  const document = usePresent();
  return (
    <div className="scroll files" tabIndex={-1}>
      <SourceSection />
      <div className="section-head">
        <h2 style={{ font: 'inherit' }}>Characters</h2>
        <IconButton label="Add a character" small onClick={() => browseFiles('target', true)}>
          <Plus size={16} />
        </IconButton>
      </div>
      {document.targets.map((target, index) => (
        <TargetCard key={target.sha256} target={target} index={index} />
      ))}
      <DropRow words="Drop another character here" place="target" add />
      <Outline />
      <Shelf />
    </div>
  );
}

/** A row that takes what is dropped on it for what it says, and opens the picker. */
export function DropRow({
  words,
  place,
  add = false,
}: {
  words: string;
  place: 'source' | 'target';
  add?: boolean;
}) {
  const [dropping, setDropping] = useState(false);
  return (
    <button
      type="button"
      className="drop-row"
      data-drop={dropping}
      onClick={() => browseFiles(place, add)}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setDropping(false);
        takeFiles(droppedFiles(event), place, add);
      }}
    >
      {words}
    </button>
  );
}

/** With more clips than this they have a search, and scroll by themselves: characters stay in sight. */
const MANY = 12;

/** The source's file and its clips. */
export function SourceSection() {
  const { source, sourceFacts, clip } = useWork();
  const [filter, setFilter] = useState('');
  const clips = sourceFacts?.clips ?? [];
  const areMany = clips.length > MANY;
  const shown = areMany
    ? clips.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
    : clips;
  return (
    <>
      <div className="section-head">
        <h2 style={{ font: 'inherit' }}>Source</h2>
        <IconButton label="Open a motion" keys="Ctrl O" small onClick={() => browseFiles('source')}>
          <FolderOpen size={16} />
        </IconButton>
      </div>
      {source ? (
        <div className="card">
          <div className="card-row">
            <Film size={15} aria-hidden />
            <span className="clip" title={source.name}>
              <span className="strong">{plain(source.name)}</span>{' '}
              <span className="quiet">{extension(source.name)}</span>
            </span>
          </div>
          <p className="clip" title={sourceFacts?.family}>
            {sourceFacts
              ? `${familyWords(sourceFacts)} · ${sourceFacts.clips.length} clip${sourceFacts.clips.length === 1 ? '' : 's'}`
              : 'not at hand'}
          </p>
          <SkeletonChoice side="source" file={source} facts={sourceFacts} />
        </div>
      ) : (
        <DropRow words="Drop a motion here" place="source" />
      )}
      {areMany && (
        <label className="field-search" style={{ marginTop: 8 }}>
          <Search size={15} aria-hidden />
          <input
            type="search"
            placeholder={`Search ${clips.length} clips`}
            aria-label="Search the clips"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
      )}
      <ul className="clip-list" aria-label="Clips" data-many={areMany}>
        {shown.map(({ name, duration }) => (
          <li key={name}>
            <button
              type="button"
              className="clip-row"
              aria-current={name === clip}
              onClick={() => setView({ clip: name })}
            >
              <Spark clip={name} />
              <span className="clip" title={name}>
                {name}
              </span>
              <span className="seconds">{duration.toFixed(2)} s</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Where a body's parts are known from, without what stands in brackets behind it, and how many joints it has. */
function familyWords({ family, skeleton }: FileFacts): string {
  return `${family.replace(/ \(.*\)$/, '')} · ${skeleton?.names.length ?? 0} joints`;
}

/** Which skeleton of a file is meant, where it has several. */
function SkeletonChoice({
  side,
  file,
  facts,
}: {
  side: 'source' | 'target';
  file: FileRef;
  facts: FileFacts | null;
}) {
  if (!facts || facts.characters.length < 2) return null;
  return (
    <div style={{ marginTop: 6 }}>
      <Select
        label={`Skeleton of ${file.name}`}
        value={String(facts.character)}
        options={facts.characters.map(({ name, joints, clips }, n) => ({
          value: String(n),
          title: `${name || `skeleton ${n + 1}`} · ${joints} joints${side === 'source' ? ` · ${clips} clip${clips === 1 ? '' : 's'}` : ''}`,
        }))}
        onChange={(chosen) => chooseSkeleton(side, file, Number(chosen))}
      />
    </div>
  );
}

/** The heat of a clip in a few pixels. */
function Spark({ clip }: { clip: string }) {
  const document = usePresent();
  const job = useMemo(() => jobOf(document), [document]);
  const judged = useDerived((state) => (job ? state.judged[clipKey(job, clip)] : undefined));
  const measures = useView((state) => state.hiddenHeat);
  const background = useMemo(() => {
    if (!judged) return undefined;
    const heat = heatOf(judged.curves, measures);
    const count = Math.max(1, heat.level.length);
    const colors = ['var(--good-ground)', 'var(--warn-ground)', 'var(--bad-ground)'];
    const stops = heatSpans(heat).map(
      ({ from, to, grade }) =>
        `${colors[grade]} ${((100 * from) / count).toFixed(1)}% ${((100 * (to + 1)) / count).toFixed(1)}%`,
    );
    return `linear-gradient(90deg, ${stops.join(', ')})`;
  }, [judged, measures]);
  return <span className="spark" style={background ? { background } : {}} aria-hidden />;
}

function TargetCard({ target, index }: { target: FileRef; index: number }) {
  const document = usePresent();
  const { targetFacts, understanding, judged, verdict } = useTargetWork(document, target);
  const isActive = document.active === index;
  const own = document.own[target.sha256];
  const words = targetFacts
    ? `${familyWords(targetFacts)}${understanding ? ` · ${understanding.map.joints.length} driven` : ''}`
    : 'not at hand';
  const tone = verdict?.word === 'good' ? 'good' : verdict?.word === 'broken' ? 'bad' : 'warn';
  return (
    <div className="card-holder" style={{ position: 'relative', marginTop: index > 0 ? 8 : 0 }}>
      <button type="button" className="card" aria-current={isActive} onClick={() => activateTarget(index)}>
        <div className="card-row">
          <span className={`dot ${judged ? tone : 'faint'}`} aria-hidden />
          <span className="clip" title={target.name}>
            <span className="strong">{plain(target.name)}</span>{' '}
            <span className="quiet">{extension(target.name)}</span>
          </span>
          {own?.settings && (
            <span
              className="quiet"
              style={{ fontSize: 11, marginLeft: 'auto', paddingRight: 18 }}
              title="Has settings of its own"
            >
              own settings
            </span>
          )}
        </div>
        <p className="clip" title={targetFacts?.family}>
          {words}
        </p>
        <span className="hidden-text">
          {verdict && judged
            ? `verdict ${verdict.word}, ${scoreWords(judged, verdict)} of 100`
            : 'not measured yet'}
        </span>
      </button>
      <SkeletonChoice side="target" file={target} facts={targetFacts} />
      {document.targets.length > 1 && (
        <span style={{ position: 'absolute', right: 4, top: 4 }}>
          <IconButton label={`Remove ${target.name}`} small onClick={() => removeTarget(index)}>
            <X size={14} />
          </IconButton>
        </span>
      )}
    </div>
  );
}

/** Our own motions and characters, to try: a few, and the others when they are asked for. */
export function Shelf() {
  return (
    <>
      <ShelfSection kind="motion" title="Motions to try" />
      <ShelfSection kind="character" title="Characters to try" />
    </>
  );
}

function ShelfSection({ kind, title }: { kind: ShelfEntry['kind']; title: string }) {
  const [isWhole, setWhole] = useState(false);
  const all = SHELF.filter((entry) => entry.kind === kind);
  const shown = isWhole ? all : all.filter(({ isFirst }) => isFirst);
  return (
    <section aria-label={title}>
      <div className="section-head">
        <h2 style={{ font: 'inherit' }}>{title}</h2>
      </div>
      <div className="shelf-grid">
        {shown.map(({ path, title: name }) => (
          <button
            key={path}
            type="button"
            className="tag"
            title={kind === 'motion' ? `Play ${name}` : `${name}; with Shift beside the others`}
            onClick={(event) => takeSample(path, kind === 'motion' ? 'source' : 'target', event.shiftKey)}
          >
            {name}
          </button>
        ))}
        {all.length > shown.length && (
          <button type="button" className="link-button" onClick={() => setWhole(true)}>
            {all.length - shown.length} more …
          </button>
        )}
      </div>
    </section>
  );
}
