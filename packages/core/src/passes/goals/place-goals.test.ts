import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  clipOf,
  distance,
  jointOf,
  modelAt,
  placeAt,
  quatAt,
  rotationTrack,
  sceneOf,
  tinyHuman,
  translationTrack,
  turn,
} from '../../../test/tiny-rigs.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Role } from '../../body/roles.js';
import type { LimbScalings } from '../../options/limb-rules.js';
import { retarget } from '../../retarget.js';
import type { Clip } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { PASS_NAMES } from '../pipeline.js';

const source = tinyHuman({ name: 'source' });
const target = tinyHuman({ name: 'target', arms: 0.8, legs: 0.6 });

/** Both arms reach ahead, each in its own way. */
function reaching(skeleton: Skeleton): Clip {
  const hips = jointOf(skeleton, 'hips');
  const at = [0, 1, 2].map((c) => skeleton.rest.translations[3 * hips + c]!) as Vec3;
  return clipOf([
    rotationTrack(jointOf(skeleton, 'leftUpperArm'), [0, 1], [turn([0, 1, 0], -0.4), turn([0, 1, 0], -1)]),
    rotationTrack(jointOf(skeleton, 'rightUpperArm'), [0, 1], [turn([0, 1, 0], 0.5), turn([0, 1, 0], 0.9)]),
    rotationTrack(jointOf(skeleton, 'rightLowerArm'), [0, 1], [turn([0, 1, 0], 0.3), turn([0, 1, 0], 0.7)]),
    translationTrack(hips, [0, 1], [at, at]),
  ]);
}

const clip = reaching(source);
const moved = (limbScalings: LimbScalings, onto: Skeleton = target) =>
  retarget(sceneOf(source, [clip]), sceneOf(onto), {
    corrections: 'auto',
    limbScalings,
    // The clips here turn arms alone; what is looked at is a body that stands.
    wholeBody: true,
    measure: false,
    frameRate: 60,
  }).clips[0]!;
const at = (skeleton: Skeleton, of: Clip, time: number, role: Role) =>
  placeAt(modelAt(skeleton, of, time), jointOf(skeleton, role));
const arm = (skeleton: Skeleton, of: Clip, time: number, side: 'left' | 'right'): Vec3 => {
  const [a, b] = [at(skeleton, of, time, `${side}UpperArm`), at(skeleton, of, time, `${side}Hand`)];
  return [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
};
const turnAt = (of: Clip, role: Role, onto: Skeleton = target) =>
  quatAt(poseAt(onto, of, 0.5).rotations, jointOf(onto, role));

describe('placeGoals', () => {
  it('K24: poses are imitated, then goals are scaled, then limbs are solved', () => {
    const order = ['copyRotations', 'moveRoot', 'placeGoals', 'settleHips', 'solveLimbs'] as const;
    expect(PASS_NAMES.filter((name) => order.includes(name as (typeof order)[number]))).toEqual(order);
    // Without imitation the arm is solved all the same, from its rest (K21).
    const solved = retarget(sceneOf(source, [clip]), sceneOf(target), {
      corrections: 'auto',
      imitation: 'keep',
      limbScalings: { leftArm: { limbScale: 1 } },
      measure: false,
      frameRate: 60,
    }).clips[0]!;
    const wanted = arm(source, clip, 0.5, 'left').map((value) => (value * 0.8) / 0.55) as Vec3;
    expect(distance(arm(target, solved, 0.5, 'left'), wanted)).toBeLessThan(0.02);
  });

  it('K24: characters may stand side by side: what is solved is the same', () => {
    const [here, there] = [0, 3].map((x) => {
      const skeleton = tinyHuman({ name: 'aside', arms: 0.8, legs: 0.6, root: true });
      skeleton.rest.translations[3 * skeleton.names.indexOf('root')] = x;
      return { skeleton, result: moved({ leftArm: { limbScale: 0.5 } }, skeleton) };
    });
    for (const role of ['leftUpperArm', 'leftLowerArm', 'rightUpperLeg'] as const) {
      const [a, b] = [here!, there!].map(({ skeleton, result }) => turnAt(result, role, skeleton));
      expect(angleBetween(a!, b!)).toBeLessThan(1e-3);
    }
  });

  it('KP11: the root of algorithm 4’s last line is the interpolated one; the printed line is out of reach', () => {
    for (const rootScale of [0.5, 1]) {
      const result = moved({ leftArm: { limbScale: 0.2, rootScale } });
      const [rootS, endS] = [at(source, clip, 0.5, 'leftUpperArm'), at(source, clip, 0.5, 'leftHand')];
      const rootT = at(target, result, 0.5, 'leftUpperArm');
      const scale = 1 + 0.2 * (0.8 / 0.55 - 1);
      const goal = (root: Vec3) => root.map((value, c) => value + (endS[c]! - rootS[c]!) * scale) as Vec3;
      const corrected = goal(rootS.map((value, c) => value + rootScale * (rootT[c]! - value)) as Vec3);
      expect(distance(at(target, result, 0.5, 'leftHand'), corrected)).toBeLessThan(5e-3);
      // As printed, `pos` can only be the position of the target that is being computed.
      const printed = goal(at(target, moved({}), 0.5, 'leftHand'));
      expect(distance(printed, rootT)).toBeGreaterThan(0.8);
    }
  });

  it('KP5, R7: an arm that has no partner shifts no scaling to another limb', () => {
    const maimed = tinyHuman({ name: 'maimed', arms: 0.8, legs: 0.6 });
    for (const role of ['leftUpperArm', 'leftLowerArm', 'leftHand'] as const) {
      maimed.names[maimed.metadataRoles![role]!] = `thing ${role.length}`;
      delete maimed.metadataRoles![role];
    }
    const scalings: LimbScalings = { leftArm: { limbScale: 1, rootScale: 0 }, rightArm: { limbScale: 1 } };
    const [whole, without] = [moved(scalings), moved(scalings, maimed)];
    for (const role of ['rightUpperArm', 'rightLowerArm', 'leftUpperLeg', 'rightUpperLeg'] as const)
      expect(angleBetween(turnAt(without, role, maimed), turnAt(whole, role))).toBeLessThan(1e-6);
    // What is told of the arm that is not there is told of no other.
    const [alone, plain] = [moved({ leftArm: { limbScale: 1, rootScale: 0 } }, maimed), moved({}, maimed)];
    for (const role of ['rightUpperArm', 'rightLowerArm'] as const)
      expect(angleBetween(turnAt(alone, role, maimed), turnAt(plain, role, maimed))).toBeLessThan(1e-6);
  });

  it('P2, P3: importance blends between joint angles and the place of the hand', () => {
    const weights = [0, 0.25, 0.5, 1].map((weight) =>
      at(target, moved({ leftArm: { limbScale: 0, weight } }), 0.5, 'leftHand'),
    );
    const [copied, quarter, half, whole] = weights as [Vec3, Vec3, Vec3, Vec3];
    expect(distance(copied, whole)).toBeGreaterThan(0.1);
    for (const [place, share] of [
      [quarter, 0.25],
      [half, 0.5],
    ] as const)
      place.forEach((value, c) => {
        expect(value).toBeCloseTo(copied[c]! + share * (whole[c]! - copied[c]!), 2);
      });
  });
});
