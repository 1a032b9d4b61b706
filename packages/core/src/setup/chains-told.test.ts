import { describe, expect, it } from 'vitest';
import { movingPlan } from '../../test/moving-plan.js';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { beastPlan } from '../../test/unseen-plans.js';
import type { Row } from '../../test/unseen-rigs.js';
import { UsageError } from '../base/errors.js';
import { writeArmature } from '../body/chains/armature-document.js';
import { armatureOfRig } from '../body/chains/armature-of-rig.js';
import { createArmature } from '../body/chains/create-armature.js';
import { joinChains, splitChain } from '../body/chains/edit-armature.js';
import { driverOf } from '../map/rig-map.js';
import { CHAIN_WEIGHTS } from '../options/chain-matching.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { optionsOfRecipe, readRecipe, recipeOf } from '../recipe/recipe.js';
import { retarget } from '../retarget.js';
import type { Character } from '../scene/scene.js';
import { setUpScenes } from './set-up-scenes.js';

const person = stickFigure({ fingers: true });
const other = stickFigure({ fingers: true, names: 'unreal', arms: 'A', spine: 5, size: 0.8 });
const cat = movingPlan(beastPlan());
const dog = movingPlan(beastPlan({ tail: 7, neck: 3, leg: 0.8, length: 1.1 }), { prefix: 'd_', size: 1.3 });

type Pairs = Map<string, string>;

/** How far ahead a limb begins, bends and ends, in metres. */
type Limb = readonly [begins: number, bends: number, ends: number];

/** A trunk with two pairs of limbs, one metre high. */
function limbed(prefix: string, front: Limb, hind: Limb) {
  const limb = (name: string, [begins, bends, ends]: Limb): Row[] => [
    [`${name}~1`, 'trunk', 0.2, 1, begins],
    [`${name}~2`, `${name}~1`, 0.2, 0.5, bends],
    [`${name}~3`, `${name}~2`, 0.2, 0, ends],
  ];
  const rows: Row[] = [
    ['root', '', 0, 0, 0],
    ['trunk', 'root', 0, 1, 0],
  ];
  return movingPlan([...rows, ...limb('front', front), ...limb('hind', hind)], { prefix });
}

const NOTHING = Object.fromEntries(Object.keys(CHAIN_WEIGHTS).map((name) => [name, 0]));

/** Who drives whom by name, and what is said to have no effect. */
function pairsOf(
  source: Character,
  target: Character,
  options: RetargetOptions,
): { pairs: Pairs; idle: string[] } {
  const { setup, warnings } = setUpScenes(sceneOf(source, 'a'), sceneOf(target, 'b'), {
    corrections: 'none',
    ...options,
  });
  return {
    pairs: new Map(
      setup.map.joints.map((pair) => [
        target.skeleton.names[pair.target]!,
        source.skeleton.names[driverOf(pair)]!,
      ]),
    ),
    idle: warnings
      .filter(({ code }) => code === 'option-without-effect')
      .map(({ message }) => /the option (\S+)/.exec(message)![1]!),
  };
}

const differing = (a: Pairs, b: Pairs) =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name)).sort();

