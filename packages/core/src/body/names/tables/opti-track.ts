import type { NameTable } from '../name-table.js';

/** OptiTrack's Motive (`LUArm`, `LThigh`). */
export const optiTrack: NameTable = {
  name: 'OptiTrack',
  hips: 'Hip|Hips',
  spine: 'Ab|Chest|Spine|Spine1',
  neck: 'Neck|Neck2',
  head: 'Head',
  shoulder: 'Shoulder',
  upperArm: 'UArm',
  lowerArm: 'FArm',
  hand: 'Hand',
  upperLeg: 'Thigh',
  lowerLeg: 'Shin',
  foot: 'Foot',
  toes: 'Toe',
  thumb: ['Thumb1', 'Thumb2', 'Thumb3'],
  index: ['Index1', 'Index2', 'Index3'],
  middle: ['Middle1', 'Middle2', 'Middle3'],
  ring: ['Ring1', 'Ring2', 'Ring3'],
  little: ['Pinky1', 'Pinky2', 'Pinky3'],
};
