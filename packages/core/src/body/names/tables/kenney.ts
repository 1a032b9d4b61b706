import type { NameTable } from '../name-table.js';

/** Kenney's characters of six rigid parts: an arm is one piece, and so is a leg. */
export const kenney: NameTable = {
  name: 'Kenney',
  spine: 'torso',
  head: 'head',
  upperArm: 'arm',
  upperLeg: 'leg',
  ignored: 'root|character|antenna',
};
