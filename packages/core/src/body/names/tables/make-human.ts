import type { NameTable } from '../name-table.js';

/** MakeHuman's default rig: limbs split in two, of which the first half has the role; the spine numbered downwards; five toe chains, none of which is the toes. `root` is where legs and spine branch. */
export const makeHuman: NameTable = {
  name: 'MakeHuman',
  spine: 'spine05|spine04|spine03|spine02|spine01',
  neck: 'neck01|neck02|neck03',
  head: 'head',
  jaw: 'jaw',
  eye: 'eye',
  shoulder: 'clavicle',
  upperArm: 'upperarm01',
  lowerArm: 'lowerarm01',
  hand: 'wrist',
  upperLeg: 'upperleg01',
  lowerLeg: 'lowerleg01',
  foot: 'foot',
  thumb: ['finger1-1', 'finger1-2', 'finger1-3'],
  index: ['finger2-1', 'finger2-2', 'finger2-3'],
  middle: ['finger3-1', 'finger3-2', 'finger3-3'],
  ring: ['finger4-1', 'finger4-2', 'finger4-3'],
  little: ['finger5-1', 'finger5-2', 'finger5-3'],
  ignored:
    'pelvis|shoulder01|upperarm02|lowerarm02|upperleg02|lowerleg02|metacarpal1|metacarpal2|metacarpal3|metacarpal4|metatarsal1|metatarsal2|metatarsal3|metatarsal4|metatarsal5|breast|toe1-1|toe1-2|toe2-1|toe2-2|toe2-3|toe3-1|toe3-2|toe3-3|toe4-1|toe4-2|toe4-3|toe5-1|toe5-2|toe5-3',
};
