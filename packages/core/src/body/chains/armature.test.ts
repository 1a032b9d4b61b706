import { describe, expect, it } from 'vitest';
import { sketchSkeleton } from '../../../test/sketch-skeleton.js';
import { stickFigure } from '../../../test/stick-figure.js';
import { createRandom, randomSkeleton, skeletonOf } from '../../../test/tiny-rigs.js';
import { UsageError } from '../../base/errors.js';
import {
  createSkeleton,
  END,
  JOINT,
  type JointDescription,
  SKINNED,
  type Skeleton,
} from '../../scene/skeleton.js';
import { guessJointKinds } from '../joint-kinds.js';
import { type Armature, chainOf, checkArmature, solvingOrder } from './armature.js';
import { createArmature } from './create-armature.js';
import {
  addChain,
  joinChains,
  moveChain,
  removeChain,
  renameChain,
  setChain,
  splitChain,
} from './edit-armature.js';

const named = ({ chains }: Armature, { names }: Skeleton) =>
  chains.map(({ joints }) => joints.map((joint) => names[joint]).join(' '));
const kindsOf = (armature: Armature, skeleton: Skeleton) =>
  Object.fromEntries(armature.chains.map(({ joints, kind }) => [skeleton.names[joints[0]!], kind]));

/** A tree in which every joint stands a little above its parent. */
function tree(sketch: Record<string, string | null>): Skeleton {
  const names = Object.keys(sketch);
  return skeletonOf(
    names.map(
      (name): JointDescription => ({
        name,
        parent: sketch[name] === null ? -1 : names.indexOf(sketch[name]!),
        translation: [0, 0.1, 0],
      }),
    ),
  );
}

