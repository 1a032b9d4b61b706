import { describe, expect, it } from 'vitest';
import { movingPlan } from '../../../test/moving-plan.js';
import { sceneOf, stickFigure } from '../../../test/stick-figure.js';
import { distance, modelAt, placeAt } from '../../../test/tiny-rigs.js';
import { beastPlan, handPlan } from '../../../test/unseen-plans.js';
import { UsageError } from '../../base/errors.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Chain } from '../../body/chains/armature.js';
import { type ArmatureDocument, writeArmature } from '../../body/chains/armature-document.js';
import { createArmature } from '../../body/chains/create-armature.js';
import type { ChainRule } from '../../options/chain-rules.js';
import { retarget } from '../../retarget.js';
import { createRetargeter } from '../../retargeter.js';
import { poseAt } from '../../scene/clip.js';
import type { Character } from '../../scene/scene.js';
import { setUpScenes } from '../../setup/set-up-scenes.js';
import type { RetargetOptions } from '../parts/told-options.js';

const person = stickFigure({ fingers: true });
const other = stickFigure({
  fingers: true,
  names: 'unreal',
  arms: 'A',
  upperArm: 0.2,
  upperLeg: 0.3,
  size: 0.8,
});
const cat = movingPlan(beastPlan());
const dog = movingPlan(beastPlan({ tail: 6, leg: 0.8, length: 1.1 }), { prefix: 'd_', size: 1.3 });
const hand = movingPlan(handPlan('left', 10));
const paw = movingPlan(handPlan('left', 25), { prefix: 'p_', size: 1.6 });

const BODIES: [string, Character, Character, string, string][] = [
  ['a person', person, other, 'spine_01', 'index_01_l'],
  ['a cat', cat, dog, 'd_tail1', 'd_frontLeftShoulder'],
  ['a hand', hand, paw, 'p_leftIndexProximal', 'p_leftMiddleProximal'],
];

function run(source: Character, target: Character, options: RetargetOptions) {
  const { clips, report } = retarget(sceneOf(source, 'a'), sceneOf(target, 'b'), {
    measure: false,
    frameRate: 15,
    keys: 'bake',
    ...options,
  });
  return {
    clip: clips[0]!,
    bytes: JSON.stringify(clips[0]!.tracks.map(({ values }) => [...values])),
    idle: report.warnings
      .filter(({ code }) => code === 'option-without-effect')
      .map(({ message }) => message),
  };
}

