import type { NameTable } from '../name-table.js';
import { humanIk } from './human-ik.js';

/** Rokoko's suits: HumanIK's arms with thigh and shin, fingers counted from the thumb. */
export const rokoko: NameTable = {
  ...humanIk,
  name: 'Rokoko',
  upperLeg: 'Thigh',
  lowerLeg: 'Shin',
  toes: 'Toe|ToeBase',
  thumb: ['Finger1Metacarpal', 'Finger1Proximal', 'Finger1Distal'],
  index: ['Finger2Proximal', 'Finger2Medial', 'Finger2Distal'],
  middle: ['Finger3Proximal', 'Finger3Medial', 'Finger3Distal'],
  ring: ['Finger4Proximal', 'Finger4Medial', 'Finger4Distal'],
  little: ['Finger5Proximal', 'Finger5Medial', 'Finger5Distal'],
  ignored:
    'Root|Finger2Metacarpal|Finger3Metacarpal|Finger4Metacarpal|Finger5Metacarpal|Finger1Tip|Finger2Tip|Finger3Tip|Finger4Tip|Finger5Tip',
};