describe('createArmature', () => {
  it('K4, K5: goes on through single children and parts at every branch, chains named after their first joint', () => {
    const skeleton = tree({
      hips: null,
      spine: 'hips',
      chest: 'spine',
      armL: 'chest',
      foreL: 'armL',
      handL: 'foreL',
      armR: 'chest',
      foreR: 'armR',
    });
    const armature = createArmature(skeleton, { branches: 'every' });
    expect(named(armature, skeleton)).toEqual(['hips spine chest', 'armL foreL handL', 'armR foreR']);
    expect(armature.chains.map(({ name }) => name)).toEqual(['hips', 'armL', 'armR']);
  });

  it('K1, KP17: covers each joint of any tree once, with chains that do not branch', () => {
    const random = createRandom(17);
    for (let round = 0; round < 60; round++) {
      const skeleton = randomSkeleton(random, 1 + Math.floor(30 * random()));
      for (const branches of ['body', 'every'] as const) {
        const armature = createArmature(skeleton, { branches });
        checkArmature(armature, skeleton);
        const all = armature.chains.flatMap(({ joints }) => joints).sort((a, b) => a - b);
        expect(all).toEqual(skeleton.names.map((_, i) => i));
        for (const joint of all) expect(chainOf(armature, joint)!.joints).toContain(joint);
      }
    }
  });

  it('K1, KP17: a joint in two chains is refused, and both are named', () => {
    const line = tree({ a: null, b: 'a', c: 'b' });
    const armature = createArmature(line);
    const [chain] = armature.chains;
    const twice = { ...armature, chains: [chain!, { ...chain!, name: 'again', joints: [1, 2] }] };
    expect(() => checkArmature(twice, line)).toThrow('joint "b" is in chain "a" and in chain "again"');
  });

  it('K1: a chain that branches is refused', () => {
    const fork = tree({ a: null, b: 'a', c: 'a' });
    const armature = createArmature(fork);
    const branched = { ...armature, chains: [{ ...armature.chains[0]!, joints: [0, 1, 2] }] };
    expect(() => checkArmature(branched, fork)).toThrow(UsageError);
  });

  it('KP1, R17: loses nothing between root and first branch, in a single-child root, in a rig that is all tail', () => {
    const tail = tree({ a: null, b: 'a', c: 'b', d: 'c' });
    expect(named(createArmature(tail), tail)).toEqual(['a b c d']);
    expect(createArmature(tail).chains[0]!.kind).not.toBe('root');
    const lone = tree({ only: null });
    expect(named(createArmature(lone), lone)).toEqual(['only']);
    expect(createArmature(createSkeleton('none', []).skeleton).chains).toEqual([]);
  });

  it('KP1, R17: takes every root, keeps file order, and tells chains of one name apart', () => {
    const skeleton = skeletonOf([
      { name: 'z', parent: -1 },
      { name: 'bone', parent: 0, translation: [1, 0, 0] },
      { name: 'bone', parent: 0, translation: [-1, 0, 0.5] },
      { name: 'a', parent: -1, translation: [0, 1, 0] },
    ]);
    const { chains } = createArmature(skeleton, { branches: 'every' });
    expect(chains.map(({ name }) => name)).toEqual(['z', 'bone', 'bone 2', 'a']);
    expect(chains.map(({ joints }) => joints[0])).toEqual([0, 1, 2, 3]);
  });

  it('K6, R17: leaves out what moves no skin, with all below it, but never a tip or an end', () => {
    const skeleton = skeletonOf([
      { name: 'hips', parent: -1, flags: JOINT | SKINNED },
      { name: 'leg', parent: 0, translation: [0.1, -0.4, 0], flags: JOINT | SKINNED },
      { name: 'foot', parent: 1, translation: [0, -0.4, 0], flags: JOINT | SKINNED },
      { name: 'toe', parent: 2, translation: [0, 0, 0.1], flags: JOINT },
      { name: 'pole', parent: 0, translation: [0, 0, 2], flags: JOINT },
      { name: 'pole end', parent: 4, translation: [0, 0, 0.2], flags: END },
      { name: 'spine', parent: 0, translation: [0, 0.4, 0], flags: JOINT | SKINNED },
      { name: 'head end', parent: 6, translation: [0, 0.2, 0], flags: END },
    ]);
    const armature = createArmature(skeleton);
    expect(armature.controls.map((joint) => skeleton.names[joint])).toEqual(['pole', 'pole end']);
    expect(named(armature, skeleton)).toContain('leg foot toe');
    expect(named(armature, skeleton)).toContain('spine head end');
    expect(named(armature, skeleton).some((chain) => chain.includes('pole'))).toBe(false);
    const all = createArmature(skeleton, { controls: 'include' });
    expect(named(all, skeleton)).toContain('pole pole end');
    expect(kindsOf(all, skeleton).pole).toBe('control');
  });

  it('tells twist joints, skirts, hair, weapons and sockets from limbs, so that limbs stay whole', () => {
    const figure = stickFigure({ fingers: true });
    const base = figure.skeleton;
    const at = (part: string) => figure.jointOf(part);
    const extra: JointDescription[] = [
      { name: 'blob', parent: at('leftUpperArm'), translation: [0.14, 0, 0] },
      { name: 'forearm_twist_l', parent: at('leftLowerArm'), translation: [0.1, 0.01, 0] },
      { name: 'weapon_r', parent: at('rightHand'), translation: [-0.1, 0, 0] },
      { name: 'J_Sec_Hair1', parent: at('head'), translation: [0, 0.1, -0.1] },
      { name: 'J_Sec_Hair2', parent: base.names.length + 3, translation: [0, -0.2, 0] },
    ];
    for (let k = 0; k < 8; k++) {
      const angle = (2 * Math.PI * k) / 8;
      const first = base.names.length + 5 + 2 * k;
      extra.push(
        {
          name: `q${k}`,
          parent: at('hips'),
          translation: [0.15 * Math.sin(angle), -0.02, 0.15 * Math.cos(angle)],
        },
        { name: `r${k}`, parent: first, translation: [0.02 * Math.sin(angle), -0.3, 0.02 * Math.cos(angle)] },
      );
    }
    const { skeleton } = createSkeleton('dressed', [
      ...base.names.map((name, i) => ({
        name,
        parent: base.parents[i]!,
        translation: base.rest.translations.slice(3 * i, 3 * i + 3),
      })),
      ...extra,
    ]);
    const armature = createArmature(skeleton);
    const kinds = kindsOf(armature, skeleton);
    expect(kinds).toMatchObject({
      blob: 'twist',
      forearm_twist_l: 'twist',
      weapon_r: 'accessory',
      J_Sec_Hair1: 'accessory',
      q3: 'accessory',
      'mixamorig:LeftUpLeg': 'limb',
      'mixamorig:LeftShoulder': 'limb',
      'mixamorig:LeftHandIndex1': 'digit',
      'mixamorig:Spine': 'spine',
      'mixamorig:Hips': 'root',
    });
    expect(named(armature, skeleton)).toContain(
      'mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand',
    );
    expect(guessJointKinds(skeleton).every(({ kind, reason }) => kind === 'body' || reason.length > 0)).toBe(
      true,
    );
  });

  it('names of IK targets and poles count where there is no skin to contradict them', () => {
    const skeleton = sketchSkeleton(
      `
root
  hips > leg > shin > foot
  IK_foot
  knee_pole`,
      ['L', 'R'],
    );
    const { controls } = createArmature(skeleton);
    expect(controls.map((joint) => skeleton.names[joint])).toEqual(['IK_foot', 'knee_pole']);
  });

  it('survives joints that are nowhere', () => {
    const random = createRandom(3);
    const skeleton = randomSkeleton(random, 20);
    skeleton.rest.translations.fill(Number.NaN);
    checkArmature(createArmature(skeleton), skeleton);
    skeleton.rest.translations.fill(0);
    checkArmature(createArmature(skeleton), skeleton);
  });

  it('does a chain of 20,000 joints', () => {
    const joints = Array.from({ length: 20_000 }, (_, i) => ({
      name: `j${i}`,
      parent: i - 1,
      translation: [0, 1, 0],
    }));
    expect(createArmature(skeletonOf(joints)).chains).toHaveLength(1);
  });
});

