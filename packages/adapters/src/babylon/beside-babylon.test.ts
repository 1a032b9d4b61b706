import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { AnimatorAvatar, type IRetargetOptions } from '@babylonjs/core/Animations/animatorAvatar.js';
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import type { Scene } from '@babylonjs/core/scene.js';
import { describe, expect, it, vi } from 'vitest';
import { createStage, showAt, updateWorlds } from '../../../../bench/adapters-babylon-stage.js';
import { createGroup, createPuppet, type Puppet, turned } from '../../test/babylon-puppet.js';
import { retargetAnimationGroup } from '../../test/plainly-babylon.js';
import type { BabylonWarning, GroupReport, RetargetGroupOptions } from './index.js';

const X = new Vector3(1, 0, 0);
const Z = new Vector3(0, 0, 1);
const key = (frame: number, value: unknown) => ({ frame, value });

type Sides = readonly ['Left', 'Right'] | readonly ['Right', 'Left'];
const SIDES: Sides = ['Left', 'Right'];

/** A jump ahead with a bent leg, the first side's, feet and hands animated too, as captures have them. */
function leap({ nodes }: Puppet, scene: Scene, [bent, other]: Sides): AnimationGroup {
  const at = (y: number, z: number) => new Vector3(0, y, z);
  const turn = (name: string, ...degrees: number[]) =>
    [
      nodes.get(name),
      'rotationQuaternion',
      degrees.map((angle, k) => key((60 * k) / (degrees.length - 1), turned(X, angle))),
    ] as const;
  return createGroup(scene, 'leap', [
    [nodes.get('Hips'), 'position', [key(0, at(1, 0)), key(30, at(1.4, 0.5)), key(60, at(0.95, 1))]],
    turn(`${bent}UpLeg`, 0, -50, 10),
    turn(`${bent}Leg`, 0, 80, 5),
    turn(`${bent}Foot`, 0, 20, 0),
    turn(`${other}UpLeg`, 0, 30, -20),
    turn(`${other}Leg`, 0, 10, 30),
    turn(`${other}Foot`, 0, -10, 35),
    turn(`${bent}Arm`, 0, 60, 0),
    turn(`${other}ToeBase`, 0, 5, 0),
    turn(`${bent}ToeBase`, 0, 5, 0),
  ]);
}

/** What Babylon's own class makes of a group. */
function byBabylon({ root, skeletons }: Puppet, group: AnimationGroup, options: IRetargetOptions) {
  const avatar = new AnimatorAvatar('avatar', root, false, false);
  for (const skeleton of skeletons) avatar.skeletons.add(skeleton);
  avatar.showWarnings = false;
  return avatar.retargetAnimationGroup(group, options);
}

const animationOf = (group: AnimationGroup, node: unknown, property: string): Animation | undefined =>
  group.targetedAnimations.find(
    ({ target, animation }) => target === node && animation.targetProperty === property,
  )?.animation;

const hipsOf = (group: AnimationGroup, { nodes }: Puppet): Vector3[] =>
  animationOf(group, nodes.get('Hips'), 'position')!
    .getKeys()
    .map(({ value }) => value);

const codesOf = ({ metadata }: AnimationGroup) =>
  (metadata.stuntdouble as GroupReport).warnings.map(({ code }: BabylonWarning) => code);

/** A source, a group of it and an avatar in one scene. */
function stage(avatar: Parameters<typeof createPuppet>[1] = { legs: 0.6 }, sides = SIDES) {
  const scene = createStage();
  const source = createPuppet(scene);
  return { scene, source, group: leap(source, scene, sides), target: createPuppet(scene, avatar) };
}

/** Both results of a call, each from a stage of its own. */
function both(options: RetargetGroupOptions, avatar?: Parameters<typeof createPuppet>[1], sides = SIDES) {
  const [ours, theirs] = [stage(avatar, sides), stage(avatar, sides)];
  const { groundMode: _, stuntdouble: __, ...plain } = options;
  return {
    ours: { ...ours, result: retargetAnimationGroup(ours.target, ours.group, options) },
    theirs: { ...theirs, result: byBabylon(theirs.target, theirs.group, plain) },
  };
}

/** Where a joint is in the world at every key of the hips. */
function placesAtKeys({ result, target }: ReturnType<typeof both>['ours'], joint: string): number[][] {
  return [0, 0.5, 1].map((part) => {
    showAt(result, part);
    updateWorlds(target);
    return target.nodes.get(joint)!.getAbsolutePosition().asArray();
  });
}

