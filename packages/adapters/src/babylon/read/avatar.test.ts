import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Scene } from '@babylonjs/core/scene.js';
import { describe, expect, it } from 'vitest';
import { createStage } from '../../../../../bench/adapters-babylon-stage.js';
import { createGroup, createPuppet, type Puppet, turned } from '../../../test/babylon-puppet.js';
import { createLiveRetargeter, type GroupReport, rememberRest, retargetAnimationGroup } from '../index.js';
import { readAvatar, readSources } from './avatar.js';

const X = new Vector3(1, 0, 0);
const Z = new Vector3(0, 0, 1);

const key = (frame: number, value: unknown) => ({ frame, value });

/** A source, an avatar of other names and size, and groups that move the source. */
type Stage = { scene: Scene; source: Puppet; avatar: Puppet; groups: AnimationGroup[] };

function createPair(): Stage {
  const scene = createStage();
  const source = createPuppet(scene, { prefix: 'mixamorig:' });
  const avatar = createPuppet(scene, { scale: 0.5, legs: 1.2 });
  const at = (name: string) => source.nodes.get(name);
  const groups = [
    createGroup(scene, 'wave', [
      [at('LeftArm'), 'rotationQuaternion', [key(0, turned(Z, 0)), key(60, turned(Z, 80))]],
    ]),
    createGroup(scene, 'walk', [
      [at('Hips'), 'position', [key(0, new Vector3(0, 1, 0)), key(60, new Vector3(0, 1.1, 2))]],
      [at('LeftUpLeg'), 'rotationQuaternion', [key(0, turned(X, 0)), key(60, turned(X, -40))]],
    ]),
  ];
  return { scene, source, avatar, groups };
}

/** An avatar of Babylon's kind, which knows its skeletons without a mesh. */
const avatarOf = ({ root, skeletons }: Puppet) => ({ rootNode: root, skeletons });

/** All that a result says: who moves by which keys, and its report. */
function told(group: AnimationGroup): unknown {
  const { report, warnings } = group.metadata.stuntdouble as GroupReport;
  return {
    moves: group.targetedAnimations.map(({ target, animation }) => [
      target.name,
      animation.targetProperty,
      animation.getKeys().map(({ frame, value }) => [frame, value.asArray()]),
    ]),
    report,
    warnings,
  };
}

const CHANGES: Record<string, (pair: Stage) => void> = {
  'a bone of the avatar rests otherwise': ({ avatar }) => {
    const bone = avatar.bones.get('LeftArm')!;
    const rest = Matrix.Compose(Vector3.One(), turned(Z, -40), bone.getRestMatrix().getTranslation());
    bone.setRestMatrix(rest);
  },
  'a bone of the source rests otherwise': ({ source }) => {
    const bone = source.bones.get('LeftArm')!;
    const rest = Matrix.Compose(Vector3.One(), turned(Z, -40), bone.getRestMatrix().getTranslation());
    bone.setRestMatrix(rest);
  },
  'a node of the avatar has another name': ({ avatar }) => {
    avatar.nodes.get('LeftArm')!.name = 'hook';
  },
  'a node of the avatar hangs elsewhere': ({ avatar }) => {
    avatar.nodes.get('LeftHand')!.parent = avatar.nodes.get('Hips')!;
  },
  'the rest of the source is remembered anew': ({ source }) => {
    source.nodes.get('LeftArm')!.rotationQuaternion = turned(Z, -30);
    rememberRest(source.root);
  },
  'a bone of the avatar was bound otherwise': ({ avatar }) => {
    const bone = avatar.bones.get('LeftArm')!;
    bone.setBindMatrix(Matrix.Compose(Vector3.One(), turned(Z, -40), new Vector3(0.3, 0, 0)));
    bone._updateAbsoluteBindMatrices();
  },
  'a node of the avatar that is no bone rests otherwise': ({ avatar }) => {
    const top = avatar.nodes.get('Hips')!;
    const between = new TransformNode('armature', avatar.root.getScene());
    between.parent = avatar.root;
    between.rotationQuaternion = turned(X, -90);
    top.parent = between;
  },
  'the avatar is mirrored': ({ avatar }) => {
    avatar.root.scaling.x *= -1;
  },
  'a bone of the avatar is linked to no node': ({ avatar }) => {
    avatar.bones.get('LeftArm')!.linkTransformNode(null);
  },
  'the avatar is scaled': ({ avatar }) => {
    avatar.root.scaling.scaleInPlace(3);
  },
};

