import type { NameTable } from '../name-table.js';

/** Auto-Rig Pro's deforming joints (`thigh_stretch.l`, `spine_01.x`); its exports for engines carry Unreal's or Mixamo's names. */
export const autoRigPro: NameTable = {
  name: 'Auto-Rig Pro',
  hips: 'root.x',
  spine: 'spine_01.x|spine_02.x|spine_03.x|spine_04.x|spine_05.x',
  neck: 'neck.x|subneck_1.x|subneck_2.x',
  head: 'head.x',
  jaw: 'jawbone.x',
  eye: 'c_eye|eye',
  shoulder: 'shoulder',
  upperArm: 'arm_stretch|c_arm_stretch',
  lowerArm: 'forearm_stretch',
  hand: 'hand',
  upperLeg: 'thigh_stretch|c_thigh_stretch',
  lowerLeg: 'leg_stretch',
  foot: 'foot',
  toes: 'toes_01|toes',
  thumb: ['thumb1|c_thumb1', 'c_thumb2|thumb2', 'c_thumb3|thumb3'],
  index: ['index1|c_index1', 'c_index2|index2', 'c_index3|index3'],
  middle: ['middle1|c_middle1', 'c_middle2|middle2', 'c_middle3|middle3'],
  ring: ['ring1|c_ring1', 'c_ring2|ring2', 'c_ring3|ring3'],
  little: ['pinky1|c_pinky1', 'c_pinky2|pinky2', 'c_pinky3|pinky3'],
  ignored:
    'root|c_traj|arm_twist|c_arm_twist|forearm_twist|thigh_twist|c_thigh_twist|leg_twist|index1_base|c_index1_base|middle1_base|c_middle1_base|ring1_base|c_ring1_base|pinky1_base|c_pinky1_base|breast_01|breast_02',
};
