import type { NameTable } from '../name-table.js';

/** Xsens MVN: the torso by vertebrae, fingers counted from the thumb. */
export const xsens: NameTable = {
  name: 'Xsens',
  hips: 'Pelvis|Hips',
  spine: 'L5|L3|T12|T8',
  neck: 'Neck',
  head: 'Head',
  shoulder: 'Shoulder',
  upperArm: 'UpperArm',
  lowerArm: 'ForeArm',
  hand: 'Hand',
  upperLeg: 'UpperLeg',
  lowerLeg: 'LowerLeg',
  foot: 'Foot',
  toes: 'Toe',
  thumb: ['FirstMC', 'FirstPP', 'FirstDP'],
  index: ['SecondPP', 'SecondMP', 'SecondDP'],
  middle: ['ThirdPP', 'ThirdMP', 'ThirdDP'],
  ring: ['FourthPP', 'FourthMP', 'FourthDP'],
  little: ['FifthPP', 'FifthMP', 'FifthDP'],
  ignored: 'Reference|Carpus|SecondMC|ThirdMC|FourthMC|FifthMC',
};
