import type { NameTable } from '../name-table.js';

/** The low-poly characters of Quaternius: `Body` is where legs and spine branch, `Hips` starts the spine only, and feet hang under the root. */
export const quaternius: NameTable = {
  name: 'Quaternius',
  hips: 'Body|Hips',
  spine: 'Abdomen|Torso|Chest|Spine',
  neck: 'Neck',
  head: 'Head',
  shoulder: 'Shoulder',
  upperArm: 'UpperArm',
  lowerArm: 'LowerArm',
  hand: 'Hand|Fist|Palm|Wrist',
  upperLeg: 'UpperLeg',
  lowerLeg: 'LowerLeg',
  foot: 'Foot',
  toes: 'Toes|Toe',
  thumb: ['Thumb1|Thumb', 'Thumb2', 'Thumb3'],
  index: ['Index1|Index', 'Index2', 'Index3'],
  middle: ['Middle1|Middle', 'Middle2', 'Middle3'],
  ring: ['Ring1|Ring', 'Ring2', 'Ring3'],
  little: ['Pinky1|Pinky', 'Pinky2', 'Pinky3'],
  ignored: 'Root|Bone|PoleTarget|Palm1|Palm2|Palm3|Fist1|Fist2',
};
