import type { NameTable } from '../name-table.js';
import { humanIk } from './human-ik.js';

/** The CMU captures as MotionBuilder writes them: HumanIK with a `LowerBack` and connectors at the hips. */
export const cmu: NameTable = {
  ...humanIk,
  name: 'CMU MotionBuilder',
  spine: 'LowerBack|Spine|Spine1|Spine2',
  thumb: [],
  ignored: 'HipJoint|FingerBase|Thumb',
};