function expectSame(a: readonly (readonly number[])[], b: readonly (readonly number[])[], digits = 5): void {
  expect(a.length).toBe(b.length);
  a.forEach((place, n) => {
    place.forEach((value, c) => {
      expect(value).toBeCloseTo(b[n]![c]!, digits);
    });
  });
}

const GROUND = { groundReferenceNodeName: 'RightFoot' } as const;
const PINNED = { ...GROUND, fixGroundReference: true, groundMode: 'pin' } as const;

describe('beside Babylon’s own, in one run', () => {
  it('B10, B16: with a ground node the hips travel as Babylon’s do', () => {
    for (const options of [
      GROUND,
      { ...GROUND, rootNodeName: 'Hips' },
      { ...GROUND, fixRootPosition: false },
    ]) {
      const { ours, theirs } = both(options);
      expectSame(placesAtKeys(ours, 'Hips'), placesAtKeys(theirs, 'Hips'));
    }
  });

  it('B12: pinned, the ground node is as high as the source’s at every key, as Babylon has it', () => {
    for (const options of [PINNED, { ...PINNED, fixRootPosition: false }]) {
      const { ours, theirs } = both(options);
      const [mine, other] = [ours, theirs].map((side) => placesAtKeys(side, 'RightFoot'));
      expectSame(mine!, other!, 4);
      const { group, source } = ours;
      [0, 0.5, 1].forEach((part, n) => {
        showAt(group, part);
        updateWorlds(source);
        expect(mine![n]![1]).toBeCloseTo(source.nodes.get('RightFoot')!.getAbsolutePosition().y, 4);
      });
    }
  });

  it('B12, BP12: scaled, which is the default, a half-sized body leaves the ground half as high', () => {
    const rise = (groundMode?: 'scaled' | 'pin') => {
      const { ours } = both({ ...PINNED, ...(groundMode ? { groundMode } : {}) }, { scale: 0.5 });
      const heights = placesAtKeys(ours, 'RightFoot').map(([, y]) => y!);
      return heights[1]! - heights[0]!;
    };
    const scaled = rise('scaled');
    expect(rise('pin')).toBeCloseTo(2 * scaled, 3);
    const { ours } = both({ ...GROUND, fixGroundReference: true }, { scale: 0.5 });
    const heights = placesAtKeys(ours, 'RightFoot').map(([, y]) => y!);
    expect(heights[1]! - heights[0]!).toBeCloseTo(scaled, 6);
  });

  it('B13, BP2, R14: dynamic, the joint that is furthest below the root is pinned, where Babylon takes the last', () => {
    const lowest = (side: ReturnType<typeof both>['ours']) =>
      [0, 0.5, 1].map((part) => {
        showAt(side.group, part);
        showAt(side.result, part);
        updateWorlds(side.source);
        updateWorlds(side.target);
        const heights = [...side.target.nodes].map(
          ([name, node]) => [node.getAbsolutePosition().y, name] as const,
        );
        const [height, name] = heights.sort(([a], [b]) => a - b)[0]!;
        return Math.abs(height - side.source.nodes.get(name)!.getAbsolutePosition().y);
      });
    // With either leg bent: the toes that are lowest come last of all joints, or before the other foot's.
    for (const sides of [SIDES, ['Right', 'Left'] as const])
      for (const foot of ['LeftFoot', 'RightFoot'])
        for (const retargetAnimationKeys of [true, false]) {
          const dynamic = {
            ...PINNED,
            groundReferenceNodeName: foot,
            fixGroundReferenceDynamicRefNode: true,
          };
          const { ours } = both({ ...dynamic, retargetAnimationKeys }, undefined, sides);
          expect(Math.max(...lowest(ours))).toBeLessThan(1e-4);
        }
    for (const retargetAnimationKeys of [true, false]) {
      const options = { ...PINNED, fixGroundReferenceDynamicRefNode: true, retargetAnimationKeys };
      const { ours, theirs } = both(options);
      expect(Math.max(...lowest(ours))).toBeLessThan(1e-4);
      // LeftToeBase comes last of those that are lower than the right foot, while the right toes are lowest at the end.
      expect(Math.max(...lowest(theirs))).toBeGreaterThan(0.005);
      // Without it, one named foot.
      expect(Math.max(...lowest(both({ ...PINNED, retargetAnimationKeys }).ours))).toBeGreaterThan(0.005);
    }
  });

  it('B9: keys that are left alone get other targets and nothing else, each its own copy', () => {
    const options = { retargetAnimationKeys: false, fixRootPosition: false };
    const { ours, theirs } = both(options);
    const told = (side: typeof ours) =>
      side.result.targetedAnimations.map(({ target, animation }) => [
        target.name,
        animation.targetProperty,
        animation.getKeys().map(({ frame, value }) => [frame, ...value.asArray()]),
      ]);
    expect(told(ours)).toEqual(told(theirs));
    ours.result.targetedAnimations.forEach(({ animation }, n) => {
      const was = ours.group.targetedAnimations[n]!.animation;
      expect(animation).not.toBe(was);
      expect(animation.getKeys()[0]).not.toBe(was.getKeys()[0]);
      expect(animation.getKeys()[0]!.value).not.toBe(was.getKeys()[0]!.value);
    });
  });

  it('B9, B10, B12: with keys left alone, root and ground are fixed as Babylon fixes them', () => {
    for (const more of [
      GROUND,
      { ...GROUND, rootNodeName: 'Hips' },
      PINNED,
      { ...PINNED, fixRootPosition: false },
      { ...PINNED, groundReferenceVerticalAxis: 'Z' as const },
    ]) {
      const { ours, theirs } = both({ retargetAnimationKeys: false, ...more });
      expectSame(
        hipsOf(ours.result, ours.target).map((value) => value.asArray()),
        hipsOf(theirs.result, theirs.target).map((value) => value.asArray()),
      );
      // And they are not the source's.
      expect(hipsOf(ours.result, ours.target)[1]!.y).not.toBeCloseTo(1.4, 2);
    }
  });

  it('B9: what fixing needs and is not there is said, and the keys stay', () => {
    const fixed = (options: RetargetGroupOptions) => {
      const { target, group, source } = stage();
      const result = retargetAnimationGroup(target, group, { retargetAnimationKeys: false, ...options });
      expect(hipsOf(result, target)).toEqual(hipsOf(group, source));
      return (result.metadata.stuntdouble as GroupReport).warnings.map(({ message }) => message);
    };
    expect(fixed({})).toEqual(['groundReferenceNodeName is not given; root position not fixed']);
    expect(fixed({ fixGroundReference: true })[0]).toContain('root position and ground reference not fixed');
    expect(fixed({ groundReferenceNodeName: 'Nowhere' })[0]).toContain('"Nowhere" is not a node');
    expect(fixed({ ...GROUND, rootNodeName: 'Nowhere' })[0]).toContain('"Nowhere" is not a node');
    expect(fixed({ ...GROUND, rootNodeName: 'LeftArm' })[0]).toContain(
      'does not move the position of "LeftArm"',
    );
    expect(fixed({ fixRootPosition: false, fixGroundReferenceDynamicRefNode: true })).toEqual([
      'fixGroundReferenceDynamicRefNode has no effect without fixGroundReference',
    ]);
  });

  it('B11, BP4: a source that lies in the world, and an avatar that stands on its head, scale by lengths', () => {
    const travelOf = (
      turn: (stage: { source: Puppet; target: Puppet }) => void,
      options: RetargetGroupOptions = GROUND,
    ) => {
      const set = stage();
      turn(set);
      const result = retargetAnimationGroup(set.target, set.group, options);
      const hips = hipsOf(result, set.target);
      return hips[2]!.subtract(hips[0]!).length();
    };
    const upright = travelOf(() => {});
    const lying = travelOf(({ source }) => {
      source.root.rotation.x = Math.PI / 2;
    });
    const onItsHead = travelOf(({ target }) => {
      target.root.rotation.z = Math.PI;
    });
    expect(lying).toBeCloseTo(upright, 4);
    expect(onItsHead).toBeCloseTo(upright, 4);
    // A source on its head, whose own height is down along the axis that is named.
    const named = travelOf(
      ({ source }) => {
        source.root.rotation.z = Math.PI;
      },
      { ...GROUND, groundReferenceVerticalAxis: 'Y' },
    );
    expect(named).toBeCloseTo(upright, 4);
    // Babylon measures the avatar along the source's axis, which for a source that lies is not its height.
    const set = stage();
    set.source.root.rotation.x = Math.PI / 2;
    const theirs = hipsOf(byBabylon(set.target, set.group, GROUND), set.target);
    expect(Math.abs(theirs[2]!.subtract(theirs[0]!).length() - upright)).toBeGreaterThan(0.1);
  });

  it('B10, B11: an avatar that faces the other way goes ahead, where Babylon’s walks backwards', () => {
    const { scene, group, target } = stage();
    const armature = new TransformNode('armature', scene);
    armature.parent = target.root;
    armature.rotationQuaternion = turned(new Vector3(0, 1, 0), 180);
    target.nodes.get('Hips')!.parent = armature;
    // Seen from the armature, which is turned as the body is.
    const ahead = (result: AnimationGroup) => {
      const hips = hipsOf(result, target);
      return hips[2]!.z - hips[0]!.z;
    };
    for (const fixRootPosition of [true, false]) {
      const options = { ...GROUND, rootNodeName: 'Hips', fixRootPosition };
      expect(ahead(retargetAnimationGroup(target, group, options))).toBeGreaterThan(0.4);
      expect(ahead(byBabylon(target, group, options))).toBeLessThan(-0.4);
    }
  });

  it('B11: with keys left alone the axis along which the ground is furthest counts, ties as Babylon has them', () => {
    const scene = () => {
      const set = stage();
      // Nearer to lying than to standing: along Z, though Y tells of a distance too.
      set.source.root.rotation.x = Math.PI / 3;
      set.target.root.rotation.x = Math.PI / 3;
      return set;
    };
    const [mine, other] = [scene(), scene()];
    const options = { retargetAnimationKeys: false, ...PINNED };
    const { groundMode: _, ...plain } = options;
    const ours = retargetAnimationGroup(mine.target, mine.group, options);
    const theirs = byBabylon(other.target, other.group, plain);
    expectSame(
      hipsOf(ours, mine.target).map((value) => value.asArray()),
      hipsOf(theirs, other.target).map((value) => value.asArray()),
    );
  });

  it('BP1: with keys left alone too, the parent of the hips may stand anywhere', () => {
    const { target, group, scene } = stage();
    const carrier = new TransformNode('carrier', scene);
    carrier.parent = target.root;
    carrier.position.set(3, 0.5, -2);
    target.nodes.get('Hips')!.parent = carrier;
    const result = retargetAnimationGroup(target, group, { retargetAnimationKeys: false, ...GROUND });
    const [first] = hipsOf(result, target);
    expect(first!.x).toBeCloseTo(0, 5);
    expect(first!.z).toBeCloseTo(0, 5);
  });

  it('B16: a root above the hips that is named carries the body as Babylon’s does, and the hips stay right', () => {
    const build = () => {
      const scene = createStage();
      const withRoot = (options: Parameters<typeof createPuppet>[1]) => {
        const puppet = createPuppet(scene, options);
        const node = new TransformNode('Root', scene);
        node.parent = puppet.root;
        node.rotationQuaternion = Quaternion.Identity();
        puppet.nodes.get('Hips')!.parent = node;
        const bone = new Bone('Root', puppet.skeletons[0]!, null, Matrix.Identity());
        bone.linkTransformNode(node);
        puppet.bones.get('Hips')!.setParent(bone);
        puppet.nodes.set('Root', node);
        return puppet;
      };
      const source = withRoot({});
      const at = (y: number, z: number) => new Vector3(0, y, z);
      const group = createGroup(scene, 'carried', [
        [source.nodes.get('Root'), 'position', [key(0, at(0, 0)), key(60, at(0, 2))]],
        [source.nodes.get('Hips'), 'position', [key(0, at(1, 0)), key(60, at(0.8, 0))]],
        [source.nodes.get('RightFoot'), 'rotationQuaternion', [key(0, turned(X, 0)), key(60, turned(X, 9))]],
      ]);
      return { scene, source, group, target: withRoot({ scale: 0.5 }) };
    };
    const options = { ...GROUND, rootNodeName: 'Root' };
    const [mine, other] = [build(), build()];
    const ours = { ...mine, result: retargetAnimationGroup(mine.target, mine.group, options) };
    const theirs = { ...other, result: byBabylon(other.target, other.group, options) };
    const rootKeys = (side: typeof ours) =>
      animationOf(side.result, side.target.nodes.get('Root'), 'position')!
        .getKeys()
        .map(({ value }) => value.asArray() as number[]);
    const [mineAtEnd, otherAtEnd] = [rootKeys(ours).at(-1)!, rootKeys(theirs).at(-1)!];
    expectSame([mineAtEnd], [otherAtEnd]);
    expect(mineAtEnd[2]).toBeCloseTo(1, 4);
    // Half the size, half as deep; Babylon lowers the hips of the small body by the source's 20 cm.
    const hips = placesAtKeys(ours, 'Hips');
    expect(hips[0]![1]! - hips[2]![1]!).toBeCloseTo(0.1, 3);
    const lowered = placesAtKeys(theirs, 'Hips');
    expect(lowered[0]![1]! - lowered[2]![1]!).toBeGreaterThan(0.15);
    // Not named, the hips carry everything.
    const plain = retargetAnimationGroup(mine.target, mine.group, GROUND);
    expect(animationOf(plain, mine.target.nodes.get('Root'), 'position')).toBeUndefined();
  });

  it('B16: a root below the hips is what distances are measured from, and it is said that the hips carry', () => {
    const { target, group } = stage();
    const result = retargetAnimationGroup(target, group, { ...GROUND, rootNodeName: 'LeftUpLeg' });
    const { report, warnings } = result.metadata.stuntdouble as GroupReport;
    // From thigh to foot nothing but legs: 0.6 of the source's.
    expect(report!.rootScales.horizontal).toBeCloseTo(0.6, 4);
    expect(warnings.map(({ code }) => code)).toContain('option-without-effect');
  });

  it('B3: a bone is found by its node’s name first, else by its own', () => {
    const { target, group } = stage({});
    const [arm, leg] = ['LeftArm', 'LeftUpLeg'].map((name) => target.nodes.get(name)!);
    arm!.name = 'renamed';
    const [head] = ['Head'].map((name) => target.nodes.get(name)!);
    for (const options of [
      { retargetAnimationKeys: false, fixRootPosition: false },
      { stuntdouble: { match: 'names' as const } },
    ]) {
      const moved = retargetAnimationGroup(target, group, options).targetedAnimations.map(
        (one) => one.target,
      );
      expect(moved).toContain(arm);
      expect(moved).toContain(leg);
    }
    // A node of that name is surer than a bone of that name.
    head!.name = 'LeftArm';
    const moved = retargetAnimationGroup(target, group, {
      retargetAnimationKeys: false,
      fixRootPosition: false,
    }).targetedAnimations.map((one) => one.target);
    expect(moved).toContain(head);
    expect(moved).not.toContain(arm);
  });

  it('B15, BP10: ancestors are compared all the way up, not only the joint itself', () => {
    const { target, group, scene } = stage({});
    // One joint more between the hips and the left leg: all that hangs on it hangs otherwise.
    const between = new TransformNode('between', scene);
    between.parent = target.nodes.get('Hips')!;
    target.nodes.get('LeftUpLeg')!.parent = between;
    const bone = new Bone('between', target.skeletons[0]!, target.bones.get('Hips')!, Matrix.Identity());
    bone.linkTransformNode(between);
    target.bones.get('LeftUpLeg')!.setParent(bone);
    const names = (result: AnimationGroup) =>
      new Set(result.targetedAnimations.map(({ target: { name } }) => name));
    const ours = names(retargetAnimationGroup(target, group, { checkHierarchy: true }));
    const theirs = names(byBabylon(target, group, { checkHierarchy: true }));
    for (const name of ['LeftUpLeg', 'LeftLeg', 'LeftFoot']) {
      expect(ours).not.toContain(name);
      expect(theirs).not.toContain(name);
    }
    for (const name of ['RightUpLeg', 'RightLeg', 'LeftArm']) expect(ours).toContain(name);
    expect(names(retargetAnimationGroup(target, group, {}))).toContain('LeftLeg');
  });

  it('B15, BP10: a joint that hangs on nothing, where its counterpart hangs on the hips, loses its track', () => {
    const { target, group } = stage({});
    target.root.name = 'elsewhere';
    target.nodes.get('LeftUpLeg')!.parent = target.root;
    target.bones.get('LeftUpLeg')!.setParent(null);
    const names = (result: AnimationGroup) =>
      new Set(result.targetedAnimations.map(({ target: { name } }) => name));
    const ours = names(retargetAnimationGroup(target, group, { checkHierarchy: true }));
    for (const name of ['LeftUpLeg', 'LeftLeg', 'LeftFoot']) expect(ours).not.toContain(name);
    for (const name of ['Hips', 'RightUpLeg', 'LeftArm']) expect(ours).toContain(name);
    // Babylon does not look beyond the last node above one of both.
    expect(names(byBabylon(target, group, { checkHierarchy: true }))).toContain('LeftUpLeg');
  });

  it('B14, BP6: keys that come back are repaired as Babylon’s, those that go on are left', () => {
    const turns = (fixAnimations: boolean, ...angles: number[]) => {
      const { source, scene, target } = stage({});
      const keys = angles.map((angle, k) => key(2 * k, turned(Z, angle)));
      const group = createGroup(scene, 'fault', [[source.nodes.get('LeftArm'), 'rotationQuaternion', keys]]);
      const degrees = (result: AnimationGroup) =>
        animationOf(result, target.nodes.get('LeftArm'), 'rotationQuaternion')!
          .getKeys()
          .map(({ value }) => Math.round((360 / Math.PI) * Math.acos(Math.min(1, Math.abs(value.w)))));
      return {
        ours: degrees(retargetAnimationGroup(target, group, { fixAnimations })),
        theirs: degrees(byBabylon(target, group, { fixAnimations })),
      };
    };
    // A fault in a joint that stands still: both.
    expect(turns(true, 0, 0, 180, 0, 0)).toEqual({ ours: [0, 0, 0, 0, 0], theirs: [0, 0, 0, 0, 0] });
    expect(turns(false, 0, 0, 180, 0, 0).ours).toEqual([0, 0, 180, 0, 0]);
    // The keys beside it do not agree: a quick turn, which is meant. So is one that stays.
    expect(turns(true, 0, 5, 180, 110, 100).ours).toEqual([0, 5, 180, 110, 100]);
    // Two turns of 153 degrees: 306, which is 54 the other way.
    expect(turns(true, 0, 0, 153, 306, 306).ours).toEqual([0, 0, 153, 54, 54]);
    expect(turns(true, 0, 0, 180, 180, 180).ours).toEqual([0, 0, 180, 180, 180]);
    expect(turns(true, 0, 0, 180, 180, 180).theirs[2]).toBe(0);
  });

  it('BP14: of two nodes for one bone the last wins, by names as in Babylon, and it is said', () => {
    const mapNodeNames = new Map([
      ['LeftArm', 'RightArm'],
      ['LeftUpLeg', 'RightArm'],
    ]);
    const degrees = (result: AnimationGroup, target: Puppet) => {
      const turns = animationOf(result, target.nodes.get('RightArm'), 'rotationQuaternion')!;
      const dot = Quaternion.Dot(turns.evaluate(0), turns.evaluate(30));
      return (360 / Math.PI) * Math.acos(Math.abs(dot));
    };
    for (const match of ['auto', 'names'] as const) {
      const { target, group } = stage({});
      const result = retargetAnimationGroup(target, group, { mapNodeNames, stuntdouble: { match } });
      expect(codesOf(result)).toContain('several-sources');
      // The leg's 50 degrees, not the arm's 60.
      expect(degrees(result, target)).toBeCloseTo(50, 3);
    }
  });

  it('B4: morphs go by mesh and name; another mesh’s serves where names are found, and it is said', () => {
    const scene = createStage();
    const face = (name: string, morph: string) => {
      const mesh = new Mesh(name, scene);
      mesh.morphTargetManager = new MorphTargetManager(scene);
      mesh.morphTargetManager.addTarget(new MorphTarget(morph, 0, scene));
      return mesh;
    };
    const from = face('head', 'smile').morphTargetManager!.getTarget(0);
    const target = createPuppet(scene);
    const teeth = face('teeth', 'smile');
    teeth.parent = target.root;
    const group = createGroup(scene, 'face', [[from, 'influence', [key(0, 0), key(60, 1)]]]);
    const found = retargetAnimationGroup(target.root, group);
    expect(found.targetedAnimations.map((one) => one.target)).toEqual([
      teeth.morphTargetManager!.getTarget(0),
    ]);
    expect(codesOf(found)).toEqual(['morph-of-other-mesh']);
    const strict = retargetAnimationGroup(target.root, group, { stuntdouble: { match: 'names' } });
    expect(strict.targetedAnimations).toEqual([]);
    expect(codesOf(strict)).toEqual(['morph-not-found']);
  });
});

