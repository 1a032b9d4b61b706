import type { Random } from './random.js';

/** The families of names that a body can have. */
export const NAME_STYLES = ['vrm', 'mixamo', 'unreal', 'blender'] as const;

/** One of {@link NAME_STYLES}; `mute` names say nothing. */
export type NameStyle = (typeof NAME_STYLES)[number] | 'mute';

/** Parts without their side, in the words of two families. */
const WORDS: Readonly<Record<string, readonly [mixamo: string, unreal: string]>> = {
  hips: ['Hips', 'pelvis'],
  spine: ['Spine', 'spine_01'],
  chest: ['Spine1', 'spine_02'],
  upperChest: ['Spine2', 'spine_03'],
  neck: ['Neck', 'neck_01'],
  head: ['Head', 'head'],
  Eye: ['Eye', 'eye'],
  Shoulder: ['Shoulder', 'clavicle'],
  UpperArm: ['Arm', 'upperarm'],
  LowerArm: ['ForeArm', 'lowerarm'],
  Hand: ['Hand', 'hand'],
  ThumbProximal: ['HandThumb1', 'thumb_01'],
  IndexProximal: ['HandIndex1', 'index_01'],
  IndexIntermediate: ['HandIndex2', 'index_02'],
  UpperLeg: ['UpLeg', 'thigh'],
  LowerLeg: ['Leg', 'calf'],
  Foot: ['Foot', 'foot'],
  Toes: ['ToeBase', 'ball'],
};

/** Gives the parts of a body the names of a family. */
export function nameParts(joints: { name: string }[], style: NameStyle): void {
  joints.forEach((joint, i) => {
    const side = /^(left|right)/.exec(joint.name)?.[1] ?? '';
    const part = joint.name.slice(side.length);
    const words = WORDS[part] ?? [part, part];
    if (style === 'mute') joint.name = `bone_${i}`;
    else if (style === 'mixamo')
      joint.name = `mixamorig:${side === '' ? '' : side === 'left' ? 'Left' : 'Right'}${words[0]}`;
    else if (style === 'unreal') joint.name = side === '' ? words[1] : `${words[1]}_${side[0]}`;
    else if (style === 'blender') joint.name = side === '' ? part : `${part}.${side === 'left' ? 'L' : 'R'}`;
  });
}

/** A name that nobody would give. */
export function hostileName(random: Random): string {
  return random.pick([
    '',
    ' ',
    '@',
    'a@3',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
    '"quoted"',
    'two\nlines',
    '\u0000\u001b[31mred',
    '\u202eturned',
    '\ud800half',
    '../../up',
    'L'.repeat(5000),
    '名前😀',
    '-1',
    '0',
    'NaN',
    'null',
    'left',
    'Hips',
    'hips',
    'LeftFoot',
    'RightFoot',
  ]);
}
