import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  AnimationClip,
  AnimationMixer,
  BufferAttribute,
  Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { describe, expect, it } from 'vitest';
import { type StickActor, stickActor } from '../../test/three-actors.js';
import { createLiveRetargeter, readCharacter, retargetClip, retargetClips } from './index.js';
import { recallCharacter } from './read-character.js';

const turned = (axis: Vector3, angle: number) => new Quaternion().setFromAxisAngle(axis, angle);
const REST = [0, 0, 0, 1];
const X = new Vector3(1, 0, 0);
const Z = new Vector3(0, 0, 1);

const CLIPS = [
  new AnimationClip('wave', -1, [
    new QuaternionKeyframeTrack('LeftUpperArm.quaternion', [0, 1], [...REST, ...turned(Z, 1).toArray()]),
  ]),
  new AnimationClip('walk', -1, [
    new VectorKeyframeTrack('Hips.position', [0, 1], [0, 1, 0, 0, 1.1, 2]),
    new QuaternionKeyframeTrack('LeftUpperLeg.quaternion', [0, 1], [...REST, ...turned(X, -0.6).toArray()]),
  ]),
];

const pair = () => ({
  source: stickActor(),
  target: stickActor({ rename: (name) => `hero_${name}`, size: 2 }),
});

function told(target: StickActor, source: StickActor, clip: AnimationClip): unknown {
  const { clips, report } = retargetClips(target.root, source.root, [clip]);
  return { tracks: clips[0]!.tracks.map(({ name, times, values }) => ({ name, times, values })), report };
}

const CHANGES: Record<string, (actors: ReturnType<typeof pair>) => void> = {
  'a bone of the target has another name': ({ target }) => {
    target.bones.get('LeftUpperArm')!.name = 'hook';
  },
  'a bone of the target hangs elsewhere': ({ target }) => {
    target.bones.get('Hips')!.add(target.bones.get('LeftHand')!);
  },
  'the target is bound anew': ({ target }) => {
    target.bones.get('LeftUpperArm')!.quaternion.copy(turned(Z, -0.7));
    target.root.updateMatrixWorld(true);
    target.mesh.skeleton.calculateInverses();
  },
  'an end of the target stands elsewhere': ({ target }) => {
    const [bone] = [...target.bones.values()].filter(({ children }) => children.length === 0);
    const end = new Object3D();
    end.name = 'end';
    end.position.set(0, 0.4, 0.1);
    bone!.add(end);
  },
  'the target has a skin by now': ({ target: { mesh, bones } }) => {
    const foot = mesh.skeleton.bones.indexOf(bones.get('LeftFoot')!);
    const skin = { position: [0, -2, 0], skinIndex: [foot, 0, 0, 0], skinWeight: [1, 0, 0, 0] };
    for (const [name, values] of Object.entries(skin))
      mesh.geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), values.length));
  },
  'the target is bound anew and stands as before': ({ target }) => {
    target.bones.get('LeftUpperArm')!.quaternion.copy(turned(Z, -0.7));
    target.root.updateMatrixWorld(true);
    target.mesh.skeleton.calculateInverses();
    target.bones.get('LeftUpperArm')!.quaternion.identity();
  },
  'the source is bound anew': ({ source }) => {
    source.bones.get('LeftUpperArm')!.quaternion.copy(turned(Z, -0.7));
    source.root.updateMatrixWorld(true);
    source.mesh.skeleton.calculateInverses();
  },
};

describe('a character that is read again', () => {
  it('is one skeleton, wherever it stands and whatever plays on it', () => {
    const { source } = pair();
    const { skeleton } = recallCharacter(source.root);
    source.root.position.x = 5;
    source.root.rotation.y = 1;
    const mixer = new AnimationMixer(source.root);
    mixer.clipAction(CLIPS[0]!).play();
    mixer.setTime(0.5);
    expect(recallCharacter(source.root).skeleton).toBe(skeleton);
  });

  it('is known to nobody who could change it', () => {
    const { source, target } = pair();
    const before = told(target, source, CLIPS[0]!);
    const { setup } = createLiveRetargeter(target.root, source.root);
    for (const skeleton of [
      setup.source.skeleton,
      setup.target.skeleton,
      readCharacter(target.root).skeleton,
    ]) {
      skeleton.names.fill('changed');
      skeleton.parents.fill(-1);
      skeleton.rest.translations.fill(7);
    }
    expect(told(target, source, CLIPS[0]!)).toEqual(before);
  });

  it('R8: clips come out the same in any order, one by one or again', () => {
    const alone = CLIPS.map((clip) => {
      const { source, target } = pair();
      return told(target, source, clip);
    });
    const { source, target } = pair();
    for (const n of [1, 0, 0, 1]) expect(told(target, source, CLIPS[n]!)).toEqual(alone[n]);
  });

  it.each(Object.keys(CHANGES))('is read as it is now: %s', (what) => {
    const actors = pair();
    const before = told(actors.target, actors.source, CLIPS[0]!);
    const others = pair();
    CHANGES[what]!(others);
    const expected = told(others.target, others.source, CLIPS[0]!);
    expect(expected).not.toEqual(before);
    CHANGES[what]!(actors);
    expect(told(actors.target, actors.source, CLIPS[0]!)).toEqual(expected);
  });

  it('is not kept alive', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const source = stickActor();
    const gone = (() => {
      const target = stickActor({ size: 2 });
      retargetClip(target.root, source.root, CLIPS[0]!);
      return [new WeakRef(target.root), new WeakRef(recallCharacter(target.root).skeleton)];
    })();
    // A reference that was read lives until the task ends, and the engine may take its time.
    for (let k = 0; k < 20 && gone.some((ref) => ref.deref()); k++) {
      await new Promise((resolve) => setTimeout(resolve));
      collect();
    }
    expect(gone.map((ref) => ref.deref())).toEqual([undefined, undefined]);
  });
});
