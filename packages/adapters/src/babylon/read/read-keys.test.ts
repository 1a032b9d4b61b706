import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { CubicEase } from '@babylonjs/core/Animations/easing.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { describe, expect, it } from 'vitest';
import { createStage } from '../../../../../bench/adapters-babylon-stage.js';
import { createGroup, createPuppet, turned } from '../../../test/babylon-puppet.js';
import { flatKeysOf } from '../fast/flat-animation.js';
import { retargetAnimationGroup } from '../index.js';
import { type KeyReading, readKeys } from './read-keys.js';

const Z = new Vector3(0, 0, 1);

const turns = (count = 20): IAnimationKey[] =>
  Array.from({ length: count }, (_, k) => ({ frame: 2 * k, value: turned(Z, 5 * k) }));

function animationOf(keys: IAnimationKey[], property = 'rotationQuaternion'): Animation {
  const animation = new Animation('a', property, 60, Animation.ANIMATIONTYPE_QUATERNION);
  animation.setKeys(keys, true);
  return animation;
}

const looking = (): KeyReading => ({
  shared: new Set(),
  trust: false,
  defer: false,
  scratch: { room: (length) => new Float32Array(length) },
  simplified: new Set(),
});

/** All that can be done to a key without anyone being told. */
const EDITS: [string, (keys: IAnimationKey[]) => void][] = [
  ['x', (keys) => (keys[7]!.value.x = 0.1)],
  ['y', (keys) => (keys[7]!.value.y = 0.1)],
  ['z', (keys) => (keys[7]!.value.z += 1e-3)],
  ['w', (keys) => (keys[19]!.value.w *= 1.01)],
  ['the frame', (keys) => (keys[3]!.frame = 6.5)],
  ['the value as a whole', (keys) => (keys[0]!.value = new Quaternion(0, 1, 0, 0))],
  [
    'a step',
    (keys) => {
      for (const key of keys) key.interpolation = 1;
    },
  ],
  [
    'tangents',
    (keys) => {
      for (const key of keys) key.inTangent = key.outTangent = new Quaternion(0, 0.1, 0, 0);
    },
  ],
  ['a key less', (keys) => keys.splice(4, 1)],
  ['a key more', (keys) => keys.push({ frame: 99, value: turned(Z, 3) })],
];