describe('B6: every diagnostic', () => {
  /** What Babylon's log is told of during a call. */
  function logged(call: () => unknown): string[] {
    const log = vi.spyOn(Logger, 'Warn').mockImplementation(() => {});
    try {
      call();
      return log.mock.calls.map(([message]) => String(message));
    } finally {
      log.mockRestore();
    }
  }

  it('goes to Babylon’s log unless it is switched off, or somebody listens', () => {
    const { target, group } = stage();
    const odd = { fixGroundReferenceDynamicRefNode: true };
    const call = (avatar: unknown, options: RetargetGroupOptions) =>
      logged(() => retargetAnimationGroup(avatar as Puppet, group, options));
    const told = call(target, odd);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^retargetAnimationGroup, avatar ".*", animation group "leap": fixGroundRef/);
    expect(call({ ...target, showWarnings: true }, odd)).toEqual(told);
    expect(call({ ...target, showWarnings: false }, odd)).toEqual([]);
    expect(call(target, { ...odd, showWarnings: false })).toEqual([]);
    expect(call({ ...target, showWarnings: false }, { ...odd, showWarnings: true })).toEqual(told);
    const heard: string[] = [];
    expect(call(target, { ...odd, onWarning: ({ code }) => heard.push(code) })).toEqual([]);
    expect(heard).toEqual(['option-without-effect']);
    expect(call(target, {})).toEqual([]);
  });

  it('a node without a counterpart is named; one whose turns others carry is not', () => {
    const { source, scene, target } = stage({});
    const [tail, twist] = ['Tail', 'LeftArmTwist'].map((name) => new TransformNode(name, scene));
    tail!.parent = source.nodes.get('Hips')!;
    twist!.parent = source.nodes.get('LeftArm')!;
    source.nodes.get('LeftForeArm')!.parent = twist!;
    const keys = () => [key(0, turned(Z, 0)), key(60, turned(Z, 50))];
    const group = createGroup(
      scene,
      'wag',
      [tail, twist, source.nodes.get('LeftArm')].map((node) => [node, 'rotationQuaternion', keys()] as const),
    );
    for (const options of [{}, { stuntdouble: { match: 'names' as const } }]) {
      const told = logged(() => retargetAnimationGroup(target, group, options));
      expect(told.filter((message) => message.includes('"Tail"'))).toHaveLength(1);
      expect(told.join()).toContain('has no bone for "Tail"; its animations were left out');
    }
    expect(logged(() => retargetAnimationGroup(target, group)).join()).not.toContain('LeftArmTwist');
    const kept = logged(() =>
      retargetAnimationGroup(target, group, { retargetAnimationKeys: false, fixRootPosition: false }),
    );
    expect(kept.join()).toContain('"Tail"');
    expect(kept.join()).toContain('"LeftArmTwist"');
  });

  it('many nodes without a counterpart are counted in a line of the log, and each is told to who listens', () => {
    const { source, scene, target } = stage({});
    const tails = Array.from({ length: 9 }, (_, n) => new TransformNode(`Tail${n}`, scene));
    for (const tail of tails) tail.parent = source.nodes.get('Hips')!;
    const keys = () => [key(0, turned(Z, 0)), key(60, turned(Z, 50))];
    const moved = [...tails, source.nodes.get('LeftArm')];
    const group = createGroup(
      scene,
      'wag',
      moved.map((node) => [node, 'rotationQuaternion', keys()] as const),
    );
    const told = logged(() => retargetAnimationGroup(target, group));
    expect(told.filter((message) => message.includes('has no bone for'))).toHaveLength(4);
    expect(told.at(-1)).toContain('and 5 more of this kind (bone-not-found)');
    const heard: string[] = [];
    retargetAnimationGroup(target, group, { onWarning: ({ code }) => heard.push(code) });
    expect(heard.filter((code) => code === 'bone-not-found')).toHaveLength(9);
  });

  it('whatever Babylon warns of is warned of here, or done', () => {
    const call = (
      options: RetargetGroupOptions,
      change: (set: ReturnType<typeof stage>) => void = () => {},
    ) => {
      const set = stage();
      change(set);
      return codesOf(retargetAnimationGroup(set.target, set.group, options));
    };
    const kept = { retargetAnimationKeys: false };
    // No ground node: found by itself, or said where keys are left alone.
    expect(call({})).toEqual([]);
    expect(call(kept)).toEqual(['root-not-fixed']);
    // No root in the animation, no position of it, a ground node that the avatar has not.
    const hipless = ({ group }: ReturnType<typeof stage>) => {
      group.targetedAnimations.splice(0, 1);
    };
    expect(call({ ...kept, ...GROUND }, hipless)).toEqual(['root-not-fixed']);
    expect(call({ ...GROUND, rootNodeName: 'Nowhere' })).toEqual(['node-not-found']);
    expect(call({ groundReferenceNodeName: 'Nowhere' })).toEqual(['node-not-found']);
    expect(call({ ...kept, groundReferenceNodeName: 'Nowhere' })).toEqual(['root-not-fixed']);
    expect(call({ fixGroundReferenceDynamicRefNode: true })).toEqual(['option-without-effect']);
    const twice = ({ group, source }: ReturnType<typeof stage>) => {
      group.addTargetedAnimation(group.targetedAnimations[7]!.animation, source.nodes.get('RightArm'));
    };
    expect(call({}, twice)).toEqual(['animation-shared']);
  });
});

