import { describe, expect, it } from 'vitest';
import { clipOf, jointOf, rotationTrack, sceneOf, tinyHuman, turn } from '../../../test/tiny-rigs.js';
import { UsageError } from '../../base/errors.js';
import { optionsOfRecipe, readRecipe } from '../../recipe/recipe.js';
import { retarget } from '../../retarget.js';
import { ROLES, type Role } from '../roles.js';
import { knownRoles } from '../understand/known-rigs.js';
import { NAMING_SCHEMES, namingScheme, renameJoints, rolesOfScheme } from './naming-schemes.js';

/**
 * A body whose joints are called as a scheme has them. It knows its own body parts; with sides exchanged, the scheme
 * says otherwise than the body itself.
 */
const bodyOf = (scheme: Readonly<Partial<Record<Role, string>>>, exchanged = false) =>
  tinyHuman({
    rename: (role) => {
      const other = role.replace(/^(left|right)/, (side) => (side === 'left' ? 'right' : 'left'));
      return scheme[(exchanged ? other : role) as Role] ?? `x${role}`;
    },
  });

describe('naming schemes (B27)', () => {
  it('B27: Mixamo’s names with their namespace and without, as the tables of names read them too', () => {
    const { mixamo_full: full, mixamo_no_namespace: bare } = NAMING_SCHEMES;
    expect(full!.leftUpperArm).toBe('mixamorig:LeftArm');
    expect(bare!.leftUpperArm).toBe('LeftArm');
    expect(bare!.rightLittleDistal).toBe('RightHandPinky3');
    expect(full!.rightThumbMetacarpal).toBe('mixamorig:RightHandThumb1');
    for (const scheme of [full!, bare!]) {
      const skeleton = bodyOf(scheme);
      const { guesses } = knownRoles(skeleton);
      for (const [role, joint] of Object.entries(rolesOfScheme(scheme, skeleton, 'naming')))
        expect(guesses[joint]!.role).toBe(role);
    }
  });

  it('B27: the Dude’s numbers', () => {
    const { dude } = NAMING_SCHEMES;
    const expected: Partial<Record<Role, number>> = {
      ...{ hips: 1, spine: 2, upperChest: 5, neck: 6, head: 7 },
      ...{ leftShoulder: 12, leftUpperArm: 13, leftLowerArm: 14, leftHand: 15 },
      ...{ leftThumbMetacarpal: 16, leftLittleDistal: 30 },
      ...{ rightShoulder: 31, rightUpperArm: 32, rightLowerArm: 33, rightHand: 34 },
      ...{ rightIndexProximal: 38, rightLittleDistal: 49 },
      ...{ leftUpperLeg: 50, leftLowerLeg: 51, leftFoot: 52, leftToes: 53 },
      ...{ rightUpperLeg: 54, rightLowerLeg: 55, rightFoot: 56, rightToes: 57 },
    };
    for (const [role, number] of Object.entries(expected)) expect(dude![role as Role]).toBe(`bone${number}`);
    expect(new Set(Object.values(dude!)).size).toBe(Object.keys(dude!).length);
  });

  it('B27: names of one scheme by those of another', () => {
    const names = renameJoints('mixamo_full', 'dude');
    expect(names.get('mixamorig:Hips')).toBe('bone1');
    expect(names.get('mixamorig:RightToeBase')).toBe('bone57');
    expect(names.get('Hips')).toBeUndefined();
    expect([...renameJoints('dude', { head: 'Kopf', jaw: 'Kiefer' })]).toEqual([['bone7', 'Kopf']]);
  });

  it('B27: one that there is not is refused by its name', () => {
    const sentence =
      'is "nonsense"; it is "mixamo_full", "mixamo_no_namespace", "dude", or joint names by body part';
    expect(() => namingScheme('nonsense')).toThrow(UsageError);
    expect(() => readRecipe({ namingScheme: 'nonsense' })).toThrow(`recipe.namingScheme ${sentence}`);
    expect(() => readRecipe({ version: 1, source: { namingScheme: 'nonsense' } })).toThrow(
      `recipe.source.namingScheme ${sentence}`,
    );
    const body = tinyHuman();
    expect(() => retarget(sceneOf(body), sceneOf(body), { targetNaming: 'nonsense' })).toThrow(/nonsense/);
    expect(() => retarget(sceneOf(body), sceneOf(body), { targetNaming: 'dude' })).toThrow(
      /^targetNaming: ".*" has none of the joints that it names, such as "bone1", "bone2", "bone3"$/,
    );
    expect(() => namingScheme('toString')).toThrow(/toString/);
  });

  it('B27: by a recipe’s schemes, or one of one’s own, joints without telling names are body parts', () => {
    const own = Object.fromEntries(ROLES.map((role, n) => [role, `own${n}`]));
    const source = bodyOf(NAMING_SCHEMES.dude!, true);
    const target = bodyOf(own, true);
    const clip = clipOf([
      rotationTrack(jointOf(source, 'leftUpperArm'), [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], 0.5)]),
    ]);
    const { recipe } = readRecipe({
      version: 1,
      source: { namingScheme: 'dude' },
      target: { namingScheme: own },
    });
    const options = optionsOfRecipe(recipe);
    expect(options).toEqual({ sourceNaming: 'dude', targetNaming: own });
    const { report } = retarget(sceneOf(source, [clip]), sceneOf(target), {
      ...options,
      corrections: 'none',
    });
    for (const role of ['hips', 'leftUpperArm', 'rightFoot'] as const) {
      const pair = report.map.joints.find((each) => each.role === role)!;
      expect(target.names[pair.target]).toBe(own[role]);
      expect(source.names[pair.sources.at(-1)!]).toBe(NAMING_SCHEMES.dude![role]);
    }
  });
});
