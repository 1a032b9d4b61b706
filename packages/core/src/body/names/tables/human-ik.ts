import type { NameTable } from '../name-table.js';

/** The words of HumanIK and MotionBuilder, which Mixamo, Ready Player Me and most captures share. */
export const humanIk: NameTable = {
  name: 'HumanIK',
  prefix: /^character\d*[_ ]/i,
  hips: 'Hips|Pelvis',
  spine: 'Spine|Spine1|Spine2|Spine3|Spine4|Spine5|Spine6|Spine7|Spine8|Spine9|Spine01|Spine02|Spine03',
  neck: 'Neck|Neck1|Neck2|Neck3|Neck4',
  head: 'Head',
  jaw: 'Jaw',
  eye: 'Eye',
  shoulder: 'Shoulder',
  upperArm: 'Arm',
  lowerArm: 'ForeArm',
  hand: 'Hand',
  upperLeg: 'UpLeg',
  lowerLeg: 'Leg',
  foot: 'Foot',
  toes: 'ToeBase|Toe|Toe1|FootThumb1',
  thumb: ['HandThumb1', 'HandThumb2', 'HandThumb3'],
  index: ['HandIndex1|HandIndex', 'HandIndex2', 'HandIndex3'],
  middle: ['HandMiddle1|HandMiddle', 'HandMiddle2', 'HandMiddle3'],
  ring: ['HandRing1|HandRing', 'HandRing2', 'HandRing3'],
  little: ['HandPinky1|HandPinky|HandRingPinky1', 'HandPinky2|HandRingPinky2', 'HandPinky3|HandRingPinky3'],
  ignored:
    'Reference|Root|ShoulderExtra|ArmRoll|ForeArmRoll|UpLegRoll|LegRoll|InHandThumb|InHandIndex|InHandMiddle|InHandRing|InHandPinky|HandThumb4|HandIndex4|HandMiddle4|HandRing4|HandPinky4|HeadTopEnd|ToeEnd|HeadEnd',
};
