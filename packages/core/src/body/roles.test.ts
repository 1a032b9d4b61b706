import { describe, expect, it } from 'vitest';
import { isRole, LIMB_ROLES, limbOf, mirrorRole, REQUIRED_ROLES, ROLES, sideOf } from './roles.js';

describe('roles', () => {
  it('W3: are the 55 slots of a humanoid, by the names of VRM 1.0', () => {
    const sided = [
      'Eye',
      ...['UpperLeg', 'LowerLeg', 'Foot', 'Toes'],
      ...['Shoulder', 'UpperArm', 'LowerArm', 'Hand'],
      ...['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'],
      ...['Index', 'Middle', 'Ring', 'Little'].flatMap((finger) =>
        ['Proximal', 'Intermediate', 'Distal'].map((phalanx) => finger + phalanx),
      ),
    ];
    const expected = [
      ...['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'jaw'],
      ...['left', 'right'].flatMap((side) => sided.map((role) => side + role)),
    ];
    expect(ROLES).toHaveLength(55);
    expect([...ROLES].sort()).toEqual(expected.sort());
  });

  it('W4: fifteen of them are required', () => {
    expect(REQUIRED_ROLES).toHaveLength(15);
    expect(new Set(REQUIRED_ROLES).size).toBe(15);
    for (const role of REQUIRED_ROLES) expect(isRole(role)).toBe(true);
  });

  it('mirror onto themselves twice, and only the middle of the body onto itself', () => {
    for (const role of ROLES) {
      expect(mirrorRole(mirrorRole(role))).toBe(role);
      expect(mirrorRole(role) === role).toBe(sideOf(role) === null);
    }
  });

  it('belong to one limb each, but for eyes and jaw', () => {
    const inLimbs = Object.values(LIMB_ROLES).flat();
    expect(new Set(inLimbs).size).toBe(inLimbs.length);
    for (const role of ROLES) expect(limbOf(role) === null).toBe(/Eye$|^jaw$/.test(role));
  });
});