describe('readKeys', () => {
  it('reads what keys are now, and leaves what was read before as it was', () => {
    for (const [, edit] of EDITS) {
      const animation = animationOf(turns());
      const read = readKeys(animation, 4, looking())!;
      const before = [...read.values];
      edit(animation.getKeys());
      const again = readKeys(animation, 4, looking())!;
      expect(again).not.toEqual(read);
      // Somebody may have it.
      expect([...read.values]).toEqual(before);
      expect(again.frames.length).toBe(animation.getKeys().length);
    }
  });

  it("a step stays one, and tangents are the engine's, per second", () => {
    const steps = animationOf(turns().map((key) => ({ ...key, interpolation: 1 })));
    expect(readKeys(steps, 4, looking())!.interpolation).toBe('step');
    const tangent = new Quaternion(0, 0, 0.1, 0);
    const curves = animationOf(turns().map((key) => ({ ...key, inTangent: tangent, outTangent: tangent })));
    expect(readKeys(curves, 4, looking())!.values[2]).toBeCloseTo(6);
  });

  it('keys that are all the same are one, whatever they go on like, until one is not', () => {
    const held = Array.from({ length: 20 }, (_, k): IAnimationKey => ({ frame: k, value: turned(Z, 30) }));
    held[3]!.interpolation = 1;
    const animation = animationOf(held);
    const read = readKeys(animation, 4, looking())!;
    expect([...read.frames]).toEqual([0]);
    expect([...read.values]).toEqual(turned(Z, 30).asArray());
    held[12]!.frame = 11.5;
    expect(readKeys(animation, 4, looking())).toEqual(read);
    delete held[3]!.interpolation;
    for (const [, edit] of EDITS.filter(([name]) => !['the frame', 'a step', 'a key less'].includes(name))) {
      const edited = animationOf(held.map((key) => ({ ...key, value: key.value.clone() })));
      expect(readKeys(edited, 4, looking())!.frames).toHaveLength(1);
      edit(edited.getKeys());
      expect(readKeys(edited, 4, looking())!.frames).toHaveLength(edited.getKeys().length);
    }
    const places = Array.from({ length: 9 }, (_, k) => ({ frame: k, value: new Vector3(1, 2, 3) }));
    expect([...readKeys(animationOf(places, 'position'), 3, looking())!.values]).toEqual([1, 2, 3]);
    places[8]!.value.z = 4;
    expect(readKeys(animationOf(places, 'position'), 3, looking())!.frames).toHaveLength(9);
    for (const { value } of places) value.set(1, 2, Number.NaN);
    expect(readKeys(animationOf(places, 'position'), 3, looking())!.frames).toHaveLength(9);
  });

  it('keys of mixed kinds and eased ones are for Babylon.js to say', () => {
    const mixed = turns();
    mixed[4]!.interpolation = 1;
    expect(readKeys(animationOf(mixed), 4, looking())).toBeNull();
    const eased = turns();
    eased[4]!.easingFunction = new CubicEase();
    expect(readKeys(animationOf(eased), 4, looking())).toBeNull();
    const animation = animationOf(turns());
    expect(readKeys(animation, 4, looking())).not.toBeNull();
    animation.setEasingFunction(new CubicEase());
    expect(readKeys(animation, 4, looking())).toBeNull();
  });

  it('trusted keys are not looked at, unless there are others or another number of them', () => {
    const trusting = { ...looking(), trust: true };
    const animation = animationOf(turns());
    const read = readKeys(animation, 4, trusting);
    animation.getKeys()[7]!.value.x = 0.1;
    expect(readKeys(animation, 4, trusting)).toBe(read);
    animation.getKeys().pop();
    const shorter = readKeys(animation, 4, trusting)!;
    expect(shorter.frames.length).toBe(19);
    animation.setKeys(turns(19));
    expect(readKeys(animation, 4, trusting)!.values[4 * 7]).toBe(0);
  });

  it('keys on the same frames share them', () => {
    const shared = new Set<Float64Array>();
    const [a, b, c] = [turns(), turns(), turns(7)].map(
      (keys) => readKeys(animationOf(keys), 4, { ...looking(), shared })!,
    );
    expect(a!.frames).toBe(b!.frames);
    expect(a!.frames).not.toBe(c!.frames);
  });
});

describe('a group whose keys are edited in place', () => {
  it.each(EDITS)('is retargeted as it is now: %s', (_, edit) => {
    const scene = createStage();
    const source = createPuppet(scene);
    const avatar = createPuppet(scene, { prefix: 'my', legs: 1.2 });
    const arm = source.nodes.get('LeftArm')!;
    const groupOf = (keys: IAnimationKey[]) => createGroup(scene, 'g', [[arm, 'rotationQuaternion', keys]]);
    const group = groupOf(turns());
    const before = keysOf(retargetAnimationGroup(avatar.root, group));
    edit(group.targetedAnimations[0]!.animation.getKeys());
    const after = keysOf(retargetAnimationGroup(avatar.root, group));
    const keys = turns();
    edit(keys);
    expect(after).toEqual(keysOf(retargetAnimationGroup(avatar.root, groupOf(keys))));
    expect(after).not.toEqual(before);
  });

  const keysOf = (group: ReturnType<typeof retargetAnimationGroup>) =>
    group.targetedAnimations.map(({ animation }) => [animation.name, animation.getKeys()]);
});

describe('a group that was retargeted itself', () => {
  it('is read without making its keys', () => {
    const scene = createStage();
    const [a, b, c] = [createPuppet(scene), createPuppet(scene, { legs: 1.2 }), createPuppet(scene)];
    const moves = [[a.nodes.get('LeftArm'), 'rotationQuaternion', turns()]] as const;
    const there = retargetAnimationGroup(b.root, createGroup(scene, 'g', moves));
    const back = retargetAnimationGroup(c.root, there);
    const arm = there.targetedAnimations.find(({ target }) => target === b.nodes.get('LeftArm'))!.animation;
    expect(flatKeysOf(arm)).not.toBeNull();
    const result = back.targetedAnimations.find(({ target }) => target === c.nodes.get('LeftArm'))!.animation;
    for (const { frame, value } of turns()) {
      const found: Quaternion = result.evaluate(frame);
      expect(Math.abs(Quaternion.Dot(found, value))).toBeCloseTo(1, 6);
    }
  });
});
