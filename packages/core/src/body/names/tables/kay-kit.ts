import type { NameTable } from '../name-table.js';

/** KayKit's characters. A wrist carries the hand, and the hand is what turns. */
export const kayKit: NameTable = {
  name: 'KayKit',
  hips: 'hips',
  spine: 'spine|chest',
  neck: 'neck',
  head: 'head',
  upperArm: 'upperarm',
  lowerArm: 'lowerarm',
  hand: 'hand|wrist',
  upperLeg: 'upperleg',
  lowerLeg: 'lowerleg',
  foot: 'foot',
  toes: 'toes',
  ignored:
    'root|wrist|handslot|kneeIK|heelIK|elbowIK|handIK|IK-foot|IK-toe|control-toe-roll|control-heel-roll|control-foot-roll',
};
