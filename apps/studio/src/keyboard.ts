import { type Clip, frameRateOf } from '@stuntdouble/core';
import { browseFiles } from './panels/open-files.js';
import { saveDocument } from './panels/save-document.js';
import { recallCamera, storeCamera } from './panels/views/camera-actions.js';
import { pan, standardView } from './stage/camera.js';
import { activeResult } from './stage/content.js';
import { partnerOf, type StageView } from './stage/stage.js';
import { theStage } from './stage/the-stage.js';
import { chooseTab, pairJoints } from './state/actions.js';
import { clock } from './state/clock.js';
import { useDerived } from './state/derived-store.js';
import { redoStep, undoStep } from './state/undo-step.js';
import { NO_JOINT_YET, setView, toggleShown, useView } from './state/view-store.js';
import { deleteSelectedContact } from './timeline/contact-actions.js';
import { addConstraint, addKey, chooseEdit, deleteSelectedEdit } from './timeline/edit-actions.js';
import { jumpToSpot } from './timeline/spot-actions.js';

/** A key, what it does, and where it stands in the overview. */
export type Shortcut = {
  keys: readonly string[];
  title: string;
  group: string;
  /** The line of the overview that it shares with its like; one of its own if left out. */
  line?: string;
  run: () => void;
};

/** Frames a second that a clip is counted in: its own, in whole numbers; 30 where its keys are sparse. */
export function playedRate(clip: Clip): number {
  const rate = Math.round(frameRateOf(clip));
  return rate >= 10 && rate <= 240 ? rate : 30;
}

/** Seconds between two frames of what is played. */
export function frameSeconds(): number {
  const result = activeResult();
  const clips = result && useDerived.getState().files[result.job.source]?.facts.clips;
  const clip = clips?.find(({ name }) => name === result?.clip);
  return 1 / (clip ? playedRate(clip) : 60);
}

/** Goes some frames on or back, onto a whole frame. */
export function stepFrames(count: number): void {
  const seconds = frameSeconds();
  clock.play(false);
  clock.seek((Math.round(clock.time() / seconds) + count) * seconds);
}

/** The view that has the focus, else none: then linked cameras move. */
function focusedView(): StageView | null {
  return (
    theStage()
      ?.views()
      .find(({ element }) => element.contains(document.activeElement)) ?? null
  );
}

const look = (key: string) => () => theStage()?.setCamera(focusedView(), (state) => standardView(state, key));
const fly = (right: number, up: number, ahead: number) => () =>
  theStage()?.setCamera(focusedView(), (state) => pan(state, right * 0.08, up * 0.08, ahead * 0.08));

function frameSelection(): void {
  const { selection } = useView.getState();
  theStage()?.frameJoint(selection?.side ?? 'target', selection?.joint ?? -1);
}

/** Begins to pair the selected joint by clicking, or leaves off. */
export function toggleMapping(): void {
  const { mapping, selection, tab } = useView.getState();
  if (mapping !== null) {
    setView({ mapping: null });
    return;
  }
  if (tab !== 'map') chooseTab('map');
  const joint = !selection ? -1 : selection.side === 'target' ? selection.joint : partnerOf(selection);
  if (joint >= 0) {
    setView({ mapping: joint, selection: { side: 'target', joint } });
    return;
  }
  setView({ mapping: NO_JOINT_YET });
}

function removeSelected(): void {
  const { mapping, tab, selection } = useView.getState();
  if (mapping !== null) {
    if (mapping >= 0) pairJoints(mapping, null);
    setView({ mapping: null });
  } else if (
    !deleteSelectedEdit() &&
    !deleteSelectedContact() &&
    tab === 'map' &&
    selection?.side === 'target'
  )
    pairJoints(selection.joint, null);
}

const gizmo = (mode: 'translate' | 'rotate' | 'scale') => () =>
  setView((state) => ({ gizmo: { ...state.gizmo, mode } }));

