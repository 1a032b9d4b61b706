import type { NameTable } from '../name-table.js';

/** The bones of Acclaim files (ASF) as the CMU and HDM05 captures name them (`lfemur`, `lhumerus`). */
export const acclaim: NameTable = {
  name: 'Acclaim',
  spine: 'lowerback|upperback|thorax',
  neck: 'lowerneck|upperneck',
  head: 'head',
  shoulder: 'clavicle',
  upperArm: 'humerus',
  lowerArm: 'radius',
  hand: 'wrist|hand',
  upperLeg: 'femur',
  lowerLeg: 'tibia',
  foot: 'foot',
  toes: 'toes',
  ignored: 'hipjoint|hand|fingers|thumb',
};
