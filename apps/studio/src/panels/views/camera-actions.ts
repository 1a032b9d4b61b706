import type { CameraState } from '../../stage/camera.js';
import type { StageView } from '../../stage/stage.js';
import { theStage } from '../../stage/the-stage.js';
import { say } from '../../state/derived-store.js';
import { saveFile } from '../open-files.js';

const STORE = 'stuntdouble.camera';

/** Keeps the camera of a view, or of the first one, for another time. */
export function storeCamera(view: StageView | null): void {
  const stage = theStage();
  const from = view ?? stage?.views()[0];
  if (!stage || !from) return;
  localStorage.setItem(STORE, JSON.stringify(stage.cameraOf(from)));
  say('note', 'The camera is stored; C recalls it.');
}

/** Takes the kept camera. */
export function recallCamera(view: StageView | null): void {
  const kept = localStorage.getItem(STORE);
  if (!kept) {
    say('note', 'No camera is stored yet; Shift C stores one.');
    return;
  }
  const state = JSON.parse(kept) as CameraState;
  theStage()?.setCamera(view, () => state);
}

/** Gives the person what is on the stage as a picture. */
export function savePicture(): void {
  const canvas = document.querySelector<HTMLCanvasElement>('.stage canvas');
  if (!canvas) return;
  theStage()?.invalidate();
  // The canvas holds its picture only until the next one: it is taken right after that was drawn.
  requestAnimationFrame(() =>
    canvas.toBlob((blob) => blob && saveFile('stuntdouble.png', blob, 'image/png')),
  );
}
