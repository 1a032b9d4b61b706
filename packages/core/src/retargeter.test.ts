import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stickFigure } from '../test/stick-figure.js';
import {
  angleBetween,
  createRandom,
  DEGREES,
  distance,
  inverse,
  jointOf,
  type Quat,
  quatAt,
  randomTurn,
  times,
  tinyHuman,
  turn,
  turnVector,
} from '../test/tiny-rigs.js';
import { UsageError } from './base/errors.js';
import type { Vec3 } from './base/math/vector.js';
import { createRig } from './body/understand/create-rig.js';
import { createRigMap } from './map/create-rig-map.js';
import type { SetupOptions } from './options/setup-options.js';
import { extractRoot } from './passes/extract-root.js';
import { goalsOf } from './passes/goals/place-goals.js';
import type { Setup } from './passes/pass.js';
import { compiledOf } from './passes/pass.js';
import type { PassName } from './passes/pipeline.js';
import { createRetargeter } from './retargeter.js';
import { type Clip, sampleClip } from './scene/clip.js';
import { copyPose, modelPoseOf, type Pose } from './scene/pose.js';
import { createSetup } from './setup/create-setup.js';
import { retargetFrames } from './ways/frames/retarget-frames.js';

/** Passes that remember nothing. */
const passes: readonly PassName[] = ['copyRotations', 'moveRoot', 'extractRoot'];

function setUp(
  options: SetupOptions = {},
  seed = 5,
  rename: (name: string) => string = (name) => name,
): Setup {
  const axes = createRandom(seed);
  const source = createRig(tinyHuman({ axes, root: true, rename }));
  const target = createRig(tinyHuman({ axes, legs: 0.6, arms: 0.7, armsDown: 0.6, root: true, rename }));
  return createSetup(source, target, createRigMap(source, target).map, options);
}

/** The source with every joint turned at random and its hips anywhere. */
function randomPose({ source }: Setup, random: () => number): Pose {
  const pose = copyPose(source.skeleton.rest);
  source.skeleton.names.forEach((_, joint) => {
    pose.rotations.set(times(quatAt(pose.rotations, joint), randomTurn(random, 1)), 4 * joint);
  });
  const hips = jointOf(source.skeleton, 'hips');
  for (let c = 0; c < 3; c++) pose.translations[3 * hips + c]! += random() - 0.5;
  return pose;
}

/** Bytes an update, the least of some tries: what is allocated each time is in each of them. */
function grown(update: (k: number) => void): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = Number.POSITIVE_INFINITY;
  // Code that is not compiled yet makes numbers on the heap, and on a busy machine the compiler takes its time:
  // there are many tries, and the first that grows by nothing is enough.
  for (let k = 0; k < 20_000; k++) update(k);
  for (let tries = 0; tries < 60 && !(least < 8); tries++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < 5000; k++) update(k);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 5000);
  }
  return least;
}

/** The source standing at x, z with a heading, all of it carried by its root. */
function standing({ source }: Setup, x: number, z: number, heading: number): Pose {
  const pose = copyPose(source.skeleton.rest);
  const at = quatAt(pose.rotations, 0);
  pose.rotations.set(times(turn([0, 1, 0], heading), at), 0);
  pose.translations.set([x, 0, z], 0);
  return pose;
}

const flat = (pose: Pose) => [...pose.translations, ...pose.rotations, ...pose.scales];

