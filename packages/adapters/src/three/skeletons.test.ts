import { UsageError } from '@stuntdouble/core';
import { AnimationClip, Group, NumberKeyframeTrack, QuaternionKeyframeTrack } from 'three';
import { describe, expect, it } from 'vitest';
import { stickActor } from '../../test/three-actors.js';
import { type AnimatedObject, createLiveRetargeter, retargetClip } from './index.js';

const wave = (names = (name: string) => name) =>
  new AnimationClip('wave', 1, [
    new QuaternionKeyframeTrack(
      `.bones[${names('LeftUpperArm')}].quaternion`,
      [0, 1],
      [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2],
    ),
  ]);

describe('what may stand for a character in three.js', () => {
  it('a bare Skeleton is as good as the object that it moves', () => {
    const source = stickActor({ rename: (name) => `mixamorig:${name}` });
    const target = stickActor({ size: 0.5 });
    const clip = wave((name) => `mixamorig:${name}`);
    const bySkeleton = retargetClip(target.mesh.skeleton, source.mesh.skeleton, clip);
    const byBones = retargetClip(
      { skeleton: target.mesh.skeleton },
      { skeleton: source.mesh.skeleton },
      clip,
    );
    const values = ({ tracks }: AnimationClip) => tracks.map(({ name, values }) => [name, [...values]]);
    expect(values(bySkeleton)).toEqual(values(byBones));
    expect(bySkeleton.tracks.some(({ name }) => name.includes('LeftUpperArm'))).toBe(true);
    const live = createLiveRetargeter(target.mesh.skeleton, source.mesh.skeleton);
    source.bones.get('LeftUpperArm')!.quaternion.set(0, 0, Math.SQRT1_2, Math.SQRT1_2);
    live.update();
    expect(Math.abs(target.bones.get('LeftUpperArm')!.quaternion.z)).toBeCloseTo(Math.SQRT1_2, 3);
  });

  it.each([
    ['nothing', undefined, /source is undefined/],
    ['a promise', Promise.resolve(new Group()), /source is a promise, to be awaited first/],
    ['a file without a scene', { scene: null }, /source is an object with scene/],
    ['no skeleton', { skeleton: undefined }, /source is an object with skeleton/],
    ['a skeleton without bones', { bones: [] }, /source is an object with bones/],
    ['a track', new NumberKeyframeTrack('.x', [0], [0]), /source is an object with/],
  ])('B6: %s is said', (_, source, message) => {
    const call = () => retargetClip(stickActor().root, source as unknown as AnimatedObject, wave());
    expect(call).toThrow(UsageError);
    expect(call).toThrow(message);
  });
});
