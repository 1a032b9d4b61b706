import type { NameTable } from '../name-table.js';

/** Unreal Engine's mannequins, UE4 and UE5, and the many rigs that copy their names. */
export const unreal: NameTable = {
  name: 'Unreal mannequin',
  hips: 'pelvis',
  spine: 'spine_01|spine_02|spine_03|spine_04|spine_05|spine_06',
  neck: 'neck_01|neck_02|neck_03|neck',
  head: 'head',
  jaw: 'jaw',
  eye: 'eye',
  shoulder: 'clavicle',
  upperArm: 'upperarm',
  lowerArm: 'lowerarm',
  hand: 'hand',
  upperLeg: 'thigh',
  lowerLeg: 'calf',
  foot: 'foot',
  toes: 'ball',
  thumb: ['thumb_01', 'thumb_02', 'thumb_03'],
  index: ['index_01', 'index_02', 'index_03'],
  middle: ['middle_01', 'middle_02', 'middle_03'],
  ring: ['ring_01', 'ring_02', 'ring_03'],
  little: ['pinky_01', 'pinky_02', 'pinky_03'],
  ignored:
    'root|upperarm_twist_01|upperarm_twist_02|lowerarm_twist_01|lowerarm_twist_02|thigh_twist_01|thigh_twist_02|calf_twist_01|calf_twist_02|index_metacarpal|middle_metacarpal|ring_metacarpal|pinky_metacarpal|ik_foot_root|ik_hand_root|ik_hand_gun|ik_foot|ik_hand|interaction|center_of_mass|weapon|ball_leaf|head_leaf|thumb_04_leaf|index_04_leaf|middle_04_leaf|ring_04_leaf|pinky_04_leaf',
};
