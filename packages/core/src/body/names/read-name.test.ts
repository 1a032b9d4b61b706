import { describe, expect, it } from 'vitest';
import { foldWord, readName } from './read-name.js';

describe('readName', () => {
  it('finds the side wherever names carry it, surest first', () => {
    const cases: [name: string, key: string, side: string | null][] = [
      ['LeftUpLeg', 'upleg', 'left'],
      ['right_upLeg', 'upleg', 'right'],
      ['ShoulderLeft', 'shoulder', 'left'],
      ['arm-right', 'arm', 'right'],
      ['L Thigh', 'thigh', 'left'],
      ['upper_arm.L.001', 'upperarm001', 'left'],
      ['thumb_left_1', 'thumb1', 'left'],
      ['L_Hip', 'hip', 'left'],
      ['lShldrBend', 'shldrbend', 'left'],
      ['RThumb', 'thumb', 'right'],
      ['thigh_r', 'thigh', 'right'],
      ['UpperArm.L', 'upperarm', 'left'],
      ['index01R', 'index01', 'right'],
      ['左ひじ', 'ひじ', 'left'],
      ['腕.R', '腕', 'right'],
      ['Hips', 'hips', null],
    ];
    for (const [name, key, side] of cases) expect(readName(name)[0], name).toEqual({ key, side });
  });

  it('keeps the reading without a side as the last one', () => {
    expect(readName('pelvis').at(-1)).toEqual({ key: 'pelvis', side: null });
    expect(readName('spine_l').at(-1)).toEqual({ key: 'spinel', side: null });
  });

  it('finds a side that lost its separator or its case', () => {
    expect(readName('upperarml')).toContainEqual({ key: 'upperarm', side: 'left' });
    expect(readName('rshldr')).toContainEqual({ key: 'shldr', side: 'right' });
  });

  it('reads nothing in empty names and connectors', () => {
    expect(readName('')).toEqual([]);
    expect(readName('...')).toEqual([]);
    expect(readName('__UpLeg_L')).toEqual([]);
  });
});

describe('foldWord', () => {
  it('drops case, separators and width, and keeps numbers as written', () => {
    expect(foldWord('Upper_Arm-01')).toBe('upperarm01');
    expect(foldWord('人指１')).toBe('人指1');
  });
});
