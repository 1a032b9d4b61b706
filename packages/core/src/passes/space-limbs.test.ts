import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  distance,
  jointOf,
  modelAt,
  placeAt,
  quatAt,
  rotationTrack,
  sceneOf,
  times,
  tinyHuman,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import type { Role } from '../body/roles.js';
import { retarget } from '../retarget.js';
import { createRetargeter } from '../retargeter.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import type { Skeleton } from '../scene/skeleton.js';
import { setUpScenes } from '../setup/set-up-scenes.js';
import { planClip } from '../ways/plan/plan-clip.js';
import { placeGoals } from './goals/place-goals.js';
import { foundOf } from './pass.js';
import { PASS_NAMES } from './pipeline.js';

const source = tinyHuman({ name: 'source', armsDown: 1.2 });
const target = tinyHuman({ name: 'target', armsDown: 1.2, axes: createRandom(11) });
const MOMENTS = Array.from({ length: 31 }, (_, k) => k / 30);

/** A body that turns around once, with a nod of its legs: wherever it faces, left stays left. */
function turning(skeleton: Skeleton): Clip {
  const hips = jointOf(skeleton, 'hips');
  const rest = quatAt(skeleton.rest.rotations, hips);
  return clipOf([
    rotationTrack(
      hips,
      MOMENTS,
      MOMENTS.map((u) => times(turn([0, 1, 0], 2 * Math.PI * u * 0.999), rest)),
    ),
  ]);
}

const clip = turning(source);
/** A track that holds a joint of the source as it rests. */
const held = (role: Role) => {
  const rest = quatAt(source.rest.rotations, jointOf(source, role));
  return rotationTrack(jointOf(source, role), [0, 1], [rest, rest]);
};
/** A body that stands and bows a little. */
const still = clipOf([
  ...(['hips', 'leftUpperLeg', 'leftLowerLeg', 'rightUpperLeg', 'rightLowerLeg'] as const).map(held),
  rotationTrack(
    jointOf(source, 'spine'),
    [0, 1],
    [
      quatAt(source.rest.rotations, jointOf(source, 'spine')),
      times(turn([1, 0, 0], 0.2), quatAt(source.rest.rotations, jointOf(source, 'spine'))),
    ],
  ),
]);
/** Copied, so that the spread alone shows: feet that tread on the floor would come down to it again. */
const moved = (options: Parameters<typeof retarget>[2]) =>
  retarget(sceneOf(source, [clip]), sceneOf(target), { corrections: 'none', frameRate: 30, ...options })
    .clips[0]!;
const line = (of: Clip, time: number, from: Role, to: Role): Vec3 => {
  const model = modelAt(target, of, time);
  const [a, b] = [placeAt(model, jointOf(target, from)), placeAt(model, jointOf(target, to))];
  return [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
};
const turned = (v: Vec3, axis: Vec3, angle: number): Vec3 => {
  const q = turn(axis, angle);
  const [x, y, z] = times(q, [...v, 0], [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
};

describe('spaceLimbs', () => {
  const plain = moved({});
  const spaced = moved({ spacing: { arms: 0.4, legs: -0.2 } });

  it('W20: turns arms and legs by their share of 45° about where the body faces, also when it turns around', () => {
    for (const time of [0, 0.3, 0.7]) {
      const heading = 2 * Math.PI * time * 0.999;
      const facing: Vec3 = [Math.sin(heading), 0, Math.cos(heading)];
      for (const [from, to, angle] of [
        ['leftUpperArm', 'leftHand', 18],
        ['rightUpperArm', 'rightHand', -18],
        ['leftUpperLeg', 'leftFoot', -9],
        ['rightUpperLeg', 'rightFoot', 9],
      ] as const) {
        const wanted = turned(line(plain, time, from, to), facing, angle * DEGREES);
        expect(distance(line(spaced, time, from, to), wanted), `${to} at ${time}`).toBeLessThan(1e-5);
      }
    }
  });

  it('W20: feet keep their turn, so that soles stay flat', () => {
    for (const time of [0, 0.6])
      for (const role of ['leftFoot', 'rightToes'] as const) {
        const [a, b] = [plain, spaced].map((of) =>
          quatAt(modelAt(target, of, time).rotations, jointOf(target, role)),
        );
        expect(angleBetween(a!, b!)).toBeLessThan(1e-5);
      }
  });

  it('W20: where corrections are on, feet stand wider, on the floor, and do not slide', () => {
    const stand = (legs: number) =>
      retarget(sceneOf(source, [still]), sceneOf(target), {
        corrections: 'auto',
        spacing: { legs },
        wholeBody: true,
        frameRate: 30,
      }).clips[0]!;
    const at = (of: Clip, time: number, role: Role) =>
      placeAt(modelAt(target, of, time), jointOf(target, role));
    const wide = stand(0.25);
    const narrow = stand(0);
    for (const time of [0, 0.5, 1]) {
      const [a, b] = [at(narrow, time, 'leftFoot'), at(wide, time, 'leftFoot')];
      expect(b[0] - a[0]).toBeGreaterThan(0.12);
      expect(b[1]).toBeCloseTo(a[1], 2);
      expect(distance(b, at(wide, 0, 'leftFoot'))).toBeLessThan(2e-3);
      // Legs that are spread do not reach as deep: the hips come down.
      expect(at(wide, time, 'hips')[1]).toBeLessThan(at(narrow, time, 'hips')[1] - 0.005);
    }
  });

  it('KP7: live gives what a bake gives, update after update, also where nothing drives an arm', () => {
    const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), {
      spacing: { arms: 0.4, legs: -0.2 },
    });
    const alone = {
      ...setup,
      map: {
        ...setup.map,
        joints: setup.map.joints.filter(({ target: joint }) => joint !== jointOf(target, 'leftUpperArm')),
      },
    };
    const live = createRetargeter(setup);
    const undriven = createRetargeter(alone);
    const joint = jointOf(target, 'leftUpperArm');
    const first = quatAt(undriven.update(poseAt(source, clip, 0)).rotations, joint);
    for (const time of [0.2, 0.2, 0.5]) {
      const pose = live.update(poseAt(source, clip, time));
      const baked = poseAt(target, spaced, time);
      expect(angleBetween(quatAt(pose.rotations, joint), quatAt(baked.rotations, joint))).toBeLessThan(1e-4);
      const again = quatAt(undriven.update(poseAt(source, clip, time)).rotations, joint);
      expect(angleBetween(again, first)).toBeLessThan(1e-9);
    }
  });

  it('a leg that nothing drives is spread once, where corrections are planned too', () => {
    const spacing = { arms: 0.4, legs: 0.2 };
    const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), { spacing, corrections: 'auto' });
    const upper = jointOf(target, 'leftUpperLeg');
    const joints = setup.map.joints.filter(({ target: joint }) => joint !== upper);
    const alone = { ...setup, map: { ...setup.map, joints } };
    const plan = foundOf(planClip(alone, still, PASS_NAMES), placeGoals)!;
    // The hips hold one height: nothing adds up from frame to frame.
    const heights = Array.from({ length: plan.count }, (_, k) => plan.hips[3 * k + 1]!);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.02);
  });

  it('R11: what is no number is a wrong use', () => {
    expect(() => moved({ spacing: { arms: Number.NaN } })).toThrow(UsageError);
  });
});