describe('createRetargeter', () => {
  it('R8: poses in any order, and again, come out the same to the last bit', () => {
    for (const rootMotion of ['keep', 'extract', 'apart', 'inPlace'] as const) {
      const setup = setUp({ rootMotion });
      const live = createRetargeter(setup, { passes });
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 12 }), (order) => {
          const fresh = order.map((seed) =>
            flat(createRetargeter(setup, { passes }).update(randomPose(setup, createRandom(seed)))),
          );
          order.forEach((seed, n) => {
            expect(flat(live.update(randomPose(setup, createRandom(seed))))).toEqual(fresh[n]);
          });
        }),
        { numRuns: 12 },
      );
    }
  });

  it('W12: the source is read and never written, and many targets share it', () => {
    const setup = setUp();
    const other = setUp({}, 9);
    const pose = randomPose(setup, createRandom(3));
    const before = flat(pose);
    const lives = [setup, { ...other, source: setup.source }].map((each) =>
      createRetargeter(each, { passes }),
    );
    for (const live of lives) live.update(pose);
    expect(flat(pose)).toEqual(before);
    expect(flat(lives[0]!.pose)).toEqual(flat(createRetargeter(setup, { passes }).update(pose)));
  });

  it('gives the very store that it says it overwrites', () => {
    const setup = setUp();
    const live = createRetargeter(setup, { passes });
    const { pose } = live;
    const stores = Object.values(pose);
    for (let k = 0; k < 3; k++) expect(live.update(randomPose(setup, createRandom(k + 1)))).toBe(pose);
    expect(Object.values(live.pose)).toEqual(stores);
  });

  it('a broken pose changes nothing and leaves nothing behind; one of another skeleton is told', () => {
    const setup = setUp();
    const live = createRetargeter(setup, { passes });
    const good = randomPose(setup, createRandom(2));
    const before = flat(live.update(good));
    for (const store of ['translations', 'rotations', 'scales'] as const)
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const broken = copyPose(good);
        broken[store][5] = value;
        expect(flat(live.update(broken))).toEqual(before);
      }
    expect(flat(live.update(good))).toEqual(before);
    const short = { ...good, rotations: good.rotations.slice(4) };
    expect(() => live.update(short)).toThrow(UsageError);
  });

  it('gives turns of length 1 and finite numbers, whatever it is given', () => {
    const setup = setUp();
    const live = createRetargeter(setup);
    const good = randomPose(setup, createRandom(3));
    const expected = flat(createRetargeter(setup).update(good));
    const long = copyPose(good);
    for (let i = 0; i < long.rotations.length; i++) long.rotations[i]! *= 1 + (i >> 2);
    flat(live.update(long)).forEach((value, n) => {
      expect(value).toBeCloseTo(expected[n]!, 12);
    });
    const before = flat(live.pose);
    const hips = jointOf(setup.source.skeleton, 'hips');
    const broken: ((pose: Pose) => void)[] = [
      (pose) => pose.rotations.fill(0, 4 * hips, 4 * hips + 4),
      (pose) => pose.rotations.fill(1e200, 4 * hips, 4 * hips + 4),
      (pose) => pose.translations.fill(1e200, 3 * hips, 3 * hips + 3),
    ];
    for (const breakPose of broken) {
      const pose = copyPose(good);
      breakPose(pose);
      expect(flat(live.update(pose))).toEqual(before);
    }
    const huge = copyPose(good);
    huge.scales.fill(1e15);
    const { rotations, translations } = live.update(huge);
    expect(translations.every(Number.isFinite)).toBe(true);
    for (let i = 0; i < rotations.length; i += 4)
      expect(Math.hypot(...rotations.slice(i, i + 4))).toBeCloseTo(1, 6);
  });

  it('allocates nothing per update', () => {
    for (const rootMotion of ['keep', 'extract', 'apart'] as const) {
      const setup = setUp({ rootMotion });
      const live = createRetargeter(setup, { passes });
      const pose = randomPose(setup, createRandom(1));
      // The smallest object there is takes sixteen bytes.
      expect(grown(() => live.update(pose))).toBeLessThan(8);
    }
    const setup = setUp();
    const pose = randomPose(setup, createRandom(1));
    let kept = pose;
    expect(
      grown(() => {
        kept = copyPose(pose);
      }),
      'the measure sees what is allocated',
    ).toBeGreaterThan(100);
    expect(kept.rotations).toEqual(pose.rotations);
  });

  it('makes no object per update while feet and hands are corrected, and one number at most', () => {
    const figure = stickFigure();
    const source = createRig(figure.skeleton);
    const target = createRig(stickFigure({ size: 0.7, upperArm: 0.2, axes: 'boneY' }).skeleton);
    const setup = createSetup(source, target, createRigMap(source, target).map);
    expect(goalsOf(setup)?.limbs).toHaveLength(4);
    const poses = Array.from({ length: 60 }, (_, k) => {
      const pose = copyPose(figure.skeleton.rest);
      sampleClip(pose, figure.clips[0]!, k / 60);
      return pose;
    });
    const live = createRetargeter(setup);
    // Mostly nothing; where the compiler chose not to inline a call, a number that crosses it takes sixteen bytes.
    expect(grown((k) => live.update(poses[k % 60]!))).toBeLessThan(24);
  });
});

