import { fileURLToPath } from 'node:url';
import {
  type Clip,
  clipOfMotion,
  compareMotions,
  copyPose,
  createRetargeter,
  frameTimes,
  goalsOf,
  type Motion,
  measureMotion,
  mirrorScene,
  type Scene,
  type Setup,
  sampleClip,
  setUpScenes,
  trackPoints,
  withoutCorrections,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER, hasData } from './data-files.js';

const samples = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

/** Plays a clip pose by pose, as often as told, and records the last time. */
function play(setup: Setup, clip: Clip, times = 1, frameRate = 60): Clip {
  const { skeleton } = setup.target;
  const joints = skeleton.names.length;
  const moments = frameTimes(clip.duration, frameRate);
  const motion: Motion = {
    skeleton,
    frameRate,
    frameCount: moments.length,
    translations: new Float32Array(3 * joints * moments.length),
    rotations: new Float32Array(4 * joints * moments.length),
    scales: new Float32Array(3 * joints * moments.length),
  };
  const retargeter = createRetargeter(setup);
  const pose = copyPose(setup.source.skeleton.rest);
  for (let n = 0; n < times; n++)
    moments.forEach((time, k) => {
      // Where a loop starts over, its first pose is its last.
      if (n > 0 && k === 0) return;
      sampleClip(pose, clip, time);
      const { translations, rotations, scales } = retargeter.update(pose, 1 / frameRate);
      motion.translations.set(translations, 3 * joints * k);
      motion.rotations.set(rotations, 4 * joints * k);
      motion.scales.set(scales, 3 * joints * k);
    });
  return clipOfMotion(clip.name, motion);
}

function setUp(source: Scene, target: Scene, name?: string): { setup: Setup; clip: Clip } {
  const { setup, sourceIndex } = setUpScenes(source, target, { corrections: 'auto' });
  const { clips } = source.characters[sourceIndex]!;
  return { setup, clip: clips.find((clip) => name === undefined || clip.name === name)! };
}

