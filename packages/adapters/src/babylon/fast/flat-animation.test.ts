import { Animation } from '@babylonjs/core/Animations/animation.js';
import { OptimizeAnimations } from '@babylonjs/core/Animations/animation.optimizations.js';
import { AnimationEvent } from '@babylonjs/core/Animations/animationEvent.js';
import { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { CubicEase } from '@babylonjs/core/Animations/easing.js';
import { Quaternion, type Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Scene } from '@babylonjs/core/scene.js';
import type { Interpolation } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { createStage } from '../../../../../bench/adapters-babylon-stage.js';
import { createFlatAnimation, flatKeysOf, joinGroup } from './flat-animation.js';
import { createKeys, type FlatKeys, findFrame } from './flat-keys.js';

const RATE = 30;

/** Keys that stand at uneven frames, close and far. */
function createFlat(interpolation: Interpolation, size: 3 | 4, first = 0): FlatKeys {
  const frames = Float64Array.of(0, 1, 2, 3.5, 4, 9, 10, 11, 12, 20, 40, 40.25, 41).map((f) => first + f);
  const parts = interpolation === 'cubic' ? 3 : 1;
  const values = Float32Array.from({ length: frames.length * parts * size }, (_, i) => Math.sin(1.7 * i + 1));
  // Rotations have unit length; tangents need none.
  if (size === 4)
    for (let k = 0; k < frames.length; k++) {
      const i = 4 * (parts * k + (parts === 3 ? 1 : 0));
      const length = Math.hypot(...values.subarray(i, i + 4));
      for (let c = 0; c < 4; c++) values[i + c]! /= length;
    }
  return { frames, values, size, interpolation, frameRate: RATE };
}

const propertyOf = ({ size }: FlatKeys) => (size === 4 ? 'rotationQuaternion' : 'position');

/** A flat animation and an ordinary one with the same keys. */
function createTwins(flat: FlatKeys, loopMode: number = Animation.ANIMATIONLOOPMODE_CYCLE) {
  const lazy = createFlatAnimation('twin', propertyOf(flat), RATE, flat, loopMode, false);
  const plain = new Animation('twin', propertyOf(flat), RATE, lazy.dataType, loopMode, false);
  plain.setKeys(createKeys(flat), true);
  return [lazy, plain] as const;
}

/** Both twins in groups, each with a node of its own. */
function createStageOfTwins(flat: FlatKeys, loopMode?: number) {
  const scene = createStage();
  scene.useConstantAnimationDeltaTime = true;
  const twins = createTwins(flat, loopMode);
  const nodes = twins.map((_, n) => {
    const node = new TransformNode(`node ${n}`, scene);
    node.id = `node ${n}`;
    node.rotationQuaternion = new Quaternion(0, 0, 0, 1);
    return node;
  });
  const groups = twins.map((animation, n) => {
    const group = new AnimationGroup(`group ${n}`, scene);
    group.addTargetedAnimation(animation, nodes[n]!);
    return group;
  });
  return { scene, lazy: twins[0], plain: twins[1], nodes, groups };
}

const KINDS = (['linear', 'step', 'cubic'] as const).flatMap((interpolation) =>
  ([3, 4] as const).map((size) => ({ interpolation, size })),
);

const numbersOf = (value: Quaternion | Vector3) => value.asArray();

function expectClose(found: readonly number[], expected: readonly number[]): void {
  const isClose = found.every((value, n) => Math.abs(value - expected[n]!) < 1e-6);
  // Said in numbers only where it fails: there are tens of thousands.
  if (!isClose || found.length !== expected.length) expect(found).toEqual(expected);
}

function expectSamePose([a, b]: readonly TransformNode[]): void {
  expectClose(a!.position.asArray(), b!.position.asArray());
  expectClose(a!.rotationQuaternion!.asArray(), b!.rotationQuaternion!.asArray());
}

const stateOf = ({ position, rotationQuaternion }: TransformNode) => [
  ...position.asArray(),
  ...rotationQuaternion!.asArray(),
];

/**
 * What Babylon's glTF exporter makes of a group's animation, in its order of asking: range, kind, then times and
 * values. It writes into values that it was given, as here.
 */
function asExported({ targetedAnimations }: AnimationGroup) {
  const [{ animation, target }] = targetedAnimations as [AnimationGroup['targetedAnimations'][number]];
  expect(animation instanceof Animation && target instanceof TransformNode).toBe(true);
  const keys = animation.getKeys();
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  keys.forEach(({ frame }) => {
    min = Math.min(min, frame);
    max = Math.max(max, frame);
  });
  const kinds = new Set<string>();
  for (let i = 0; i < keys.length; i++) {
    const { inTangent, outTangent, interpolation } = keys[i]!;
    kinds.add(inTangent || outTangent ? 'CUBICSPLINE' : interpolation === 1 ? 'STEP' : 'LINEAR');
  }
  const inputs: number[] = [];
  const outputs: number[][] = [];
  for (const key of animation.getKeys()) {
    inputs.push(key.frame / animation.framePerSecond);
    const isTurn = animation.dataType === Animation.ANIMATIONTYPE_QUATERNION;
    const value: number[] = (isTurn ? key.value.normalize() : key.value).asArray();
    const isCubic = kinds.size === 1 && kinds.has('CUBICSPLINE');
    outputs.push(...(isCubic ? [key.inTangent.asArray(), value, key.outTangent.asArray()] : [value]));
  }
  return { property: animation.targetProperty, min, max, kinds, inputs, outputs };
}

/** Steps a scene, comparing after each. */
function expectSamePlay(scene: Scene, nodes: readonly TransformNode[], steps = 250): void {
  const seen = new Set<string>();
  for (let n = 0; n < steps; n++) {
    scene.animate();
    expectSamePose(nodes);
    seen.add(String(stateOf(nodes[0]!)));
  }
  // Two that stand still would be equal too.
  expect(seen.size).toBeGreaterThan(1);
}

describe.each(KINDS)(
  'a flat animation of $interpolation keys with $size numbers',
  ({ interpolation, size }) => {
    it('has the values of an ordinary one at keys, between, before and after them, in any order', () => {
      const [lazy, plain] = createTwins(createFlat(interpolation, size));
      const frames = [-5, 0, 0.5, 1, 3.49, 3.5, 39, 12, 40, 40.1, 40.25, 41, 41.5, 1e9, 9, 2, -1e9, 10.999];
      for (const frame of frames)
        expectClose(numbersOf(lazy.evaluate(frame)), numbersOf(plain.evaluate(frame)));
      expect(flatKeysOf(lazy)).not.toBeNull();
    });

    it.each([
      ['cycle', Animation.ANIMATIONLOOPMODE_CYCLE],
      ['constant', Animation.ANIMATIONLOOPMODE_CONSTANT],
      ['relative', Animation.ANIMATIONLOOPMODE_RELATIVE],
      ['yoyo', Animation.ANIMATIONLOOPMODE_YOYO],
      ['relative from current', Animation.ANIMATIONLOOPMODE_RELATIVE_FROM_CURRENT],
    ])('plays and loops as an ordinary one: %s', (_, loopMode) => {
      for (const [speed, first] of [
        [1, 0],
        [2.5, 0],
        [-1, 0],
        [1, 7],
        [-2, 7],
      ] as const) {
        const flat = createFlat(interpolation, size, first);
        const { scene, lazy, nodes, groups } = createStageOfTwins(flat, loopMode);
        for (const group of groups) group.start(true, speed);
        expectSamePlay(scene, nodes);
        expect(flatKeysOf(lazy)).not.toBeNull();
      }
    });

    it('jumps, changes speed, plays backwards and a part of its range, ends', () => {
      const { scene, lazy, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      let ended = 0;
      for (const group of groups) {
        group.onAnimationGroupEndObservable.add(() => ended++);
        group.start(false, 1, 2, 30);
      }
      expectSamePlay(scene, nodes, 30);
      for (const group of groups) group.speedRatio = 0.3;
      expectSamePlay(scene, nodes, 30);
      for (const group of groups) group.goToFrame(11.3);
      expectSamePose(nodes);
      expect(flatKeysOf(lazy)).not.toBeNull();
      for (let n = 0; n < 400; n++) scene.animate();
      expect(ended).toBe(2);
      expectSamePose(nodes);
      for (const group of groups) group.start(true, 1, 41, 0);
      expectSamePlay(scene, nodes, 200);
    });

    it('starts late as an ordinary one does, which gets a key at frame 0', () => {
      const { scene, lazy, plain, nodes, groups } = createStageOfTwins(createFlat(interpolation, size, 7));
      expect(groups.map(({ from, to }) => [from, to])).toEqual([
        [7, 48],
        [7, 48],
      ]);
      for (const group of groups) group.start(true, 1, 0, 48);
      expectSamePlay(scene, nodes);
      for (const group of groups) group.stop();
      // From the second time on the key at 0 counts.
      for (const group of groups) group.start(true, 1, 0, 48);
      expectSamePlay(scene, nodes);
      for (const frame of [-3, 0, 3, 6.9, 7, 7.4, 30]) {
        for (const group of groups) group.goToFrame(frame);
        expectSamePose(nodes);
        expectClose(numbersOf(lazy.evaluate(frame)), numbersOf(plain.evaluate(frame)));
      }
      const copies = [lazy, plain].map((animation) => animation.clone(true));
      expect([lazy, copies[0]!].map((animation) => flatKeysOf(animation))).not.toContain(null);
      for (const animation of [lazy, plain]) animation.getKeys()[0]!.value.x = 0.3;
      for (const frame of [3, 7, 7.4]) {
        expectClose(numbersOf(lazy.evaluate(frame)), numbersOf(plain.evaluate(frame)));
        expectClose(numbersOf(copies[0]!.evaluate(frame)), numbersOf(copies[1]!.evaluate(frame)));
      }
      expect(lazy.clone(true).getKeys()).toEqual(plain.clone(true).getKeys());
      expect(lazy.getKeys()).toEqual(plain.getKeys());
      expect(lazy.getKeys()[0]!.value).toBe(lazy.getKeys()[1]!.value);
      expect(copies[0]!.getKeys().map(({ frame }) => frame)).toEqual(
        copies[1]!.getKeys().map(({ frame }) => frame),
      );
    });

    it('blends by weight, and from what was before', () => {
      const { scene, lazy, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      const [, other] = createTwins(createFlat('linear', size));
      nodes.forEach((node, n) => {
        const group = new AnimationGroup(`other ${n}`, scene);
        group.addTargetedAnimation(other.clone(true), node);
        group.start(true);
        group.setWeightForAllAnimatables(0.4);
        groups[n]!.start(true).setWeightForAllAnimatables(0.6);
      });
      expectSamePlay(scene, nodes, 120);
      for (const group of scene.animationGroups) group.stop();
      for (const group of groups) {
        group.enableBlending = true;
        group.blendingSpeed = 0.05;
        group.setWeightForAllAnimatables(-1);
        group.start(true);
      }
      expectSamePlay(scene, nodes, 60);
      expect(flatKeysOf(lazy)).not.toBeNull();
    });

    it('is synchronised with another group', () => {
      const { scene, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      const leader = new AnimationGroup('leader', scene);
      leader.addTargetedAnimation(createTwins(createFlat('linear', size))[0], new TransformNode('n', scene));
      leader.targetedAnimations[0]!.target.rotationQuaternion = new Quaternion();
      leader.start(true, 0.7);
      for (const group of groups) group.start(true).syncAllAnimationsWith(leader.animatables[0]!);
      expectSamePlay(scene, nodes, 120);
    });

    it('is serialized, and parsed again', () => {
      const { scene, lazy, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      const [a, b] = groups.map((group) => group.serialize());
      expect(a.targetedAnimations[0].animation).toEqual(b.targetedAnimations[0].animation);
      expect(flatKeysOf(lazy)).toBeNull();
      const parsed = [a, b].map((each) => AnimationGroup.Parse(JSON.parse(JSON.stringify(each)), scene));
      for (const group of parsed) group.start(true);
      expectSamePlay(scene, nodes, 60);
    });

    it.each([false, true])(
      'gives the glTF exporter what an ordinary one gives, also with a key put in front: %s',
      (isLed) => {
        const { scene, nodes, groups } = createStageOfTwins(createFlat(interpolation, size, 3));
        if (isLed) for (const group of groups) group.normalize(0, 60);
        const [a, b] = groups.map((group) => asExported(group));
        expect(a).toEqual(b);
        expect(a!.outputs.length).toBe(a!.inputs.length * (interpolation === 'cubic' ? 3 : 1));
        for (const group of groups) group.start(true);
        expectSamePlay(scene, nodes, 60);
      },
    );

    it('is cloned: with keys of its own, with the same keys, in a group', () => {
      const [lazy, plain] = createTwins(createFlat(interpolation, size));
      lazy.createRange('part', 1, 3);
      lazy.blendingSpeed = 0.25;
      const own = lazy.clone(true);
      expect(flatKeysOf(own)).not.toBeNull();
      expect(flatKeysOf(lazy)).not.toBeNull();
      expect([own.getRange('part')?.from, own.blendingSpeed, own.loopMode]).toEqual([1, 0.25, lazy.loopMode]);
      expectClose(numbersOf(own.evaluate(15)), numbersOf(plain.evaluate(15)));
      own.getKeys()[3]!.value.x = 9;
      expect(lazy.getKeys()).toEqual(plain.getKeys());
      const shared = lazy.clone();
      expect(shared.getKeys()[4]).toBe(lazy.getKeys()[4]);
      const { scene, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      for (const group of groups) group.clone('again', undefined, true, true).start(true);
      expectSamePlay(scene, nodes, 60);
    });

    it('moves several nodes at once, each at its own pace', () => {
      const { scene, lazy, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      const others = nodes.map((node) => node.clone(`other of ${node.name}`, null)!);
      groups.forEach((group, n) => {
        group.start(true, 0.8);
        group.clone('again', () => others[n]!).start(true, 1.7);
      });
      for (let n = 0; n < 60; n++) {
        scene.animate();
        expectSamePose(nodes);
        expectSamePose(others);
      }
      expect(stateOf(nodes[0]!)).not.toEqual(stateOf(others[0]!));
      expect(flatKeysOf(lazy)).not.toBeNull();
    });

    it('is normalized, clipped, merged and made additive', () => {
      const { scene, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      for (const group of groups) group.normalize(-10, 60);
      expect(groups[0]!.targetedAnimations[0]!.animation.getKeys()).toEqual(
        groups[1]!.targetedAnimations[0]!.animation.getKeys(),
      );
      for (const make of [
        (group: AnimationGroup) => AnimationGroup.ClipFrames(group, 3, 15, 'clipped'),
        (group: AnimationGroup) => AnimationGroup.MergeAnimationGroups([group], false, true)!,
        (group: AnimationGroup) => AnimationGroup.MakeAnimationAdditive(group, 2),
      ]) {
        const { scene, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
        for (const group of groups) make(group).start(true);
        expectSamePlay(scene, nodes, 60);
      }
      for (const group of groups) group.start(true);
      expectSamePlay(scene, nodes, 60);
    });

    it('is edited: keys in place, the first or last alone, added, replaced', () => {
      const edits: ((animation: Animation) => void)[] = [
        (animation) => {
          animation.getKeys()[5]!.value.y = 3;
        },
        (animation) => {
          animation.getKeys()[0]!.value.x = 3;
        },
        (animation) => {
          animation.getKeys().at(-1)!.frame = 50;
        },
        (animation) => {
          animation.getKeys()[0]!.interpolation = 1;
        },
        (animation) => {
          animation.getKeys().push({ frame: 70, value: animation.getKeys()[2]!.value.clone() });
        },
        (animation) => {
          animation.getKeys().length = 4;
        },
        (animation) => {
          animation.createKeyForFrame(15);
        },
        (animation) => {
          animation.createRange('part', 3, 11);
          animation.deleteRange('part');
        },
        (animation) => {
          animation.setKeys(animation.getKeys().map((key) => ({ ...key, frame: key.frame / 2 })));
        },
        (animation) => {
          const [first] = animation.getKeys();
          animation.setKeys(animation.getKeys().slice(2, 9));
          // No longer a key of this one.
          first!.value.x = 9;
        },
      ];
      for (const edit of edits) {
        const { scene, lazy, plain, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
        edit(lazy);
        edit(plain);
        expect(flatKeysOf(lazy)).toBeNull();
        expect(lazy.getKeys()).toEqual(plain.getKeys());
        for (const frame of [0, 0.4, 1, 8, 10.5, 45, 60])
          expectClose(numbersOf(lazy.evaluate(frame)), numbersOf(plain.evaluate(frame)));
        for (const group of groups) group.start(true);
        expectSamePlay(scene, nodes, 60);
      }
    });

    it('is edited while it plays, and a value that it gave is nobody else’s', () => {
      const { scene, lazy, plain, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      for (const group of groups) group.start(true);
      expectSamePlay(scene, nodes, 20);
      for (const animation of [lazy, plain]) for (const key of animation.getKeys()) key.value.x += 0.1;
      expectSamePlay(scene, nodes, 60);
      const [other] = createTwins(createFlat(interpolation, size));
      for (const frame of [-1, 0.5, 3, 100]) {
        const before = numbersOf(other.evaluate(frame));
        other.evaluate(frame).x = 7;
        expect(numbersOf(other.evaluate(frame))).toEqual(before);
      }
      other.quaternionInterpolateFunction = (start) => start;
      other.vector3InterpolateFunction = (_, end) => end;
      expect(other.evaluate(0.5)).not.toBe(other.evaluate(10.5));
    });

    it('follows easing, functions of the user’s and events', () => {
      const { scene, lazy, plain, nodes, groups } = createStageOfTwins(createFlat(interpolation, size));
      const fired: number[] = [];
      for (const animation of [lazy, plain]) {
        animation.setEasingFunction(new CubicEase());
        animation.addEvent(new AnimationEvent(9.5, () => fired.push(1)));
        animation.quaternionInterpolateFunction = (start) => start;
        animation.vector3InterpolateFunction = (_, end) => end;
      }
      for (const group of groups) group.start(true);
      expectSamePlay(scene, nodes, 100);
      expect(fired.length).toBe(2);
      expect(flatKeysOf(lazy)).not.toBeNull();
    });

    it.each([0, 7])('follows Babylon’s optimisation, from frame %i', (first) => {
      const { scene, lazy, nodes, groups } = createStageOfTwins(createFlat(interpolation, size, first));
      for (const group of groups) group.start(true);
      OptimizeAnimations(scene, { mergeRuntimeAnimations: true, mergeKeyFrames: true });
      expectSamePlay(scene, nodes, 100);
      expect(flatKeysOf(lazy)).not.toBeNull();
    });

    it('tells of itself what an ordinary one does', () => {
      const [lazy, plain] = createTwins(createFlat(interpolation, size));
      expect(lazy.getHighestFrame()).toBe(plain.getHighestFrame());
      expect(lazy.getKeys().length).toBe(plain.getKeys().length);
      expect(Array.isArray(lazy.getKeys())).toBe(true);
      expect(flatKeysOf(lazy)).not.toBeNull();
      expect(lazy.toString(true)).toBe(plain.toString(true));
      expect(JSON.stringify(lazy.getKeys())).toBe(JSON.stringify(plain.getKeys()));
    });
  },
);

describe('the keys of a flat animation', () => {
  const look = (read: (keys: ReturnType<Animation['getKeys']>) => unknown) => {
    const [lazy, plain] = createTwins(createFlat('cubic', 4));
    expect(read(lazy.getKeys())).toEqual(read(plain.getKeys()));
    return flatKeysOf(lazy) === null;
  };

  it('are not made for their number, nor for the first and last frame', () => {
    expect(look((keys) => keys.length)).toBe(false);
    expect(look((keys) => keys[0]!.frame)).toBe(false);
    expect(look((keys) => keys[keys.length - 1]!.frame)).toBe(false);
  });

  it('are all there for whoever looks further, by whatever way', () => {
    for (const read of [
      (keys) => keys.at(-1)!.value,
      (keys) => keys[0]!.inTangent,
      (keys) => keys.splice(5),
      (keys) => keys.splice(0, 0, { frame: -1, value: 0 }),
      (keys) => keys[3],
      (keys) => keys[-1],
      (keys) => ({ ...keys[0] }),
      (keys) => Object.keys(keys.at(-1)!),
      (keys) => [...keys],
      (keys) => keys.map(({ frame }) => frame),
      (keys) => keys.filter((key) => key.inTangent),
      (keys) => 2 in keys,
      (keys) => Object.entries(keys),
      (keys) => keys.splice(2, 3),
      (keys) => delete keys[2],
      (keys) => Object.getOwnPropertyDescriptor(keys, '1'),
    ] satisfies Parameters<typeof look>[0][])
      expect(look(read)).toBe(true);
  });

  it('handed out before they were made are the keys themselves', () => {
    const [lazy] = createTwins(createFlat('linear', 3));
    const early = lazy.getKeys();
    const first = early[0]!;
    expect(lazy.getKeys()[2]!.frame).toBe(2);
    first.frame = -4;
    first.value.x = 8;
    early[2]!.value.y = 6;
    expect(lazy.getKeys()[0]).toMatchObject({ frame: -4, value: { x: 8 } });
    expect(lazy.getKeys()[2]!.value.y).toBe(6);
    expectClose([lazy.evaluate(-4).x], [8]);
  });

  it('are not made when it joins a group, and are what they were for whoever asks before or afterwards', () => {
    const scene = createStage();
    const node = new TransformNode('node', scene);
    const flat = createFlat('linear', 3);
    const [animation, twin] = createTwins(flat);
    const [group, other] = [new AnimationGroup('a', scene), new AnimationGroup('b', scene)];
    joinGroup(group, animation, node);
    other.addTargetedAnimation(twin, node);
    expect([group.from, group.to]).toEqual([other.from, other.to]);
    expect(group.targetedAnimations[0]!.animation).toBe(animation);
    expect(flatKeysOf(animation)).toBe(flat);
    const keys = animation.getKeys();
    joinGroup(new AnimationGroup('c', scene), animation, node);
    expect(animation.getKeys()).toBe(keys);
    expect([...keys]).toEqual(twin.getKeys());
  });
});

describe('findFrame', () => {
  it('ends where a walk from key to key does, from wherever it begins, with keys on one frame too', () => {
    const frames = Float64Array.of(0, 1, 1, 1, 2, 5, 6, 7, 8, 8, 9);
    for (const frame of [-1, 0, 0.5, 1, 1.5, 7.9, 8, 9, 10]) {
      const expected = frames.filter((each) => each <= frame).length - 1;
      for (let hint = -2; hint < 14; hint++) expect(findFrame(frames, frame, hint)).toBe(expected);
    }
  });

  it('a frame that is no number is found somewhere', () => {
    const k = findFrame(Float64Array.of(0, 1, 2), Number.NaN, 1);
    expect(k).toBeGreaterThanOrEqual(-1);
    expect(k).toBeLessThan(3);
  });
});
