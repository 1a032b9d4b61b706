import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  DEGREES,
  jointOf,
  modelAt,
  placeAt,
  quatAt,
  rotationTrack,
  sceneOf,
  times,
  tinyHuman,
  turn,
  turnVector,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import type { LookRule } from '../options/limb-rules.js';
import { retarget } from '../retarget.js';
import { createRetargeter } from '../retargeter.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import { modelPoseOf, type Pose } from '../scene/pose.js';
import { setUpScenes } from '../setup/set-up-scenes.js';

const source = tinyHuman({ name: 'source' });
const target = tinyHuman({ name: 'target', axes: createRandom(7) });
const head = jointOf(target, 'head');
const MOMENTS = Array.from({ length: 91 }, (_, k) => k / 30);

/** A body whose hips turn to and fro by so many degrees within three seconds. */
function swaying(most: number): Clip {
  const hips = jointOf(source, 'hips');
  const rest = quatAt(source.rest.rotations, hips);
  return clipOf([
    rotationTrack(
      hips,
      MOMENTS,
      MOMENTS.map((time) =>
        times(turn([0, 1, 0], most * DEGREES * Math.sin((2 * Math.PI * time) / 3)), rest),
      ),
    ),
  ]);
}

/** Where the head looks, in model space: what was ahead at rest. */
function gaze(pose: Pose): { from: Vec3; to: Vec3 } {
  const rest = quatAt(modelPoseOf(target, target.rest).rotations, head);
  const model = modelPoseOf(target, pose);
  const ahead = turnVector([-rest[0], -rest[1], -rest[2], rest[3]], [0, 0, 1]);
  return { from: placeAt(model, head), to: turnVector(quatAt(model.rotations, head), ahead) };
}

/** Degrees between where the head looks and a point. */
function miss(pose: Pose, point: Readonly<Vec3>): number {
  const { from, to } = gaze(pose);
  const way = point.map((value, c) => value - from[c]!);
  const cosine = (way[0]! * to[0] + way[1]! * to[1] + way[2]! * to[2]) / Math.hypot(...way);
  return Math.acos(Math.min(1, cosine)) / DEGREES;
}

const POINT: Vec3 = [1, 1.9, 2];
const look = (clip: Clip, lookAt: LookRule) =>
  retarget(sceneOf(source, [clip]), sceneOf(target), { lookAt, frameRate: 60 }).clips[0]!;

describe('lookAtPoint', () => {
  it('W21: the head looks at a point, however the body turns', () => {
    const clip = swaying(20);
    const plain = retarget(sceneOf(source, [clip]), sceneOf(target)).clips[0]!;
    const looking = look(clip, { point: POINT, speed: 1 });
    const smooth = look(clip, { point: POINT });
    for (const time of [0, 0.7, 1.5, 2.4]) {
      expect(miss(poseAt(target, plain, time), POINT)).toBeGreaterThan(5);
      expect(miss(poseAt(target, looking, time), POINT)).toBeLessThan(0.1);
      // Smoothing lags behind nothing, and misses little.
      expect(miss(poseAt(target, smooth, time), POINT)).toBeLessThan(4);
    }
  });

  it('W21: it turns 60° aside and 30° up at most, or as told', () => {
    const still = swaying(0);
    const angles = (lookAt: LookRule) => {
      const { to } = gaze(poseAt(target, look(still, lookAt), 1));
      return [Math.atan2(to[0], to[2]) / DEGREES, Math.asin(to[1]) / DEGREES];
    };
    const [aside, up] = angles({ point: [5, 40, -1] });
    expect(aside).toBeCloseTo(60, 3);
    expect(up).toBeCloseTo(30, 3);
    expect(angles({ point: [-5, 1.53, -1], headDegrees: [20, 10] })[0]).toBeCloseTo(-20, 2);
  });

  it('W21: what passes behind is looked after without a jump', () => {
    // The body turns 170° to either side of a point ahead: the look goes from one shoulder to the other.
    const clip = swaying(170);
    const quickest = (of: Clip) => {
      let most = 0;
      for (let k = 1; k <= 180; k++) {
        const [a, b] = [k - 1, k].map((j) => {
          const pose = poseAt(target, of, j / 60);
          return quatAt(pose.rotations, head);
        });
        const dot = a!.reduce((sum, value, c) => sum + value * b![c]!, 0);
        most = Math.max(most, (2 * Math.acos(Math.min(1, Math.abs(dot)))) / DEGREES);
      }
      return most;
    };
    expect(quickest(look(clip, { point: [0, 1.6, -3], speed: 1 }))).toBeGreaterThan(60);
    expect(quickest(look(clip, { point: [0, 1.6, -3] }))).toBeLessThan(12);
    // As slow as can be said is not at all, and no error.
    for (const speed of [0, 1e-20, 1e-9])
      expect(quickest(look(clip, { point: [0, 1.6, -3], speed }))).toBeLessThan(2);
  });

  it('W21: live it goes a tenth of the way in a sixtieth of a second, and follows a point that moves', () => {
    const clip = swaying(0);
    const point: Vec3 = [0, 1.55, 3];
    const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), { lookAt: { point } });
    const live = createRetargeter(setup);
    const yaw = () => {
      const { to } = gaze(live.update(poseAt(source, clip, 0), 1 / 60));
      return Math.atan2(to[0], to[2]) / DEGREES;
    };
    expect(yaw()).toBeCloseTo(0, 6);
    point[0] = 3;
    const first = yaw();
    expect(first).toBeGreaterThan(4);
    expect(first).toBeLessThan(5);
    for (let k = 0; k < 100; k++) yaw();
    expect(miss(live.pose, point)).toBeLessThan(0.1);
    point[0] = -3;
    live.reset();
    expect(yaw()).toBeLessThan(-40);
  });

  it('looks at its own hand; half a weight looks half the way, frame after frame', () => {
    const clip = swaying(5);
    const hand = look(clip, { joint: 'leftHand', speed: 1 });
    const pose = poseAt(target, hand, 1);
    const { from, to } = gaze(pose);
    const place = placeAt(modelAt(target, hand, 1), jointOf(target, 'leftHand'));
    expect(Math.sign(to[0])).toBe(Math.sign(place[0] - from[0]));
    const yaw = (weight: number, time: number) => {
      const { to: ahead } = gaze(
        poseAt(target, look(swaying(0), { point: [3, 1.55, 3], weight, speed: 1 }), time),
      );
      return Math.atan2(ahead[0], ahead[2]) / DEGREES;
    };
    expect(yaw(0.5, 2)).toBeCloseTo(yaw(1, 2) / 2, 1);
    expect(yaw(0.5, 2)).toBeCloseTo(yaw(0.5, 0), 3);
  });

  it('R11: a look at nothing is a wrong use; a point that is no number looks ahead', () => {
    const clip = swaying(0);
    expect(() => look(clip, {})).toThrow(UsageError);
    expect(() => look(clip, { joint: 'tail' })).toThrow('lookAt.joint is "tail"');
    expect(() => look(clip, { point: POINT, weight: 2 })).toThrow(UsageError);
    const nowhere = look(clip, { point: [Number.NaN, 0, 0] });
    expect(miss(poseAt(target, nowhere, 1), [0, 1.53, 9])).toBeLessThan(0.5);
  });
});