describe('feet, live', () => {
  it('are held from the frame in which they touch, on a body with other legs', async () => {
    const { setup, clip } = setUp(
      await read(`${samples}motions/walk.glb`),
      await read(`${samples}characters/goblin.glb`),
    );
    const { slide, agreement, heights } = measureMotion(compareMotions(setup, clip, play(setup, clip)));
    // Heels that rise within their contacts move ahead, as the source's do and no more.
    expect(slide!.result.mean).toBeLessThan(slide!.source.mean);
    expect(agreement!.f1).toBeGreaterThan(0.98);
    expect(heights!.sunkFrames).toBe(0);
  });

  it('at any rate, through pauses and leaps, everything is a number, and after a reset all is as at first', async () => {
    const { setup, clip } = setUp(
      await read(`${samples}motions/walk.glb`),
      await read(`${samples}characters/goblin.glb`),
    );
    const retargeter = createRetargeter(setup);
    const pose = copyPose(setup.source.skeleton.rest);
    const run = () =>
      Array.from({ length: 200 }, (_, k) => {
        // Every 50 frames the clip starts somewhere else, and the body is a hundred metres away.
        sampleClip(pose, clip, (k / 60 + 0.37 * Math.floor(k / 50)) % clip.duration);
        if (Math.floor(k / 50) % 2 === 1) pose.translations[3 * setup.source.joints.hips!]! += 100;
        const seconds = [1 / 60, 1 / 24, 0, 1 / 144, 0.5][k % 40 === 39 ? 4 : k % 4]!;
        return [...retargeter.update(pose, seconds).rotations];
      });
    const first = run();
    expect(first.flat().every(Number.isFinite)).toBe(true);
    retargeter.reset();
    expect(run()).toEqual(first);
  });

  it('a mirrored motion comes out mirrored', async () => {
    const target = await read(`${samples}characters/child.glb`);
    const source = await read(`${samples}motions/run-turn.glb`);
    const plain = setUp(source, target);
    const mirrored = setUp(mirrorScene(source), target);
    const [a, b] = [plain, mirrored].map(({ setup, clip }) =>
      trackPoints(
        setup.target,
        play(setup, clip),
        goalsOf(setup)!.points.map((pair) => pair.target),
      ),
    );
    const names = a!.points.map(({ name }) => name);
    const partner = names.map((name) =>
      names.indexOf(
        name.replace(/^left|^right/, (side) => (side === 'left' ? 'right' : 'left')) as typeof name,
      ),
    );
    let most = 0;
    for (let k = 0; k < a!.count; k++)
      names.forEach((_, n) => {
        const i = 3 * (names.length * k + n);
        const j = 3 * (names.length * k + partner[n]!);
        for (let c = 0; c < 3; c++)
          most = Math.max(most, Math.abs(a!.positions[i + c]! - (c === 0 ? -1 : 1) * b!.positions[j + c]!));
      });
    expect(most / a!.hipHeight).toBeLessThan(0.01);
  });

  it.skipIf(!hasData)(
    'of a capture whose floor is off stand, and its hips come down with them (needs ../shared/data)',
    async () => {
      const { setup, clip } = setUp(
        await read(`${DATA_FOLDER}cmu/69_08.bvh`),
        await read(`${samples}characters/child.glb`),
      );
      const short = { ...clip, duration: 8 };
      const { slide, agreement, heights } = measureMotion(compareMotions(setup, short, play(setup, short)));
      expect(slide!.result.mean).toBeLessThan(0.8);
      expect(agreement!.f1).toBeGreaterThan(0.97);
      expect(heights!.sunkFrames).toBe(0);
    },
  );

  it.skipIf(!hasData)(
    'of a walk on the spot go with the ground from the second step on (needs ../shared/data)',
    async () => {
      const { setup, clip } = setUp(
        await read(`${DATA_FOLDER}mesh2motion/human-base-animations.DEF.glb`),
        await read(`${samples}characters/child.glb`),
        'Walk_Loop',
      );
      const slides = [1, 3].map(
        (times) => measureMotion(compareMotions(setup, clip, play(setup, clip, times))).slide!.result.mean,
      );
      expect(slides[1]).toBeLessThan(slides[0]! / 2);
      expect(slides[1]).toBeLessThan(5);
    },
  );

  it.skipIf(!hasData).each(['Lie_Down', 'Lie_Idle', 'Lie_StandUp'])(
    'a body that lies down lies on the floor, though its trunk is thinner: %s, needs ../shared/data',
    async (name) => {
      const { setup, clip } = setUp(
        await read(`${DATA_FOLDER}kaykit/Knight.glb`),
        await read(`${samples}characters/unreal-mannequin.glb`),
        name,
      );
      const hover = (how: Setup) => {
        const { source, result } = compareMotions(setup, clip, play(how, clip));
        const heights = Array.from(
          result.skinHeights,
          (height, k) => height / result.hipHeight - Math.max(0, source.skinHeights[k]! / source.hipHeight),
        );
        return heights.reduce((sum, height) => sum + Math.max(0, height), 0) / heights.length;
      };
      expect(hover(withoutCorrections(setup))).toBeGreaterThan(0.07);
      expect(hover(setup)).toBeLessThan(0.03);
    },
  );

  it.skipIf(!hasData)(
    'knees of a body that kneels are on the floor, not in it, needs ../shared/data',
    async () => {
      const { setup, clip } = setUp(
        await read(`${DATA_FOLDER}mesh2motion/human-base-animations.DEF.glb`),
        await read(`${samples}characters/goblin.glb`),
        'Fixing_Kneeling',
      );
      const { ground, slide } = measureMotion(compareMotions(setup, clip, play(setup, clip)));
      // A seventh of the hip height before knees were looked at.
      expect(ground!.deeper.skin!.mean).toBeLessThan(2);
      expect(slide!.result.mean).toBeLessThan(0.2);
    },
  );
});
