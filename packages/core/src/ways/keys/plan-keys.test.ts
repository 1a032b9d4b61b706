import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  distance,
  mapOf,
  modelAt,
  placeAt,
  plainRig,
  quatAt,
  randomClip,
  randomSkeleton,
  tinyHuman,
  translationTrack,
} from '../../../test/tiny-rigs.js';
import { createRig } from '../../body/understand/create-rig.js';
import { createRigMap } from '../../map/create-rig-map.js';
import type { RigMap } from '../../map/rig-map.js';
import type { TranslationMode } from '../../options/joint-rules.js';
import type { SetupOptions } from '../../options/setup-options.js';
import type { Setup } from '../../passes/pass.js';
import { PASS_NAMES } from '../../passes/pipeline.js';
import type { Clip, Interpolation } from '../../scene/clip.js';
import { createSetup } from '../../setup/create-setup.js';
import { retargetClip } from '../retarget-clip.js';
import { planSomeKeys } from './plan-keys.js';
import { factorsOf } from './plan-products.js';

/** Two joints onto one, in a tree whose other joints follow one each. */
const map: RigMap = mapOf([
  [0, 0, 'hips'],
  [[1, 2], 1],
  [3, 2],
  [4, 3],
  [5, 4],
]);
const setUp = (
  random: () => number,
  joints = map,
  translations: TranslationMode = 'rest',
  options: SetupOptions = {},
): Setup => {
  const source = randomSkeleton(random, 7, { parents: [-1, 0, 1, 2, 3, 2, 5], prefix: 's' });
  const target = randomSkeleton(random, 5, { parents: [-1, 0, 1, 2, 1], prefix: 't' });
  return createSetup(plainRig(source), plainRig(target), joints, { translations, ...options });
};

/** How far two clips are apart at the worst, in radians and in shares of the largest place. */
function apart(
  { target }: Setup,
  a: Clip,
  b: Clip,
  instants: Iterable<number>,
): { turn: number; place: number } {
  let [turn, place] = [0, 0];
  for (const time of instants) {
    const [p, q] = [modelAt(target.skeleton, a, time), modelAt(target.skeleton, b, time)];
    target.skeleton.names.forEach((_, joint) => {
      turn = Math.max(turn, angleBetween(quatAt(p.rotations, joint), quatAt(q.rotations, joint)));
      place = Math.max(place, distance(placeAt(p, joint), placeAt(q, joint)));
    });
  }
  return { turn, place };
}

const trackOf = ({ tracks }: Clip, joint: number, channel = 'rotation') =>
  tracks.find((track) => track.joint === joint && track.channel === channel)!;

