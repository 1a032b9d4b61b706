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
import { type Clip, type Interpolation, sampleClip, type Track } from '../../scene/clip.js';
import { modelPoseOf, type Pose } from '../../scene/pose.js';
import { createSetup } from '../../setup/create-setup.js';
import { retargetFrames } from '../frames/retarget-frames.js';
import { retargetClip } from '../retarget-clip.js';
import { planSomeKeys } from './plan-keys.js';

/** What the passes make of a clip at a time. */
function passesOf(setup: Setup, clip: Clip): (time: number) => Pose {
  const steps = prepareSteps(setup, null, PASS_NAMES);
  const frame = createFrame(setup, null);
  return (time) => {
    sampleClip(frame.source, clip, time);
    frame.time = time;
    for (const step of steps) step(frame);
    return frame.target;
  };
}

/** How far the keys of tracks are from what the passes give there, in radians and in the file's unit. */
function apartOnKeys(setup: Setup, clip: Clip, tracks: readonly Track[]): { turn: number; place: number } {
  const poseAt = passesOf(setup, clip);
  let [turn, place] = [0, 0];
  for (const { joint, channel, times, values } of tracks)
    times.forEach((time, k) => {
      const { rotations, translations } = poseAt(time);
      if (channel === 'rotation')
        turn = Math.max(turn, angleBetween(quatAt(values, k), quatAt(rotations, joint)));
      else
        for (let c = 0; c < 3; c++)
          place = Math.max(place, Math.abs(values[3 * k + c]! - translations[3 * joint + c]!));
    });
  return { turn, place };
}

/** How far driven joints are turned otherwise than the passes would, at the worst of many instants, in degrees. */
function worstMiss(setup: Setup, clip: Clip, moved: Clip, instants = 150): number {
  const { skeleton } = setup.target;
  const poseAt = passesOf(setup, clip);
  let worst = 0;
  for (let n = 0; n <= instants; n++) {
    const time = (clip.duration * n) / instants;
    const wanted = modelPoseOf(skeleton, poseAt(time)).rotations;
    const got = modelAt(skeleton, moved, time).rotations;
    for (const { target } of setup.map.joints)
      worst = Math.max(worst, angleBetween(quatAt(got, target), quatAt(wanted, target)));
  }
  return worst / DEGREES;
}

/** Frames at which all tracks have keys, so that keys that nearly fall together are not baked as one. */
const steadily = (clip: Clip): Clip => {
  const { times } = clip.tracks[0]!;
  return { ...clip, tracks: clip.tracks.map((track) => ({ ...track, times })) };
};

