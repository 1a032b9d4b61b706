import { describe, expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../test/plainly.js';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  jointOf,
  modelAt,
  quatAt,
  rotationTrack,
  sceneOf,
  times,
  tinyHuman,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import { createArmature } from '../body/chains/create-armature.js';
import type { Role } from '../body/roles.js';
import { createRetargeter } from '../retargeter.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import type { Skeleton } from '../scene/skeleton.js';
import { LEG_JOINT_LIMITS, limitsOfArmature, resolveLimits } from './limit-joints.js';

/** A clip that turns one joint about an axis of the model, from one angle to another within a second. */
function swing(skeleton: Skeleton, role: Role, axis: Vec3, from: number, to: number): Clip {
  const joint = jointOf(skeleton, role);
  const moments = Array.from({ length: 31 }, (_, k) => k / 30);
  const rest = quatAt(skeleton.rest.rotations, joint);
  return clipOf([
    rotationTrack(
      joint,
      moments,
      moments.map((u) => times(turn(axis, (from + u * (to - from)) * DEGREES), rest)),
    ),
  ]);
}

/** How far a joint has turned, in model space, against its parent from where both rest, in degrees about an axis. */
function turnOf(skeleton: Skeleton, clip: Clip, time: number, role: Role) {
  const [joint, parent] = [jointOf(skeleton, role), skeleton.parents[jointOf(skeleton, role)]!];
  const now = modelAt(skeleton, clip, time).rotations;
  const rest = modelAt(skeleton, clipOf([]), 0).rotations;
  const part = (rotations: Float64Array, i: number) => quatAt(rotations, i);
  const inverse = ([x, y, z, w]: readonly number[]): [number, number, number, number] => [-x!, -y!, -z!, w!];
  const own = times(part(now, joint), inverse(part(rest, joint)));
  const above = times(part(now, parent), inverse(part(rest, parent)));
  return times(inverse(above), own);
}

const source = tinyHuman({ name: 'source' });
const target = tinyHuman({ name: 'target', axes: createRandom(3) });

describe('limitJoints', () => {
  it('W23: a knee bends to 144° and not forward, whatever axes the joints have', () => {
    const clip = swing(source, 'leftLowerLeg', [1, 0, 0], -40, 170);
    const plain = retargetPlainly(sceneOf(source, [clip]), sceneOf(target), { keys: 'bake' }).clips[0]!;
    const { clips, report } = retargetPlainly(sceneOf(source, [clip]), sceneOf(target), {
      limits: LEG_JOINT_LIMITS,
    });
    expect(report.clips[0]).toMatchObject({ way: 'frames', reason: expect.stringContaining('limits') });
    for (const [time, unlimited, limited] of [
      [0, -40, 0],
      [0.5, 65, 65],
      [1, 170, 144],
    ] as const) {
      const about = (angle: number) => turn([1, 0, 0], angle * DEGREES);
      expect(angleBetween(turnOf(target, plain, time, 'leftLowerLeg'), about(unlimited))).toBeLessThan(1e-4);
      expect(angleBetween(turnOf(target, clips[0]!, time, 'leftLowerLeg'), about(limited))).toBeLessThan(
        1e-4,
      );
    }
  });

  it('W23: a thigh goes 108° forward and 18° back; live gives what a bake gives', () => {
    const clip = swing(source, 'rightUpperLeg', [1, 0, 0], -150, 60);
    const options = { limits: LEG_JOINT_LIMITS };
    const baked = retargetPlainly(sceneOf(source, [clip]), sceneOf(target), options).clips[0]!;
    const { setup } = setUpScenesPlainly(sceneOf(source, [clip]), sceneOf(target), options);
    const live = createRetargeter(setup);
    for (const [time, angle] of [
      [0, -108],
      [1, 18],
    ] as const) {
      const now = turnOf(target, baked, time, 'rightUpperLeg');
      expect(angleBetween(now, turn([1, 0, 0], angle * DEGREES))).toBeLessThan(1e-4);
      const pose = live.update(poseAt(source, clip, time));
      const joint = jointOf(target, 'rightUpperLeg');
      expect(
        angleBetween(quatAt(pose.rotations, joint), quatAt(poseAt(target, baked, time).rotations, joint)),
      ).toBeLessThan(1e-5);
    }
  });

  it('what is inside stays to the last bit, and without limits nothing is asked of the pass', () => {
    const clip = swing(source, 'leftLowerLeg', [1, 0, 0], 5, 100);
    const [plain, limited] = [{}, { limits: LEG_JOINT_LIMITS }].map(
      (options) =>
        retargetPlainly(sceneOf(source, [clip]), sceneOf(target), { frameRate: 30, ...options }).clips[0]!,
    );
    const track = (of: Clip) =>
      of.tracks.find(({ joint }) => joint === jointOf(target, 'leftLowerLeg'))!.values;
    expect(track(limited!)).toEqual(track(plain!));
  });

  it('measures count the instants at which given limits are broken', () => {
    const clip = swing(source, 'leftLowerLeg', [1, 0, 0], -40, 170);
    const options = { limits: LEG_JOINT_LIMITS, passes: ['copyRotations', 'moveRoot'] as const };
    const broken = retargetPlainly(sceneOf(source, [clip]), sceneOf(target), options).report.measures[0]!;
    // From −40° to 0 and from 144° to 170°: 66 of 210 degrees.
    expect(broken.motion.limits!.asked!.violations / broken.motion.limits!.frames).toBeCloseTo(66 / 210, 1);
    expect(broken.motion.limits!.asked!.worst).toBeCloseTo(40, 0);
    expect(broken.motion.limits!.asked!.joint).toBe('leftLowerLeg');
    const kept = retargetPlainly(sceneOf(source, [clip]), sceneOf(target), { limits: LEG_JOINT_LIMITS });
    expect(kept.report.measures[0]!.motion.limits!.asked!.violations).toBe(0);
  });

  it('limits go by the names of joints too, as armatures have them', () => {
    const armature = createArmature(target);
    const knee = jointOf(target, 'leftLowerLeg');
    armature.limits[knee] = LEG_JOINT_LIMITS.leftLowerLeg!;
    expect(Object.keys(limitsOfArmature(armature.limits, target))).toEqual(['leftLowerLeg']);
  });

  it('R11: a joint that is not there is a wrong use, a body part that is not there is not', () => {
    const rig = setUpScenesPlainly(sceneOf(source, [clipOf([])]), sceneOf(target), {}).setup.target;
    const hinge = LEG_JOINT_LIMITS.leftLowerLeg!;
    expect(() => resolveLimits(rig, { tail7: hinge })).toThrow(UsageError);
    expect(resolveLimits(rig, { jaw: hinge })).toEqual([]);
    expect(() => resolveLimits(rig, { jaw: null as unknown as typeof hinge })).toThrow('limits.jaw');
    expect(() => resolveLimits(rig, { jaw: { type: 'ball' } as unknown as typeof hinge })).toThrow(
      'swingTwist',
    );
    expect(() =>
      resolveLimits(rig, { leftLowerLeg: { ...hinge, angleDegrees: [10, Number.NaN] } as typeof hinge }),
    ).toThrow('limits.leftLowerLeg.angleDegrees');
    expect(() =>
      resolveLimits(rig, { leftLowerLeg: { type: 'hinge', axis: [1, 0, 0] } as unknown as typeof hinge }),
    ).toThrow('limits.leftLowerLeg.axis must be one of x, y, z');
  });
});
