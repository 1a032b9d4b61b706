import {
  copyPose,
  type PassName,
  type RetargetOptions,
  retarget,
  type Scene,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../core/test/plainly.js';
import {
  expectDrivenAtOnce,
  expectFingersPoint,
  expectStageUnseen,
  expectStartsFrom,
  expectToldScales,
} from './body-claims.js';
import { pathOf } from './data-files.js';

/*
 * What other tests show on real files, shown on the files of this repository.
 */

const file = (name: string) => read(pathOf(`samples/${name}`));
/** What engines without feet correction do. */
const passes: readonly PassName[] = ['copyRotations', 'moveJoints', 'moveRoot', 'matchGround', 'extractRoot'];

let walk: Scene;
let knight: Scene;
beforeAll(async () => {
  walk = await file('motions/walk.glb');
  knight = await file('characters/knight.glb');
});

describe('root scales', () => {
  it('SP5: the root’s scales are measured on both bodies and said; told ones are taken over as they are', () => {
    expect(expectToldScales(walk, knight, { passes }, 4).horizontal).not.toBe(1);
  });
});

describe('containers and references', () => {
  it('B29: where source and target stand, how they are turned and how large their scene is, changes nothing', () => {
    expectStageUnseen(walk, knight, { passes });
  });

  it('B29: with current poses as references the target starts from where it is, whatever that is', () => {
    // The knight as the walk has him after a third of a second.
    const now = copyPose(knight.characters[0]!.skeleton.rest);
    sampleClip(now, retarget(walk, knight, { passes, measure: false }).clips[0]!, 0.3);
    expect(expectStartsFrom(walk, knight, now, { passes })).toBeGreaterThan(0.2);
  });
});

/** The paper's motions and ours that are nearest to them. */
const MOTIONS = {
  Walking: 'walk',
  'Male Action Pose': 'wave-on-one-leg',
  Strafing: 'run-turn',
  'Breakdance Freeze': 'crawl',
  'Inverted Double Kick To Kip': 'side-kick',
  'Goalkeeper Body Block': 'jump',
} as const;

/** From a child to a mannequin, long-armed, short-legged, thick, with three fingers, with a rest of its own. */
const CAST = ['child', 'goblin', 'robot', 'baker', 'unreal-mannequin'];

describe('the paper’s demonstrations', () => {
  const cast = new Map<string, Scene>();
  beforeAll(async () => {
    for (const name of CAST) cast.set(name, await file(`characters/${name}.glb`));
  });

  it.each(Object.entries(MOTIONS))(
    'K27: %s (ours: %s) on five bodies: copied, arms point as the source’s; corrected, feet slide less',
    async (_, name) => {
      const source = await file(`motions/${name}.glb`);
      const slides = { copied: 0, corrected: 0 };
      for (const [body, target] of cast) {
        const range = [0, 1.5] as const;
        const copied = retargetPlainly(source, target, { range }).report.measures[0]!;
        expect([body, copied.direction.worst < 0.1]).toEqual([body, true]);
        const corrected = retarget(source, target, { range, corrections: 'auto' }).report.measures[0]!;
        slides.copied += copied.motion.slide?.result.mean ?? 0;
        slides.corrected += corrected.motion.slide?.result.mean ?? 0;
      }
      expect(slides.corrected).toBeLessThanOrEqual(slides.copied);
    },
  );

  it('K27: bodies differ by more than a third in size, and need their root rescaled for hands on the ground', async () => {
    const scales = CAST.map(
      (name) => setUpScenesPlainly(walk, cast.get(name)!, {}).setup.rootScales.vertical,
    );
    expect(Math.max(...scales)).toBeGreaterThan(1.35 * Math.min(...scales));
    const crawl = await file('motions/crawl.glb');
    const child = cast.get('child')!;
    const range = [0, 2] as const;
    const ground = (rootScales?: RetargetOptions['rootScales']) => {
      const { heights } = retargetPlainly(crawl, child, { range, ...(rootScales && { rootScales }) }).report
        .measures[0]!.motion;
      return heights!.float.mean + heights!.sink.mean;
    };
    expect(ground()).toBeLessThan(0.5 * ground({ horizontal: 1, vertical: 1 }));
  });

  it('K27: hands and fingers: every finger that both have points as the source’s', async () => {
    const clap = await file('motions/clap.glb');
    expectFingersPoint(retargetPlainly(clap, cast.get('unreal-mannequin')!));
  });

  it('K27: pose by pose one source drives five bodies at once, as each alone', () => {
    const setups = [...cast.values()].map(
      (target) => setUpScenes(walk, target, { corrections: 'auto' }).setup,
    );
    expectDrivenAtOnce(walk, setups, 30);
  });
});