/** Every key there is; `Mod` is Ctrl, or ⌘ on a Mac. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['Space'], title: 'Play or pause', group: 'Play', run: () => clock.play(!clock.playing()) },
  { keys: ['ArrowLeft', ','], title: 'A frame back', group: 'Play', run: () => stepFrames(-1) },
  { keys: ['ArrowRight', '.'], title: 'A frame on', group: 'Play', run: () => stepFrames(1) },
  { keys: ['Home'], title: 'To the start', group: 'Play', run: () => clock.seek(0) },
  { keys: ['End'], title: 'To the end', group: 'Play', run: () => clock.seek(clock.duration()) },
  { keys: ['l'], title: 'Loop or not', group: 'Play', run: () => setView(({ loop }) => ({ loop: !loop })) },
  { keys: ['['], title: 'Previous bad spot', group: 'Play', run: () => jumpToSpot(-1) },
  { keys: [']'], title: 'Next bad spot', group: 'Play', run: () => jumpToSpot(1) },
  { keys: ['Mod+z'], title: 'Undo', group: 'Work', run: undoStep },
  { keys: ['Mod+Shift+z', 'Mod+y'], title: 'Redo', group: 'Work', run: redoStep },
  { keys: ['Mod+o'], title: 'Open files', group: 'Work', run: () => browseFiles() },
  { keys: ['Mod+s'], title: 'Save the document', group: 'Work', run: saveDocument },
  { keys: ['Mod+e'], title: 'Export', group: 'Work', run: () => setView({ sheet: 'export' }) },
  { keys: ['Shift+1'], title: 'Map', group: 'Work', run: () => chooseTab('map') },
  { keys: ['Shift+2'], title: 'Pose', group: 'Work', run: () => chooseTab('pose') },
  { keys: ['Shift+3'], title: 'Tune', group: 'Work', run: () => chooseTab('tune') },
  { keys: ['Shift+4'], title: 'Report', group: 'Work', run: () => chooseTab('report') },
  { keys: ['m'], title: 'Pair joints by clicking', group: 'Work', run: toggleMapping },
  {
    keys: ['Backspace', 'Delete'],
    title: 'Take away what is selected',
    group: 'Work',
    run: removeSelected,
  },
  { keys: ['i'], title: 'Key the selected joint here', group: 'Work', run: () => addKey() },
  { keys: ['h'], title: 'Hold the selected joint here', group: 'Work', run: () => addConstraint() },
  { keys: ['/'], title: 'Search settings', group: 'Work', run: focusSearch },
  { keys: ['t'], title: 'Gizmo moves', group: 'Work', run: gizmo('translate') },
  { keys: ['r'], title: 'Gizmo turns', group: 'Work', run: gizmo('rotate') },
  { keys: ['y'], title: 'Gizmo scales', group: 'Work', run: gizmo('scale') },
  {
    keys: ['x'],
    title: 'Local or world axes',
    group: 'Work',
    run: () =>
      setView((s) => ({ gizmo: { ...s.gizmo, space: s.gizmo.space === 'local' ? 'world' : 'local' } })),
  },
  { keys: ['1'], title: 'Front', group: 'Camera', run: look('1') },
  { keys: ['3'], title: 'Side', group: 'Camera', run: look('3') },
  { keys: ['7'], title: 'Top', group: 'Camera', run: look('7') },
  { keys: ['9'], title: 'From behind', group: 'Camera', run: look('9') },
  { keys: ['5'], title: 'With or without perspective', group: 'Camera', run: look('5') },
  { keys: ['4'], title: 'Turn left', group: 'Camera', line: 'Turn about it', run: look('4') },
  { keys: ['6'], title: 'Turn right', group: 'Camera', line: 'Turn about it', run: look('6') },
  { keys: ['8'], title: 'Turn up', group: 'Camera', line: 'Turn about it', run: look('8') },
  { keys: ['2'], title: 'Turn down', group: 'Camera', line: 'Turn about it', run: look('2') },
  { keys: ['w'], title: 'Fly ahead', group: 'Camera', line: 'Fly', run: fly(0, 0, 1) },
  { keys: ['s'], title: 'Fly back', group: 'Camera', line: 'Fly', run: fly(0, 0, -1) },
  { keys: ['a'], title: 'Fly left', group: 'Camera', line: 'Fly', run: fly(-1, 0, 0) },
  { keys: ['d'], title: 'Fly right', group: 'Camera', line: 'Fly', run: fly(1, 0, 0) },
  { keys: ['PageUp'], title: 'Fly up', group: 'Camera', line: 'Fly up, down', run: fly(0, 1, 0) },
  { keys: ['PageDown'], title: 'Fly down', group: 'Camera', line: 'Fly up, down', run: fly(0, -1, 0) },
  { keys: ['f'], title: 'Frame the selection', group: 'Camera', run: frameSelection },
  {
    keys: ['Shift+f'],
    title: 'Frame the body',
    group: 'Camera',
    run: () => theStage()?.frameJoint('target', -1),
  },
  { keys: ['c'], title: 'Recall the stored camera', group: 'Camera', run: () => recallCamera(focusedView()) },
  { keys: ['Shift+c'], title: 'Store the camera', group: 'Camera', run: () => storeCamera(focusedView()) },
  { keys: ['j'], title: 'Skin', group: 'Show', run: () => toggleShown('skin') },
  { keys: ['k'], title: 'Bones', group: 'Show', run: () => toggleShown('bones') },
  { keys: ['n'], title: 'Axes of joints', group: 'Show', run: () => toggleShown('axes') },
  { keys: ['o'], title: 'Contacts', group: 'Show', run: () => toggleShown('contacts') },
  { keys: ['p'], title: 'Trails', group: 'Show', run: () => toggleShown('trails') },
  { keys: ['g'], title: 'Source over the result', group: 'Show', run: () => toggleShown('ghost') },
  { keys: ['u'], title: 'Onion skins', group: 'Show', run: () => toggleShown('onion') },
  { keys: ['?'], title: 'This overview', group: 'Show', run: () => setView({ sheet: 'shortcuts' }) },
  { keys: ['Mod+,'], title: 'Preferences', group: 'Show', run: () => setView({ sheet: 'preferences' }) },
  {
    keys: ['Escape'],
    title: 'Leave off',
    group: 'Work',
    run: () => {
      chooseEdit({});
      setView({ mapping: null, selection: null, before: false });
    },
  },
];

function focusSearch(): void {
  const { tab } = useView.getState();
  if (tab !== 'map' && tab !== 'tune') chooseTab('tune');
  focusWhenThere(tab === 'map' ? '#map-search' : '#tune-search');
}

/** Frames that something is waited for: a panel that is opened for the first time is fetched first. */
const PATIENCE = 600;

