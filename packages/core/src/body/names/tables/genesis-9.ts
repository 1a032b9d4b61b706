import type { NameTable } from '../name-table.js';

/** Daz Genesis 9, which says shoulder for the collar bone. */
export const genesis9: NameTable = {
  name: 'Daz Genesis 9',
  hips: 'hip|pelvis',
  spine: 'spine1|spine2|spine3|spine4',
  neck: 'neck1|neck2',
  head: 'head',
  jaw: 'lowerjaw',
  eye: 'eye',
  shoulder: 'shoulder',
  upperArm: 'upperarm',
  lowerArm: 'forearm',
  hand: 'hand',
  upperLeg: 'thigh',
  lowerLeg: 'shin',
  foot: 'foot',
  toes: 'toes',
  thumb: ['thumb1', 'thumb2', 'thumb3'],
  index: ['index1', 'index2', 'index3'],
  middle: ['mid1', 'mid2', 'mid3'],
  ring: ['ring1', 'ring2', 'ring3'],
  little: ['pinky1', 'pinky2', 'pinky3'],
  ignored:
    'upperarmtwist1|upperarmtwist2|forearmtwist1|forearmtwist2|thightwist1|thightwist2|metatarsal|indexmetacarpal|midmetacarpal|ringmetacarpal|pinkymetacarpal|pectoral|ear',
};
