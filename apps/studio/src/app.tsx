import { Tooltip } from 'radix-ui';
import { useEffect, useState } from 'react';
import { Splitter } from './controls/splitter.js';
import { startKeyboard } from './keyboard.js';
import { FileQuestion, MissingFiles } from './panels/files/file-question.js';
import { FilesPanel } from './panels/files/files-panel.js';
import { Rail } from './panels/files/rail.js';
import { Inspector } from './panels/inspector.js';
import { later } from './panels/later.js';
import { droppedFiles } from './panels/open-files.js';
import { StatusBar } from './panels/status-bar.js';
import { TopBar } from './panels/top/top-bar.js';
import { Views } from './panels/views/views.js';
import { takeFiles } from './state/actions.js';
import { setView, themeOf, useView } from './state/view-store.js';
import { Bottom } from './timeline/bottom.js';

const PreferencesSheet = later(
  async () => (await import('./panels/preferences/preferences-sheet.js')).PreferencesSheet,
);
const ExportSheet = later(async () => (await import('./panels/export/export-sheet.js')).ExportSheet);
const ShortcutsSheet = later(
  async () => (await import('./panels/shortcuts/shortcuts-sheet.js')).ShortcutsSheet,
);

/** The window's size, as it changes. */
function useWindowSize() {
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight });
  useEffect(() => {
    const measure = () => setSize({ width: innerWidth, height: innerHeight });
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
  return size;
}

/** The studio: its regions, and what lies over them. */
export function App() {
  const { width, height } = useWindowSize();
  const sizes = useView((state) => state.sizes);
  const sheet = useView((state) => state.sheet);
  const theme = useView((state) => state.theme);
  const fontScale = useView((state) => state.fontScale);
  const panelOpen = useView((state) => state.panelOpen);
  useEffect(startKeyboard, []);
  useEffect(() => {
    const apply = () => {
      document.documentElement.dataset.theme = themeOf(theme);
    };
    apply();
    const media = matchMedia('(prefers-color-scheme: light)');
    media.addEventListener('change', apply);
    return () => media.removeEventListener('change', apply);
  }, [theme]);
  useEffect(() => {
    document.documentElement.style.setProperty('--font-scale', String(fontScale));
  }, [fontScale]);
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      takeFiles(droppedFiles(event), null, event.shiftKey);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
  const isRail = width < 1500;
  const isTall = height > 800;
  const left = isRail ? 44 : (sizes.left ?? 272);
  const right = sizes.right ?? (width < 1500 ? 312 : 372);
  const bottom = Math.min(sizes.bottom ?? (isTall ? 248 : 174), Math.max(120, height - 320));
  const style = {
    '--left-size': `${left}px`,
    '--right-size': `${right}px`,
    '--bottom-size': `${bottom}px`,
  } as React.CSSProperties;
  return (
    <Tooltip.Provider delayDuration={450} skipDelayDuration={200}>
      <div className="app" style={style}>
        <TopBar />
        <aside className="left" aria-label="Files">
          {isRail ? <Rail /> : <FilesPanel />}
          {!isRail && (
            <Splitter
              label="Width of the files"
              vertical
              size={left}
              min={200}
              max={460}
              sign={1}
              onChange={(next) => setView({ sizes: { ...sizes, left: next } })}
            />
          )}
        </aside>
        <Views />
        <aside className="right" aria-label="Map, pose, tune, report" data-open={panelOpen}>
          <Inspector />
          {width >= 1000 && (
            <Splitter
              label="Width of the panel"
              vertical
              size={right}
              min={280}
              max={Math.max(280, Math.min(640, width - 500))}
              sign={-1}
              onChange={(next) => setView({ sizes: { ...sizes, right: next } })}
            />
          )}
        </aside>
        <section className="bottom" aria-label="Time">
          <Bottom />
          <Splitter
            label="Height of the timeline"
            vertical={false}
            size={bottom}
            min={120}
            max={Math.max(120, height - 320)}
            sign={-1}
            onChange={(next) => setView({ sizes: { ...sizes, bottom: next } })}
          />
        </section>
        <StatusBar />
      </div>
      <MissingFiles />
      <FileQuestion />
      {sheet === 'export' && <ExportSheet />}
      {sheet === 'shortcuts' && <ShortcutsSheet />}
      {sheet === 'preferences' && <PreferencesSheet />}
    </Tooltip.Provider>
  );
}
