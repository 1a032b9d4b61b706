import { fileURLToPath } from 'node:url';
import {
  type ClipMeasures,
  copyPose,
  LIMBS,
  type PassName,
  type RetargetOptions,
  retarget,
  type Scene,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { beforeAll, expect, it } from 'vitest';
import { expectStageUnseen, expectStartsFrom, expectToldScales } from './body-claims.js';
import { DATA_FOLDER, describeData } from './data-files.js';

/** What engines without feet correction do. */
const passes: readonly PassName[] = ['copyRotations', 'moveJoints', 'moveRoot', 'matchGround', 'extractRoot'];
const file = (name: string) => read(DATA_FOLDER + name);

function measureOf(source: Scene, target: Scene, clip: string, options: RetargetOptions): ClipMeasures {
  return retarget(source, target, { ...options, passes, clips: [clip] }).report.measures[0]!;
}

describeData('what Babylon.js’s guide shows, on real bodies (needs ../shared/data)', () => {
  let human: Scene;
  let knight: Scene;
  let jimmy: Scene;
  beforeAll(async () => {
    human = await file('mesh2motion/human-base-animations.DEF.glb');
    knight = await file('kaykit/Knight.glb');
    jimmy = await file('100avatars/100Avatars_003_Jimmy.vrm');
  });

  it('B28: without the reference edit arms are visibly wrong; with it they point as the source’s', async () => {
    const walk = await file('rocketbox/f_walk_fast_02.max.fbx');
    const clip = walk.characters[0]!.clips[0]!.name;
    const keep = Object.fromEntries(LIMBS.map((limb) => [limb, 'keep' as const]));
    expect(measureOf(walk, jimmy, clip, { alignment: keep }).direction.mean).toBeGreaterThan(45);
    expect(measureOf(walk, jimmy, clip, {}).direction.worst).toBeLessThan(0.1);
  });

  it('B28: with the root’s travel unscaled feet skate; scaled, the stride is the body’s own', async () => {
    const walk = await file('rocketbox/f_walk_fast_02.max.fbx');
    const clip = walk.characters[0]!.clips[0]!.name;
    const slide = (options: RetargetOptions) => {
      const { slide } = measureOf(walk, jimmy, clip, options).motion;
      return slide!.result.mean;
    };
    const unscaled = slide({ rootScales: { horizontal: 1, vertical: 1 } });
    expect(unscaled).toBeGreaterThan(4 * slide({}));
  });

  it('B28: sitting and crouching, another body floats; matched to the ground it does not', () => {
    for (const [target, least] of [
      [knight, 8],
      [jimmy, 4],
    ] as const)
      for (const clip of target === knight
        ? ['Sitting_Idle_Loop', 'Crouch_Idle_Loop']
        : ['Crouch_Idle_Loop']) {
        const heights = (ground?: RetargetOptions['ground']) =>
          measureOf(human, target, clip, ground ? { ground } : {}).motion.heights!;
        // In % of the hip height.
        expect(heights().float.mean).toBeGreaterThan(least);
        for (const ground of [{}, { dynamic: true }]) {
          const { float, sink } = heights(ground);
          expect(float.mean).toBeLessThan(0.6);
          expect(sink.mean).toBeLessThan(0.6);
        }
      }
  });

  it('B28: one fixed joint does not suit a walk: the other foot sinks; the lowest of each frame does', () => {
    const sink = (ground?: RetargetOptions['ground']) =>
      measureOf(human, knight, 'Walk_Loop', ground ? { ground } : {}).motion.heights!.sink;
    expect(sink({}).worst).toBeGreaterThan(5);
    expect(sink({}).mean).toBeGreaterThan(3 * sink().mean);
    expect(sink({ dynamic: true }).mean).toBeLessThan(0.1);
  });

  it('B13: hands that reach lower than the source’s, but touch nothing there, do not carry the body', async () => {
    const goblin = await read(
      fileURLToPath(new URL('../../../samples/files/characters/goblin.glb', import.meta.url)),
    );
    const { float } = measureOf(human, goblin, 'Crouch_Idle_Loop', { ground: { dynamic: true } }).motion
      .heights!;
    expect(float.mean).toBeLessThan(6);
  });

  it('SP5: the root’s scales are measured on both bodies and said; told ones are taken over as they are', () => {
    const scales = expectToldScales(human, knight, { passes, clips: ['Roll_RM'] }, 5);
    // A chibi: legs of its size would do shorter steps still.
    expect(scales.horizontal).toBeLessThan(0.8);
    expect(scales.vertical).toBeLessThan(scales.horizontal);
  });

  it('WP5: hips that a file puts on the floor are no measure of height; the roots of the legs are', async () => {
    const twist = await file('vrm/hips_spine_twisting.vrma');
    for (const [from, to] of [
      [twist, jimmy],
      [human, twist],
    ] as const) {
      const { rootScales } = setUpScenes(from, to, {}).setup;
      expect(rootScales.reason).toMatch('leg roots');
      expect(rootScales.vertical).toBeGreaterThan(0.6);
      expect(rootScales.vertical).toBeLessThan(1.5);
    }
  });

  it('B29: where source and target stand, how they are turned and how large their scene is, changes nothing', async () => {
    expectStageUnseen(await file('misc/viverse_walk.glb'), jimmy, { passes });
  });

  it('B29: with current poses as references the target starts from where it is, whatever that is', async () => {
    const { skeleton, clips } = knight.characters[0]!;
    const now = copyPose(skeleton.rest);
    sampleClip(now, clips.find(({ name }) => name === 'Walking_A')!, 0.3);
    const walk = await file('misc/viverse_walk.glb');
    expect(expectStartsFrom(walk, knight, now, { passes })).toBeGreaterThan(0.3);
  });
});