describe('keys that can be kept beside those that cannot', () => {
  it('R19: stay as they are, sparse and cubic, and the motion is that of a bake', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom<Interpolation>('step', 'linear', 'cubic'),
        (seed, interpolation) => {
          const random = createRandom(seed);
          const setup = setUp(random);
          const clip = randomClip(random, setup.source.skeleton, { interpolation, keys: 5, travels: 0 });
          const { clip: moved, way, reason } = retargetClip(setup, clip, { keys: 'refine' });
          expect(['products', 'frames']).toContain(way);
          expect(reason).toMatch('takes over the turns of 2 joints');
          for (const [joint, driver] of [
            [0, 0],
            [2, 3],
            [3, 4],
            [4, 5],
          ] as const)
            expect(trackOf(moved, joint)).toMatchObject({
              interpolation,
              times: trackOf(clip, driver).times,
            });
          expect(trackOf(moved, 0, 'translation').times).toEqual(trackOf(clip, 0, 'translation').times);
          expect(trackOf(moved, 1).interpolation).toBe('linear');
          const { clip: baked } = retargetClip(setup, clip, { frameRate: 60 });
          const { turn, place } = apart(setup, moved, baked, trackOf(baked, 1).times);
          // A step falls on one side of a frame or the other, by a float32's rounding of its time.
          if (interpolation === 'step') return;
          // Keys within a tenth of a millisecond are baked as one, at up to ten radians a second.
          expect(turn).toBeLessThan(1.5e-3);
          expect(place).toBeLessThan(1e-3);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('frames are only where what needs them has keys', () => {
    const random = createRandom(3);
    const setup = setUp(random);
    const dense = randomClip(random, setup.source.skeleton, { joints: [3, 4, 5], keys: 400 });
    const sparse = randomClip(random, setup.source.skeleton, { joints: [0, 1, 2], keys: 3, most: 0.05 });
    const clip = { ...sparse, tracks: [...sparse.tracks, ...dense.tracks] };
    const { clip: moved } = retargetClip(setup, clip, { keys: 'refine' });
    expect(trackOf(moved, 3).times).toHaveLength(400);
    expect(trackOf(moved, 1).times.length).toBeLessThan(100);
  });

  it('what carries the travelling joint is baked with it: turned, moved or both', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.boolean(), (seed, isMoved) => {
        const random = createRandom(seed);
        const joints = mapOf([
          [0, 0],
          [[1, 2], 1, 'hips'],
          [3, 2],
          [4, 3],
          [5, 4],
        ]);
        const setup = setUp(random, joints, 'copied');
        const { skeleton } = setup.source;
        const turned = randomClip(random, skeleton, { keys: 5, travels: 2 });
        const move = translationTrack(
          0,
          [0, 0.7, 2],
          [
            [0, 1, 0],
            [0.3, 1, 0.1],
            [0, 0.8, 0],
          ],
        );
        const clip = isMoved ? { ...turned, tracks: [...turned.tracks, move] } : turned;
        const { clip: moved, way } = retargetClip(setup, clip, { keys: 'refine' });
        expect(['products', 'frames']).toContain(way);
        const { clip: baked } = retargetClip(setup, clip, { frameRate: 60 });
        const { turn, place } = apart(setup, moved, baked, trackOf(baked, 1).times);
        expect(turn).toBeLessThan(1.5e-3);
        expect(place).toBeLessThan(5e-3);
      }),
      { numRuns: 20 },
    );
  });

  it('R8, R19: beside feet that hang under the root keys stay as they are, and the motion is that of a bake', () => {
    const rigOf = (name: string, options: Parameters<typeof tinyHuman>[0]) =>
      createRig(tinyHuman({ name, ...options }));
    const source = rigOf('source', {});
    const target = rigOf('target', { root: true, feetUnderRoot: true, legs: 0.7 });
    const setup = createSetup(source, target, createRigMap(source, target).map);
    const { joints } = target;
    const clip = randomClip(createRandom(11), source.skeleton, {
      travels: source.joints.hips!,
      keys: 5,
      most: 0.6,
    });
    const { clip: moved, way, reason } = retargetClip(setup, clip, { keys: 'refine' });
    expect(['products', 'frames']).toContain(way);
    expect(reason).toMatch('is placed frame by frame');
    for (const role of ['leftUpperArm', 'rightLowerArm', 'head'] as const)
      expect(trackOf(moved, joints[role]!).times).toHaveLength(5);
    expect(trackOf(moved, joints.leftFoot!).times.length).toBeGreaterThan(60);
    const { clip: baked } = retargetClip(setup, clip, { frameRate: 60 });
    const { turn, place } = apart(setup, moved, baked, trackOf(baked, joints.leftFoot!).times);
    expect(turn).toBeLessThan(1.5e-3);
    expect(place).toBeLessThan(1e-3);
  });

  it('none are kept where a bake is asked for, or a pass sees the whole body', () => {
    const random = createRandom(5);
    const setup = setUp(random);
    const clip = randomClip(random, setup.source.skeleton, { keys: 5, travels: 0 });
    const { clip: baked } = retargetClip(setup, clip, { keys: 'bake' });
    expect(
      new Set(baked.tracks.filter(({ joint }) => joint !== 1).map(({ times }) => times.length)).size,
    ).toBe(1);
    expect(baked.tracks[0]!.times.length).toBeGreaterThan(5);
    const inPlace = setUp(createRandom(5), map, 'rest', { rootMotion: 'inPlace' });
    expect(planSomeKeys(inPlace, clip, PASS_NAMES)).toEqual({
      plan: { turns: [], move: null, channels: [] },
      reason: 'root motion is taken out frame by frame',
      passes: PASS_NAMES,
      products: null,
    });
  });

  it('says which passes are left for frames', () => {
    const random = createRandom(7);
    // What travels hangs on something that turns: its way is no line.
    const travelling = mapOf([
      [0, 0],
      [[1, 2], 1, 'hips'],
      [3, 2],
      [4, 3],
      [5, 4],
    ]);
    const setup = setUp(random, travelling);
    const clip = randomClip(random, setup.source.skeleton, { keys: 5, travels: 2 });
    const { plan, passes, products } = planSomeKeys(setup, clip, PASS_NAMES);
    expect(plan.turns.map(({ target }) => target)).toEqual([2, 3, 4]);
    expect(plan.move).toBeNull();
    expect(PASS_NAMES.filter((name) => !passes.includes(name))).toEqual(['moveJoints', 'spreadTwist']);
    expect(products).toBeNull();
  });

  it('says that none are where all the rest are turns made of several', () => {
    const random = createRandom(7);
    const setup = setUp(random);
    const clip = randomClip(random, setup.source.skeleton, { keys: 5, travels: 0 });
    const { plan, passes, products } = planSomeKeys(setup, clip, PASS_NAMES);
    expect(plan.turns.map(({ target }) => target)).toEqual([0, 2, 3, 4]);
    expect(plan.move).not.toBeNull();
    expect(passes).toEqual([]);
    expect(products?.turns.map((turn) => [turn.target, factorsOf(turn)])).toEqual([[1, [1, 2]]]);
  });

  it('broken keys are left out with a warning, whichever way they would have gone', () => {
    const random = createRandom(9);
    const setup = setUp(random);
    for (const joint of [1, 4]) {
      const clip = structuredClone(randomClip(random, setup.source.skeleton, { keys: 5 }));
      trackOf(clip, joint).values[5] = Number.NaN;
      const { clip: moved, warnings } = retargetClip(setup, clip, { keys: 'refine' });
      expect(warnings.map(({ code }) => code)).toEqual(['value-not-finite']);
      expect(moved.tracks.every(({ values }) => values.every(Number.isFinite))).toBe(true);
    }
  });
});
