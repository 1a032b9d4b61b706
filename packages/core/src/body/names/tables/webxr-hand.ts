import type { NameTable } from '../name-table.js';

/** The hand joints of WebXR and OpenXR (`index-finger-phalanx-proximal`), which leave the side to the file. */
export const webxrHand: NameTable = {
  name: 'WebXR hand',
  oneHand: true,
  hand: 'wrist',
  thumb: ['thumb-metacarpal', 'thumb-phalanx-proximal|thumb-proximal', 'thumb-phalanx-distal|thumb-distal'],
  index: [
    'index-finger-phalanx-proximal|index-proximal',
    'index-finger-phalanx-intermediate|index-intermediate',
    'index-finger-phalanx-distal|index-distal',
  ],
  middle: [
    'middle-finger-phalanx-proximal|middle-proximal',
    'middle-finger-phalanx-intermediate|middle-intermediate',
    'middle-finger-phalanx-distal|middle-distal',
  ],
  ring: [
    'ring-finger-phalanx-proximal|ring-proximal',
    'ring-finger-phalanx-intermediate|ring-intermediate',
    'ring-finger-phalanx-distal|ring-distal',
  ],
  little: [
    'pinky-finger-phalanx-proximal|pinky-proximal',
    'pinky-finger-phalanx-intermediate|pinky-intermediate',
    'pinky-finger-phalanx-distal|pinky-distal',
  ],
  ignored:
    'palm|thumb-tip|index-finger-tip|middle-finger-tip|ring-finger-tip|pinky-finger-tip|index-finger-metacarpal|middle-finger-metacarpal|ring-finger-metacarpal|pinky-finger-metacarpal',
};
