import type { NameTable } from '../name-table.js';

/** AdvancedSkeleton for Maya: the middle is `_M`, joints are named after the joint. */
export const advancedSkeleton: NameTable = {
  name: 'AdvancedSkeleton',
  hips: 'Root_M|Pelvis_M',
  spine: 'Spine1_M|Spine2_M|Spine3_M|Spine4_M|Chest_M|RootPart1_M|Spine1Part1_M',
  neck: 'Neck_M|NeckPart1_M|NeckPart2_M',
  head: 'Head_M',
  jaw: 'Jaw_M',
  eye: 'Eye',
  shoulder: 'Scapula',
  upperArm: 'Shoulder',
  lowerArm: 'Elbow',
  hand: 'Wrist',
  upperLeg: 'Hip',
  lowerLeg: 'Knee',
  foot: 'Ankle',
  toes: 'Toes',
  thumb: ['ThumbFinger1', 'ThumbFinger2', 'ThumbFinger3'],
  index: ['IndexFinger1', 'IndexFinger2', 'IndexFinger3'],
  middle: ['MiddleFinger1', 'MiddleFinger2', 'MiddleFinger3'],
  ring: ['RingFinger1', 'RingFinger2', 'RingFinger3'],
  little: ['PinkyFinger1', 'PinkyFinger2', 'PinkyFinger3'],
  ignored:
    'Cup|HipPart1|HipPart2|KneePart1|ShoulderPart1|ShoulderPart2|ElbowPart1|ElbowPart2|ToesEnd|HeadEnd_M|JawEnd_M|EyeEnd',
};