describe('bones that bend, live', () => {
  const slide: Clip = { name: 'slide', duration: 1, tracks: [], morphs: [] };
  const figure = stickFigure({ names: 'mixamo', axes: 'boneY' });
  const hand = figure.jointOf('leftHand');
  const at = Array.from(figure.skeleton.rest.translations.subarray(3 * hand, 3 * hand + 3));
  slide.tracks.push({
    joint: hand,
    channel: 'translation',
    interpolation: 'linear',
    times: Float32Array.of(0, 0.5, 1),
    values: Float32Array.from([0, 1, -1].flatMap((side) => at.map((x, c) => x + (c === 2 ? 0.1 * side : 0)))),
  });
  const source = createRig(figure.skeleton);
  const target = createRig(
    stickFigure({ names: 'unreal', axes: 'boneX', arms: 'A', upperArm: 0.4 }).skeleton,
  );
  const setup = createSetup(source, target, createRigMap(source, target).map);

  it('M4: a joint that slides turns the bone above it, as offline, without a clip being known', () => {
    const live = createRetargeter(setup, { passes });
    const baked = retargetFrames(setup, slide, passes, { frameRate: 30 }).clip;
    const [a, b] = [copyPose(source.skeleton.rest), copyPose(setup.alignment.pose)];
    let most = 0;
    for (const time of [0, 0.2, 0.5, 0.7, 1, 0.1]) {
      sampleClip(a, slide, time);
      sampleClip(b, baked, time);
      const pose = live.update(a);
      for (let joint = 0; joint < target.skeleton.names.length; joint++) {
        const here = quatAt(pose.rotations, joint);
        expect(angleBetween(here, quatAt(b.rotations, joint))).toBeLessThan(1e-3);
        most = Math.max(most, angleBetween(here, quatAt(setup.alignment.pose.rotations, joint)));
      }
    }
    expect(most).toBeGreaterThan(10 * DEGREES);
  });
});

