import type { NameTable } from '../name-table.js';

/**
 * Blender's Rigify: the deforming `DEF-` joints and the metarig. `ORG-` and `MCH-` are machinery and match
 * nothing. A second joint of a limb (`DEF-upper_arm.L.001`) is its twist and plays no role. The spine is one
 * numbered chain in which the last ones are neck and head.
 */
export const rigify: NameTable = {
  name: 'Rigify',
  prefix: /^DEF[-_ ]?/i,
  hips: 'hips|pelvis|spine',
  spine: 'spine.001|spine.002|spine.003|chest|upper_chest',
  neck: 'neck|spine.004|spine.005',
  head: 'head|spine.006',
  jaw: 'jaw|jaw_master',
  eye: 'eye|master_eye',
  shoulder: 'shoulder',
  upperArm: 'upper_arm',
  lowerArm: 'forearm',
  hand: 'hand',
  upperLeg: 'thigh',
  lowerLeg: 'shin',
  foot: 'foot',
  toes: 'toe',
  thumb: ['thumb.01', 'thumb.02', 'thumb.03'],
  index: ['f_index.01', 'f_index.02', 'f_index.03'],
  middle: ['f_middle.01', 'f_middle.02', 'f_middle.03'],
  ring: ['f_ring.01', 'f_ring.02', 'f_ring.03'],
  little: ['f_pinky.01', 'f_pinky.02', 'f_pinky.03'],
  ignored:
    'root|upper_arm.001|forearm.001|thigh.001|shin.001|palm.01|palm.02|palm.03|palm.04|breast|heel.02|f_index04_tip|f_middle04_tip|f_ring04_tip|f_pinky04_tip|thumb04_tip|toe_tip|head.tip',
};
