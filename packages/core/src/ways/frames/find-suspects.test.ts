import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainSetup } from '../../../test/plainly.js';
import {
  angleBetween,
  createRandom,
  DEGREES,
  jointOf,
  mapOf,
  modelAt,
  oneToOne,
  plainRig,
  quatAt,
  randomClip,
  randomSkeleton,
  tinyHuman,
} from '../../../test/tiny-rigs.js';
import { createRig } from '../../body/understand/create-rig.js';
import { createRigMap } from '../../map/create-rig-map.js';
import type { Setup } from '../../passes/pass.js';
import { PASS_NAMES } from '../../passes/pipeline.js';
import { createFrame, prepareSteps } from '../../passes/run-passes.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { modelPoseOf } from '../../scene/pose.js';
import { createSetup } from '../../setup/create-setup.js';
import { planClip } from '../plan/plan-clip.js';
import { findSuspects } from './find-suspects.js';
import { retargetFrames } from './retarget-frames.js';
import { createSampler } from './sample-frames.js';

const MISS = 0.025 * DEGREES;

/** A bake at fixed steps, with what is suspected in it and how far lines really miss half way. */
function look(setup: Setup, clip: Clip): { suspects: Set<number>; misses: number[] } {
  const baked = retargetFrames(setup, clip, PASS_NAMES).clip;
  const { times } = baked.tracks[0]!;
  const plan = planClip(setup, clip, PASS_NAMES);
  const sampler = createSampler(clip.tracks, Float32Array.from(times));
  const suspects = new Set(findSuspects(setup, plan, sampler, baked.tracks, true, MISS).intervals);
  const steps = prepareSteps(setup, null, PASS_NAMES);
  const frame = createFrame(setup, null);
  const misses = Array.from({ length: times.length - 1 }, (_, k) => {
    const middle = (times[k]! + times[k + 1]!) / 2;
    sampleClip(frame.source, clip, middle);
    for (const step of steps) step(frame);
    const wanted = modelPoseOf(setup.target.skeleton, frame.target).rotations;
    const got = modelAt(setup.target.skeleton, baked, middle).rotations;
    return Math.max(
      ...setup.map.joints.map(({ target }) => angleBetween(quatAt(got, target), quatAt(wanted, target))),
    );
  });
  return { suspects, misses };
}

describe('findSuspects', () => {
  it('never leaves out an interval in which a line misses by more than is promised', () => {
    let found = 0;
    let spared = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0.02, max: 2.5, noNaN: true }),
        fc.boolean(),
        (seed, most, isShared) => {
          const random = createRandom(seed);
          const source = randomSkeleton(random, 7, { parents: [-1, 0, 1, 2, 3, 1, 5], prefix: 's' });
          const target = randomSkeleton(random, 5, { parents: [-1, 0, 1, 2, 1], prefix: 't' });
          const map = mapOf([
            [0, 0, 'hips'],
            [[1, 2], 1],
            [3, 2],
            [4, 3],
            // Hangs on a joint whose driver is no ancestor of its own.
            [6, 4],
          ]);
          if (isShared)
            map.joints = map.joints.map((pair) =>
              pair.target === 1 || pair.target === 2
                ? { ...pair, share: { from: 0, weight: 0.2 + 0.6 * random() } }
                : pair,
            );
          const setup = createSetup(plainRig(source), plainRig(target), map);
          const clip = randomClip(random, source, { most, keys: 6 });
          const { suspects, misses } = look(setup, clip);
          misses.forEach((miss, k) => {
            if (miss > MISS) {
              found++;
              expect(suspects, `interval ${k} of seed ${seed} misses ${miss / DEGREES}°`).toContain(k);
            } else if (!suspects.has(k)) spared++;
          });
        },
      ),
      { numRuns: 80 },
    );
    // Both happened, or nothing was shown.
    expect(found).toBeGreaterThan(100);
    expect(spared).toBeGreaterThan(100);
  });

  it('suspects nothing where every turn is one turn', () => {
    const random = createRandom(5);
    const source = randomSkeleton(random, 6, { prefix: 's' });
    const target = randomSkeleton(random, 6, { prefix: 't', parents: [...source.parents] });
    const setup = createSetup(plainRig(source), plainRig(target), oneToOne(6));
    const { suspects, misses } = look(setup, randomClip(random, source, { most: 2, keys: 9 }));
    expect(suspects.size).toBe(0);
    expect(Math.max(...misses)).toBeLessThan(1e-5);
  });

  it('suspects everything where keys are cubic, since such curves are no lines', () => {
    const random = createRandom(7);
    const source = randomSkeleton(random, 3, { prefix: 's', parents: [-1, 0, 1] });
    const setup = createSetup(plainRig(source), plainRig(source), oneToOne(3));
    const { suspects, misses } = look(setup, randomClip(random, source, { interpolation: 'cubic' }));
    expect(suspects.size).toBe(misses.length);
  });

  it('suspects everything where other passes turn joints', () => {
    const random = createRandom(9);
    const source = randomSkeleton(random, 3, { prefix: 's', parents: [-1, 0, 1] });
    const setup = createSetup(plainRig(source), plainRig(source), oneToOne(3));
    const times = Float32Array.from({ length: 5 }, (_, k) => k / 30);
    const sampler = createSampler(randomClip(random, source).tracks, times);
    const plan = { found: { copyRotations: [] }, keyed: null };
    expect(findSuspects(setup, plan, sampler, [], false, MISS)).toEqual({
      intervals: Int32Array.of(0, 1, 2, 3),
      joints: null,
    });
    expect(findSuspects(setup, plan, sampler, [], true, MISS)).toEqual({
      intervals: Int32Array.of(),
      joints: [],
    });
  });

  it('leaves the edges of steps alone: a frame just before a step keeps it one', () => {
    const random = createRandom(11);
    const source = createRig(tinyHuman({ spines: 3 }));
    const target = createRig(tinyHuman({ spines: 2 }));
    const setup = createPlainSetup(source, target, createRigMap(source, target).map);
    const clip = randomClip(random, source.skeleton, {
      interpolation: 'step',
      travels: jointOf(source.skeleton, 'hips'),
      keys: 5,
    });
    const plain = retargetFrames(setup, clip, PASS_NAMES).frames;
    expect(retargetFrames(setup, clip, PASS_NAMES, { refine: true }).frames).toBe(plain);
  });
});
