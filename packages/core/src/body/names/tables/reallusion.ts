import type { NameTable } from '../name-table.js';

/** Reallusion Character Creator, iClone and AccuRig (`CC_Base_L_Thigh`). The spine starts at the waist, the neck is two twist joints. */
export const reallusion: NameTable = {
  name: 'Character Creator',
  prefix: /^cc_base_/i,
  hips: 'Hip|Pelvis',
  spine: 'Waist|Spine01|Spine02|Spine03',
  neck: 'NeckTwist01|NeckTwist02|Neck',
  head: 'Head',
  jaw: 'JawRoot',
  eye: 'Eye',
  shoulder: 'Clavicle',
  upperArm: 'Upperarm',
  lowerArm: 'Forearm',
  hand: 'Hand',
  upperLeg: 'Thigh',
  lowerLeg: 'Calf',
  foot: 'Foot',
  toes: 'ToeBase',
  thumb: ['Thumb1', 'Thumb2', 'Thumb3'],
  index: ['Index1', 'Index2', 'Index3'],
  middle: ['Mid1', 'Mid2', 'Mid3'],
  ring: ['Ring1', 'Ring2', 'Ring3'],
  little: ['Pinky1', 'Pinky2', 'Pinky3'],
  ignored:
    'BoneRoot|RootNode|UpperarmTwist01|UpperarmTwist02|ForearmTwist01|ForearmTwist02|ThighTwist01|ThighTwist02|CalfTwist01|CalfTwist02|ElbowShareBone|KneeShareBone|ToeBaseShareBone|FacialBone|Breast|RibsTwist|BigToe1|IndexToe1|MidToe1|RingToe1|PinkyToe1|UpperJaw|Teeth01|Teeth02|Tongue01|Tongue02|Tongue03',
};
