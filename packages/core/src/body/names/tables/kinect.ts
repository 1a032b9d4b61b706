import type { NameTable } from '../name-table.js';

/** Kinect and Azure Kinect (`ShoulderLeft`, `SPINE_NAVEL`): joints named after the joint, the hand beyond the wrist without a role of its own. */
export const kinect: NameTable = {
  name: 'Kinect',
  hips: 'SpineBase|Pelvis|HipCenter',
  spine: 'SpineMid|SpineShoulder|SpineNavel|SpineChest|Spine|ShoulderCenter',
  neck: 'Neck',
  head: 'Head',
  eye: 'Eye',
  shoulder: 'Clavicle',
  upperArm: 'Shoulder',
  lowerArm: 'Elbow',
  hand: 'Wrist',
  upperLeg: 'Hip',
  lowerLeg: 'Knee',
  foot: 'Ankle',
  toes: 'Foot',
  ignored: 'Hand|HandTip|Thumb|Nose|Ear',
};
