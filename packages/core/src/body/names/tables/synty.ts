import type { NameTable } from '../name-table.js';

/** The characters of Synty: `Shoulder_L` is the upper arm, `Ankle_L` the foot; one chain stands for the last three fingers. */
export const synty: NameTable = {
  name: 'Synty',
  hips: 'Hips',
  spine: 'Spine_01|Spine_02|Spine_03',
  neck: 'Neck',
  head: 'Head',
  jaw: 'Jaw',
  eye: 'Eye',
  shoulder: 'Clavicle',
  upperArm: 'Shoulder',
  lowerArm: 'Elbow',
  hand: 'Hand',
  upperLeg: 'UpperLeg',
  lowerLeg: 'LowerLeg',
  foot: 'Ankle',
  toes: 'Ball|Toes',
  thumb: ['Thumb_01', 'Thumb_02', 'Thumb_03'],
  index: ['IndexFinger_01', 'IndexFinger_02', 'IndexFinger_03'],
  ignored: 'Root|Toes|Finger_01|Finger_02|Finger_03|Finger_04|IndexFinger_04|Thumb_04|Eyes|Eyebrows',
};
