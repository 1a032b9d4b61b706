import { compareMotions, retarget, retargetClip, type Scene, setUpScenes } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { pathOf } from './data-files.js';

/*
 * What lies and crawls, on bodies whose insteps, palms and arms are not the source's.
 */

const file = (name: string) => read(pathOf(`samples/${name}`));
const body = (name: string) => file(`characters/${name}.glb`);

/** The lowest that the skin of elbows comes, in hip heights, while the source's body lies on its back. */
function lowestElbow(source: Scene, target: Scene): number {
  const { setup } = setUpScenes(source, target, { corrections: 'auto' });
  const clip = source.characters[0]!.clips[0]!;
  const moved = compareMotions(setup, clip, retargetClip(setup, clip, { mapIsTold: true }).clip);
  const { surfaces, surfaceHeights, hipHeight } = moved.result;
  const back = moved.points.findIndex(({ name }) => name === 'back');
  let lowest = 0;
  for (let k = 0; k < moved.count; k++)
    surfaces.forEach(({ name }, n) => {
      if (!name.endsWith('Elbow') || moved.source.inContact[moved.points.length * k + back] !== 1) return;
      lowest = Math.min(lowest, surfaceHeights[surfaces.length * k + n]! / hipHeight);
    });
  return lowest;
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
    for (const name of ['robot', 'alien']) {
      // 0.12 and 0.11 deep where they only came with their arms.
      expect(lowestElbow(sleeper, await body(name)), name).toBeGreaterThan(-0.05);
    }
  });
});