describe('a body that is read again', () => {
  it('is one skeleton, whatever moves it and wherever it stands', () => {
    const { avatar, groups } = createPair();
    const first = readAvatar(avatarOf(avatar));
    const [wave] = readSources([groups[0]!], first);
    avatar.root.position.x = 5;
    avatar.root.rotationQuaternion = turned(new Vector3(0, 1, 0), 73);
    avatar.nodes.get('LeftArm')!.rotationQuaternion = turned(X, 30);
    expect(readAvatar(avatarOf(avatar)).skeleton).toBe(first.skeleton);
    expect(readSources([groups[1]!], first)[0]!.skeleton).toBe(wave!.skeleton);
    expect(wave!.skeleton).not.toBe(first.skeleton);
  });

  it('is known to nobody who could change it', () => {
    const { avatar, source, groups } = createPair();
    const before = told(retargetAnimationGroup(avatarOf(avatar), groups[0]!));
    const { setup } = createLiveRetargeter(avatarOf(avatar), avatarOf(source));
    for (const { skeleton } of [setup.source, setup.target]) {
      skeleton.names.fill('changed');
      skeleton.parents.fill(-1);
      for (const pose of [skeleton.rest, skeleton.bind!]) pose.translations.fill(7);
    }
    expect(told(retargetAnimationGroup(avatarOf(avatar), groups[0]!))).toEqual(before);
  });

  it('R8: groups come out the same in any order, one by one or again', () => {
    const alone = [0, 1].map((n) => {
      const { avatar, groups } = createPair();
      return told(retargetAnimationGroup(avatarOf(avatar), groups[n]!));
    });
    const { avatar, groups } = createPair();
    for (const n of [1, 0, 0, 1])
      expect(told(retargetAnimationGroup(avatarOf(avatar), groups[n]!))).toEqual(alone[n]);
  });

  it.each(Object.keys(CHANGES))('is read as it is now: %s', (what) => {
    const fresh = createPair();
    const before = told(retargetAnimationGroup(avatarOf(fresh.avatar), fresh.groups[0]!));
    const changed = createPair();
    CHANGES[what]!(changed);
    const expected = told(retargetAnimationGroup(avatarOf(changed.avatar), changed.groups[0]!));
    expect(expected).not.toEqual(before);
    CHANGES[what]!(fresh);
    expect(told(retargetAnimationGroup(avatarOf(fresh.avatar), fresh.groups[0]!))).toEqual(expected);
  });

  it('is not kept alive', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const { scene, source, groups } = createPair();
    const gone = (() => {
      const avatar = createPuppet(scene, { scale: 2 });
      retargetAnimationGroup(avatarOf(avatar), groups[0]!).dispose();
      const { skeleton } = readAvatar(avatarOf(avatar));
      for (const each of avatar.skeletons) each.dispose();
      avatar.root.dispose();
      return [new WeakRef(avatar.root), new WeakRef(skeleton)];
    })();
    // A reference that was read lives until the task ends, and the engine may take its time.
    for (let k = 0; k < 20 && gone.some((ref) => ref.deref()); k++) {
      await new Promise((resolve) => setTimeout(resolve));
      collect();
    }
    expect(gone.map((ref) => ref.deref())).toEqual([undefined, undefined]);
    expect(source.root.isDisposed()).toBe(false);
  });
});