describe('map.changes', () => {
  const found = pairsOf(person, other, {}).pairs;
  const change = (changes: object[]) =>
    pairsOf(person, other, { map: { version: 1, changes } as NonNullable<RetargetOptions['map']> }).pairs;

  it('telling one pair changes one pair, and no other', () => {
    const told = change([{ target: 'hand_l', sources: ['mixamorig:RightHand'] }]);
    expect(differing(found, told)).toEqual(['hand_l']);
    expect(told.get('hand_l')).toBe('mixamorig:RightHand');
    expect(told.size).toBe(found.size);
  });

  it('takes a pair out by none or by null, and leaves all others', () => {
    for (const nothing of [{ none: true }, { sources: null }]) {
      const told = change([{ target: 'hand_l', ...nothing }]);
      expect(differing(found, told)).toEqual(['hand_l']);
      expect(told.has('hand_l')).toBe(false);
    }
  });

  it('changes a map that is listed as well, and what is saved repeats it', () => {
    const { setup } = setUpScenes(sceneOf(person, 'a'), sceneOf(other, 'b'), {
      map: { version: 1, changes: [{ target: 'head', none: true }] },
    });
    const recipe = readRecipe(JSON.parse(JSON.stringify(recipeOf(setup)))).recipe;
    recipe.map!.changes = [{ target: 'head', sources: ['mixamorig:Neck'] }];
    const again = pairsOf(person, other, optionsOfRecipe(recipe)).pairs;
    expect(differing(found, again)).toEqual(['head']);
    expect(again.get('head')).toBe('mixamorig:Neck');
  });

  it('keeps the body part of a pair, and says which joints are not there', () => {
    const { setup, warnings } = setUpScenes(sceneOf(person, 'a'), sceneOf(other, 'b'), {
      map: {
        version: 1,
        changes: [
          { target: 'hand_l', sources: ['mixamorig:LeftForeArm'] },
          { target: 'nobody', none: true },
          { target: 'head', sources: ['nobody'] },
        ],
      },
    });
    const hand = other.jointOf('leftHand');
    expect(setup.map.joints.find(({ target }) => target === hand)!.role).toBe('leftHand');
    const ignored = warnings.filter(({ code }) => code === 'map-entry-ignored');
    expect(ignored.map(({ joint }) => joint)).toEqual(['nobody', 'nobody']);
  });

  it('is no map to be taken over whole on one skeleton, and names what is wrong with it', () => {
    const scene = sceneOf(person, 'a');
    const options = { corrections: 'none', measure: false } as const;
    expect(retarget(scene, scene, options).report.clips[0]!.way).toBe('copy');
    const map = { version: 1, changes: [{ target: 'mixamorig:Head', none: true }] } as const;
    expect(
      retarget(scene, scene, { ...options, map: { ...map, changes: [...map.changes] } }).report.clips[0]!.way,
    ).not.toBe('copy');
    for (const [wrong, says] of [
      [{ target: 'a', sources: [] }, 'say none: true'],
      [{ target: 'a', sources: ['b'], none: true }, 'give one of the two'],
      [{ target: 'a', none: 'yes' }, 'must be true'],
      [{ sources: ['b'] }, 'target'],
    ] as const)
      expect(() => readRecipe({ version: 1, map: { changes: [wrong] } })).toThrow(says);
  });
});

