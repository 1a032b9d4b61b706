import type { NameTable } from '../name-table.js';

/** Poser and Daz up to Genesis 8, and the captures that were made for them. Genesis 3 and 8 split limbs into a bend and a twist joint: the bend has the role. */
export const daz: NameTable = {
  name: 'Daz, Poser',
  hips: 'hip|pelvis',
  spine: 'abdomen|abdomen2|chest|waist|abdomenLower|abdomenUpper|chestLower|chestUpper',
  neck: 'neck|neckLower|neckUpper',
  head: 'head',
  jaw: 'lowerJaw',
  eye: 'Eye',
  shoulder: 'Collar',
  upperArm: 'Shldr|ShldrBend',
  lowerArm: 'ForeArm|ForearmBend',
  hand: 'Hand',
  upperLeg: 'Thigh|ThighBend',
  lowerLeg: 'Shin',
  foot: 'Foot',
  toes: 'Toe|Toes',
  thumb: ['Thumb1', 'Thumb2', 'Thumb3'],
  index: ['Index1', 'Index2', 'Index3'],
  middle: ['Mid1', 'Mid2', 'Mid3'],
  ring: ['Ring1', 'Ring2', 'Ring3'],
  little: ['Pinky1', 'Pinky2', 'Pinky3'],
  ignored:
    'Buttock|ShldrTwist|ForearmTwist|ThighTwist|Metatarsals|Carpal1|Carpal2|Carpal3|Carpal4|Pectoral|upperTeeth|lowerTeeth|tongue01|tongue02|tongue03|tongue04|SmallToe1|BigToe|Ear',
};
