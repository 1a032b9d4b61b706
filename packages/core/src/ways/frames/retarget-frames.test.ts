import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainSetup } from '../../../test/plainly.js';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  inverse,
  jointOf,
  mapOf,
  modelAt,
  oneToOne,
  plainRig,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
  times,
  tinyHuman,
  turn,
} from '../../../test/tiny-rigs.js';
import { createRig } from '../../body/understand/create-rig.js';
import { createRigMap } from '../../map/create-rig-map.js';
import { driverOf } from '../../map/rig-map.js';
import type { Setup } from '../../passes/pass.js';
import { PASS_NAMES } from '../../passes/pipeline.js';
import { createFrame, prepareSteps } from '../../passes/run-passes.js';
import type { Clip } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import { copyPose, modelPoseOf } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { planKeys } from '../keys/plan-keys.js';
import { retargetKeys } from '../keys/retarget-keys.js';
import { planClip, planFrames } from '../plan/plan-clip.js';
import { retargetFrames } from './retarget-frames.js';

const seeds = fc.integer({ min: 1, max: 1e6 });
const chainParents = (count: number) => Array.from({ length: count }, (_, i) => i - 1);
const restOf = (skeleton: Skeleton) => modelPoseOf(skeleton, skeleton.rest).rotations;
const bake = (setup: Setup, clip: Clip, frameRate?: number) =>
  retargetFrames(setup, clip, PASS_NAMES, frameRate === undefined ? { refine: true } : { frameRate }).clip;

/** How far a joint has turned from a reference, in model space. */
const deltaOf = (G: Float64Array, R: Float64Array, joint: number): Quat =>
  times(quatAt(G, joint), inverse(quatAt(R, joint)));

/** The worst difference of turns, source against result, over joints with one driver, in radians. */
function worstTurn(setup: Setup, clip: Clip, moved: Clip, instants: Iterable<number>): number {
  let worst = 0;
  for (const time of instants) {
    const from = modelAt(setup.source.skeleton, clip, time).rotations;
    const to = modelAt(setup.target.skeleton, moved, time).rotations;
    for (const pair of setup.map.joints)
      if (!pair.share)
        worst = Math.max(
          worst,
          angleBetween(
            deltaOf(from, setup.sourceReference.rotations, driverOf(pair)),
            deltaOf(to, setup.alignment.model.rotations, pair.target),
          ),
        );
  }
  return worst;
}