describe('root motion, live', () => {
  const placeOf = (setup: Setup, pose: Pose, joint: number): Vec3 => {
    const m = modelPoseOf(setup.target.skeleton, pose).matrices;
    return [m[16 * joint + 12]!, m[16 * joint + 13]!, m[16 * joint + 14]!];
  };

  it('W24, WP9: given apart, the steps add up to the travel, and a turn about the vertical stays one', () => {
    const setup = setUp({ rootMotion: 'apart' });
    const kept = createRetargeter(setUp(), { passes });
    const live = createRetargeter(setup, { passes });
    const hips = setup.travel!.target;
    let place: Vec3 = [0, 0, 0];
    let facing: Quat = [0, 0, 0, 1];
    for (let k = 0; k <= 40; k++) {
      // Two whole turns: headings pass half a turn four times.
      const pose = standing(setup, 0.1 * k, 0.05 * k * k, (4 * Math.PI * k) / 40);
      const local = live.update(pose);
      const { translation, rotation } = live.rootMotion;
      expect([rotation[0], rotation[2]]).toEqual([0, 0]);
      expect(angleBetween(quatAt(rotation, 0), [0, 0, 0, 1])).toBeLessThan(0.4);
      const [x, y, z] = turnVector(facing, [translation[0]!, translation[1]!, translation[2]!]);
      place = [place[0] + x, place[1] + y, place[2] + z];
      facing = times(facing, quatAt(rotation, 0));
      // The pose stands still over the ground; carried by the steps it is where it would have been.
      const carried = turnVector(facing, placeOf(setup, local, hips));
      const wanted = placeOf(setup, kept.update(pose), hips);
      expect(distance([carried[0] + place[0], carried[1], carried[2] + place[2]], wanted)).toBeLessThan(1e-9);
      const still = placeOf(setup, local, hips);
      const centre = compiledOf(setup, extractRoot)!.from.centre;
      expect(distance(still, [centre[0]!, centre[1]!, centre[2]!])).toBeLessThan(1e-9);
    }
    expect(distance(place, [0, 0, 0])).toBeGreaterThan(1);
  });

  it('a reset makes the next step none', () => {
    const setup = setUp({ rootMotion: 'apart' });
    const live = createRetargeter(setup, { passes });
    live.update(standing(setup, 0, 0, 0));
    live.update(standing(setup, 1, 0, 1));
    expect(live.rootMotion.translation[0]).not.toBe(0);
    live.reset();
    live.update(standing(setup, 5, 5, 2));
    expect([...live.rootMotion.translation, ...live.rootMotion.rotation]).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });

  it('extracted, root and hips together are where the hips would have been', () => {
    const setup = setUp({ rootMotion: 'extract' });
    const live = createRetargeter(setup, { passes });
    const kept = createRetargeter(setUp(), { passes });
    for (let seed = 1; seed < 20; seed++) {
      const pose = randomPose(setup, createRandom(seed));
      const [a, b] = [live.update(pose), kept.update(pose)].map((each) =>
        modelPoseOf(setup.target.skeleton, each),
      );
      for (let joint = 1; joint < setup.target.skeleton.names.length; joint++)
        expect(angleBetween(quatAt(a!.rotations, joint), quatAt(b!.rotations, joint))).toBeLessThan(1e-9);
    }
  });

  it('in place: the body stays over its place and keeps its heading', () => {
    const setup = setUp({ rootMotion: 'inPlace' });
    const live = createRetargeter(setup, { passes });
    const kept = createRetargeter(setUp(), { passes });
    const hips = setup.travel!.target;
    const pose = standing(setup, 3, -2, 1);
    const local = copyPose(live.update(pose));
    const [x, , z] = placeOf(setup, local, hips);
    const { centre } = compiledOf(setup, extractRoot)!.from;
    expect(Math.hypot(x - centre[0]!, z - centre[2]!)).toBeLessThan(1e-9);
    const turns = [local, kept.update(pose)].map((each) =>
      quatAt(modelPoseOf(setup.target.skeleton, each).rotations, hips),
    );
    expect(angleBetween(turns[0]!, turns[1]!)).toBeLessThan(1e-9);
    expect(
      angleBetween(
        times(turns[0]!, inverse(quatAt(setup.alignment.model.rotations, hips))),
        turn([0, 1, 0], 1),
      ),
    ).toBeLessThan(1e-9);
  });

  it('W24: another joint may be chosen, by its name on either side; one that is not there is told', () => {
    const setup = setUp({ rootMotion: 'apart', rootMotionJoint: 'chest' });
    const live = createRetargeter(setup, { passes });
    const chest = jointOf(setup.target.skeleton, 'chest');
    live.update(standing(setup, 0, 0, 0));
    const from = placeOf(setup, live.pose, chest);
    live.update(standing(setup, 2, 1, 2));
    expect(distance(placeOf(setup, live.pose, chest), from)).toBeLessThan(0.01);
    expect(() => setUp({ rootMotionJoint: 'tail' })).toThrow(UsageError);
    // A body part, where no joint has that name.
    const renamed = setUp({ rootMotion: 'apart', rootMotionJoint: 'chest' }, 5, (name) => `joint_${name}`);
    const fromOf = (of: Setup) => compiledOf(of, extractRoot)!.from;
    expect(fromOf(renamed)).toEqual(fromOf(setup));
    expect(fromOf(renamed)).not.toEqual(fromOf(setUp({ rootMotion: 'apart' })));
  });
});
