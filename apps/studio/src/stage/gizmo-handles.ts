/*
 * Handles that joints and goals are dragged by, and what their drags come to: fetched with the first that is needed.
 */
export { TransformControls } from 'three/addons/controls/TransformControls.js';
export { createEditGizmo } from './edit-gizmo.js';
export { referenceFromFrame } from './frame-pose.js';
export { createGizmo } from './gizmo.js';
