import {
  type Clip,
  clipOfMotion,
  compareMotions,
  copyPose,
  createRetargeter,
  frameTimes,
  retarget,
  retargetClip,
  type Scene,
  type Setup,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { pathOf } from './data-files.js';

/*
 * What lies and crawls, on bodies whose insteps, palms and arms are not the source's.
 */

const file = (name: string) => read(pathOf(`samples/${name}`));
const body = (name: string) => file(`characters/${name}.glb`);

/** A clip played pose by pose, 60 a second. */
function playLive(setup: Setup, clip: Clip): Clip {
  const { skeleton } = setup.target;
  const retargeter = createRetargeter(setup);
  const pose = copyPose(setup.source.skeleton.rest);
  const poses = [...frameTimes(clip.duration, 60)].map((time) => {
    sampleClip(pose, clip, time);
    return copyPose(retargeter.update(pose, 1 / 60));
  });
  const flat = (channel: 'translations' | 'rotations' | 'scales') =>
    Float32Array.from(poses.flatMap((each) => [...each[channel]]));
  return clipOfMotion(clip.name, {
    skeleton,
    frameRate: 60,
    frameCount: poses.length,
    translations: flat('translations'),
    rotations: flat('rotations'),
    scales: flat('scales'),
  });
}

const bake = (setup: Setup, clip: Clip) => retargetClip(setup, clip, { mapIsTold: true }).clip;

/** How deep in the floor the skin of elbows is, in hip heights, while a part of the source touches it: the lowest, and the mean. */
function elbowsInFloor(source: Scene, target: Scene, part: string, move: (setup: Setup, clip: Clip) => Clip) {
  const { setup } = setUpScenes(source, target, { corrections: 'auto' });
  const clip = source.characters[0]!.clips[0]!;
  const moved = compareMotions(setup, clip, move(setup, clip));
  const { surfaces, surfaceHeights, hipHeight } = moved.result;
  const point = moved.points.findIndex(({ name }) => name === part);
  const depths: number[] = [];
  for (let k = 0; k < moved.count; k++)
    surfaces.forEach(({ name }, n) => {
      if (!name.endsWith('Elbow') || moved.source.inContact[moved.points.length * k + point] !== 1) return;
      depths.push(Math.max(0, -surfaceHeights[surfaces.length * k + n]! / hipHeight));
    });
  return { most: Math.max(...depths), mean: depths.reduce((sum, each) => sum + each, 0) / depths.length };
}

describe('what lies on the floor', () => {
  it('feet on their insteps and thick palms touch it with their skin: they neither float nor disagree', async () => {
    const crawl = await file('motions/crawl.glb');
    for (const name of ['child', 'goblin', 'baker']) {
      const { motion } = retarget(crawl, await body(name)).report.measures[0]!;
      // The ball of a boot that lies so is 3 % of the hip height over where it stands, and a goblin's knuckles 8 %.
      expect(motion.heights!.float.mean, name).toBeLessThan(0.1);
      expect(motion.agreement!.f1, name).toBeGreaterThan(0.96);
    }
  });

  it('a foot on its instep that hovers is told to float as before', async () => {
    const crawl = await file('motions/crawl.glb');
    const { motion } = retarget(crawl, await body('knight')).report.measures[0]!;
    expect(motion.heights!.float.mean).toBeGreaterThan(2);
  });

  it('elbows of a sleeper lie on it and not in it', async () => {
    const sleeper = await file('captures/lie-down-cmu.bvh');
    // 0.13 and 0.11 deep where they only came with their arms; by more its wrists would be bent over.
    for (const name of ['robot', 'alien'])
      expect(elbowsInFloor(sleeper, await body(name), 'back', bake).most, name).toBeLessThan(0.1);
  });

  it('elbows of one who crawls swing out of it live, too', async () => {
    const crawl = await file('motions/crawl.glb');
    // 12 % of the hip height where they only came with their arms.
    expect(elbowsInFloor(crawl, await body('goblin'), 'leftKnee', playLive).mean).toBeLessThan(0.03);
  });
});
