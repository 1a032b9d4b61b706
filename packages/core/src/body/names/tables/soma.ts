import type { NameTable } from '../name-table.js';
import { humanIk } from './human-ik.js';

/**
 * SOMA, the body of BONES-SEED and of motions generated with it: HumanIK's arms, but `LeftLeg` is the thigh and
 * `LeftShin` the shin; a chest after two spines, two necks. Fingers have four joints, of which the first lies in the palm.
 */
export const soma: NameTable = {
  ...humanIk,
  name: 'SOMA',
  spine: 'Spine1|Spine2|Chest',
  neck: 'Neck1|Neck2',
  jaw: 'Jaw',
  upperLeg: 'Leg',
  lowerLeg: 'Shin',
  toes: 'ToeBase',
  thumb: ['HandThumb1', 'HandThumb2', 'HandThumb3'],
  index: ['HandIndex2', 'HandIndex3', 'HandIndex4'],
  middle: ['HandMiddle2', 'HandMiddle3', 'HandMiddle4'],
  ring: ['HandRing2', 'HandRing3', 'HandRing4'],
  little: ['HandPinky2', 'HandPinky3', 'HandPinky4'],
  ignored:
    'Root|HeadEnd|ToeEnd|HandThumbEnd|HandIndex1|HandIndexEnd|HandMiddle1|HandMiddleEnd|HandRing1|HandRingEnd|HandPinky1|HandPinkyEnd',
};
