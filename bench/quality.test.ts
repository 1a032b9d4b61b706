import { poolMeasures } from '@stuntdouble/core';
import { setUpScenes } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { measureQuality, type QualityRow, WAYS } from './quality/measure-quality.js';
import { BODIES, findQualityFile, MOTIONS, type QualityMotion } from './quality-files.js';

/*
 * A fixed sample of bench/quality.ts, so that no change ruins feet unseen. The bounds are those that are asked for;
 * the whole list is in bench/quality.md.
 */

async function measureAll(
  motions: readonly QualityMotion[],
  bodies: readonly string[],
): Promise<QualityRow[]> {
  const rows: QualityRow[] = [];
  const targets = await Promise.all(bodies.map((body) => read(findQualityFile(body)!)));
  for (const motion of motions) {
    const source = await read(findQualityFile(motion.file)!);
    targets.forEach((target, n) => {
      rows.push(...measureQuality(source, target, motion, bodies[n]!));
    });
  }
  return rows;
}

const poolOf = (rows: readonly QualityRow[]) =>
  Object.fromEntries(
    WAYS.map((way) => [way, poolMeasures(rows.map(({ measures }) => measures[way]))]),
  ) as Record<(typeof WAYS)[number], ReturnType<typeof poolMeasures>>;

describe('feet, hands and ground', () => {
  it('our own motions on our own bodies: feet stand, nothing sinks, nothing jerks', async () => {
    const motions = MOTIONS.filter(({ file }) => /samples.*(walk|jump|wave-on-one-leg)[.]glb/.test(file));
    const rows = await measureAll(
      motions,
      BODIES.filter((body) => /child|goblin/.test(body)),
    );
    expect(rows).toHaveLength(6);
    const { copied, offline, live } = poolOf(rows);
    // Heels that rise within their contacts move ahead a little, as the source's do.
    expect(offline.slide!.mean).toBeLessThan(Math.min(0.2, copied.slide!.mean));
    expect(offline.agreement).toBeGreaterThan(0.98);
    expect([offline.sunk, live.sunk]).toEqual([0, 0]);
    expect(offline.jerkRatio).toBeLessThan(1.1);
    expect(live.slide!.mean).toBeLessThan(0.8);
  });

  it('our own kneeling, crawling and sitting: knees and seats lie on the floor, live too', async () => {
    const motions = MOTIONS.filter(({ file }) => /samples.*(kneel|crawl|sit-on-ground)[.]glb/.test(file));
    const rows = await measureAll(
      motions,
      BODIES.filter((body) => /vrm-girl|baker/.test(body)),
    );
    expect(rows).toHaveLength(6);
    const { copied, offline, live } = poolOf(rows);
    for (const part of ['knee', 'seat'] as const) {
      expect(offline.support!.parts[part]!.f1, part).toBeGreaterThan(0.95);
      expect(live.support!.parts[part]!.f1, part).toBeGreaterThan(0.9);
    }
    expect([offline.support!.empty, live.support!.empty]).toEqual([0, 0]);
    expect(copied.support!.f1).toBeLessThan(offline.support!.f1);
  });

  it('our own lying, carrying and a handstand: no joint pops, live hardly one', async () => {
    const rows = await measureAll(
      ['lie-down', 'carry-box', 'handstand-freeze'].map((name) => ({
        kind: 'others',
        file: `samples/motions/${name}.glb`,
      })),
      ['child', 'unreal-mannequin', 'robot'].map((name) => `samples/characters/${name}.glb`),
    );
    expect(rows).toHaveLength(9);
    const popsOf = (way: (typeof WAYS)[number]) =>
      rows.reduce((sum, { measures }) => sum + (measures[way].pops?.count ?? 0), 0);
    // Forearms of the child that lies down, by a little; 14 before.
    expect(popsOf('offline')).toBeLessThanOrEqual(4);
    expect(popsOf('live')).toBeLessThanOrEqual(2);
  });

  it('a body whose forearms are twice its upper arms crawls without turning its arms over', async () => {
    const goblin = await read(findQualityFile('samples/characters/goblin.glb')!);
    const source = await read(findQualityFile('samples/motions/crawl.glb')!);
    const { skeleton, joints } = setUpScenes(source, goblin).setup.target;
    for (const [joint, times] of [
      [joints.leftLowerArm, 0.8],
      [joints.rightLowerArm, 0.8],
      [joints.leftHand, 2],
      [joints.rightHand, 2],
    ] as const)
      for (let c = 0; c < 3; c++) skeleton.rest.translations[3 * joint! + c]! *= times;
    const [row] = measureQuality(source, goblin, { kind: 'crawling', file: 'crawl' }, 'goblin');
    const { pops, smoothness } = row!.measures.offline;
    expect(smoothness!.bendFlips).toBe(0);
    expect(pops!.count).toBe(0);
  });

  it.skipIf(!findQualityFile('cmu/12_01.bvh'))(
    'captures on bodies of other proportions keep their bounds (needs ../shared/data)',
    async () => {
      const motions = MOTIONS.filter(({ file }) => /91_48|Boxing/.test(file)).map((motion) => ({
        ...motion,
        ...(motion.range && { range: [motion.range[0], motion.range[0] + 3] as [number, number] }),
      }));
      const rows = await measureAll(motions, [
        'mesh2motion/human-female.glb',
        '100avatars/100Avatars_003_Jimmy.vrm',
        'samples/characters/goblin.glb',
      ]);
      const { copied, offline, live } = poolOf(rows);
      expect(copied.slide!.mean).toBeGreaterThan(5);
      expect(offline.slide!.mean).toBeLessThanOrEqual(0.5);
      expect(offline.agreement).toBeGreaterThanOrEqual(0.98);
      expect(offline.sunk).toBe(0);
      expect(live.slide!.mean).toBeLessThanOrEqual(0.8);
      expect(live.agreement).toBeGreaterThanOrEqual(0.97);
      expect(live.sunk).toBe(0);
      for (const { jerkRatio } of [offline, live]) {
        expect(jerkRatio).toBeGreaterThan(0.95);
        expect(jerkRatio).toBeLessThan(1.05);
      }
      expect(offline.ground).toBeLessThan(copied.ground! + 0.01);
    },
  );
});
