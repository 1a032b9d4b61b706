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
import { largestDistance, underNode, worldMotion } from '../../core/test/reexpress.js';
import { turn } from '../../core/test/stick-figure.js';
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
    const { report, hips } = travelOf(human, knight, {});
    expect(report.rootScales.reason).toMatch('hip width and leg bones');
    // A chibi: legs of its size would do shorter steps still.
    expect(report.rootScales.horizontal).toBeLessThan(0.8);
    expect(report.rootScales.vertical).toBeLessThan(report.rootScales.horizontal);
    const told = { horizontal: 2, vertical: 0.25 };
    const other = travelOf(human, knight, { rootScales: told });
    expect(other.report.rootScales).toMatchObject(told);
    expect(other.report.rootScales.reason).toMatch('as asked');
    let moved = 0;
    for (let i = 3; i < hips.length; i += 3)
      for (const [c, scale] of [
        [0, told.horizontal / report.rootScales.horizontal],
        [1, told.vertical / report.rootScales.vertical],
        [2, told.horizontal / report.rootScales.horizontal],
      ] as const) {
        const own = hips[i + c]! - hips[c]!;
        expect(other.hips[i + c]! - other.hips[c]!).toBeCloseTo(scale * own, 5);
        moved = Math.max(moved, Math.abs(own));
      }
    expect(moved).toBeGreaterThan(0.05);
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
    const walk = await file('misc/viverse_walk.glb');
    const [source, target] = [walk.characters[0]!, jimmy.characters[0]!];
    const stage = { translation: [5, 0, -3] as [number, number, number], rotation: turn([0, 1, 0], 90) };
    const from = underNode(source, { ...stage, scale: [3, 3, 3] });
    const onto = underNode(target, { ...stage, scale: [0.2, 0.2, 0.2] });
    const plain = retarget(walk, jimmy, { passes, measure: false });
    const staged = retarget(
      { ...walk, characters: [from] },
      { ...jimmy, characters: [onto] },
      { passes, measure: false },
    );
    const { duration } = plain.clips[0]!;
    const times = [0, 0.2, 0.4, 0.6, 0.8].map((x) => x * duration);
    // Seen from below the stage: the joints in the space of their own roots.
    const seen = (clip: (typeof plain.clips)[number], skeleton: typeof target.skeleton, joints: number[]) =>
      worldMotion({ ...skeleton, container: UNMOVED }, clip, times, joints);
    const joints = [...target.skeleton.names.keys()];
    const below = structuredClone(onto.skeleton);
    below.rest.translations.fill(0, 0, 3);
    below.rest.rotations.set([0, 0, 0, 1], 0);
    below.rest.scales.fill(1, 0, 3);
    const moved = largestDistance(
      seen(plain.clips[0]!, target.skeleton, joints),
      seen(
        staged.clips[0]!,
        below,
        joints.map((joint) => onto.places[joint]!),
      ),
    );
    expect(moved).toBeLessThan(1e-4);
  });

  it('B29: with current poses as references the target starts from where it is, whatever that is', async () => {
    const walk = await file('misc/viverse_walk.glb');
    const clip = walk.characters[0]!.clips[0]!;
    const current = copyPose(walk.characters[0]!.skeleton.rest);
    sampleClip(current, clip, 0);
    const knightNow = copyPose(knight.characters[0]!.skeleton.rest);
    const own = knight.characters[0]!.clips.find(({ name }) => name === 'Walking_A')!;
    sampleClip(knightNow, own, 0.3);
    const keep = Object.fromEntries(LIMBS.map((limb) => [limb, 'keep' as const]));
    const angles = (options: RetargetOptions) => {
      const result = retarget(walk, knight, { passes, measure: false, alignment: keep, ...options });
      const pose = copyPose(knight.characters[0]!.skeleton.rest);
      sampleClip(pose, result.clips[0]!, 0);
      return result.report.map.joints.map(({ target }) => {
        const [a, b] = [pose.rotations, knightNow.rotations];
        const dot = [0, 1, 2, 3].reduce((sum, c) => sum + a[4 * target + c]! * b[4 * target + c]!, 0);
        return 2 * Math.acos(Math.min(1, Math.abs(dot)));
      });
    };
    const bound = angles({ sourceReference: { pose: current }, targetReference: { pose: knightNow } });
    expect(Math.max(...bound)).toBeLessThan(2e-3);
    expect(Math.max(...angles({}))).toBeGreaterThan(0.3);
  });
});

const UNMOVED = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** The hips of a roll's result over time, in the target's model space. */
function travelOf(source: Scene, target: Scene, options: RetargetOptions) {
  const { clips, report } = retarget(source, target, {
    ...options,
    passes,
    measure: false,
    clips: ['Roll_RM'],
  });
  const { skeleton } = target.characters[0]!;
  const joint = report.map.joints.find(({ role }) => role === 'hips')!.target;
  const times = Array.from({ length: 8 }, (_, k) => (k * clips[0]!.duration) / 7);
  return { report, hips: worldMotion(skeleton, clips[0]!, times, [joint]) };
}
