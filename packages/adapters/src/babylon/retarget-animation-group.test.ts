import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup, TargetedAnimation } from '@babylonjs/core/Animations/animationGroup.js';
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import { type JointPair, type ReferenceChoice, RetargetError, UsageError } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { createStage, loadSample, showAt, updateWorlds } from '../../../../bench/adapters-babylon-stage.js';
import { createGroup, createPuppet, type Moves, type Puppet, turned } from '../../test/babylon-puppet.js';
import { retargetAnimationGroup } from '../../test/plainly-babylon.js';
import { AnimatorAvatar, type BabylonWarning, type GroupReport, referenceOf, rememberRest } from './index.js';

const X = new Vector3(1, 0, 0);
const Z = new Vector3(0, 0, 1);

/** A nod of the left arm, and hips that go 1 m ahead and 0.2 m up. */
function walkOf(source: Puppet, scene = createStage()): AnimationGroup {
  return createGroup(scene, 'walk', moves(source.nodes));
}

function moves(nodes: ReadonlyMap<string, unknown>): Moves {
  const at = (y: number, z: number) => new Vector3(0, y, z);
  return [
    [nodes.get('Hips'), 'position', [key(0, at(1, 0)), key(30, at(1.2, 0.5)), key(60, at(1, 1))]],
    [nodes.get('LeftArm'), 'rotationQuaternion', [key(0, turned(Z, 0)), key(60, turned(Z, 80))]],
    [nodes.get('LeftUpLeg'), 'rotationQuaternion', [key(0, turned(X, 0)), key(60, turned(X, -40))]],
  ];
}

const key = (frame: number, value: unknown) => ({ frame, value });

const found = (group: AnimationGroup, node: { name: string } | undefined, property: string) =>
  group.targetedAnimations.find(
    ({ target, animation }) => target === node && animation.targetProperty === property,
  )?.animation;

const codes = (group: AnimationGroup): string[] =>
  group.metadata.stuntdouble.warnings.map(({ code }: BabylonWarning) => code);

/** Everything of a body that a viewer could see, and how it plays. */
const stateOf = ({ root, skeletons }: Pick<Puppet, 'root' | 'skeletons'>) => [
  root
    .getDescendants(false)
    .map(
      (node) =>
        node instanceof TransformNode && [
          node.position.asArray(),
          node.rotation.asArray(),
          node.rotationQuaternion?.asArray() ?? null,
          node.scaling.asArray(),
        ],
    ),
  skeletons.map(({ bones }) => bones.map((bone) => [...bone.getLocalMatrix().m])),
];