describe('the two cores against each other', () => {
  it('give the same locals on random rigs, clips and ways of interpolating, to 1e-5 rad', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.constantFrom('step' as const, 'linear' as const, 'cubic' as const),
        fc.integer({ min: 2, max: 9 }),
        (seed, interpolation, count) => {
          const random = createRandom(seed);
          const source = randomSkeleton(random, count, { prefix: 's', scales: true });
          const target = randomSkeleton(random, count, {
            prefix: 't',
            parents: [...source.parents],
            scales: true,
          });
          const setup = createPlainSetup(plainRig(source), plainRig(target), oneToOne(count));
          const clip = randomClip(random, source, { interpolation, travels: 0, keys: 5 });
          const plan = planKeys(setup, clip, PASS_NAMES);
          if ('reason' in plan) throw new Error(plan.reason);
          const byKeys = retargetKeys(setup, clip, plan).clip;
          const byFrames = bake(setup, clip, 50);
          for (const time of byFrames.tracks[0]!.times) {
            const [a, b] = [poseAt(target, byKeys, time), poseAt(target, byFrames, time)];
            for (let joint = 0; joint < count; joint++)
              expect(angleBetween(quatAt(a.rotations, joint), quatAt(b.rotations, joint))).toBeLessThan(1e-5);
            // Relative: under a small scale places are large numbers, and keys are float32.
            const size = a.translations.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
            a.translations.forEach((x, i) => {
              expect(Math.abs(x - b.translations[i]!)).toBeLessThan(1e-5 * size);
            });
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('agree on whole bodies whose axes, arms and legs differ', () => {
    const random = createRandom(3);
    const source = createRig(tinyHuman({ axes: random }));
    const target = createRig(tinyHuman({ axes: random, armsDown: 50 * DEGREES, legs: 0.5 }));
    const setup = createPlainSetup(source, target, createRigMap(source, target).map);
    const clip = randomClip(random, source.skeleton, { travels: jointOf(source.skeleton, 'hips') });
    const plan = planKeys(setup, clip, PASS_NAMES);
    if ('reason' in plan) throw new Error(plan.reason);
    const byKeys = retargetKeys(setup, clip, plan).clip;
    const byFrames = bake(setup, clip, 60);
    for (const time of byFrames.tracks[0]!.times) {
      const [a, b] = [poseAt(target.skeleton, byKeys, time), poseAt(target.skeleton, byFrames, time)];
      for (let joint = 0; joint < target.skeleton.names.length; joint++)
        expect(angleBetween(quatAt(a.rotations, joint), quatAt(b.rotations, joint))).toBeLessThan(1e-5);
    }
  });
});

describe('animated joints that are not mapped (X3, R2, SP6, BP13)', () => {
  // a → b → c, with a and c mapped and b animated.
  const random = createRandom(99);
  const source = randomSkeleton(random, 3, { parents: chainParents(3), prefix: 's' });
  const target = randomSkeleton(random, 3, { parents: chainParents(3), prefix: 't' });
  const map = mapOf([
    [0, 0, 'hips'],
    [2, 2],
  ]);
  const setup = createPlainSetup(plainRig(source), plainRig(target), map);
  const clip = randomClip(random, source, { most: 1.2, keys: 8 });

  it('X3, R2, SP6, BP13: nothing is lost, at frames and between them', () => {
    const moved = bake(setup, clip);
    const instants = Array.from({ length: 300 }, (_, n) => (2 * n) / 299);
    // 0.01 degrees at the keys; half way between two frames a straight line may miss by 0.025.
    expect(worstTurn(setup, clip, moved, moved.tracks[0]!.times)).toBeLessThan(0.01 * DEGREES);
    expect(worstTurn(setup, clip, moved, instants)).toBeLessThan(0.03 * DEGREES);
  });

  it('X3: the constant change of basis as printed loses it, by more than 10 degrees here', () => {
    let worst = 0;
    for (const time of [0.3, 0.8, 1.4]) {
      const keys = poseAt(source, clip, time).rotations;
      const pose = copyPose(target.rest);
      for (const joint of [0, 2]) {
        const parent = (skeleton: Skeleton): Quat =>
          joint === 0 ? [0, 0, 0, 1] : quatAt(restOf(skeleton), joint - 1);
        const local = times(
          inverse(parent(target)),
          parent(source),
          quatAt(keys, joint),
          inverse(quatAt(restOf(source), joint)),
          quatAt(restOf(target), joint),
        );
        pose.rotations.set(local, 4 * joint);
      }
      const to = modelPoseOf(target, pose).rotations;
      const from = modelAt(source, clip, time).rotations;
      worst = Math.max(worst, angleBetween(deltaOf(from, restOf(source), 2), deltaOf(to, restOf(target), 2)));
    }
    expect(worst).toBeGreaterThan(10 * DEGREES);
  });
});

describe('more joints on the source than on the target (K16, KP2, R1)', () => {
  const random = createRandom(17);
  const source = randomSkeleton(random, 6, { parents: chainParents(6), prefix: 's' });
  const target = randomSkeleton(random, 3, { parents: chainParents(3), prefix: 't' });
  // Hips, then five spines onto two.
  const map = mapOf([
    [0, 0, 'hips'],
    [[1, 2], 1],
    [[3, 4, 5], 2],
  ]);
  const setup = createPlainSetup(plainRig(source), plainRig(target), map);
  const still = clipOf([
    rotationTrack(0, [0, 1], [quatAt(source.rest.rotations, 0), quatAt(source.rest.rotations, 0)]),
  ]);

  it('K16, R1: five spines at rest leave two spines at rest', () => {
    const pose = poseAt(target, bake(setup, still), 0.5);
    for (let joint = 0; joint < 3; joint++)
      expect(angleBetween(quatAt(pose.rotations, joint), quatAt(target.rest.rotations, joint))).toBeLessThan(
        1e-5,
      );
  });

  it('K16: eq. 5 as printed, with OM of the first merged joint, is off at rest', () => {
    const [Rs, Rt] = [restOf(source), restOf(target)];
    // The merged chain's global turn comes from the last joint, s_N; the offset matrix printed is the first's.
    const printed = times(quatAt(Rs, 5), inverse(quatAt(Rs, 3)), quatAt(Rt, 2));
    const corrected = times(quatAt(Rs, 5), inverse(quatAt(Rs, 5)), quatAt(Rt, 2));
    expect(angleBetween(printed, quatAt(Rt, 2))).toBeGreaterThan(10 * DEGREES);
    expect(angleBetween(corrected, quatAt(Rt, 2))).toBeLessThan(1e-9);
  });

  it('KP2: line 15 of algorithm 2 as printed is off at rest, eq. 3 is not', () => {
    const [Rs, Rt] = [restOf(source), restOf(target)];
    for (const [s, t] of [
      [2, 1],
      [5, 2],
    ] as const) {
      // M_parent^s⁻¹ · M_local^s · OM^t⁻¹ against M_parent^t⁻¹ · M_parent^s · M_local^s · OM^s · OM^t⁻¹.
      const [parentS, localS] = [quatAt(Rs, s - 1), quatAt(source.rest.rotations, s)];
      const printed = times(inverse(parentS), localS, quatAt(Rt, t));
      const right = times(inverse(quatAt(Rt, t - 1)), parentS, localS, inverse(quatAt(Rs, s)), quatAt(Rt, t));
      expect(angleBetween(printed, quatAt(target.rest.rotations, t))).toBeGreaterThan(10 * DEGREES);
      expect(angleBetween(right, quatAt(target.rest.rotations, t))).toBeLessThan(1e-9);
    }
  });

  it('K16: in motion the last merged joint’s whole turn arrives', () => {
    const clip = randomClip(random, source, { most: 0.5 });
    const moved = bake(setup, clip);
    expect(
      worstTurn(
        setup,
        clip,
        moved,
        Array.from({ length: 100 }, (_, n) => n / 50),
      ),
    ).toBeLessThan(0.03 * DEGREES);
  });
});

describe('frames in any order (R8, KP6, KP7)', () => {
  for (const rootMotion of ['keep', 'extract', 'inPlace'] as const)
    it(`R8, KP6, KP7: shuffled frames give the poses of the bake, root motion ${rootMotion}`, () => {
      const random = createRandom(23);
      const source = createRig(tinyHuman({ axes: random, spines: 5, root: true }));
      const target = createRig(tinyHuman({ axes: random, spines: 2, root: true, legs: 0.6 }));
      const setup = createPlainSetup(source, target, createRigMap(source, target).map, { rootMotion });
      const clip = randomClip(random, source.skeleton, { travels: jointOf(source.skeleton, 'hips') });
      const baked = bake(setup, clip, 30);
      const { times: at } = baked.tracks[0]!;
      // The same passes by hand, in another order, each frame in new room or in the room of the one before.
      const plan = planFrames(
        setup,
        planClip(setup, clip, PASS_NAMES),
        clip,
        PASS_NAMES,
        Float32Array.from(at),
      );
      const steps = prepareSteps(setup, plan, PASS_NAMES);
      const order = [...at.keys()].sort((a, b) => ((a * 7919) % 61) - ((b * 7919) % 61) || a - b);
      for (const index of order) {
        const frame = createFrame(setup, plan);
        const pose = poseAt(source.skeleton, clip, at[index]!);
        for (const store of ['rotations', 'translations', 'scales'] as const)
          frame.source[store].set(pose[store]);
        frame.index = index;
        for (const step of steps) step(frame);
        const expected = poseAt(target.skeleton, baked, at[index]!);
        for (const { joint, channel } of baked.tracks)
          if (channel === 'rotation')
            expect(
              angleBetween(quatAt(frame.target.rotations, joint), quatAt(expected.rotations, joint)),
            ).toBeLessThan(1e-6);
          else
            for (let c = 0; c < 3; c++)
              expect(frame.target.translations[3 * joint + c]).toBeCloseTo(
                expected.translations[3 * joint + c]!,
                5,
              );
      }
    });

  it('KP7: a joint that nothing drives holds its reference in every frame', () => {
    const random = createRandom(29);
    const source = randomSkeleton(random, 3, { parents: chainParents(3) });
    const target = randomSkeleton(random, 4, { parents: [-1, 0, 1, 1] });
    const setup = createPlainSetup(plainRig(source), plainRig(target), oneToOne(3));
    const moved = bake(setup, randomClip(random, source), 30);
    for (const time of [0, 0.5, 1.9])
      expect(quatAt(poseAt(target, moved, time).rotations, 3)).toEqual(quatAt(target.rest.rotations, 3));
  });
});

describe('baking (R19, KP16)', () => {
  const random = createRandom(37);
  const source = createRig(tinyHuman({ spines: 3 }));
  const target = createRig(tinyHuman({ spines: 2, axes: random }));
  const setup = createPlainSetup(source, target, createRigMap(source, target).map);
  const clip = randomClip(random, source.skeleton, { travels: jointOf(source.skeleton, 'hips'), keys: 13 });

  it('R19, KP16: two runs are the same to the last bit', () => {
    expect(bake(setup, clip)).toEqual(bake(setup, clip));
  });

  it('R19, KP16: no key of a joint that matters is skipped', () => {
    const { times: at } = bake(setup, clip).tracks[0]!;
    for (const track of clip.tracks)
      for (const key of track.times)
        expect(Math.min(...at.map((t) => Math.abs(t - key)))).toBeLessThan(1.1e-4);
  });

  it('a frame rate is kept to: every frame at its time, the end included', () => {
    const { times: at } = bake(setup, clip, 25).tracks[0]!;
    expect(at).toHaveLength(51);
    at.forEach((t, k) => {
      expect(t).toBeCloseTo(Math.min(k / 25, clip.duration), 5);
    });
  });

  it('R13: signs are continuous in every track, over the seams of blocks too', () => {
    const spin: Clip = clipOf([
      rotationTrack(
        jointOf(source.skeleton, 'leftUpperArm'),
        Array.from({ length: 200 }, (_, k) => k / 100),
        Array.from({ length: 200 }, (_, k) => {
          const sign = random() < 0.5 ? -1 : 1;
          return turn([0.3, 1, 0.2], k * 9 * DEGREES).map((x) => sign * x) as Quat;
        }),
      ),
    ]);
    for (const { channel, values } of bake(setup, spin).tracks)
      if (channel === 'rotation')
        for (let i = 4; i < values.length; i += 4) {
          let dot = 0;
          for (let c = 0; c < 4; c++) dot += values[i + c]! * values[i + c - 4]!;
          expect(dot).toBeGreaterThanOrEqual(0);
        }
  });

  it('reports its progress from 0 upwards', () => {
    const seen: number[] = [];
    retargetFrames(setup, clip, PASS_NAMES, { frameRate: 600, onFrame: (frame) => seen.push(frame) });
    expect(seen[0]).toBe(0);
    expect(seen.length).toBeGreaterThan(2);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  });
});
