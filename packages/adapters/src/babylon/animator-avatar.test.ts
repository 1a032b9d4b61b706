import { AnimatorAvatar as BabylonAvatar } from '@babylonjs/core/Animations/animatorAvatar.js';
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { Matrix } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import type { Scene } from '@babylonjs/core/scene.js';
import { describe, expect, it } from 'vitest';
import { createStage } from '../../../../bench/adapters-babylon-stage.js';
import { createGroup } from '../../test/babylon-puppet.js';
import { AnimatorAvatar } from './index.js';

/** A root that is a mesh itself, two meshes of one skeleton below it, one of another, and one without vertices. */
function buildBody(scene: Scene) {
  const root = CreateBox('body', {}, scene);
  const skeletons = ['one', 'two'].map((name) => {
    const skeleton = new Skeleton(name, name, scene);
    const bone = new Bone(`${name}Bone`, skeleton, null, Matrix.Identity());
    const node = new TransformNode(`${name}Node`, scene);
    node.parent = root;
    bone.linkTransformNode(node);
    return skeleton;
  });
  const [face, hair, tail] = ['face', 'hair', 'tail'].map((name) => CreateBox(name, {}, scene));
  for (const mesh of [face!, hair!, tail!]) mesh.parent = root;
  face!.skeleton = hair!.skeleton = skeletons[0]!;
  tail!.skeleton = skeletons[1]!;
  for (const mesh of [face!, tail!]) {
    mesh.morphTargetManager = new MorphTargetManager(scene);
    for (const morph of ['smile', 'blink'])
      mesh.morphTargetManager.addTarget(MorphTarget.FromMesh(mesh, morph));
  }
  const empty = new Mesh('empty', scene);
  empty.parent = root;
  empty.skeleton = new Skeleton('three', 'three', scene);
  return { root, skeletons, meshes: [root, face!, hair!, tail!], face: face!, tail: tail! };
}

/** What an avatar has collected, by names. */
const contentOf = (avatar: AnimatorAvatar | BabylonAvatar) => ({
  name: avatar.name,
  root: avatar.rootNode?.name,
  meshes: avatar.meshes.map(({ name }) => name),
  skeletons: [...avatar.skeletons].map(({ name }) => name),
  morphs: [...avatar.morphTargetManagers].map(({ meshName, numMaxInfluencers, numTargets }) => [
    meshName,
    numMaxInfluencers,
    numTargets,
  ]),
  told: [...avatar.mapMorphTargetNameToMorphTarget].map(([key, { name }]) => [key, name]),
  showWarnings: avatar.showWarnings,
});

describe('AnimatorAvatar, beside Babylon’s', () => {
  it.each([
    ['named', true],
    ['not named', false],
  ])(
    'B1: collects meshes with vertices, skeletons and morph targets as Babylon’s does, root %s',
    (_, named) => {
      const [ours, theirs] = [AnimatorAvatar, BabylonAvatar].map((Avatar) => {
        const { root, meshes, face } = buildBody(createStage());
        // Managers are told of their meshes and how many targets may act at once.
        face.morphTargetManager!.numMaxInfluencers = 1;
        const avatar = new Avatar('hero', root, true, named);
        expect(avatar.meshes).toEqual(meshes);
        return contentOf(avatar);
      });
      expect(ours).toEqual(theirs);
      expect(ours!.root).toBe(named ? 'hero' : 'body');
      expect(ours!.morphs).toEqual([
        ['face', 2, 2],
        ['tail', 2, 2],
      ]);
      expect(ours!.told.map(([key]) => key)).toEqual([
        'face_smile',
        'face_blink',
        'tail_smile',
        'tail_blink',
      ]);
    },
  );

  it('B1: without a root all is for the caller to add', () => {
    const { skeletons } = buildBody(createStage());
    const avatar = new AnimatorAvatar('hero');
    expect(contentOf(avatar)).toEqual(contentOf(new BabylonAvatar('hero')));
    avatar.skeletons.add(skeletons[1]!);
    expect(avatar.findBoneByName('twoBone')).toBe(skeletons[1]!.bones[0]);
  });

  it('B1, B3: bones are found by node, by its name and by their own, in all skeletons', () => {
    const { root, skeletons } = buildBody(createStage());
    const avatar = new AnimatorAvatar('hero', root);
    const [bone] = skeletons[1]!.bones;
    expect(avatar.findBoneByTransformNode('twoNode')).toBe(bone);
    expect(avatar.findBoneByTransformNode(bone!.getTransformNode()!)).toBe(bone);
    expect(avatar.findBoneByName('twoBone')).toBe(bone);
    expect(avatar.findBoneByTransformNode('twoBone')).toBeNull();
    expect(avatar.findBoneByName('twoNode')).toBeNull();
  });

  it.each([true, false])('B1: disposes of what it collected only where it may: %s', (mayDispose) => {
    const [ours, theirs] = [AnimatorAvatar, BabylonAvatar].map((Avatar) => {
      const scene = createStage();
      const { root, skeletons } = buildBody(scene);
      const avatar = new Avatar('hero', root, mayDispose);
      avatar.dispose();
      return [
        root.isDisposed(),
        scene.skeletons.map(({ name }) => name),
        scene.morphTargetManagers.length,
        scene.meshes.length,
        avatar.skeletons.size === skeletons.length,
      ];
    });
    expect(ours).toEqual(theirs);
    expect(ours![0]).toBe(mayDispose);
    expect(ours![2]).toBe(mayDispose ? 0 : 2);
  });

  it('B1: it is a class: instances are known by it, and others extend it', () => {
    class Hero extends AnimatorAvatar {
      retargets = 0;
      override retargetAnimationGroup(...given: Parameters<AnimatorAvatar['retargetAnimationGroup']>) {
        this.retargets++;
        return super.retargetAnimationGroup(...given);
      }
    }
    const scene = createStage();
    const { root, face } = buildBody(scene);
    const hero = new Hero('hero', root);
    expect(hero).toBeInstanceOf(AnimatorAvatar);
    expect(hero).toBeInstanceOf(Hero);
    const morph = face.morphTargetManager!.getTarget(0);
    const group = createGroup(scene, 'smile', [[morph, 'influence', [{ frame: 0, value: 1 }]]]);
    expect(hero.retargetAnimationGroup(group).targetedAnimations[0]!.target).toBe(morph);
    expect(hero.retargets).toBe(1);
  });

  it('B4: an entry of mapMorphTargetNameToMorphTarget says where a morph goes', () => {
    const scene = createStage();
    const source = buildBody(scene);
    const { root, tail } = buildBody(scene);
    const avatar = new AnimatorAvatar('hero', root);
    const blink = tail.morphTargetManager!.getTarget(1);
    avatar.mapMorphTargetNameToMorphTarget.set('face_smile', blink);
    const smile = source.face.morphTargetManager!.getTarget(0);
    const group = createGroup(scene, 'smile', [[smile, 'influence', [{ frame: 0, value: 1 }]]]);
    expect(avatar.retargetAnimationGroup(group).targetedAnimations.map(({ target }) => target)).toEqual([
      blink,
    ]);
  });
});
