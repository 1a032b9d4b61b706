import type { NameTable } from '../name-table.js';

/** Second Life and OpenSimulator (`mShoulderLeft`). */
export const secondLife: NameTable = {
  name: 'Second Life',
  hips: 'mPelvis',
  spine: 'mSpine1|mSpine2|mSpine3|mSpine4|mTorso|mChest',
  neck: 'mNeck',
  head: 'mHead',
  jaw: 'mFaceJaw',
  eye: 'mEye',
  shoulder: 'mCollar',
  upperArm: 'mShoulder',
  lowerArm: 'mElbow',
  hand: 'mWrist',
  upperLeg: 'mHip',
  lowerLeg: 'mKnee',
  foot: 'mAnkle',
  toes: 'mFoot',
  thumb: ['mHandThumb1', 'mHandThumb2', 'mHandThumb3'],
  index: ['mHandIndex1', 'mHandIndex2', 'mHandIndex3'],
  middle: ['mHandMiddle1', 'mHandMiddle2', 'mHandMiddle3'],
  ring: ['mHandRing1', 'mHandRing2', 'mHandRing3'],
  little: ['mHandPinky1', 'mHandPinky2', 'mHandPinky3'],
  ignored: 'mToe|mSkull|mGroin|mHindLimbsRoot',
};