describe('retargetAnimationGroup', () => {
  it('the documentation’s example, pasted, runs', async () => {
    const scene = createStage();
    const source = createPuppet(scene, { prefix: 'mixamorig:' });
    const sourceGroup = walkOf(source, scene);
    const heroRootNode = createPuppet(scene, { scale: 0.5 }).root;
    const BABYLON = { AnimatorAvatar };

    const avatar = new BABYLON.AnimatorAvatar('hero', heroRootNode);
    for (const skeleton of scene.skeletons.slice(1)) avatar.skeletons.add(skeleton);
    const retargeted = avatar.retargetAnimationGroup(sourceGroup, {
      animationGroupName: 'hero_walk',
      retargetAnimationKeys: true,
      fixRootPosition: true,
      fixGroundReference: true,
      rootNodeName: 'Hips',
      groundReferenceNodeName: 'LeftFoot',
      mapNodeNames: new Map([
        ['mixamorig:Hips', 'Hips'],
        ['mixamorig:LeftFoot', 'LeftFoot'],
        ['mixamorig:RightFoot', 'RightFoot'],
      ]),
    });
    retargeted.play(true);

    expect(retargeted.name).toBe('hero_walk');
    expect(retargeted.isPlaying).toBe(true);
    expect(codes(retargeted)).toEqual([]);
    expect(retargeted.targetedAnimations.every(({ target }) => target.isDescendantOf(heroRootNode))).toBe(
      true,
    );
  });

  it('B1: an avatar has the meshes, skeletons and morph targets below its root', async () => {
    const scene = createStage();
    const { root, skeletons } = await loadSample(scene, 'characters/mixamo-guy.glb');
    const avatar = new AnimatorAvatar('guy', root);
    expect(root.name).toBe('guy');
    expect([...avatar.skeletons]).toEqual(skeletons);
    expect(avatar.meshes.length).toBeGreaterThan(0);
    expect(avatar.meshes.every((mesh) => mesh.getTotalVertices() > 0)).toBe(true);
    const [bone] = skeletons[0]!.bones;
    expect(avatar.findBoneByName(bone!.name)).toBe(bone);
    expect(avatar.findBoneByTransformNode(bone!.getTransformNode()!)).toBe(bone);
    avatar.dispose();
    expect(root.isDisposed()).toBe(true);
  });

  it('W25: one animation gives one, corrected or not, and the whole body where that is asked for', () => {
    const scene = createStage();
    const [source, target] = [createPuppet(scene), createPuppet(scene, { prefix: 'mixamorig:', scale: 0.5 })];
    const one = createGroup(scene, 'one', [
      [source.nodes.get('LeftArm'), 'rotationQuaternion', [key(0, turned(Z, 0)), key(60, turned(Z, 80))]],
    ]);
    const avatar = new AnimatorAvatar('hero', target.root);
    for (const stuntdouble of [{}, { corrections: 'none' }, { keys: 'bake' }] as const) {
      const { targetedAnimations } = avatar.retargetAnimationGroup(one, { stuntdouble });
      expect(targetedAnimations.map((each) => each.target.name)).toEqual(['mixamorig:LeftArm']);
      const whole = avatar.retargetAnimationGroup(one, { stuntdouble: { ...stuntdouble, wholeBody: true } });
      expect(whole.targetedAnimations.length).toBeGreaterThan(5);
    }
  });

  it('B2, BP7: gives a new group and changes nothing of the old one, Euler angles included', () => {
    for (const bones of ['linked', 'none'] as const) {
      const scene = createStage();
      const source = createPuppet(scene, { bones });
      source.nodes.get('LeftArm')!.rotationQuaternion = null;
      source.nodes.get('LeftArm')!.rotation.set(0, 0, 0.1);
      const group = walkOf(source, scene);
      const before = JSON.stringify([group.serialize(), stateOf(source)]);
      const result = retargetAnimationGroup(createPuppet(scene), group);
      expect(result).not.toBe(group);
      expect(JSON.stringify([group.serialize(), stateOf(source)])).toBe(before);
      expect(source.nodes.get('LeftArm')!.rotationQuaternion).toBeNull();
    }
  });

  it('B3: bones are moved by the nodes they are linked to, or themselves', () => {
    const scene = createStage(true);
    const source = createPuppet(scene);
    const linked = createPuppet(scene, { prefix: 'a:' });
    const alone = createPuppet(scene, { bones: 'alone' });
    const group = walkOf(source, scene);
    const arm = (puppet: Puppet, node: { name: string } | undefined) =>
      found(retargetAnimationGroup(puppet, group), node, 'rotationQuaternion')!.getKeys();
    const onNode = arm(linked, linked.nodes.get('LeftArm'));
    const onBone = arm(alone, alone.bones.get('LeftArm'));
    expect(onNode.map(({ frame }) => frame)).toEqual([0, 60]);
    expect(angleBetween(onBone[1]!.value, onNode[1]!.value)).toBeLessThan(1e-6);
    expect(angleBetween(onNode[1]!.value, turned(Z, 80))).toBeLessThan(1e-5);
  });

  it('B4: influence goes to the morph target of the same mesh and name', () => {
    const scene = createStage();
    const face = (name: string, ...morphs: string[]) => {
      const mesh = new Mesh(name, scene);
      const manager = new MorphTargetManager(scene);
      for (const morph of morphs) manager.addTarget(new MorphTarget(morph, 0, scene));
      mesh.morphTargetManager = manager;
      return mesh;
    };
    const from = face('head', 'smile', 'frown');
    const target = createPuppet(scene);
    const onto = [face('teeth', 'smile'), face('head', 'smile')];
    for (const mesh of onto) mesh.parent = target.root;
    const smile = from.morphTargetManager!.getTarget(0);
    const frown = from.morphTargetManager!.getTarget(1);
    const group = createGroup(scene, 'face', [
      [smile, 'influence', [key(0, 0), key(60, 1)]],
      [frown, 'influence', [key(0, 0), key(60, 1)]],
    ]);
    const result = retargetAnimationGroup({ ...target, rootNode: target.root }, group);
    expect(result.targetedAnimations.map((one) => one.target)).toEqual([
      onto[1]!.morphTargetManager!.getTarget(0),
    ]);
    expect(result.targetedAnimations[0]!.animation.getKeys()).toEqual(
      group.targetedAnimations[0]!.animation.getKeys(),
    );
    expect(codes(result)).toEqual(['morph-not-found']);
  });

  it('mirror exchanges left and right morph targets, where the source has both', () => {
    const scene = createStage();
    const names = ['blinkLeft', 'blinkRight', 'smile', 'wink_L'];
    const face = () => {
      const mesh = new Mesh('head', scene);
      mesh.morphTargetManager = new MorphTargetManager(scene);
      for (const name of names) mesh.morphTargetManager.addTarget(new MorphTarget(name, 0, scene));
      return names.map((_, n) => mesh.morphTargetManager!.getTarget(n));
    };
    const from = face();
    const avatar = createPuppet(scene);
    const onto = face();
    for (const mesh of scene.meshes.slice(-1)) mesh.parent = avatar.root;
    const group = createGroup(
      scene,
      'face',
      from.map((morph, n) => [morph, 'influence', [key(0, 0), key(60, n / 4)]] as const),
    );
    const targets = (mirror: boolean) =>
      retargetAnimationGroup(avatar.root, group, { stuntdouble: { mirror } }).targetedAnimations.map(
        ({ target, animation }) => [onto.indexOf(target), 4 * animation.getKeys()[1]!.value],
      );
    expect(targets(false)).toEqual([0, 1, 2, 3].map((n) => [n, n]));
    expect(targets(true)).toEqual([
      [1, 0],
      [0, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it('B5: beyond what is asked, a source may animate bones, by matrices too', () => {
    const scene = createStage(true);
    const source = createPuppet(scene, { bones: 'alone' });
    const bent = Matrix.Compose(Vector3.One(), turned(Z, 80), new Vector3(0.12, 0, 0));
    const keys = [key(0, Matrix.Translation(0.12, 0, 0)), key(60, bent)];
    const group = createGroup(scene, 'bones', [[source.bones.get('LeftArm'), '_matrix', keys]]);
    const target = createPuppet(scene);
    const result = retargetAnimationGroup(target, group);
    const value = found(result, target.nodes.get('LeftArm'), 'rotationQuaternion')!.getKeys().at(-1)!.value;
    expect(angleBetween(value, turned(Z, 80))).toBeLessThan(1e-3);
  });

  it('B6: warnings are told where shown, and kept as data in any case', () => {
    const scene = createStage();
    const group = walkOf(createPuppet(scene), scene);
    const target = createPuppet(scene);
    const options = { fixGroundReferenceDynamicRefNode: true, rootNodeName: 'Nowhere' };
    const told: string[] = [];
    const onWarning = ({ code }: BabylonWarning) => told.push(code);
    const quiet = retargetAnimationGroup({ ...target, showWarnings: false }, group, {
      ...options,
      onWarning,
    });
    expect(told).toEqual([]);
    expect(codes(quiet)).toEqual(['node-not-found', 'option-without-effect']);
    retargetAnimationGroup(target, group, { ...options, onWarning });
    expect(told).toEqual(codes(quiet));
  });

  it('B6: an Animation that is in the group twice is told of, and each target gets its own', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const group = walkOf(source, scene);
    const { animation } = group.targetedAnimations[1]!;
    group.addTargetedAnimation(animation, source.nodes.get('RightArm'));
    const target = createPuppet(scene);
    const result = retargetAnimationGroup(target, group);
    expect(codes(result)).toContain('animation-shared');
    const [left, right] = ['LeftArm', 'RightArm'].map((name) =>
      found(result, target.nodes.get(name), 'rotationQuaternion'),
    );
    expect(left).not.toBe(right);
    expect(right!.getKeys()[1]!.value.asArray()).toEqual(left!.getKeys()[1]!.value.asArray());
  });

  it('B7: without options the name is kept, travel is scaled and the ground is left alone', () => {
    const scene = createStage();
    const target = createPuppet(scene, { scale: 0.5 });
    const result = retargetAnimationGroup(target, walkOf(createPuppet(scene), scene));
    expect(result.name).toBe('walk');
    expect(codes(result)).toEqual([]);
    const hips = found(result, target.nodes.get('Hips'), 'position')!.getKeys();
    expect(hips.map(({ frame }) => frame)).toEqual([0, 30, 60]);
    expect(hips[2]!.value.z).toBeCloseTo(0.5, 5);
    expect(hips[1]!.value.y).toBeCloseTo(0.6, 5);
  });

  it('B8, X1: on bodies that are alike the keys are the source’s', () => {
    const scene = createStage();
    const target = createPuppet(scene, { prefix: 'a:' });
    const group = walkOf(createPuppet(scene), scene);
    const result = retargetAnimationGroup(target, group);
    const keys = found(result, target.nodes.get('LeftUpLeg'), 'rotationQuaternion')!.getKeys();
    expect(angleBetween(keys[1]!.value, turned(X, -40))).toBeLessThan(1e-6);
  });

  it('B9: without retargetAnimationKeys keys only get other targets, by name', () => {
    const scene = createStage();
    const target = createPuppet(scene, { scale: 0.5 });
    const group = walkOf(createPuppet(scene, { prefix: 'a:' }), scene);
    const result = retargetAnimationGroup(target, group, {
      retargetAnimationKeys: false,
      mapNodeNames: new Map([['a:Hips', 'Hips']]),
    });
    expect(result.targetedAnimations.map((one) => one.target)).toEqual([target.nodes.get('Hips')]);
    expect(result.targetedAnimations[0]!.animation.getKeys()).toEqual(
      group.targetedAnimations[0]!.animation.getKeys(),
    );
    expect(codes(result)).toEqual(['bone-not-found', 'bone-not-found', 'root-not-fixed']);
  });

  it('B10, B11, BP4: a named ground reference scales by its distance from the root, whatever the axis', () => {
    const scene = createStage();
    const target = createPuppet(scene, { legs: 0.5 });
    const group = walkOf(createPuppet(scene), scene);
    const travel = (axis: '' | 'X' | 'Y' | 'Z') => {
      const result = retargetAnimationGroup(target, group, {
        groundReferenceNodeName: 'LeftFoot',
        groundReferenceVerticalAxis: axis,
      });
      return found(result, target.nodes.get('Hips'), 'position')!.getKeys()[2]!.value.z;
    };
    // From hips to foot: 0.05 + 0.87 · legs.
    expect(travel('')).toBeCloseTo((0.05 + 0.87 * 0.5) / 0.92, 4);
    expect(travel('Y')).toBeCloseTo(travel(''), 6);
    expect(travel('X')).toBeCloseTo(1, 4);
  });

  it('fixRootPosition off leaves travel as long as it was', () => {
    const scene = createStage();
    const target = createPuppet(scene, { scale: 0.5 });
    const group = walkOf(createPuppet(scene), scene);
    const result = retargetAnimationGroup(target, group, { fixRootPosition: false });
    expect(found(result, target.nodes.get('Hips'), 'position')!.getKeys()[2]!.value.z).toBeCloseTo(1, 5);
  });

  it('BP1: the parent of the avatar’s hips may stand anywhere', () => {
    const scene = createStage();
    const target = createPuppet(scene);
    const carrier = new TransformNode('carrier', scene);
    carrier.parent = target.root;
    carrier.position.set(3, 0.5, -2);
    target.nodes.get('Hips')!.parent = carrier;
    const result = retargetAnimationGroup(target, walkOf(createPuppet(scene), scene));
    const [first, , last] = found(result, target.nodes.get('Hips'), 'position')!.getKeys();
    expect(first!.value.x).toBeCloseTo(0, 5);
    expect(last!.value.z - first!.value.z).toBeCloseTo(1, 1);
  });

  it.each([false, true])(
    'B12, B13, BP2, BP11: feet are as high as the source’s between keys, dynamic %s',
    (dynamic) => {
      const scene = createStage();
      const source = createPuppet(scene);
      const target = createPuppet(scene, { legs: 0.6 });
      const group = walkOf(source, scene);
      const result = retargetAnimationGroup(target, group, {
        fixGroundReference: true,
        fixGroundReferenceDynamicRefNode: dynamic,
        groundReferenceNodeName: 'RightFoot',
      });
      const scale = result.metadata.stuntdouble.report.rootScales.vertical;
      const height = (puppet: Puppet) => {
        updateWorlds(puppet);
        const heights = ['LeftFoot', 'RightFoot'].map(
          (name) => puppet.nodes.get(name)!.getAbsolutePosition().y,
        );
        return dynamic ? Math.min(...heights) : heights[1]!;
      };
      const standing = [height(source), height(target)];
      for (const part of [0.11, 0.5, 0.93]) {
        showAt(group, part);
        showAt(result, part);
        expect(height(target) - standing[1]!).toBeCloseTo(scale * (height(source) - standing[0]!), 2);
      }
    },
  );

  it('B14, BP6: fixAnimations repairs a key that is half a turn off, and leaves a half turn that is meant', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const keys = (...degrees: number[]) => degrees.map((angle, k) => key(2 * k, turned(Z, angle)));
    const armOf = (angles: number[], fixAnimations: boolean) => {
      const arm = source.nodes.get('LeftArm');
      const group = createGroup(scene, 'fault', [[arm, 'rotationQuaternion', keys(...angles)]]);
      const target = createPuppet(scene);
      const result = retargetAnimationGroup(target, group, { fixAnimations });
      return found(result, target.nodes.get('LeftArm'), 'rotationQuaternion')!
        .getKeys()
        .map(({ value }) => Math.round(angleBetween(value, Quaternion.Identity()) * (180 / Math.PI)));
    };
    expect(armOf([0, 5, 185, 10, 15], false)[2]).toBe(175);
    expect(armOf([0, 5, 185, 10, 15], true)[2]).toBeLessThan(20);
    expect(armOf([0, 180, 180, 180], true)).toEqual([0, 180, 180, 180]);
  });

  it('B15, BP10: checkHierarchy leaves out joints that hang otherwise, and everything below them', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const target = createPuppet(scene, { prefix: 'a:' });
    const between = createPuppet(scene, { prefix: 'b:' });
    // A joint more in one arm of the second.
    const hand = between.bones.get('LeftArm')!;
    const node = between.nodes.get('LeftArm')!;
    const twist = new TransformNode('b:twist', scene);
    twist.parent = node.parent;
    node.parent = twist;
    const bone = new Bone('b:twist', between.skeletons[0]!, hand.getParent(), Matrix.Identity());
    bone.linkTransformNode(twist);
    const group = walkOf(source, scene);
    expect(codes(retargetAnimationGroup(target, group, { checkHierarchy: true }))).toEqual([]);
    const strict = retargetAnimationGroup(between, group, { checkHierarchy: true });
    expect(codes(strict)).toContain('hierarchy-differs');
    const roles = strict.metadata.stuntdouble.report.map.joints.map(({ role }: JointPair) => role);
    expect(roles).not.toContain('leftUpperArm');
    expect(roles).not.toContain('leftHand');
    expect(roles).toContain('rightUpperArm');
  });

  it('B15: joints that a motion leaves alone, and a root more above the hips, are no other hierarchy', async () => {
    const scene = createStage();
    // Its hands are never animated, and so no joints; its fingers are.
    const [group] = (await loadSample(scene, 'motions/walk.glb')).groups;
    for (const body of ['mixamo-guy.glb', 'unreal-mannequin.glb']) {
      const { root } = await loadSample(scene, `characters/${body}`);
      const [plain, checked] = [false, true].map((checkHierarchy) =>
        retargetAnimationGroup(root, group!, { checkHierarchy }),
      );
      expect(codes(checked!)).not.toContain('hierarchy-differs');
      expect(checked!.targetedAnimations.length).toBe(plain!.targetedAnimations.length);
    }
  });

  it('B16: rootNodeName and groundReferenceNodeName may be the source’s names or the avatar’s', () => {
    const scene = createStage();
    const target = createPuppet(scene, { legs: 0.5 });
    const group = walkOf(createPuppet(scene, { prefix: 'mixamorig:' }), scene);
    const scaleBy = (name: string) =>
      retargetAnimationGroup(target, group, { groundReferenceNodeName: name, rootNodeName: 'Hips' }).metadata
        .stuntdouble.report.rootScales.vertical;
    expect(scaleBy('mixamorig:LeftFoot')).toBe(scaleBy('LeftFoot'));
    expect(scaleBy('LeftFoot')).toBeCloseTo((0.05 + 0.87 * 0.5) / 0.92, 4);
  });

  it('B17: an avatar in mid-play is the same before and after, even where it throws', () => {
    const scene = createStage();
    const target = createPuppet(scene);
    const playing = createGroup(scene, 'idle', moves(target.nodes));
    playing.start(true);
    showAt(playing, 0.4);
    const before = JSON.stringify([stateOf(target), playing.isStarted, playing.getCurrentFrame()]);
    const same = () => JSON.stringify([stateOf(target), playing.isStarted, playing.getCurrentFrame()]);
    retargetAnimationGroup(target, walkOf(createPuppet(scene), scene), { fixGroundReference: true });
    expect(same()).toBe(before);
    const groups = scene.animationGroups.length;
    const map = { version: 1 as const, joints: [] };
    expect(() =>
      retargetAnimationGroup(target, walkOf(createPuppet(scene), scene), { stuntdouble: { map } }),
    ).toThrow(RetargetError);
    expect(same()).toBe(before);
    // The group of the call itself was made here, and nothing else.
    expect(scene.animationGroups.length).toBe(groups + 1);
  });

  it('B18, W13: a motion without bones that plays is understood by how it stood before, or as remembered', () => {
    const scene = createStage();
    const target = createPuppet(scene);
    const resting = createPuppet(scene, { bones: 'none' });
    /** The last key of the left arm, which is not aligned: it turns from where the source's rests. */
    const last = (group: AnimationGroup) =>
      found(
        retargetAnimationGroup(target, group, {
          stuntdouble: { alignment: { leftArm: 'keep' }, sourceReference: 'rest' },
        }),
        target.nodes.get('LeftArm'),
        'rotationQuaternion',
      )!.getKeys()[1]!.value;
    const group = walkOf(resting, scene);
    const expected = last(group);
    rememberRest(resting.root);
    resting.nodes.get('LeftArm')!.rotationQuaternion = turned(Z, -45);
    expect(angleBetween(last(group), expected)).toBeLessThan(1e-6);
    const started = walkOf(createPuppet(scene, { bones: 'none' }), scene);
    showAt(started, 0.7);
    expect(angleBetween(last(started), expected)).toBeLessThan(1e-6);
    // Posed by hand nothing says how it stood: its rest is what it shows.
    const posed = createPuppet(scene, { bones: 'none' });
    posed.nodes.get('LeftArm')!.rotationQuaternion = turned(Z, -45);
    expect(angleBetween(last(walkOf(posed, scene)), expected)).toBeGreaterThan(0.5);
  });

  it('B19: a fault is repaired before root and ground are computed', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const keys = [0, 2, 182, 4, 6].map((angle, k) => key(2 * k, turned(X, angle)));
    const group = createGroup(scene, 'fault', [
      [source.nodes.get('Hips'), 'position', [key(0, new Vector3(0, 1, 0)), key(8, new Vector3(0, 1, 1))]],
      [source.nodes.get('LeftUpLeg'), 'rotationQuaternion', keys],
    ]);
    const heights = (fixAnimations: boolean) => {
      const target = createPuppet(scene, { legs: 0.6 });
      const result = retargetAnimationGroup(target, group, {
        fixAnimations,
        fixGroundReference: true,
        groundReferenceNodeName: 'LeftFoot',
      });
      return found(result, target.nodes.get('Hips'), 'position')!
        .getKeys()
        .map(({ value }) => value.y as number);
    };
    const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
    expect(spread(heights(false))).toBeGreaterThan(5 * spread(heights(true)));
  });

  it('B27, B28: restPoseUpdate of Babylon’s tool gives a reference that the file does not have', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const target = createPuppet(scene);
    // The file of the target rests with its arm down, which its maker calls a T-pose: the reference says otherwise.
    const { x, y, z, w } = turned(Z, -45);
    const update = [{ name: 'LeftArm', data: { quaternion: [x, y, z, w] } }];
    const group = walkOf(source, scene);
    const last = (targetReference: ReferenceChoice) => {
      const alignment = { leftArm: 'keep' } as const;
      const result = retargetAnimationGroup(target, group, { stuntdouble: { targetReference, alignment } });
      return found(result, target.nodes.get('LeftArm'), 'rotationQuaternion')!.getKeys()[0]!.value;
    };
    expect(angleBetween(last('rest'), Quaternion.Identity())).toBeLessThan(1e-5);
    expect(angleBetween(last(referenceOf(update)), turned(Z, -45))).toBeLessThan(1e-5);
  });

  it('BP3: travel is scaled without a ground reference', () => {
    const scene = createStage();
    const result = retargetAnimationGroup(
      createPuppet(scene, { legs: 0.5 }),
      walkOf(createPuppet(scene), scene),
    );
    expect(result.metadata.stuntdouble.report.rootScales.horizontal).toBeLessThan(0.75);
    expect(codes(result)).toEqual([]);
  });

  it('BP5, R3: tangents turn with the keys, and step stays step', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const cubic = [0, 60].map((frame, n) => ({
      frame,
      value: turned(Z, 60 * n),
      inTangent: new Quaternion(0, 0, 0.002, 0),
      outTangent: new Quaternion(0, 0.001, 0.02, -0.001),
    }));
    const step = [0, 60].map((frame, n) => ({ frame, value: turned(X, 30 * n), interpolation: 1 }));
    const group = createGroup(scene, 'curves', [
      [source.nodes.get('LeftArm'), 'rotationQuaternion', cubic],
      [source.nodes.get('Head'), 'rotationQuaternion', step],
    ]);
    const target = createPuppet(scene, { prefix: 'a:' });
    const result = retargetAnimationGroup(target, group);
    for (const [name, from] of [
      ['LeftArm', 0],
      ['Head', 1],
    ] as const) {
      const made = found(result, target.nodes.get(name), 'rotationQuaternion')!;
      const original = group.targetedAnimations[from]!.animation;
      for (const frame of [0, 7, 31, 59, 60])
        expect(angleBetween(made.evaluate(frame), original.evaluate(frame))).toBeLessThan(1e-5);
    }
    expect(found(result, target.nodes.get('Head'), 'rotationQuaternion')!.getKeys()[0]!.interpolation).toBe(
      1,
    );
  });

  it('BP8: animated meshes are joints too', () => {
    const scene = createStage();
    const source = createPuppet(scene, { bones: 'none' });
    const old = source.nodes.get('LeftArm')!;
    const mesh = new Mesh('LeftArm', scene);
    mesh.parent = old.parent;
    mesh.position = old.position.clone();
    source.nodes.get('LeftForeArm')!.parent = mesh;
    old.dispose();
    const group = createGroup(scene, 'mesh', [
      [mesh, 'rotationQuaternion', [key(0, turned(Z, 0)), key(60, turned(Z, 80))]],
    ]);
    const target = createPuppet(scene);
    const keys = found(
      retargetAnimationGroup(target, group),
      target.nodes.get('LeftArm'),
      'rotationQuaternion',
    )!.getKeys();
    expect(angleBetween(keys.at(-1)!.value, turned(Z, 80))).toBeLessThan(1e-5);
  });

  it('BP9: what carries the hips may be animated', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const carrier = new TransformNode('carrier', scene);
    carrier.parent = source.root;
    source.nodes.get('Hips')!.parent = carrier;
    const group = createGroup(scene, 'carried', [
      [carrier, 'position', [key(0, Vector3.Zero()), key(60, new Vector3(0, 0, 2))]],
    ]);
    const target = createPuppet(scene, { scale: 0.5 });
    const hips = found(
      retargetAnimationGroup(target, group),
      target.nodes.get('Hips'),
      'position',
    )!.getKeys();
    expect(hips.at(-1)!.value.z - hips[0]!.value.z).toBeCloseTo(1, 4);
  });

  it('BP12, R14: a jump is as high as the body is, not as the source’s', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const at = (y: number) => new Vector3(0, y, 0);
    const keys = [key(0, at(1)), key(30, at(1.6)), key(60, at(1))];
    const group = createGroup(scene, 'jump', [[source.nodes.get('Hips'), 'position', keys]]);
    const target = createPuppet(scene, { scale: 0.5 });
    const options = { fixGroundReference: true, fixGroundReferenceDynamicRefNode: true };
    const result = retargetAnimationGroup(target, group, options);
    const heights = found(result, target.nodes.get('Hips'), 'position')!
      .getKeys()
      .map(({ value }) => value.y as number);
    expect(Math.max(...heights) - heights[0]!).toBeCloseTo(0.3, 3);
  });

  it('BP13: a joint that is animated between mapped ones loses nothing', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const twist = new TransformNode('LeftArmTwist', scene);
    twist.rotationQuaternion = Quaternion.Identity();
    twist.parent = source.nodes.get('LeftArm')!;
    source.nodes.get('LeftForeArm')!.parent = twist;
    const group = createGroup(scene, 'between', [
      [twist, 'rotationQuaternion', [key(0, turned(Z, 0)), key(60, turned(Z, 50))]],
    ]);
    const target = createPuppet(scene);
    const result = retargetAnimationGroup(target, group);
    showAt(group, 1);
    showAt(result, 1);
    const forearm = (puppet: Puppet) => {
      updateWorlds(puppet);
      const [a, b] = ['LeftForeArm', 'LeftHand'].map((name) => puppet.nodes.get(name)!.getAbsolutePosition());
      return b!.subtract(a!).normalize();
    };
    expect(forearm(target).subtract(forearm(source)).length()).toBeLessThan(1e-3);
  });

  it('BP14: two sources for one bone are told of', () => {
    const scene = createStage();
    const group = walkOf(createPuppet(scene), scene);
    const mapNodeNames = new Map([
      ['LeftArm', 'RightArm'],
      ['LeftUpLeg', 'RightArm'],
    ]);
    for (const match of ['auto', 'names'] as const) {
      const result = retargetAnimationGroup(createPuppet(scene), group, {
        mapNodeNames,
        stuntdouble: { match },
      });
      expect(codes(result)).toContain('several-sources');
    }
  });

  it('keeps range, rate, speed, loop, blending and order of the group', () => {
    const scene = createStage();
    const group = walkOf(createPuppet(scene), scene);
    group.from = 10;
    group.to = 50;
    group.speedRatio = 1.5;
    group.weight = 0.5;
    group.loopAnimation = true;
    group.metadata = { tag: 'mine' };
    for (const { animation } of group.targetedAnimations) {
      animation.loopMode = Animation.ANIMATIONLOOPMODE_RELATIVE;
      animation.enableBlending = true;
      animation.blendingSpeed = 0.2;
    }
    const result = retargetAnimationGroup(createPuppet(scene), group);
    expect(result).toMatchObject({ from: 10, to: 50, speedRatio: 1.5, weight: 0.5, loopAnimation: true });
    expect(result.metadata.tag).toBe('mine');
    for (const { animation } of result.targetedAnimations)
      expect(animation).toMatchObject({
        framePerSecond: 60,
        loopMode: Animation.ANIMATIONLOOPMODE_RELATIVE,
        enableBlending: true,
        blendingSpeed: 0.2,
      });
  });

  it('keys stand on the very frames they stood on, between whole ones too', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const frames = [0, 2.5, 5.25, 1 / 3 + 7, 8.001, 100, 1e4 / 3, 4497.5, 9000.1, 9001, 9001.5];
    const keys = frames.map((frame, k) => key(frame, turned(Z, 10 * k)));
    const arm = source.nodes.get('LeftArm');
    const group = createGroup(scene, 'g', [[arm, 'rotationQuaternion', keys]]);
    const avatar = createPuppet(scene, { legs: 1.2 });
    const result = retargetAnimationGroup(avatar.root, group);
    const written = found(result, avatar.nodes.get('LeftArm'), 'rotationQuaternion')!.getKeys();
    expect(written.map(({ frame }) => frame)).toEqual(frames);
  });

  it('a group that starts late, or with keys of mixed kinds, plays as the source does', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const keys = [
      { frame: 100, value: turned(Z, 0) },
      { frame: 120, value: turned(Z, 40), interpolation: 1 },
      { frame: 140, value: turned(Z, 10) },
    ];
    const group = createGroup(scene, 'late', [[source.nodes.get('LeftArm'), 'rotationQuaternion', keys]]);
    const target = createPuppet(scene);
    const result = retargetAnimationGroup(target, group);
    expect([result.from, result.to]).toEqual([100, 140]);
    const made = found(result, target.nodes.get('LeftArm'), 'rotationQuaternion')!;
    for (const frame of [100, 110, 119, 121, 139, 140])
      expect(
        angleBetween(made.evaluate(frame), group.targetedAnimations[0]!.animation.evaluate(frame)),
      ).toBeLessThan(1e-3);
  });

  it('where both skeletons are one, keys keep every digit', () => {
    const scene = createStage();
    const [source, target] = [createPuppet(scene), createPuppet(scene)];
    const walk = walkOf(source, scene);
    const result = retargetAnimationGroup(target, walk);
    expect((result.metadata.stuntdouble as GroupReport).report!.clips[0]!.way).toBe('copy');
    for (const { animation, target: node } of walk.targetedAnimations) {
      const made = found(result, target.nodes.get(node.name), animation.targetProperty)!;
      expect(made.getKeys()).toEqual(animation.getKeys());
      expect(made.getKeys()[0]!.value).not.toBe(animation.getKeys()[0]!.value);
    }
  });

  it('a call in the middle of another leaves that one alone', () => {
    const scene = createStage();
    const [source, target] = [createPuppet(scene), createPuppet(scene, { legs: 1.2 })];
    const [walk, other] = [walkOf(source, scene), walkOf(source, scene)];
    for (const { animation } of other.targetedAnimations)
      for (const { value } of animation.getKeys()) value.scaleInPlace(0.5);
    const told = (group: AnimationGroup) =>
      group.targetedAnimations.map(({ animation }) => animation.getKeys());
    // So that there is room from a call before.
    for (let k = 0; k < 2; k++) retargetAnimationGroup(target, walk);
    const expected = told(retargetAnimationGroup(target, walk));
    const between: AnimationGroup[] = [];
    const onProgress = () => between.push(retargetAnimationGroup(target, other));
    expect(told(retargetAnimationGroup(target, walk, { stuntdouble: { onProgress } }))).toEqual(expected);
    expect(between.length).toBeGreaterThan(0);
    for (const group of between) expect(told(group)).not.toEqual(expected);
  });

  it('where both skeletons are one, what stands still keeps its keys too', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const target = createPuppet(scene);
    const walk = walkOf(source, scene);
    const turn = Quaternion.RotationYawPitchRoll(0.2, 0.1, 0);
    const keys = [0, 3, 7, 40].map((frame) => ({ frame, value: turn.clone() }));
    const held = createGroup(scene, 'held', [[source.nodes.get('Head'), 'rotationQuaternion', keys]]);
    const [{ animation }] = held.targetedAnimations as [TargetedAnimation];
    walk.addTargetedAnimation(animation, source.nodes.get('Head'));
    const result = retargetAnimationGroup(target, walk);
    expect((result.metadata.stuntdouble as GroupReport).report!.clips[0]!.way).toBe('copy');
    const made = found(result, target.nodes.get('Head'), 'rotationQuaternion')!;
    expect(made.getKeys().map(({ frame }) => frame)).toEqual([0, 3, 7, 40]);
    expect(made.getKeys()[2]!.value.equals(turn)).toBe(true);
    // They are its own.
    made.getKeys()[2]!.value.x = 1;
    expect(animation.getKeys()[2]!.value.equals(turn)).toBe(true);
  });

  it('bad input gives one sentence', () => {
    const scene = createStage();
    const group = walkOf(createPuppet(scene), scene);
    const asAvatar = (value: unknown) => value as Parameters<typeof retargetAnimationGroup>[0];
    expect(() => retargetAnimationGroup(asAvatar(null), group)).toThrow(UsageError);
    expect(() => retargetAnimationGroup({}, group)).toThrow(UsageError);
    expect(() => retargetAnimationGroup(createPuppet(scene), asAvatar(undefined) as AnimationGroup)).toThrow(
      UsageError,
    );
    expect(() => retargetAnimationGroup(new TransformNode('empty', scene), group)).toThrow(/nothing/);
    const broken = walkOf(createPuppet(scene), scene);
    broken.targetedAnimations[1]!.animation.getKeys()[1]!.value.x = Number.NaN;
    const result = retargetAnimationGroup(createPuppet(scene), broken);
    expect(codes(result)).toContain('value-not-finite');
    for (const { animation } of result.targetedAnimations)
      for (const { value } of animation.getKeys()) expect(value.asArray().every(Number.isFinite)).toBe(true);
    const empty = retargetAnimationGroup(createPuppet(scene), createGroup(scene, 'none', []));
    expect(codes(empty)).toEqual(['clip-empty']);
  });
});

/** The angle between two rotations in radians, whatever their length. */
function angleBetween(a: Quaternion, b: Quaternion): number {
  const between = Quaternion.Inverse(a.normalizeToNew()).multiply(b.normalizeToNew());
  return 2 * Math.atan2(Math.hypot(between.x, between.y, between.z), Math.abs(between.w));
}
