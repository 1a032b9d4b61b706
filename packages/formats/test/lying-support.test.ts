import { retarget } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { pathOf } from './data-files.js';

/*
 * What lies and crawls, on bodies whose insteps, palms and arms are not the source's.
 */

const file = (name: string) => read(pathOf(`samples/${name}`));
const body = (name: string) => file(`characters/${name}.glb`);

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
});
