import type { NameTable } from '../name-table.js';
import { plain } from './plain.js';

/** Plain words where the shoulder is the joint, hence the upper arm, and the collar bone has a word of its own. */
export const plainJoints: NameTable = {
  ...plain,
  name: 'plain joint names',
  shoulder: 'clavicle|collar|collarbone|scapula|clav',
  upperArm: 'shoulder|shldr',
  lowerArm: 'elbow|forearm|lowerarm',
  hand: 'wrist|hand',
  upperLeg: 'hip|thigh|upperleg',
  lowerLeg: 'knee|shin|calf|lowerleg',
  foot: 'ankle|foot',
  toes: 'toes|toe|ball|toebase',
};
