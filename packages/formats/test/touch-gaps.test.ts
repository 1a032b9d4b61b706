import { compareMotions, retargetClip, setUpScenes } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { expect, it } from 'vitest';
import { TOUCHED } from '../../core/src/goals/arms/body-shape.js';
import { compareArms } from '../../core/src/measures/arms/compare-arms.js';
import { pathOf } from './data-files.js';

it('a hand on a belly is some way from the thigh under it, not nowhere: every gap within reach is a number', async () => {
  const [source, target] = [
    await read(pathOf('samples/motions/carry-box.glb')),
    await read(pathOf('samples/characters/baker.glb')),
  ];
  const { setup, sourceIndex } = setUpScenes(source, target, { corrections: 'none' });
  const clip = source.characters[sourceIndex]!.clips[0]!;
  const comparison = compareMotions(setup, clip, retargetClip(setup, clip).clip);
  const { target: reader } = compareArms(comparison)!;
  const legs = [TOUCHED.indexOf('leftLeg'), TOUCHED.indexOf('rightLeg')];
  let left = 0;
  for (let k = 0; k < comparison.count; k += 10) {
    reader.read(comparison.result, k, 4 * reader.shape.arm);
    for (const g of [...legs, ...legs.map((leg) => TOUCHED.length + leg)]) {
      if (!Number.isFinite(reader.gaps.gaps[g]!)) left++;
      expect(reader.gapTo(g)).toBeLessThan(4 * reader.shape.arm);
      // What the parts themselves say is left as it is.
      if (Number.isFinite(reader.gaps.gaps[g]!)) expect(reader.gapTo(g)).toBe(reader.gaps.gaps[g]!);
    }
  }
  expect(left).toBeGreaterThan(0);
});