describe.each(BODIES)('on %s', (_, source, target, first, second) => {
  const plain = run(source, target, {});
  const document = (): ArmatureDocument => writeArmature(createArmature(target.skeleton), target.skeleton);
  const chainOf = (armature: ArmatureDocument, name: string) =>
    armature.chains.find((chain) => chain.name === name)!;
  /** A chain that is brought to its goal, and the one member of it that is at stake. */
  const solved: ChainRule = { solver: 'fabrik', limbScale: 0.6 };
  const curve = [
    { time: 0, value: 0, easing: 'smoother' as const },
    { time: 1, value: 1 },
  ];
  const MEMBERS: ChainRule[] = [
    { solver: 'damped' },
    { solver: { solver: 'damped', maxIterations: 1 } },
    { goal: 'none' },
    { goal: { weight: 0.3 } },
    { goal: { weight: curve } },
    { goal: { place: [0.1, 0.4, 0.2] } },
    { limbScale: 1.4 },
    { limbScale: curve },
    { rootScale: 0 },
    { rootScale: curve },
    { imitation: 'keep' },
    { imitation: 'direction' },
    { alignment: 'bones' },
    { alignment: 'line' },
    { muted: true },
    { priority: 9 },
  ];

  it('K1: there are such chains', () => {
    const names = createArmature(target.skeleton).chains.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([first, second]));
  });

  it.each(MEMBERS)('K1, K28, K26: chains: %j changes the result, or is said to have no effect', (member) => {
    const before = run(source, target, { chains: { [first]: solved } });
    expect(before.bytes).not.toBe(plain.bytes);
    const after = run(source, target, { chains: { [first]: { ...solved, ...member } } });
    const isSaid = after.idle.some((message) => message.includes(`.${Object.keys(member)[0]} has`));
    expect(isSaid || after.bytes !== before.bytes).toBe(true);
    const mayBeIdle = 'priority' in member || 'alignment' in member || member.imitation === 'direction';
    if (!mayBeIdle) expect(isSaid).toBe(false);
  });

  it('K28: the settings of a solver change the result', () => {
    const by = (settings: object) =>
      run(source, target, { chains: { [first]: { ...solved, solver: { solver: 'damped', ...settings } } } })
        .bytes;
    const few = by({ maxIterations: 2 });
    expect(few).not.toBe(by({}));
    expect(by({ maxIterations: 2, damping: 0.9 })).not.toBe(few);
    expect(by({ maxIterations: 2, step: 0.3 })).not.toBe(few);
    expect(by({ tolerance: 0.5 })).not.toBe(by({}));
  });

  it('K28: settings that a solver makes nothing of are told', () => {
    const idle = (solver: ChainRule['solver']) =>
      run(source, target, { chains: { [first]: { ...solved, solver: solver! } } }).idle.join();
    expect(idle({ solver: 'fabrik', damping: 0.5 })).toMatch(/solver\.damping has no effect: only damped/);
    expect(idle({ solver: 'damped', damping: 0.5, step: 0.5 })).toBe('');
  });

  /** What is otherwise about a chain that is brought to its goal. */
  const EDITS: [keyof Chain | `goal.${string}`, Partial<ArmatureDocument['chains'][number]>][] = [
    ['solver', { solver: { method: 'jacobian', variant: 'damped', maxIterations: 3 } }],
    ['goal', { goal: null }],
    ['goal.weight', { goal: { name: 'goal', weight: 0 } }],
    ['goal.place', { goal: { name: 'goal', weight: 1, place: [0.3, 0.3, 0.3] } }],
    ['limbScale', { limbScale: 1.5 }],
    ['rootScale', { rootScale: 0.2 }],
    ['imitation', { imitation: 'keep' }],
    ['alignment', { alignment: 'bones' }],
    ['enabled', { enabled: false }],
    ['priority', { priority: 9 }],
    ['kind', { kind: 'accessory' }],
  ];

  it('K1: every member of a chain is among those that are walked, but its name and its joints', () => {
    const walked = new Set(EDITS.map(([name]) => name.split('.')[0]));
    const members: Record<keyof Chain, true> = {
      ...{ name: true, joints: true, kind: true, enabled: true, solver: true, priority: true, goal: true },
      ...{ limbScale: true, rootScale: true, imitation: true, alignment: true },
    };
    expect(Object.keys(members).filter((member) => !walked.has(member))).toEqual(['name', 'joints']);
  });

  it.each(EDITS)(
    'K1, K3: on a chain without a goal an armature’s %s changes the result, or is said to have none',
    (_name, edit) => {
      const told = document();
      const chain = chainOf(told, second);
      Object.assign(chain, { goal: null, solver: { method: 'none' } });
      const before = run(source, target, { targetArmature: told });
      Object.assign(chain, edit, 'goal' in edit ? { solver: { method: 'fabrik' } } : {});
      const after = run(source, target, { targetArmature: JSON.parse(JSON.stringify(told)) });
      const isNothing = 'goal' in edit && !edit.goal?.weight;
      const isSaid = after.idle.some((message) => /chains|targetArmature/.test(message));
      expect(isNothing || isSaid || after.bytes !== before.bytes).toBe(true);
    },
  );

  it('K1, K3: joints, controls and limits of an armature change the result, or are said to have no effect', () => {
    const edits: [string, (told: ArmatureDocument) => void][] = [
      ['joints of one that is solved', (told) => chainOf(told, first).joints.pop()],
      ['joints of one that is not', (told) => chainOf(told, second).joints.pop()],
      ['controls', (told) => told.controls!.push(target.skeleton.names[0]!)],
      [
        'limits',
        (told) => {
          const limit = { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [-1, 1] } as const;
          told.limits = {
            [chainOf(told, first).joints[0]!]: { ...limit, angleDegrees: [...limit.angleDegrees] },
          };
        },
      ],
    ];
    const members: Record<keyof ArmatureDocument, true> = {
      ...{ version: true, chains: true, controls: true, limits: true },
    };
    expect(Object.keys(members)).toHaveLength(4);
    for (const [what, edit] of edits) {
      const told = document();
      Object.assign(chainOf(told, first), {
        solver: { method: 'fabrik' },
        goal: { name: 'goal', weight: 1 },
        limbScale: 0.7,
      });
      Object.assign(chainOf(told, second), { goal: null, solver: { method: 'none' } });
      const before = run(source, target, { targetArmature: told });
      edit(told);
      const after = run(source, target, { targetArmature: JSON.parse(JSON.stringify(told)) });
      const isSaid = after.idle.some((message) => /chains|targetArmature/.test(message));
      expect(isSaid || after.bytes !== before.bytes, what).toBe(true);
    }
  });

  it('K1, K3: of the source’s armature, what says how chains are solved is told to have no effect', () => {
    const written = () => writeArmature(createArmature(source.skeleton), source.skeleton);
    for (const [member, value] of [
      ['solver', { method: 'ccd' }],
      ['priority', 4],
      ['limbScale', 0.5],
      ['imitation', 'keep'],
    ] as const) {
      const told = written();
      Object.assign(told.chains.find(({ joints }) => joints.length > 1)!, { [member]: value });
      expect(run(source, target, { sourceArmature: told }).idle.join()).toContain(`${member} of its chains`);
    }
  });

  it.each(EDITS)(
    'K1, K3, K8: an armature’s %s changes the result, or is said to have no effect',
    (_name, edit) => {
      const told = document();
      const chain = chainOf(told, first);
      chain.solver = { method: 'fabrik' };
      chain.goal = { name: 'goal', weight: 1 };
      chain.limbScale = 0.7;
      const before = run(source, target, { targetArmature: told });
      expect(before.bytes).not.toBe(plain.bytes);
      Object.assign(chain, edit);
      const after = run(source, target, { targetArmature: JSON.parse(JSON.stringify(told)) });
      const isSaid = after.idle.some((message) => /chains|targetArmature/.test(message));
      expect(isSaid || after.bytes !== before.bytes).toBe(true);
    },
  );

  it('K2: a reversed order changes the result, or is said to have no effect', () => {
    const told = document();
    for (const chain of told.chains)
      if (chain.joints.length > 1) {
        chain.goal = { name: 'goal', weight: 1 };
        chain.solver = { method: 'fabrik' };
        chain.limbScale = 0.8;
      }
    const before = run(source, target, { targetArmature: told });
    const after = run(source, target, { targetArmature: { ...told, chains: [...told.chains].reverse() } });
    const isSaid = after.idle.some((message) => /its order/.test(message));
    expect(isSaid || after.bytes !== before.bytes).toBe(true);
  });

  it('names what is not there', () => {
    expect(() => run(source, target, { chains: { nobody: { solver: 'ccd' } } })).toThrow(UsageError);
  });
});

