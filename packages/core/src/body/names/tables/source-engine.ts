import type { NameTable } from '../name-table.js';

/** Valve's later characters (`bip_upperArm_L`), Source Filmmaker's among them; its early ones are Bipeds. */
export const sourceEngine: NameTable = {
  name: 'Source engine',
  prefix: /^bip_/i,
  hips: 'pelvis',
  spine: 'spine_0|spine_1|spine_2|spine_3',
  neck: 'neck|neck_0',
  head: 'head',
  jaw: 'jaw',
  eye: 'eye',
  shoulder: 'collar',
  upperArm: 'upperArm',
  lowerArm: 'lowerArm',
  hand: 'hand',
  upperLeg: 'hip',
  lowerLeg: 'knee',
  foot: 'foot',
  toes: 'toe',
  thumb: ['thumb_0', 'thumb_1', 'thumb_2'],
  index: ['index_0', 'index_1', 'index_2'],
  middle: ['middle_0', 'middle_1', 'middle_2'],
  ring: ['ring_0', 'ring_1', 'ring_2'],
  little: ['pinky_0', 'pinky_1', 'pinky_2'],
};
