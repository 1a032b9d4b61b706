import { expect, test } from 'vitest';
import { describeData } from '../packages/core/test/real-data.js';
import { measureOurs, measureTheirs, STANDINGS } from './adapters-three.js';
import { THREE_CASES } from './adapters-three-world.js';

/** QUALITY: arms and leg lines within a tenth of a degree. */
const LIMIT = 0.1;

describeData('three.js adapter in world space, needs ../shared/data', () => {
  for (const one of THREE_CASES)
    test(`R4, R5, BP1: ${one.name}: limbs point as the source's, wherever both stand and whatever they play`, async () => {
      (await measureOurs(one, STANDINGS)).forEach(({ armsWorst, legs }, n) => {
        expect(armsWorst, `arms, ${STANDINGS[n]}`).toBeLessThan(LIMIT);
        expect(legs, `legs, ${STANDINGS[n]}`).toBeLessThan(LIMIT);
      });
    });

  test("the measure sees what is wrong: three's own result on bodies that face opposite ways", async () => {
    const theirs = await measureTheirs(THREE_CASES.find(({ isOpposite }) => isOpposite)!);
    expect(theirs.arms).toBeGreaterThan(20);
  });
});
