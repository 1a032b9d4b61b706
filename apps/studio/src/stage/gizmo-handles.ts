/*
 * Handles that joints and goals are dragged by, and what their drags come to: fetched with the first that is needed.
 */
import type { Camera } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';

export { createEditGizmo } from './edit-gizmo.js';
export { referenceFromFrame } from './frame-pose.js';
export { createGizmo } from './gizmo.js';

/**
 * Makes the controls of a view's handle. By themselves they capture every pointer that goes down in the view, and its
 * buttons would not hear of a click any more: they take what is meant for the view itself.
 */
export function createControls(camera: Camera, view: HTMLElement): TransformControls {
  const controls = new TransformControls(camera, view);
  const end = new AbortController();
  const watch = ({ target }: Event) => {
    controls.enabled = target === view;
  };
  for (const name of ['pointerdown', 'pointermove'])
    view.addEventListener(name, watch, { capture: true, signal: end.signal });
  const dispose = controls.dispose.bind(controls);
  controls.dispose = () => {
    end.abort();
    dispose();
  };
  return controls;
}
