import type { NameTable } from '../name-table.js';

/** The skeleton of ARKit's body tracking (`left_upLeg_joint`). */
export const arKit: NameTable = {
  name: 'ARKit',
  hips: 'hips',
  spine: 'spine_1|spine_2|spine_3|spine_4|spine_5|spine_6|spine_7',
  neck: 'neck_1|neck_2|neck_3|neck_4',
  head: 'head',
  jaw: 'jaw',
  eye: 'eye',
  shoulder: 'shoulder_1',
  upperArm: 'arm',
  lowerArm: 'forearm',
  hand: 'hand',
  upperLeg: 'upLeg',
  lowerLeg: 'leg',
  foot: 'foot',
  toes: 'toes',
  thumb: ['handThumbStart', 'handThumb_1', 'handThumb_2'],
  index: ['handIndex_1', 'handIndex_2', 'handIndex_3'],
  middle: ['handMid_1', 'handMid_2', 'handMid_3'],
  ring: ['handRing_1', 'handRing_2', 'handRing_3'],
  little: ['handPinky_1', 'handPinky_2', 'handPinky_3'],
  ignored:
    'root|toesEnd|handIndexStart|handMidStart|handRingStart|handPinkyStart|handThumbEnd|handIndexEnd|handMidEnd|handRingEnd|handPinkyEnd|chin|nose|eyeball|eyeLowerLid|eyeUpperLid',
};
