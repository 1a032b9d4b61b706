import {
  Axis3d,
  Bone,
  Box,
  Footprints,
  Ghost,
  Link2,
  PersonStanding,
  ScanEye,
  ScanSearch,
  Spline,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../controls/controls.js';
import type { FileRef } from '../../document/document.js';
import { nameCamera } from '../../stage/camera.js';
import type { StageView } from '../../stage/stage.js';
import { theStage } from '../../stage/the-stage.js';
import { activateTarget, castSource, isPart, swapSides, takeFiles } from '../../state/actions.js';
import { useDerived } from '../../state/derived-store.js';
import { drivenWords, usePresent, useTargetWork } from '../../state/use-work.js';
import {
  type Shown,
  type SideName,
  setView,
  showsReference,
  toggleShown,
  useView,
} from '../../state/view-store.js';
import { openedLater } from '../later.js';
import { browseFiles, droppedFiles } from '../open-files.js';
import { scoreWords } from '../report/report-card.js';
import { handlePointer } from './pointer.js';

const CameraMenu = openedLater(async () => (await import('./camera-menu.js')).CameraMenu);

const plain = (name: string) => name.replace(/\.[^.]*$/, '');

const TOOLS: readonly { name: Shown; label: string; keys: string; icon: typeof Bone }[] = [
  { name: 'skin', label: 'Skin', keys: 'J', icon: PersonStanding },
  { name: 'bones', label: 'Bones', keys: 'K', icon: Bone },
  { name: 'axes', label: 'Axes of joints', keys: 'N', icon: Axis3d },
  { name: 'contacts', label: 'Contacts', keys: 'O', icon: Footprints },
  { name: 'trails', label: 'Trails', keys: 'P', icon: Spline },
  { name: 'ghost', label: 'Source over the result', keys: 'G', icon: Ghost },
];

/** A part of the stage with its tools. */
export function ViewFrame({
  side,
  file,
  index,
  isGrid,
}: {
  side: SideName;
  file: FileRef;
  index: number;
  isGrid: boolean;
}) {
  const element = useRef<HTMLDivElement>(null);
  const [view, setStageView] = useState<StageView | null>(null);
  const [dropping, setDropping] = useState(false);
  const document = usePresent();
  const shown = useView((state) => state.shown);
  const linked = useView((state) => state.linked);
  const follow = useView((state) => state.follow);
  const picking = useView((state) => state.mapping !== null);
  const reference = useView(showsReference);
  const before = useView((state) => state.before);
  const at = useDerived((state) => state.files[file.sha256] !== undefined);
  const work = useTargetWork(
    document,
    side === 'target' ? file : (document.targets[document.active] ?? null),
  );
  useEffect(() => {
    const stage = theStage();
    const home = element.current;
    if (!stage || !home || !at) return undefined;
    const attached = stage.attach(home, { side, file: file.sha256 });
    setStageView(attached);
    const stop = handlePointer(home, attached);
    return () => {
      stop();
      stage.detach(attached);
      setStageView(null);
    };
  }, [side, file.sha256, at]);

  const isSample = file.sample === true;
  const facts = side === 'source' ? work.sourceFacts : work.targetFacts;
  const detail = reference
    ? 'reference pose'
    : side === 'source'
      ? isSample
        ? 'sample'
        : `${facts?.skeleton?.names.length ?? 0} joints`
      : isSample && !isGrid
        ? 'sample'
        : work.understanding
          ? `${drivenWords(work.understanding)} driven`
          : '';
  const clips = work.sourceFacts?.clips ?? [];
  const name =
    side === 'source'
      ? clips.length > 1
        ? (work.clip ?? plain(file.name))
        : plain(file.name)
      : plain(file.name);
  const tone = work.verdict?.word === 'good' ? 'good' : work.verdict?.word === 'broken' ? 'bad' : 'warn';
  const isBare = isGrid && side === 'target';
  return (
    <section
      ref={element}
      className="view"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the view takes the keys of the camera
      tabIndex={0}
      aria-label={`${side === 'source' ? 'Source' : reference ? 'Target' : 'Result'} ${name}`}
      data-side={side}
      data-active={isBare && document.active === index}
      data-drop={dropping}
      {...(picking && { 'data-picking': true })}
      onPointerDown={() => isGrid && side === 'target' && document.active !== index && activateTarget(index)}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setDropping(false);
        const files = droppedFiles(event);
        // What stands beside a file comes with it.
        const isOne = files.filter((one) => !isPart(one)).length === 1;
        takeFiles(files, isOne ? side : null, event.shiftKey);
      }}
    >
      <div className="view-bar above">
        <div className="chip named">
          <span className="titled">
            {!isBare && (
              <span className="quiet">
                {side === 'source' ? 'Source' : reference ? 'Target' : before ? 'Before' : 'Result'}
              </span>
            )}
            <span className="strong clip" title={file.name}>
              {name}
            </span>
          </span>
          {!isBare && detail && <span className="quiet detail">{detail}</span>}
        </div>
        <span className="spacer" />
        {isBare ? (
          work.judged && (
            <div className="chip" title={work.verdict?.reason}>
              <span className={`dot ${tone}`} aria-hidden />
              <span className="strong">{scoreWords(work.judged, work.verdict)}</span>
              <span className="hidden-text">of 100, {work.verdict?.word}</span>
            </div>
          )
        ) : (
          <div className="tools" role="toolbar" aria-label="What is shown">
            {TOOLS.map(({ name: tool, label, keys, icon: Icon }) => (
              <IconButton
                key={tool}
                small
                label={label}
                keys={keys}
                pressed={shown[tool]}
                onClick={() => toggleShown(tool)}
              >
                <Icon size={15} />
              </IconButton>
            ))}
          </div>
        )}
      </div>
      {!isBare && (
        <div className="view-bar below">
          <CameraMenu view={view}>
            <button type="button" className="chip">
              <span className="hidden-text">Camera:</span>
              <Box size={15} aria-hidden />
              <CameraName view={view} />
            </button>
          </CameraMenu>
          <span className="spacer" />
          <div className="tools" role="toolbar" aria-label="Camera">
            <IconButton
              small
              label="Link cameras"
              pressed={linked}
              onClick={() => setView({ linked: !linked })}
            >
              <Link2 size={15} />
            </IconButton>
            <IconButton
              small
              label="Follow the hips"
              pressed={follow}
              onClick={() => setView({ follow: !follow })}
            >
              <ScanEye size={15} />
            </IconButton>
            <IconButton
              small
              label="Frame the body"
              keys="Shift F"
              onClick={() => theStage()?.frameJoint(side, -1)}
            >
              <ScanSearch size={15} />
            </IconButton>
          </div>
        </div>
      )}
      <ViewNote side={side} work={work} isSample={isSample && document.targets.length < 2} />
    </section>
  );
}

