import type { NameTable } from '../name-table.js';

/** The words of VRM 1.0 used as joint names (`leftUpperArm`, `upper_arm.L`). */
export const vrm: NameTable = {
  name: 'VRM 1.0',
  hips: 'hips',
  spine: 'spine|chest|upperChest',
  neck: 'neck',
  head: 'head',
  jaw: 'jaw',
  eye: 'eye',
  shoulder: 'shoulder',
  upperArm: 'upperArm',
  lowerArm: 'lowerArm',
  hand: 'hand',
  upperLeg: 'upperLeg',
  lowerLeg: 'lowerLeg',
  foot: 'foot',
  toes: 'toes|toe|toeBase',
  thumb: ['thumbMetacarpal', 'thumbProximal', 'thumbDistal'],
  index: ['indexProximal', 'indexIntermediate', 'indexDistal'],
  middle: ['middleProximal', 'middleIntermediate', 'middleDistal'],
  ring: ['ringProximal', 'ringIntermediate', 'ringDistal'],
  little: [
    'littleProximal|pinkyProximal',
    'littleIntermediate|pinkyIntermediate',
    'littleDistal|pinkyDistal',
  ],
  ignored: 'root|secondary',
};
