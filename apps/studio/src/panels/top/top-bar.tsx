import {
  ChevronDown,
  CircleHelp,
  Download,
  GitCompareArrows,
  Moon,
  PanelRight,
  Redo2,
  Sun,
  Undo2,
} from 'lucide-react';
import { IconButton } from '../../controls/controls.js';
import { useDerived } from '../../state/derived-store.js';
import { useDocument } from '../../state/document-store.js';
import { redoStep, undoStep } from '../../state/undo-step.js';
import { usePresent } from '../../state/use-work.js';
import { setView, themeOf, useView } from '../../state/view-store.js';
import { openedLater } from '../later.js';

const WorkMenu = openedLater(async () => (await import('./work-menu.js')).WorkMenu);

const plain = (name: string) => name.replace(/\.[^.]*$/, '');

/** The name of the work: what goes onto whom. */
export function useTitle(): string {
  const { source, targets } = usePresent();
  const clip = useView((state) => state.clip);
  const from = source ? (clip ?? plain(source.name)) : 'no motion yet';
  const to =
    targets.length === 0
      ? 'no character yet'
      : targets.length === 1
        ? plain(targets[0]!.name)
        : `${targets.length} characters`;
  const isSample = source?.sample === true && targets.length > 0 && targets.every(({ sample }) => sample);
  return `${isSample ? 'Sample: ' : ''}${from} → ${to}`;
}

/** The bar over everything. */
export function TopBar() {
  const { past, future } = useDocument(({ history }) => history);
  const saved = useDerived((state) => state.saved);
  const theme = themeOf(useView((state) => state.theme));
  const before = useView((state) => state.before);
  const panelOpen = useView((state) => state.panelOpen);
  const title = useTitle();
  const back = past.at(-1)?.label;
  const forward = future[0]?.label;
  return (
    <header className="top">
      <div className="brand">
        <span className="mark" aria-hidden>
          <i />
        </span>
        <h1 className="wide-only" style={{ font: 'inherit' }}>
          Stuntdouble
        </h1>
      </div>
      <span className="divider" />
      <WorkMenu>
        <button type="button" className="title" title={title}>
          <span className="clip">{title}</span>
          <ChevronDown size={14} aria-hidden />
          <span className="hidden-text">: open, save, export</span>
        </button>
      </WorkMenu>
      <span className="quiet wide-only" role="status" style={{ whiteSpace: 'nowrap' }}>
        {saved === 'saving'
          ? 'saving'
          : saved === 'saved'
            ? 'saved in this browser'
            : 'not kept: the browser has no room'}
      </span>
      <span className="spacer" />
      <IconButton
        label={back ? `Undo: ${back}` : 'Nothing to undo'}
        keys="Ctrl Z"
        disabled={!back}
        onClick={undoStep}
      >
        <Undo2 size={17} />
      </IconButton>
      <IconButton
        label={forward ? `Redo: ${forward}` : 'Nothing to redo'}
        keys="Ctrl Shift Z"
        disabled={!forward}
        onClick={redoStep}
      >
        <Redo2 size={17} />
      </IconButton>
      <span className="divider" />
      <button
        type="button"
        className="button"
        aria-pressed={before}
        disabled={past.length === 0}
        title="The result before your last step: hold B, or click to pin"
        onClick={() => setView({ before: !before })}
      >
        <GitCompareArrows size={15} aria-hidden />
        Before
        <span className="key wide-only">B</span>
      </button>
      <IconButton
        label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
        onClick={() => setView({ theme: theme === 'dark' ? 'light' : 'dark' })}
      >
        {theme === 'dark' ? <Sun size={17} /> : <Moon size={17} />}
      </IconButton>
      <IconButton label="Keys and help" keys="?" onClick={() => setView({ sheet: 'shortcuts' })}>
        <CircleHelp size={17} />
      </IconButton>
      <button type="button" className="button primary" onClick={() => setView({ sheet: 'export' })}>
        <Download size={15} aria-hidden />
        Export
      </button>
      <span className="narrow-only">
        <IconButton
          label="Map, pose, tune, report"
          pressed={panelOpen}
          onClick={() => setView({ panelOpen: !panelOpen })}
        >
          <PanelRight size={17} />
        </IconButton>
      </span>
    </header>
  );
}
