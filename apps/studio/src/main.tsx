import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { startAutosave } from './document/autosave.js';
import { arrive } from './document/reopen.js';
import { createEngine } from './engine/engine.js';
import { startSchedule } from './engine/schedule.js';
import { markArrived, updateSettled, watchSettled } from './settled.js';
import { theStage } from './stage/the-stage.js';
import { connectEngine, setAutoplay, takeServed } from './state/actions.js';
import { clock } from './state/clock.js';
import { say, useDerived } from './state/derived-store.js';
import { currentDocument } from './state/document-store.js';
import { keepView, setView, themeOf, useView } from './state/view-store.js';
import './style/tokens.css';
import './style/base.css';

/*
 * Words in the address, for tests and pictures: `still` does not play, `time` stands at an instant, `fresh` forgets
 * the last visit, `theme` is dark or light, `tab` is the panel that is open.
 */
const words = new URLSearchParams(location.search);

document.documentElement.dataset.theme = themeOf(useView.getState().theme);
document.documentElement.dataset.settled = 'false';
const theme = words.get('theme');
if (theme === 'dark' || theme === 'light') setView({ theme });
const tab = words.get('tab');
if (tab === 'map' || tab === 'pose' || tab === 'tune' || tab === 'report') setView({ tab });

const engine = createEngine(updateSettled);
connectEngine(engine);
const schedule = startSchedule(engine, updateSettled);
watchSettled(() => schedule.isIdle() && engine.quick.pending() === 0 && engine.whole.pending() === 0);
useDerived.subscribe(updateSettled);
clock.subscribe(updateSettled);
createRoot(document.getElementById('root')!).render(<App />);

async function start(): Promise<void> {
  const still = words.has('still') || matchMedia('(prefers-reduced-motion: reduce)').matches;
  setAutoplay(!still);
  try {
    if (!(await takeServed())) await arrive(words.has('fresh'));
  } catch (error) {
    say('error', error instanceof Error ? error.message : String(error));
  }
  keepView();
  startAutosave();
  schedule.look();
  const time = Number(words.get('time'));
  const seek = clock.subscribe(() => {
    if (clock.duration() <= 0) return;
    seek();
    if (Number.isFinite(time) && time > 0) clock.seek(time);
    if (!still && useView.getState().tab !== 'pose') clock.play(true);
  });
  markArrived();
}
start();

/** What tests look at; nothing in the studio does. */
Object.assign(globalThis, {
  stuntdouble: {
    clock,
    info: () => theStage()?.info(),
    views: () =>
      theStage()
        ?.views()
        .map(({ spec }) => spec),
    /** Model space, 16 numbers a joint. */
    matrices: (side: 'source' | 'target', file: string) =>
      Array.from(theStage()?.actorOf(side, file)?.model.matrices ?? []),
    /** Weights of morph targets as they are shown. */
    morphs: (side: 'source' | 'target', file: string) => theStage()?.actorOf(side, file)?.morphs() ?? [],
    /** Where the middle of a joint's bone is on the page. */
    placeOf: (side: 'source' | 'target', name: string) => theStage()?.placeOf(side, name) ?? null,
    document: () => currentDocument(),
    /** Questions that the worker of the whole has not answered, and pieces of work that were stopped. */
    work: () => ({ pending: engine.whole.pending(), stopped: schedule.stopped() }),
  },
});