describe('B7: defaults', () => {
  /** Everything of a group that plays. */
  const told = (result: AnimationGroup) =>
    result.targetedAnimations.map(({ target, animation }) => [
      target.name,
      animation.targetProperty,
      animation.getKeys().map(({ frame, value }) => [frame, ...value.asArray()]),
    ]);
  const DEFAULTS: RetargetGroupOptions = {
    animationGroupName: 'leap',
    fixAnimations: false,
    checkHierarchy: false,
    retargetAnimationKeys: true,
    fixRootPosition: true,
    fixGroundReference: false,
    fixGroundReferenceDynamicRefNode: false,
    groundReferenceVerticalAxis: '',
    mapNodeNames: new Map(),
  };

  it('are Babylon’s: giving each of them changes nothing', () => {
    const plain = stage();
    const expected = told(retargetAnimationGroup(plain.target, plain.group));
    for (const [name, value] of Object.entries({
      ...DEFAULTS,
      rootNodeName: undefined,
      groundMode: 'scaled',
    })) {
      const { target, group } = stage();
      const result = retargetAnimationGroup(target, group, { [name]: value });
      expect(told(result)).toEqual(expected);
      expect(result.name).toBe('leap');
      expect(codesOf(result)).toEqual([]);
    }
  });

  it('each has an effect where it is another', () => {
    const build = () => {
      const set = stage();
      // A fault, and a joint more, so that cleaning and checking have something to do.
      set.group.targetedAnimations[7]!.animation.setKeys(
        [0, 0, 180, 0, 0].map((angle, k) => key(2 * k, turned(Z, angle))),
      );
      const between = new TransformNode('between', set.scene);
      between.parent = set.target.nodes.get('Hips')!;
      set.target.nodes.get('LeftUpLeg')!.parent = between;
      const bone = new Bone('between', set.target.skeletons[0]!, set.target.bones.get('Hips')!);
      bone.linkTransformNode(between);
      set.target.bones.get('LeftUpLeg')!.setParent(bone);
      return set;
    };
    const made = (options: RetargetGroupOptions) => {
      const { target, group } = build();
      return told(retargetAnimationGroup(target, group, options));
    };
    const plain = made({});
    const [grounded, dynamic] = [GROUND, { ...GROUND, fixGroundReference: true }].map(made);
    for (const options of [
      { fixAnimations: true },
      { checkHierarchy: true },
      { retargetAnimationKeys: false },
      { fixRootPosition: false },
      { fixGroundReference: true },
      GROUND,
      { mapNodeNames: new Map([['LeftArm', 'RightArm']]) },
    ])
      expect(made(options)).not.toEqual(plain);
    expect(made({ ...GROUND, groundReferenceVerticalAxis: 'X' })).not.toEqual(grounded);
    expect(made({ ...GROUND, rootNodeName: 'LeftUpLeg' })).not.toEqual(grounded);
    expect(made({ ...GROUND, fixGroundReference: true, fixGroundReferenceDynamicRefNode: true })).not.toEqual(
      dynamic,
    );
    expect(made({ ...GROUND, fixGroundReference: true, groundMode: 'pin' })).not.toEqual(dynamic);
    const { target, group } = stage();
    expect(retargetAnimationGroup(target, group, { animationGroupName: 'other' }).name).toBe('other');
  });
});
