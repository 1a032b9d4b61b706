import type { NameTable } from '../name-table.js';

/** VRoid Studio (`J_Bip_L_UpperArm`); `J_Sec_` joints swing and play no role. */
export const vroid: NameTable = {
  name: 'VRoid',
  prefix: /^j_(?:bip|adj)_(?:c_)?/i,
  hips: 'Hips',
  spine: 'Spine|Chest|UpperChest',
  neck: 'Neck',
  head: 'Head',
  jaw: 'Jaw',
  eye: 'FaceEye',
  shoulder: 'Shoulder',
  upperArm: 'UpperArm',
  lowerArm: 'LowerArm',
  hand: 'Hand',
  upperLeg: 'UpperLeg',
  lowerLeg: 'LowerLeg',
  foot: 'Foot',
  toes: 'ToeBase',
  thumb: ['Thumb1', 'Thumb2', 'Thumb3'],
  index: ['Index1', 'Index2', 'Index3'],
  middle: ['Middle1', 'Middle2', 'Middle3'],
  ring: ['Ring1', 'Ring2', 'Ring3'],
  little: ['Little1', 'Little2', 'Little3'],
  ignored: 'Root|Bust1|Bust2',
};