describe('matching', () => {
  const found = pairsOf(cat, dog, {});

  it('finds all chains of two beasts', () => {
    expect(found.pairs.get('d_tail3')).toMatch(/^tail/);
    expect(found.pairs.get('d_frontLeftUpperLeg')).toBe('frontLeftUpperLeg');
  });

  it('K9: each of the four weights of eq. 1 decides, in retarget', () => {
    /** Which limb of a beast of two pairs drives the front one of another, by one weight alone. */
    const driverBy = (weight: string, front: Limb) => {
      const target = limbed('t_', front, front.map((z) => -z) as unknown as Limb);
      const { pairs } = pairsOf(limbed('s_', [0.3, 0.5, 0.7], [-0.3, -0.5, -0.7]), target, {
        matching: { by: 'chains', weights: { ...NOTHING, [weight]: 1 }, threshold: 0 },
      });
      return pairs.get('t_frontLeft1');
    };
    // It begins where the source's front limb does, and ends where the hind one does.
    expect(driverBy('root', [0.3, -0.2, -0.7])).toBe('s_frontLeft1');
    expect(driverBy('end', [0.3, -0.2, -0.7])).toBe('s_hindLeft1');
    // It ends where the front limb does, and points where the hind one points.
    expect(driverBy('end', [1.5, 1.1, 0.7])).toBe('s_frontLeft1');
    expect(driverBy('direction', [1.5, 1.1, 0.7])).toBe('s_hindLeft1');
    // It begins and ends with the front limb, and is behind the body in between.
    expect(driverBy('root', [0.3, -2.5, 0.7])).toBe('s_frontLeft1');
    expect(driverBy('mean', [0.3, -2.5, 0.7])).toBe('s_hindLeft1');
  });

  it('K10: a threshold that nothing reaches pairs nothing, and the best pair first is not the best of all', () => {
    expect(() => pairsOf(cat, dog, { matching: { threshold: 1 } })).toThrow(/could be matched/);
    // Limbs that point at 0 and 70 degrees, and at 10 and -60: the nearest two leave the others 130 degrees apart.
    const at = (degrees: number): Limb => {
      const z = Math.tan((degrees * Math.PI) / 180);
      return [0, 0.5 * z, z];
    };
    const source = limbed('s_', at(0), at(70));
    const target = limbed('t_', at(10), at(-60));
    const by = (assignment: 'best' | 'greedy') =>
      pairsOf(source, target, {
        matching: { by: 'chains', weights: { ...NOTHING, direction: 1 }, assignment, threshold: 0 },
      }).pairs.get('t_frontLeft1');
    expect(by('greedy')).toBe('s_frontLeft1');
    expect(by('best')).toBe('s_hindLeft1');
  });

  it('K12: chains go together, or stay alone, by the user’s word, on animals and on people', () => {
    const alone = pairsOf(cat, dog, { matching: { fixed: [{ source: null, target: 'd_tail1' }] } });
    expect(differing(found.pairs, alone.pairs)).toEqual(
      [...found.pairs.keys()].filter((name) => /tail/.test(name)).sort(),
    );
    const people = pairsOf(person, other, {}).pairs;
    const crossed = pairsOf(person, other, {
      matching: { fixed: [{ source: 'mixamorig:RightHandIndex1', target: 'index_01_l' }] },
    }).pairs;
    expect(crossed.get('index_01_l')).toBe('mixamorig:RightHandIndex1');
    expect(differing(people, crossed).filter((name) => !/^index/.test(name))).toEqual([]);
    expect(() => pairsOf(cat, dog, { matching: { fixed: [{ source: 'wing', target: 'd_tail1' }] } })).toThrow(
      UsageError,
    );
  });

  it('people are matched by chains alone where that is asked for, and keep their body parts', () => {
    const { pairs, idle } = pairsOf(person, other, { matching: { by: 'chains' } });
    expect(idle).toEqual([]);
    expect(pairs.get('hand_l')).toBe('mixamorig:LeftHand');
    expect(pairs.get('thigh_r')).toBe('mixamorig:RightUpLeg');
  });

  it('says where it changes nothing', () => {
    expect(pairsOf(person, other, { matching: { threshold: 0.9 } }).idle).toEqual(['matching']);
    expect(pairsOf(cat, cat, { indexing: 'nearest' }).idle).toEqual(['indexing']);
    expect(pairsOf(cat, cat, { surplusJoints: 'rest' }).idle).toEqual(['surplusJoints']);
    expect(
      pairsOf(person, other, {
        sourceArmature: writeArmature(createArmature(person.skeleton), person.skeleton),
      }).idle,
    ).toEqual(['sourceArmature']);
  });
});

