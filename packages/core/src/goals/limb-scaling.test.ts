import { describe, expect, it } from 'vitest';
import {
  clipOf,
  distance,
  jointOf,
  modelAt,
  placeAt,
  rotationTrack,
  sceneOf,
  tinyHuman,
  translationTrack,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { Role } from '../body/roles.js';
import type { LimbScalings } from '../options/limb-rules.js';
import { retarget } from '../retarget.js';
import { sampleCurve } from './limb-scaling.js';

const source = tinyHuman({ name: 'source' });
const target = tinyHuman({ name: 'target', arms: 0.8, legs: 0.6 });
const elbow = jointOf(source, 'leftLowerArm');
const hips = jointOf(source, 'hips');
const at = (c: number) => source.rest.translations[3 * hips + c]!;
const reach = clipOf([
  rotationTrack(jointOf(source, 'leftUpperArm'), [0, 1], [turn([0, 0, 1], -0.3), turn([0, 1, 0], -1)]),
  rotationTrack(elbow, [0, 1], [turn([0, 1, 0], -0.4), turn([0, 1, 0], -1.2)]),
  translationTrack(
    hips,
    [0, 1],
    [
      [at(0), at(1), at(2)],
      [at(0), at(1), at(2) + 0.1],
    ],
  ),
]);

const goalsOf = (limbScalings: LimbScalings, time: number) => {
  const { clips } = retarget(sceneOf(source, [reach]), sceneOf(target), {
    corrections: 'auto',
    limbScalings,
    measure: false,
    frameRate: 60,
  });
  const [from, to] = [modelAt(source, reach, time), modelAt(target, clips[0]!, time)];
  const way = (role: Role) => ({
    source: placeAt(from, jointOf(source, role)),
    target: placeAt(to, jointOf(target, role)),
  });
  const [upper, hand] = [way('leftUpperArm'), way('leftHand')];
  return {
    upper,
    hand,
    reachOf: (side: 'source' | 'target') => [0, 1, 2].map((c) => hand[side][c]! - upper[side][c]!),
  };
};

describe('limb scalings', () => {
  it.each([0, 0.5, 1])('K22: with d = %s the hand is as far as eq. 7 says, from the own shoulder', (d) => {
    const { reachOf } = goalsOf({ leftArm: { limbScale: d } }, 0.5);
    const scale = 1 + d * (0.8 / 0.55 - 1);
    reachOf('target').forEach((value, c) => {
      expect(value).toBeCloseTo(scale * reachOf('source')[c]!, 3);
    });
  });

  it('K21, KP7: without imitation the arm is brought to its goal from its rest, the same in every frame order', () => {
    const options = {
      corrections: 'auto' as const,
      imitation: 'keep' as const,
      limbScalings: { leftArm: { limbScale: 1 } },
      measure: false,
    };
    const bakeAt = (frameRate: number) =>
      retarget(sceneOf(source, [reach]), sceneOf(target), { ...options, frameRate }).clips[0]!;
    const [fine, coarse] = [bakeAt(60), bakeAt(5)];
    const from = modelAt(source, reach, 0.6);
    for (const clip of [fine, coarse]) {
      const to = modelAt(target, clip, 0.6);
      const way = (model: typeof to, skeleton: typeof target) =>
        [0, 1, 2].map(
          (c) =>
            placeAt(model, jointOf(skeleton, 'leftHand'))[c]! -
            placeAt(model, jointOf(skeleton, 'leftUpperArm'))[c]!,
        );
      way(to, target).forEach((value, c) => {
        expect(value).toBeCloseTo((0.8 / 0.55) * way(from, source)[c]!, 3);
      });
    }
  });

  it("K23: with rootScale 0 the hand is where the source's was, while that is in reach", () => {
    const { hand, upper } = goalsOf({ leftArm: { limbScale: 0, rootScale: 0 } }, 0.5);
    expect(distance(upper.target, hand.source)).toBeLessThan(0.75);
    expect(distance(hand.target, hand.source)).toBeLessThan(2e-3);
  });

  it('K26: scales follow curves over time', () => {
    const limbScale = [
      { time: 0, value: 0, easing: 'smooth' as const },
      { time: 1, value: 1 },
    ];
    const { reachOf } = goalsOf({ leftArm: { limbScale } }, 0.25);
    const d = 0.25 * 0.25 * (3 - 2 * 0.25);
    expect(Math.hypot(...reachOf('target')) / Math.hypot(...reachOf('source'))).toBeCloseTo(
      1 + d * (0.8 / 0.55 - 1),
      3,
    );
  });

  it('R7: a limb without a scaling, and one of weight 0, stay as copied', () => {
    const plain = retarget(sceneOf(source, [reach]), sceneOf(target), { measure: false, frameRate: 60 });
    const scaled = retarget(sceneOf(source, [reach]), sceneOf(target), {
      corrections: 'auto',
      limbScalings: { rightArm: { limbScale: 0.5 }, leftArm: { limbScale: 0, weight: 0 } },
      measure: false,
      frameRate: 60,
    });
    const elbowOf = (result: typeof plain) =>
      result.clips[0]!.tracks.find(
        ({ joint, channel }) => joint === jointOf(target, 'leftLowerArm') && channel === 'rotation',
      )!.values;
    expect([...elbowOf(scaled)]).toEqual([...elbowOf(plain)]);
  });

  it('refuses numbers that are none and keys out of order', () => {
    const run = (limbScale: LimbScalings['leftArm']) => () => goalsOf({ leftArm: limbScale! }, 0);
    expect(run({ limbScale: Number.NaN })).toThrow(UsageError);
    expect(run({ limbScale: [] })).toThrow(/no keys/);
    expect(
      run({
        weight: [
          { time: 1, value: 0 },
          { time: 0, value: 1 },
        ],
      }),
    ).toThrow(/key at 0 s after one at 1 s/);
  });

  it('K26: samples steps, lines and what lies outside', () => {
    const curve = [
      { time: 1, value: 2, easing: 'step' as const },
      { time: 2, value: 4 },
      { time: 3, value: 8 },
    ];
    expect([0, 1.9, 2, 2.5, 9].map((time) => sampleCurve(curve, time))).toEqual([2, 2, 4, 6, 8]);
  });
});
