import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scene } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { beforeAll, expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../core/test/plainly.js';
import { expectDrivenAtOnce, expectFingersPoint } from './body-claims.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const SAMPLES = fileURLToPath(new URL('../../../samples/files/characters/', import.meta.url));

/** Bodies from half to all of the source's size, long-armed, short-legged, and with an arm's rest of their own. */
const CAST = [
  `${SAMPLES}child.glb`,
  `${SAMPLES}goblin.glb`,
  `${SAMPLES}robot.glb`,
  `${DATA_FOLDER}khronos/CesiumMan.glb`,
  `${DATA_FOLDER}100avatars/100Avatars_003_Jimmy.vrm`,
  `${DATA_FOLDER}misc/Geno.fbx`,
];

const nameOf = (path: string) => path.split('/').at(-1)!;

describeData('the paper’s demonstrations (needs ../shared/data)', () => {
  let cartwheel: Scene;
  const cast = new Map<string, Scene>();
  beforeAll(async () => {
    expect(existsSync(SAMPLES)).toBe(true);
    cartwheel = await read(`${DATA_FOLDER}cmu/49_06.bvh`);
    for (const path of CAST) cast.set(path, await read(path));
  });

  it('K27: bodies of half the size and of all of it take over every arm’s directions, head over heels too', async () => {
    const idle = await read(`${DATA_FOLDER}misc/performs_mixamorig_Idle.bvh`);
    for (const [path, target] of cast)
      for (const source of [cartwheel, idle]) {
        const range = [0, 2.5] as const;
        const [measures] = retargetPlainly(source, target, { range }).report.measures;
        expect([nameOf(path), measures!.direction.worst < 0.1]).toEqual([nameOf(path), true]);
      }
    const scales = [...cast.values()].map(
      (target) => setUpScenesPlainly(cartwheel, target, {}).setup.rootScales.horizontal,
    );
    expect(Math.max(...scales)).toBeGreaterThan(1.8 * Math.min(...scales));
  });

  it.each(CAST.map((path) => [nameOf(path), path]))(
    'K27: a cartwheel on %s: rescaled and corrected it stands on feet and hands',
    (_, path) => {
      const target = cast.get(path)!;
      const motionOf = (options: Parameters<typeof retargetPlainly>[2]) =>
        retargetPlainly(cartwheel, target, options).report.measures[0]!.motion;
      const unscaled = motionOf({ rootScales: { horizontal: 1, vertical: 1 } });
      const copied = motionOf({});
      const corrected = motionOf({ corrections: 'auto' });
      // Feet skate less with each step, and what is in the ground comes out of it.
      expect(copied.slide!.result.mean).toBeLessThan(unscaled.slide!.result.mean);
      expect(corrected.slide!.result.mean).toBeLessThan(0.3 * copied.slide!.result.mean);
      expect(corrected.ground!.joints!.mean).toBeLessThan(0.1 * copied.ground!.joints!.mean);
      // What the capture itself hovers by stays, and a quarter at most of what copying adds to that.
      const added = ({ heights }: typeof copied) => heights!.float.mean - heights!.sourceFloat.mean;
      expect(added(corrected)).toBeLessThan(0.25 * added(copied));
    },
  );

  it('K27: hands and fingers: every finger that both have points as the source’s', async () => {
    const walk = await read(`${DATA_FOLDER}misc/viverse_walk.glb`);
    expectFingersPoint(retargetPlainly(walk, cast.get(`${DATA_FOLDER}misc/Geno.fbx`)!));
  });

  it('K27: pose by pose one source drives all six bodies at once, as each alone', () => {
    const setups = [...cast.values()].map(
      (target) => setUpScenesPlainly(cartwheel, target, { corrections: 'auto' }).setup,
    );
    expectDrivenAtOnce(cartwheel, setups, 60);
  });
});