describe('solvingOrder', () => {
  it('K2: goes by list or by priority, and passes over what is disabled', () => {
    const { skeleton } = stickFigure();
    let armature = createArmature(skeleton);
    const [first, second, third] = armature.chains.map(({ name }) => name) as [string, string, string];
    armature = setChain(setChain(armature, first, { priority: 5 }), third, { enabled: false });
    const listed = solvingOrder(armature).map(({ name }) => name);
    expect(listed.slice(0, 2)).toEqual([first, second]);
    expect(listed).not.toContain(third);
    expect(solvingOrder(armature, 'priority').at(-1)!.name).toBe(first);
    expect(
      solvingOrder(moveChain(armature, first, 1))
        .map(({ name }) => name)
        .slice(0, 2),
    ).toEqual([second, first]);
  });

  it('K8: limbs have a goal named after them', () => {
    const { skeleton, jointOf } = stickFigure();
    const chain = chainOf(createArmature(skeleton), jointOf('leftFoot'))!;
    expect(chain.goal!.name).toBe(`${chain.name} target`);
  });
});

describe('editing an armature', () => {
  const { skeleton, jointOf } = stickFigure();
  const armature = createArmature(skeleton);
  const leg = chainOf(armature, jointOf('leftFoot'))!;

  it('K1: whatever is edited, it stays an armature, and the old one stays as it was', () => {
    const random = createRandom(23);
    const before = JSON.stringify(armature);
    let edited = armature;
    let edits = 0;
    for (let round = 0; round < 300; round++) {
      const pick = () => edited.chains[Math.floor(random() * edited.chains.length)]!;
      const joint = () => Math.floor(random() * skeleton.names.length);
      try {
        const change = Math.floor(6 * random());
        const chain = pick();
        if (change === 0)
          edited = addChain(edited, skeleton, { name: `new ${round}`, from: joint(), to: joint() });
        else if (change === 1)
          edited = splitChain(
            edited,
            skeleton,
            chain.name,
            chain.joints[Math.floor(random() * chain.joints.length)]!,
          );
        else if (change === 2) edited = joinChains(edited, skeleton, chain.name, pick().name);
        else if (change === 3) edited = renameChain(edited, chain.name, `renamed ${round}`);
        else if (change === 4)
          edited = moveChain(edited, chain.name, Math.floor(random() * edited.chains.length));
        else if (edited.chains.length > 3) edited = removeChain(edited, chain.name);
        edits++;
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
      checkArmature(edited, skeleton);
    }
    expect(edits).toBeGreaterThan(100);
    expect(JSON.stringify(armature)).toBe(before);
  });

  it('splits and joins back', () => {
    const split = splitChain(armature, skeleton, leg.name, jointOf('leftFoot'));
    expect(split.chains).toHaveLength(armature.chains.length + 1);
    const lower = chainOf(split, jointOf('leftFoot'))!;
    const joined = joinChains(split, skeleton, leg.name, lower.name);
    expect(joined.chains.map(({ joints }) => joints)).toEqual(armature.chains.map(({ joints }) => joints));
    expect(joined.chains.find(({ name }) => name === leg.name)!.goal).toEqual(leg.goal);
  });

  it('takes joints from the chains that hold them', () => {
    const added = addChain(armature, skeleton, {
      name: 'body',
      from: jointOf('hips'),
      to: jointOf('leftLowerLeg'),
      solver: { method: 'jacobian', variant: 'damped', damping: 0.1 },
    });
    expect(chainOf(added, jointOf('leftLowerLeg'))!.name).toBe('body');
    expect(chainOf(added, jointOf('leftFoot'))!.name).toBe(leg.name);
  });

  it('says what cannot be done', () => {
    expect(() => splitChain(armature, skeleton, leg.name, leg.joints[0]!)).toThrow('it begins there');
    expect(() => renameChain(armature, 'nobody', 'x')).toThrow('no chain called "nobody"');
    expect(() => renameChain(armature, leg.name, armature.chains[0]!.name)).toThrow('already');
    expect(() => joinChains(armature, skeleton, leg.name, armature.chains[0]!.name)).toThrow(
      'does not hang on',
    );
    expect(() => moveChain(armature, leg.name, 99)).toThrow('place 99');
    expect(() =>
      addChain(armature, skeleton, { name: 'x', from: jointOf('leftFoot'), to: jointOf('head') }),
    ).toThrow('does not hang on');
    const twice = { ...armature, chains: [...armature.chains, { ...leg, name: 'again' }] };
    expect(() => checkArmature(twice, skeleton)).toThrow(/is in chain .* and in chain "again"/);
  });
});
