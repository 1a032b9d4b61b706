import { describe, expect, it } from 'vitest';
import { cleanNames } from './clean-names.js';

const shortest = (names: string[]) => cleanNames(names).map(({ forms }) => forms.at(-1));

describe('cleanNames', () => {
  const words = ['Hips', 'Spine', 'Neck', 'Head', 'LeftArm', 'RightArm', 'LeftLeg', 'RightLeg'];

  it('leaves plain names as they are', () => {
    expect(shortest(words)).toEqual(words);
    expect(shortest([])).toEqual([]);
    expect(shortest(['', ''])).toEqual(['', '']);
  });

  it('takes away namespaces, paths, shared prefixes and suffixes', () => {
    for (const wrap of ['Hero:', 'Scene|Rig|', 'Hero_', 'Big Hero ', 'Hero'].map(
      (prefix) => (word: string) => prefix + word,
    ))
      expect(shortest(words.map(wrap))).toEqual(words);
    for (const suffix of ['_jnt', '_Joint_01', ' [x]', '.001'])
      expect(shortest(words.map((word) => word + suffix))).toEqual(words);
  });

  it('takes counters away only where they run', () => {
    expect(shortest(words.map((word, i) => `${word}_${i}`))).toEqual(words);
    const numbered = ['spine_01', 'spine_02', 'neck_01', 'thigh_l', 'calf_l', 'foot_l', 'hand_l', 'head'];
    expect(shortest(numbered)).toEqual(numbered);
  });

  it('never takes a side away', () => {
    const left = ['Left_Arm', 'Left_ForeArm', 'Left_Hand', 'Left_Shoulder', 'Left_Thumb'];
    expect(shortest(left)).toEqual(left);
    const right = ['arm_r', 'forearm_r', 'hand_r', 'shoulder_r', 'thumb_r'];
    expect(shortest(right)).toEqual(right);
  });

  it('keeps a copy number that may be a word of its own, and offers the name without it', () => {
    const names = cleanNames(['spine', 'spine.001', 'spine.002', 'neck', 'head', 'hips', 'arm.L', 'leg.L']);
    expect(names[1]).toEqual({ forms: ['spine.001'], uncopied: 'spine' });
  });
});
