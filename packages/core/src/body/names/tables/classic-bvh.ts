import type { NameTable } from '../name-table.js';

/** Captures whose joints are named after the joint rather than the bone: `LeftShoulder` is the upper arm. */
export const classicBvh: NameTable = {
  name: 'classic BVH',
  hips: 'Hips|Hip|Pelvis',
  spine:
    'Chest|Chest1|Chest2|Chest3|Chest4|Ab|Abdomen|Spine|Spine1|Spine2|Spine3|Waist|LowerBack|UpperBack|ToSpine|CenterHip',
  neck: 'Neck|Neck1|Neck2|ToNeck',
  head: 'Head',
  eye: 'Eye',
  shoulder: 'Collar|Clavicle|CollarBone',
  upperArm: 'Shoulder|UpArm|UpperArm',
  lowerArm: 'Elbow|LowArm',
  hand: 'Wrist',
  upperLeg: 'Hip|UpLeg',
  lowerLeg: 'Knee|LowLeg',
  foot: 'Ankle',
  toes: 'Toes|Toe|Ball|ToeBase',
};