describe('indexing', () => {
  it('K17: by index, nearest, length or a function, in retarget', () => {
    // A tail of seven onto one of four: three joints of the source are surplus.
    const uneven = movingPlan(
      beastPlan({ tail: 7 }).map(
        ([part, parent, x, y, z]): Row => [
          part,
          parent,
          x,
          part === 'tail2' ? y - 0.25 : y,
          part === 'tail6' ? z - 0.08 : z,
        ],
      ),
      { prefix: 'u_' },
    );
    const tail = (indexing: RetargetOptions['indexing']) =>
      JSON.stringify(
        [...pairsOf(uneven, cat, { indexing: indexing! }).pairs].filter(([name]) => /^tail/.test(name)),
      );
    const first: RetargetOptions['indexing'] = (from, to) =>
      from.map((_, i) => to.map((_, j) => (i === j ? 0 : 1 + i)));
    const found = (['index', 'nearest', 'length', first] as const).map(tail);
    expect(new Set(found).size).toBe(4);
    expect(JSON.parse(found[3]!)).toEqual([1, 2, 3, 4].map((k) => [`tail${k}`, `u_tail${k === 4 ? 7 : k}`]));
    expect(() => pairsOf(uneven, cat, { indexing: 'far' as 'index' })).toThrow('indexing');
    expect(() => pairsOf(uneven, cat, { indexing: 5 as unknown as 'index' })).toThrow('indexing');
  });

  it('K15: surplus joints share the turn, or stay in rest on what carries them', () => {
    const shared = pairsOf(cat, dog, {}).pairs;
    const rest = pairsOf(cat, dog, { surplusJoints: 'rest' });
    const tails = (pairs: Pairs) => [...pairs.keys()].filter((name) => /tail/.test(name)).length;
    expect([tails(shared), tails(rest.pairs)]).toEqual([7, 4]);
    expect(rest.idle).toEqual([]);
    const spines = (options: RetargetOptions) =>
      pairsOf(stickFigure({ spine: 2 }), stickFigure({ spine: 5, names: 'unreal' }), options).pairs;
    expect([...spines({}).keys()].filter((name) => /spine/.test(name))).toHaveLength(5);
    expect([...spines({ surplusJoints: 'rest' }).keys()].filter((name) => /spine/.test(name))).toHaveLength(
      2,
    );
  });
});

describe('armatures by the user’s word', () => {
  it('K1: chains that were joined or split match and index otherwise', () => {
    const { skeleton } = cat;
    const armature = createArmature(skeleton);
    const tail = armature.chains.find(({ name }) => name === 'tail1')!;
    const split = splitChain(armature, skeleton, 'tail1', tail.joints[2]!);
    expect(joinChains(split, skeleton, 'tail1', 'tail3').chains).toHaveLength(armature.chains.length);
    const plain = pairsOf(cat, dog, {}).pairs;
    const told = pairsOf(cat, dog, { sourceArmature: writeArmature(split, skeleton) });
    expect(told.idle).toEqual([]);
    expect(differing(plain, told.pairs).length).toBeGreaterThan(0);
    expect(differing(plain, told.pairs).every((name) => /tail/.test(name))).toBe(true);
  });

  it('K4, K5: branches at every joint with two children are those of algorithm 1, in retarget', () => {
    // A knob in the middle of the tail parts nothing of a body, and everything in the paper.
    const [, , x, y, z] = beastPlan().find(([part]) => part === 'tail2')!;
    const knobbed = movingPlan([...beastPlan(), ['knob', 'tail2', x, y + 0.02, z]]);
    const chains = (branches: 'body' | 'every') => {
      const { setup } = setUpScenes(sceneOf(knobbed, 'a'), sceneOf(dog, 'b'), { branches });
      const { names } = knobbed.skeleton;
      return armatureOfRig(setup.source).chains.map(({ joints }) =>
        joints.map((joint) => names[joint]).join(' '),
      );
    };
    expect(chains('body')).toContain('tail1 tail2 tail3 tail4');
    expect(chains('every')).toEqual(expect.arrayContaining(['tail1 tail2', 'tail3 tail4', 'knob']));
    const told = pairsOf(knobbed, dog, { branches: 'every' });
    expect(told.idle).toEqual([]);
    expect(differing(pairsOf(knobbed, dog, {}).pairs, told.pairs).length).toBeGreaterThan(0);
  });

  it('K3: a recipe keeps both armatures, and repeats them', () => {
    const written = (character: Character) =>
      writeArmature(createArmature(character.skeleton), character.skeleton);
    const options = { sourceArmature: written(cat), targetArmature: written(dog) };
    const { setup } = setUpScenes(sceneOf(cat, 'a'), sceneOf(dog, 'b'), options);
    const recipe = JSON.parse(JSON.stringify(recipeOf(setup, options)));
    const { recipe: read, warnings } = readRecipe(recipe);
    expect(warnings).toEqual([]);
    expect(optionsOfRecipe(read)).toMatchObject(options);
  });

  it('names what is wrong with a document', () => {
    const options = { targetArmature: { version: 1, chains: [{ name: 'x' }] } } as unknown as RetargetOptions;
    expect(() => pairsOf(cat, dog, options)).toThrow('chains[0].joints');
  });
});
