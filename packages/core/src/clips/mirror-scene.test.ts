import { describe, expect, it } from 'vitest';
import { skeletonOf } from '../../test/tiny-rigs.js';
import { findPartners, mirrorScene, partnersByName } from './mirror-scene.js';

describe('partners across the body', () => {
  it('are found in every usual spelling', () => {
    for (const [a, b] of [
      ['LeftArm', 'RightArm'],
      ['mixamorig:LeftHand', 'mixamorig:RightHand'],
      ['upperarm_l', 'upperarm_r'],
      ['Arm.L.001', 'Arm.R.001'],
      ['lShldr', 'rShldr'],
      ['Bip01 L Hand', 'Bip01 R Hand'],
      ['J_Bip_L_UpperArm', 'J_Bip_R_UpperArm'],
      ['左腕', '右腕'],
      ['eyeBlinkLeft', 'eyeBlinkRight'],
      ['LFinger0', 'RFinger0'],
      ['CC_Base_L_Calf', 'CC_Base_R_Calf'],
    ] as const)
      expect([...partnersByName(['Spine', a, b, 'Roll'])], a).toEqual([
        [a, b],
        [b, a],
      ]);
  });

  it('are no names that only look like it', () => {
    expect(partnersByName(['Control', 'Contror', 'Spine', 'Tail', 'Rail', 'Lail']).size).toBe(0);
  });

  it('are found by place without names, and by side where spellings differ', () => {
    const at = (name: string, parent: number, x: number, y: number) => ({
      name,
      parent,
      translation: [x, y, 0],
    });
    const nameless = skeletonOf([
      at('a', -1, 0, 1),
      at('b', 0, 0.2, 0),
      at('c', 0, -0.2, 0),
      at('d', 0, 0, 0.5),
    ]);
    expect([...findPartners(nameless)]).toEqual([0, 2, 1, 3]);
    const odd = skeletonOf([at('hips', -1, 0, 1), at('Lefthand', 0, 0.2, 0), at('RightHand', 0, -0.5, 0.4)]);
    expect([...findPartners(odd)]).toEqual([0, 2, 1]);
  });

  it('exchange the morphs of a face', () => {
    const times = Float32Array.of(0);
    const clip = {
      name: 'wink',
      duration: 0,
      tracks: [],
      morphs: [
        {
          mesh: 'Face',
          morph: 'blinkLeft',
          interpolation: 'linear' as const,
          times,
          values: Float32Array.of(1),
        },
        { mesh: 'Face', morph: 'smile', interpolation: 'linear' as const, times, values: Float32Array.of(1) },
      ],
    };
    const { otherClips } = mirrorScene({
      format: 'glb',
      name: 'face',
      characters: [],
      otherClips: [clip],
      morphs: [{ mesh: 'Face', names: ['blinkLeft', 'blinkRight', 'smile'] }],
      document: null,
      warnings: [],
    });
    expect(otherClips![0]!.morphs.map(({ morph }) => morph)).toEqual(['blinkRight', 'smile']);
  });
});
