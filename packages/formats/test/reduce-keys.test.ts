import {
  type Clip,
  copyPose,
  createModelPose,
  createRig,
  localToModel,
  quaternionAngle,
  reduceKeys,
  type Skeleton,
  sampleClip,
} from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { read } from '../src/index.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const FILES = [
  'cmu/12_01.bvh',
  'kaykit/Med_MovementBasic.glb',
  'mesh2motion/fox-animations.glb',
  'ozz/walk.fbx',
];

/** The largest distance in metres and angle in degrees between two clips, at every key of the first. */
function differenceOf(skeleton: Skeleton, a: Clip, b: Clip): { metres: number; degrees: number } {
  const poses = [copyPose(skeleton.rest), copyPose(skeleton.rest)] as const;
  const models = [createModelPose(skeleton.names.length), createModelPose(skeleton.names.length)] as const;
  let [metres, degrees] = [0, 0];
  for (const time of new Set(a.tracks.flatMap(({ times }) => [...times]))) {
    [a, b].forEach((clip, n) => {
      sampleClip(poses[n]!, clip, time);
      localToModel(models[n]!, skeleton, poses[n]!);
    });
    const [p, q] = [models[0].matrices, models[1].matrices];
    for (let i = 12; i < p.length; i += 16)
      metres = Math.max(metres, Math.hypot(p[i]! - q[i]!, p[i + 1]! - q[i + 1]!, p[i + 2]! - q[i + 2]!));
    for (let i = 0; i < models[0].rotations.length; i += 4)
      degrees = Math.max(
        degrees,
        (quaternionAngle(models[0].rotations, i, models[1].rotations, i) * 180) / Math.PI,
      );
  }
  return { metres, degrees };
}

describeData('key reduction on real files (needs ../shared/data)', () => {
  it.each(FILES)('%s: fewer keys, and every joint within the tolerance in model space', async (file) => {
    const { skeleton, clips } = (await read(DATA_FOLDER + file)).characters[0]!;
    const rig = createRig(skeleton, { clips });
    const clip = clips[0]!;
    for (const [position, angleDegrees] of [
      [1e-4, 0.1],
      [2e-3, 0.5],
    ] as const) {
      const { clip: reduced, before, after } = reduceKeys(rig.skeleton, clip, { position, angleDegrees });
      const { metres, degrees } = differenceOf(rig.skeleton, clip, reduced);
      expect(metres).toBeLessThanOrEqual(position * 1.0001);
      expect(degrees).toBeLessThanOrEqual(angleDegrees * 1.0001);
      expect(after).toBeLessThan(before * (position > 1e-3 ? 0.6 : 0.95));
    }
  });
});