/** Where a target's joint is in a clip. */
const at = (target: Character, clip: ReturnType<typeof run>['clip'], name: string, time: number): Vec3 =>
  placeAt(modelAt(target.skeleton, clip, time), target.skeleton.names.indexOf(name));

describe('goals of chains', () => {
  const keep = { corrections: 'none' } as const;

  it('K23: a cat’s tail ends where the source’s does, seen from its root and scaled by the lengths', () => {
    const { clip } = run(cat, dog, { ...keep, chains: { d_tail1: { solver: 'damped' } } });
    const rest = (body: Character, names: string[]) => {
      const model = modelAt(body.skeleton, { ...body.clips[0]!, tracks: [] }, 0);
      const places = names.map((name) => placeAt(model, body.skeleton.names.indexOf(name)));
      return places.slice(1).reduce((sum, place, k) => sum + distance(place, places[k]!), 0);
    };
    const ratio =
      rest(
        dog,
        [1, 2, 3, 4, 5, 6].map((k) => `d_tail${k}`),
      ) /
      rest(
        cat,
        [1, 2, 3, 4].map((k) => `tail${k}`),
      );
    for (const time of [0, 0.4, 1, 1.6]) {
      const [root, end] = [at(dog, clip, 'd_tail1', time), at(dog, clip, 'd_tail6', time)];
      const [from, to] = ['tail1', 'tail4'].map((name) => at(cat, cat.clips[0]!, name, time));
      const goal = root.map((x, c) => x + ratio * (to![c]! - from![c]!)) as Vec3;
      expect(distance(end, goal)).toBeLessThan(2e-3 * rest(dog, ['d_tail1', 'd_tail6']));
    }
  });

  it('K8: a place is reached, by tails, fingers and arms of people', () => {
    for (const [source, target, name, end] of [
      [cat, dog, 'd_tail1', 'd_tail6'],
      [person, other, 'clavicle_l', 'hand_l'],
    ] as const) {
      const plain = run(source, target, {
        chains: { [name]: { solver: 'fabrik', goal: { weight: 0 } } },
      }).clip;
      const root = at(target, plain, name, 0.4);
      const was = at(target, plain, end, 0.4);
      // Nearer to the root, and aside: within reach.
      const place = root.map((x, c) => x + 0.7 * (was[c]! - x) + (c === 1 ? 0.03 : 0)) as Vec3;
      const { clip } = run(source, target, { chains: { [name]: { solver: 'damped', goal: { place } } } });
      expect(distance(at(target, clip, end, 0.4), place)).toBeLessThan(0.005);
    }
  });

  it('K2: of two chains of which one hangs on the other the one of the higher priority has the last word', () => {
    const placeAbove = at(dog, run(cat, dog, keep).clip, 'd_head', 0.5).map((x, c) =>
      c === 0 ? x + 0.1 : x,
    ) as Vec3;
    const ear = at(dog, run(cat, dog, keep).clip, 'd_xearLeft2', 0.5);
    const misses = (spine: number, limb: number) => {
      const names = createArmature(dog.skeleton).chains;
      const neck = names.find(({ joints }) => joints.includes(dog.jointOf('head')))!.name;
      const on = names.find(({ joints }) => joints.includes(dog.jointOf('xearLeft2')))!.name;
      const { clip, idle } = run(cat, dog, {
        ...keep,
        chains: {
          [neck]: { solver: 'damped', goal: { place: placeAbove }, priority: spine },
          [on]: { solver: 'fabrik', goal: { place: ear }, priority: limb },
        },
      });
      expect(idle).toEqual([]);
      return distance(at(dog, clip, 'd_xearLeft2', 0.5), ear);
    };
    expect(misses(1, 2)).toBeLessThan(misses(2, 1));
  });

  it('with nothing told of chains nothing changes, and with a weight of 0 neither', () => {
    const plain = run(cat, dog, keep).bytes;
    expect(run(cat, dog, { ...keep, chains: {} }).bytes).toBe(plain);
    expect(run(cat, dog, { ...keep, chains: { tail: { solver: 'ccd', goal: { weight: 0 } } } }).bytes).toBe(
      plain,
    );
  });

  it('says why a chain cannot be brought anywhere', () => {
    const tailless = movingPlan(beastPlan({ tail: 0 }));
    expect(run(tailless, dog, { chains: { d_tail1: { solver: 'ccd' } } }).idle.join()).toMatch(
      /chains\.d_tail1 has no effect: nothing of the source drives it/,
    );
    expect(run(cat, dog, { chains: { d_tail1: { muted: true } } }).idle.join()).toMatch(
      /muted has no effect/,
    );
  });

  it('chains are told by limb and by kind, too', () => {
    const byName = run(cat, dog, { chains: { d_tail1: { solver: 'ccd', limbScale: 0.5 } } }).bytes;
    expect(run(cat, dog, { chains: { tail: { solver: 'ccd', limbScale: 0.5 } } }).bytes).toBe(byName);
    const arm = run(person, other, { chains: { leftArm: { limbScale: 0, rootScale: 0 } } }).bytes;
    expect(run(person, other, { limbScalings: { leftArm: { limbScale: 0, rootScale: 0 } } }).bytes).toBe(arm);
  });
});

