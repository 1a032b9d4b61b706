import type { NameTable } from '../name-table.js';

/** 3ds Max Biped and Character Studio (`Bip01 L Thigh`, `Bip001_L_Thigh`), and Valve's `ValveBiped.Bip01_`. Fingers count from the thumb, 0; their second and third joints add a digit. */
export const biped: NameTable = {
  name: '3ds Max Biped',
  prefix: /^(?:valvebiped[._ ])?bip(?:ed)?\d*[ _.:-]?/i,
  hips: 'Pelvis',
  spine: 'Spine|Spine1|Spine2|Spine3|Spine4|Spine5',
  neck: 'Neck|Neck1|Neck2|Neck3',
  head: 'Head|Head1',
  jaw: 'MJaw|Jaw',
  eye: 'Eye',
  shoulder: 'Clavicle',
  upperArm: 'UpperArm',
  lowerArm: 'Forearm',
  hand: 'Hand',
  upperLeg: 'Thigh',
  lowerLeg: 'Calf',
  foot: 'Foot',
  toes: 'Toe0',
  thumb: ['Finger0|Finger00', 'Finger01', 'Finger02'],
  index: ['Finger1|Finger10', 'Finger11', 'Finger12'],
  middle: ['Finger2|Finger20', 'Finger21', 'Finger22'],
  ring: ['Finger3|Finger30', 'Finger31', 'Finger32'],
  little: ['Finger4|Finger40', 'Finger41', 'Finger42'],
  ignored:
    'Bip01|Bip001|Bip02|Bip|Footsteps|HorseLink|HeadNub|Toe0Nub|Finger0Nub|Finger1Nub|Finger2Nub|Finger3Nub|Finger4Nub|UpArmTwist|ForeTwist|ForeTwist1|UpperArmTwist|ForearmTwist|ThighTwist|CalfTwist|Toe01|Toe02|Prop1|Prop2',
};