function focusWhenThere(selector: string, frames = PATIENCE): void {
  requestAnimationFrame(() => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found) found.focus();
    else if (frames > 0) focusWhenThere(selector, frames - 1);
  });
}

/** How an event is written in {@link SHORTCUTS}. */
export function keyOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): string {
  const mod = event.ctrlKey || event.metaKey ? 'Mod+' : '';
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
  const name =
    digit ?? (event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key);
  // Signs such as ? and [ are what they are, whatever keys make them.
  const isSign = name.length === 1 && !/[a-z0-9]/.test(name);
  return `${mod}${event.shiftKey && !isSign ? 'Shift+' : ''}${name}`;
}

/** Whether the keys that are typed belong to a field. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Keys that a focused control has a use for itself. */
function isControlKey(event: KeyboardEvent): boolean {
  if (!(event.target instanceof HTMLElement)) return false;
  const role = event.target.getAttribute('role') ?? event.target.tagName;
  const isButton = /^(BUTTON|button|switch|radio|tab|menuitem|combobox|option|slider|A)$/.test(role);
  if (!isButton) return false;
  return (
    event.key === ' ' ||
    event.key === 'Enter' ||
    (/^(Arrow|Home|End|Page)/.test(event.key) && /slider|radio|tab|menuitem|option/.test(role))
  );
}

/** Listens for keys. */
export function startKeyboard(): () => void {
  const down = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    const isOpen = document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
    const key = keyOf(event);
    if (isOpen && !key.startsWith('Mod+')) return;
    if (isTyping(event.target) && !(key.startsWith('Mod+') && !/^Mod\+(Shift\+)?[zy]$/.test(key))) return;
    if (isControlKey(event)) return;
    if (key === 'b') {
      if (!event.repeat) setView({ before: true });
      return;
    }
    const shortcut = SHORTCUTS.find(({ keys }) => keys.includes(key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  };
  const up = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'b') setView({ before: false });
  };
  window.addEventListener('keydown', down);
  window.addEventListener('keyup', up);
  return () => {
    window.removeEventListener('keydown', down);
    window.removeEventListener('keyup', up);
  };
}