/** What a view has to say: where to drop what, and what is not as it should be. */
function ViewNote({
  side,
  work,
  isSample,
}: {
  side: SideName;
  work: ReturnType<typeof useTargetWork>;
  isSample: boolean;
}) {
  const reference = useView(showsReference);
  const { sourceFacts, targetFacts } = work;
  if (side === 'source' && sourceFacts && sourceFacts.clips.length === 0) {
    const swapped = (targetFacts?.clips.length ?? 0) > 0;
    return (
      <div className="view-note" role="status">
        <div>
          <strong>{swapped ? 'Are the two files swapped?' : 'No motion in this file'}</strong>
          <p className="quiet">
            {swapped
              ? 'This file has no clips, and the character has.'
              : 'It has a character but no clips. Drop a file with a motion here, or let it be moved.'}
          </p>
          <button type="button" className="button primary" onClick={swapped ? swapSides : castSource}>
            {swapped ? 'Swap them' : 'Make it the character'}
          </button>
        </div>
      </div>
    );
  }
  if (side === 'target' && !reference && work.understanding?.failure)
    return (
      <div className="view-note" role="status">
        <div>
          <strong>Nothing could be matched</strong>
          <p className="quiet">
            Pair joints by hand: press M, or choose “Pair by clicking” under Map, then click a joint here and
            one of the source.
          </p>
        </div>
      </div>
    );
  // A motion where the character belongs, and a body with clips where the motion does: allowed, and hardly meant.
  if (side === 'target' && !reference && targetFacts && sourceFacts?.hasMeshes)
    if (!targetFacts.hasMeshes && targetFacts.clips.length > 0)
      return (
        <div className="drop-card" role="status">
          <strong>There is no body in this file</strong>
          <span className="quiet">
            The source has one.{' '}
            <button type="button" className="link-button" onClick={swapSides}>
              Swap them
            </button>
          </span>
        </div>
      );
  if (!isSample || reference) return null;
  const words =
    side === 'source'
      ? { title: 'Drop a motion here', formats: 'FBX, BVH, GLB, VRMA' }
      : { title: 'Drop a character here', formats: 'GLB, VRM, FBX' };
  return (
    <div className="drop-card">
      <strong>{words.title}</strong>
      <span className="quiet">
        <span className="formats">{words.formats} · </span>or{' '}
        <button type="button" className="link-button" onClick={() => browseFiles(side)}>
          browse
        </button>
      </span>
    </div>
  );
}

function CameraName({ view }: { view: StageView | null }) {
  const [name, setName] = useState('Perspective');
  useEffect(() => {
    const stage = theStage();
    if (!stage || !view) return undefined;
    const read = () => setName(nameCamera(stage.cameraOf(view)));
    read();
    return stage.onCamera(read);
  }, [view]);
  return <span style={{ fontWeight: 500 }}>{name}</span>;
}

/** A view that waits for a file. */
export function EmptyView({ side }: { side: SideName }) {
  const [dropping, setDropping] = useState(false);
  return (
    <section
      className="view"
      style={{ background: 'var(--view)' }}
      aria-label={side === 'source' ? 'No motion yet' : 'No character yet'}
      data-drop={dropping}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setDropping(false);
        takeFiles(droppedFiles(event), side);
      }}
    >
      <div className="view-note">
        <div>
          <strong>{side === 'source' ? 'Drop a motion here' : 'Drop a character here'}</strong>
          <p className="quiet">{side === 'source' ? 'FBX, BVH, GLB, VRMA' : 'GLB, VRM, FBX'}</p>
          <button type="button" className="button" onClick={() => browseFiles(side)}>
            Browse
          </button>
        </div>
      </div>
    </section>
  );
}