describe('chains that carry limbs', () => {
  const longArmed = stickFigure({ fingers: true, names: 'unreal', arms: 'A', upperArm: 0.4 });
  /** The left hand goes where the source's is, metre for metre. */
  const arms = {
    frameRate: 30,
    limbScalings: { leftArm: { limbScale: 0, rootScale: 0, weight: 1 } },
  } as const;
  const top: ChainRule = { solver: 'fabrik', goal: { place: [0.12, 1.3, 0.3] } };
  const told = (chains: Record<string, ChainRule>) =>
    retarget(sceneOf(person, 'a'), sceneOf(longArmed, 'b'), { measure: false, ...arms, chains });
  const missed = ({ clips }: ReturnType<typeof told>, time: number) =>
    distance(
      at(longArmed, clips[0]!, 'hand_l', time),
      at(person, person.clips[0]!, 'mixamorig:LeftHand', time),
    );

  it('K26, KP12: a spine is brought to its goal before the hands have theirs', () => {
    const [plain, bent] = [told({}), told({ spine_01: top })];
    for (const time of [0.4, 0.5]) {
      const chest = [plain, bent].map(({ clips }) => at(longArmed, clips[0]!, 'spine_03', time));
      expect(distance(chest[0]!, chest[1]!)).toBeGreaterThan(0.05);
      expect(missed(plain, time)).toBeLessThan(1e-4);
      expect(missed(bent, time)).toBeLessThan(1e-4);
    }
  });

  it('K2: by priority it has the last word over what hangs on it, and that is told', () => {
    const by = (priority: number) =>
      told({ spine_01: { ...top, priority }, index_01_l: { solver: 'fabrik', limbScale: 0.5 } });
    const moved = ({ report }: ReturnType<typeof told>) =>
      report.warnings.filter(({ code }) => code === 'goals-moved').map(({ message }) => message);
    const [first, last] = [by(0), by(9)];
    expect(moved(last).join()).toMatch(/"spine_01".*leftArm, rightArm/);
    expect(moved(first)).toEqual([]);
    expect(missed(first, 0.5)).toBeLessThan(1e-4);
    expect(missed(last, 0.5)).toBeGreaterThan(0.05);
  });
});