describe('turns that are products, without frames', () => {
  it('X3, R19: are what the passes give, whoever hangs on whom, with keys between where lines would miss', () => {
    let [products, undone, between] = [0, 0, 0];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom<Interpolation>('linear', 'cubic'),
        (seed, interpolation) => {
          const random = createRandom(seed);
          const source = randomSkeleton(random, 7, { prefix: 's', scales: seed % 2 === 0 });
          const target = randomSkeleton(random, 5, { prefix: 't', scales: seed % 3 === 0 });
          const any = () => Math.floor(random() * 7);
          const map = mapOf([
            [0, 0, 'hips'],
            [any(), 1],
            [any(), 2],
            [any(), 4],
          ]);
          const setup = createPlainSetup(plainRig(source), plainRig(target), map, { translations: 'rest' });
          const joints = [0, 1, 2, 3, 4, 5, 6].filter((joint) => joint === 0 || random() < 0.8);
          const clip = steadily(randomClip(random, source, { joints, interpolation, keys: 8, travels: 0 }));
          const planned = planSomeKeys(setup, clip, PASS_NAMES);
          const { clip: moved, frames } = retargetClip(setup, clip, { keys: 'refine' });
          if (planned.reason === null) return;
          expect(planned.products).not.toBeNull();
          const turned = new Set(planned.products!.turns.map((turn) => turn.target));
          const tracks = moved.tracks.filter(
            ({ joint, channel }) => channel === 'rotation' && turned.has(joint),
          );
          expect(apartOnKeys(setup, clip, tracks).turn).toBeLessThan(1e-5);
          expect(worstMiss(setup, clip, moved)).toBeLessThan(0.05);
          products += tracks.length;
          undone += planned.products!.turns.filter(
            (one) => 'factors' in one && one.factors.some(({ isUndone }) => isUndone),
          ).length;
          between += frames;
        },
      ),
      { numRuns: 40 },
    );
    expect(products).toBeGreaterThan(40);
    expect(undone).toBeGreaterThan(10);
    expect(between).toBeGreaterThan(2000);
  });

  it('M9, R19: are what the passes give where turns are shared, and where what carries a joint shares one', () => {
    let [shared, between] = [0, 0];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom<Interpolation>('linear', 'cubic'),
        (seed, interpolation) => {
          const random = createRandom(seed);
          const source = randomSkeleton(random, 8, { parents: [-1, 0, 1, 2, 3, 4, 2, 6], prefix: 's' });
          const target = randomSkeleton(random, 7, { parents: [-1, 0, 1, 2, 3, 4, 2], prefix: 't' });
          const map = mapOf([
            [0, 0, 'hips'],
            [1, 1],
            [2, 2],
            [3, 3],
            [5, 5],
            [7, 6],
          ]);
          // Between the hips' turn and the first, the first and the second; the last two hang on such joints.
          map.joints[1]!.share = { from: 0, weight: random() };
          map.joints[2]!.share = { from: 1, weight: random() };
          map.joints[3]!.share = { from: seed % 2 === 0 ? 2 : 0, weight: random() };
          const setup = createPlainSetup(plainRig(source), plainRig(target), map, { translations: 'rest' });
          const joints = [0, 1, 2, 3, 4, 5, 6, 7].filter((joint) => joint === 1 || random() < 0.8);
          const clip = steadily(
            randomClip(random, source, { joints, interpolation, keys: 20, most: 0.4, travels: 0 }),
          );
          const { products } = planSomeKeys(setup, clip, PASS_NAMES);
          expect(products).not.toBeNull();
          const { clip: moved, frames, reason } = retargetClip(setup, clip, { keys: 'refine' });
          expect(reason).toMatch('shares a turn with its neighbours');
          const turned = new Set(products!.turns.map((one) => one.target));
          const tracks = moved.tracks.filter(
            ({ joint, channel, times }) => channel === 'rotation' && turned.has(joint) && times.length > 2,
          );
          expect(apartOnKeys(setup, clip, tracks).turn).toBeLessThan(1e-5);
          // These curves leap ten times a second and are looked at half way between frames alone; lines are exact.
          expect(worstMiss(setup, clip, moved)).toBeLessThan(interpolation === 'linear' ? 0.027 : 0.2);
          shared += products!.turns.filter((one) => 'own' in one).length;
          between += frames;
        },
      ),
      { numRuns: 25 },
    );
    expect(shared).toBe(25 * 5);
    expect(between).toBeGreaterThan(25 * 60);
  });

  it('take as many frames as the frame core, within a few, and no other joint gets one', () => {
    let [ours, theirs] = [0, 0];
    for (let seed = 1; seed < 12; seed++) {
      const random = createRandom(seed);
      const source = randomSkeleton(random, 7, { parents: [-1, 0, 1, 2, 3, 4, 5], prefix: 's' });
      const target = randomSkeleton(random, 4, { parents: [-1, 0, 1, 2], prefix: 't' });
      const map = mapOf([
        [0, 0, 'hips'],
        [[1, 2], 1],
        [[3, 4], 2],
        [5, 3],
      ]);
      const setup = createPlainSetup(plainRig(source), plainRig(target), map);
      const clip = steadily(randomClip(random, source, { keys: 50, most: 0.15, travels: 0 }));
      const { clip: moved, frames, way } = retargetClip(setup, clip, { keys: 'refine' });
      expect(['products', 'frames']).toContain(way);
      ours += frames;
      theirs += retargetFrames(setup, clip, PASS_NAMES, { refine: true }).frames;
      for (const { joint, times } of moved.tracks)
        expect(times).toHaveLength(joint === 1 || joint === 2 ? frames : 50);
    }
    // Misses of joints above one another add up as if all went one way: that is safe, and little more.
    expect(ours).toBeGreaterThanOrEqual(theirs);
    expect(ours).toBeLessThan(1.05 * theirs);
  });

  it('steps stay steps', () => {
    const random = createRandom(6);
    const source = randomSkeleton(random, 4, { parents: [-1, 0, 1, 2], prefix: 's' });
    const target = randomSkeleton(random, 2, { parents: [-1, 0], prefix: 't' });
    const setup = createPlainSetup(
      plainRig(source),
      plainRig(target),
      mapOf([
        [0, 0, 'hips'],
        [[1, 2, 3], 1],
      ]),
    );
    const clip = steadily(randomClip(random, source, { interpolation: 'step', keys: 5 }));
    const { clip: moved } = retargetClip(setup, clip, { keys: 'refine' });
    const poseAt = passesOf(setup, clip);
    const { times } = clip.tracks[0]!;
    for (let k = 0; k + 1 < times.length; k++)
      for (const part of [0.01, 0.5, 0.98]) {
        const time = times[k]! + part * (times[k + 1]! - times[k]!);
        const wanted = quatAt(poseAt(time).rotations, 1);
        const { rotations } = structuredClone(target.rest);
        sampleClip({ ...target.rest, rotations }, moved, time);
        expect(angleBetween(quatAt(rotations, 1), wanted)).toBeLessThan(1e-5);
      }
  });
});

