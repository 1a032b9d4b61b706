import type { NameTable } from '../name-table.js';

/** The rig of early MakeHuman, whose `Hips` carries the legs only. */
export const makeHumanEarly: NameTable = {
  name: 'early MakeHuman',
  hips: 'Hips',
  spine: 'Spine1|Spine2|Spine3',
  neck: 'Neck',
  head: 'Head',
  jaw: 'Jaw',
  eye: 'Eye',
  shoulder: 'Clavicle',
  upperArm: 'UpArm',
  lowerArm: 'LoArm',
  hand: 'Hand',
  upperLeg: 'UpLeg',
  lowerLeg: 'LoLeg',
  foot: 'Foot',
  toes: 'Toe',
  thumb: ['Thumb1', 'Thumb2', 'Thumb3'],
  index: ['Index1', 'Index2', 'Index3'],
  middle: ['Middle1', 'Middle2', 'Middle3'],
  ring: ['Ring1', 'Ring2', 'Ring3'],
  little: ['Pinky1', 'Pinky2', 'Pinky3'],
  ignored: 'Tongue1|Tongue2|Tongue3',
};
