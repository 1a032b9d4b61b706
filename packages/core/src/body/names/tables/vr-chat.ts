import type { NameTable } from '../name-table.js';

/** What avatars for VRChat are called, and MMD models in English: `Left arm`, `Left elbow`, `Left leg` (the thigh), `Left knee`. */
export const vrChat: NameTable = {
  name: 'VRChat, MMD in English',
  hips: 'Hips|Waist|Groove|Center|Lower Body',
  spine: 'Spine|Chest|Upper Chest|Upper Body|Upper Body 2|Upper Body 3',
  neck: 'Neck',
  head: 'Head',
  jaw: 'Jaw',
  eye: 'Eye',
  shoulder: 'Shoulder',
  upperArm: 'Arm',
  lowerArm: 'Elbow',
  hand: 'Wrist',
  upperLeg: 'Leg',
  lowerLeg: 'Knee',
  foot: 'Ankle',
  toes: 'Toe|Toes',
  thumb: ['Thumb0|ThumbFinger0', 'Thumb1|ThumbFinger1', 'Thumb2|ThumbFinger2'],
  index: [
    'IndexFinger1|ForeFinger1|Fore1',
    'IndexFinger2|ForeFinger2|Fore2',
    'IndexFinger3|ForeFinger3|Fore3',
  ],
  middle: ['MiddleFinger1|Middle1', 'MiddleFinger2|Middle2', 'MiddleFinger3|Middle3'],
  ring: ['RingFinger1|Third1', 'RingFinger2|Third2', 'RingFinger3|Third3'],
  little: ['LittleFinger1|Little1', 'LittleFinger2|Little2', 'LittleFinger3|Little3'],
  ignored: 'ParentNode|ArmTwist|HandTwist|Eyes|LegIK|ToeIK|LegD|KneeD|AnkleD',
};