describe('joints that are placed, without frames', () => {
  /** Feet that hang under the root, on a body that some joint may stretch. */
  const setUp = (stretch: readonly [number, number, number]): Setup => {
    const source = createRig(tinyHuman({}));
    const skeleton = tinyHuman({ root: true, feetUnderRoot: true, legs: 0.6 });
    for (const name of ['hips', 'leftLowerLeg'])
      skeleton.rest.scales.set(stretch, 3 * skeleton.names.indexOf(name));
    const target = createRig(skeleton);
    return createSetup(source, target, createRigMap(source, target).map, { corrections: 'none' });
  };

  for (const [title, stretch] of [
    ['of one size', [1, 1, 1]],
    ['stretched evenly', [1.3, 1.3, 1.3]],
    ['stretched along one axis', [1, 1.4, 1]],
  ] as const)
    it(`are where what carries them says, on bodies ${title}`, () => {
      const setup = setUp(stretch);
      const { source, target } = setup;
      const feet = [jointOf(target.skeleton, 'leftFoot'), jointOf(target.skeleton, 'rightFoot')];
      const hips = jointOf(source.skeleton, 'hips');
      for (const interpolation of ['linear', 'cubic'] as const) {
        const clip = randomClip(createRandom(5), source.skeleton, {
          interpolation,
          travels: hips,
          keys: 30,
          most: 0.3,
        });
        expect(planSomeKeys(setup, steadily(clip), PASS_NAMES).products).not.toBeNull();
        const { clip: moved, frames } = retargetClip(setup, steadily(clip), { keys: 'refine' });
        const placed = moved.tracks.filter(({ joint }) => feet.includes(joint));
        expect(placed).toHaveLength(4);
        for (const { times } of placed) expect(times).toHaveLength(frames);
        const { turn, place } = apartOnKeys(setup, steadily(clip), placed);
        expect(turn).toBeLessThan(1e-5);
        expect(place).toBeLessThan(1e-5);
        // The hips go in straight lines: no keys are added to theirs.
        const travel = moved.tracks.find(
          ({ joint, channel }) => joint === setup.travel!.target && channel === 'translation',
        )!;
        expect(travel.times).toHaveLength(30);
      }
    });
});
