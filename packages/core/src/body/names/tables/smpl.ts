import type { NameTable } from '../name-table.js';

/** The research bodies SMPL, SMPL-H and SMPL-X: joints named after the joint, `L_Foot` being the ball of the foot. */
export const smpl: NameTable = {
  name: 'SMPL',
  prefix: /^(?:[mf]_avg_|smpl[hx]?[-_ ])/i,
  hips: 'Pelvis',
  spine: 'Spine1|Spine2|Spine3',
  neck: 'Neck',
  head: 'Head',
  jaw: 'jaw',
  eye: 'eye_smplhf|eye',
  shoulder: 'Collar',
  upperArm: 'Shoulder',
  lowerArm: 'Elbow',
  hand: 'Wrist',
  upperLeg: 'Hip',
  lowerLeg: 'Knee',
  foot: 'Ankle',
  toes: 'Foot',
  thumb: ['thumb1', 'thumb2', 'thumb3'],
  index: ['index1', 'index2', 'index3'],
  middle: ['middle1', 'middle2', 'middle3'],
  ring: ['ring1', 'ring2', 'ring3'],
  little: ['pinky1', 'pinky2', 'pinky3'],
  ignored: 'Hand|big_toe|small_toe|heel|root',
};