describe('live', () => {
  const { setup } = setUpScenes(sceneOf(cat, 'a'), sceneOf(dog, 'b'), { corrections: 'none' });
  const clip = cat.clips[0]!;
  const pose = (time: number) => poseAt(cat.skeleton, clip, time);
  const turnOf = (rotations: ArrayLike<number>, joint: number) =>
    Array.from(rotations).slice(4 * joint, 4 * joint + 4);
  const apart = (a: number[], b: number[]) => {
    const dot = Math.abs(a.reduce((sum, x, c) => sum + x * b[c]!, 0));
    return 2 * Math.acos(Math.min(1, dot));
  };

  it('K26: chains are exchanged with the next frame, and without a jump where that is eased', () => {
    const joint = dog.jointOf('tail2');
    const eased = createRetargeter(setup);
    const sudden = createRetargeter(setup);
    let [was, had]: (number[] | null)[] = [null, null];
    for (let k = 0; k < 60; k++) {
      if (k === 10 || k === 16) {
        const rule = { solver: 'fabrik', limbScale: k === 10 ? 0.3 : 0.9 } as const;
        expect(eased.setChains({ tail: rule }, 0.5)).toEqual([]);
        sudden.setChains({ tail: rule }, 0);
      }
      const now = turnOf(eased.update(pose(k / 60), 1 / 60).rotations, joint);
      const at = turnOf(sudden.update(pose(k / 60), 1 / 60).rotations, joint);
      // The copied tail turns by less than a hundredth of a radian a frame.
      if (k === 10 || k === 16)
        expect([apart(was!, now) < 0.01, apart(had!, at) > 0.1]).toEqual([true, true]);
      if (k === 11) expect(apart(now, at)).toBeGreaterThan(0.01);
      [was, had] = [now, at];
    }
    // When the change is over both are the same.
    for (let k = 60; k < 100; k++) {
      eased.update(pose(k / 60), 1 / 60);
      sudden.update(pose(k / 60), 1 / 60);
    }
    expect(apart(turnOf(eased.pose.rotations, joint), turnOf(sudden.pose.rotations, joint))).toBeLessThan(
      1e-6,
    );
  });

  it('what is told from the start and what is put in later is the same', () => {
    const chains = { tail: { solver: 'ccd', limbScale: 0.5 } } as const;
    const told = createRetargeter(
      setUpScenes(sceneOf(cat, 'a'), sceneOf(dog, 'b'), { corrections: 'none', chains }).setup,
    );
    const later = createRetargeter(setup);
    later.update(pose(0));
    later.setChains(chains, 0);
    expect([...later.update(pose(0.5)).rotations]).toEqual([...told.update(pose(0.5)).rotations]);
    expect(() => later.setChains({ wing: {} })).toThrow(UsageError);
  });

  it.each<ChainRule>([
    { imitation: 'keep' },
    { alignment: 'bones' },
    { solver: 'ccd', limbScale: 0.5 },
    { goal: 'none' },
    { muted: true },
  ])('K26: %j of a leg is exchanged live as well, or said to have no effect', (rule) => {
    const [a, b] = [sceneOf(person, 'a'), sceneOf(other, 'b')];
    const chains = { leftLeg: rule };
    const told = createRetargeter(setUpScenes(a, b, { chains }).setup);
    const later = createRetargeter(setUpScenes(a, b, {}).setup);
    const plain = createRetargeter(setUpScenes(a, b, {}).setup);
    const idle = later.setChains(chains, 0);
    const now = (time: number) => poseAt(person.skeleton, person.clips[0]!, time);
    let differs = false;
    for (let k = 0; k < 40; k++) {
      const [x, y, z] = [later, told, plain].map((each) => [...each.update(now(k / 30), 1 / 30).rotations]);
      expect(x).toEqual(y);
      differs ||= x!.some((value, i) => value !== z![i]);
    }
    expect(differs || idle.length > 0).toBe(true);
  });

  it('K1: a limb that is muted, or has no goal, is solved by nothing and stays as copied', () => {
    const valuesOf = (options: RetargetOptions) =>
      retarget(sceneOf(person, 'a'), sceneOf(other, 'b'), { measure: false, ...options }).clips.map(
        ({ tracks }) => tracks.map(({ joint, values }) => [joint, ...values]),
      );
    const copied = valuesOf({ solvers: { leftLeg: 'none' } });
    expect(copied).not.toEqual(valuesOf({}));
    for (const rule of [{ muted: true }, { goal: 'none' }] as const)
      expect(valuesOf({ chains: { leftLeg: rule } })).toEqual(copied);
  });

  it('K26: a change in the middle of a change goes on from where the pose is, the hips’ place too', () => {
    const [a, b] = [sceneOf(person, 'a'), sceneOf(other, 'b')];
    const live = createRetargeter(setUpScenes(a, b, {}).setup);
    const still = poseAt(person.skeleton, person.clips[0]!, 0.5);
    for (let k = 0; k < 10; k++) live.update(still, 1 / 60);
    let was = [...live.pose.rotations, ...live.pose.translations];
    for (let k = 0; k < 60; k++) {
      if (k === 5) live.setChains({ leftArm: { imitation: 'keep' }, spine: { imitation: 'keep' } }, 0.4);
      if (k === 12) live.setChains({ rightLeg: { imitation: 'keep' } }, 0.4);
      live.update(still, 1 / 60);
      const now = [...live.pose.rotations, ...live.pose.translations];
      expect(Math.max(...now.map((x, i) => Math.abs(x - was[i]!)))).toBeLessThan(0.12);
      was = now;
    }
  });
});
