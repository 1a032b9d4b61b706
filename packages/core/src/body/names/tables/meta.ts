import type { NameTable } from '../name-table.js';

/** Meta's body tracking skeleton (`LeftArmUpper`, `SpineLower`). */
export const meta: NameTable = {
  name: 'Meta body tracking',
  hips: 'Hips',
  spine: 'SpineLower|SpineMiddle|SpineUpper|Chest',
  neck: 'Neck',
  head: 'Head',
  shoulder: 'Shoulder',
  upperArm: 'ArmUpper',
  lowerArm: 'ArmLower',
  hand: 'HandWrist',
  upperLeg: 'UpperLeg|LegUpper',
  lowerLeg: 'LowerLeg|LegLower',
  foot: 'FootAnkle',
  toes: 'FootBall',
  thumb: ['HandThumbMetacarpal', 'HandThumbProximal', 'HandThumbDistal'],
  index: ['HandIndexProximal', 'HandIndexIntermediate', 'HandIndexDistal'],
  middle: ['HandMiddleProximal', 'HandMiddleIntermediate', 'HandMiddleDistal'],
  ring: ['HandRingProximal', 'HandRingIntermediate', 'HandRingDistal'],
  little: ['HandLittleProximal', 'HandLittleIntermediate', 'HandLittleDistal'],
  ignored:
    'Root|Scapula|HandWristTwist|HandPalm|HandIndexMetacarpal|HandMiddleMetacarpal|HandRingMetacarpal|HandLittleMetacarpal|FootAnkleTwist|FootSubtalar|FootTransverse|HandThumbTip|HandIndexTip|HandMiddleTip|HandRingTip|HandLittleTip',
};
