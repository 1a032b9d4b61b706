import { describe, expect, it } from 'vitest';
import { type Figure, stickFigure } from '../../test/stick-figure.js';
import type { Vec3 } from '../base/math/vector.js';
import { createSkeleton } from '../scene/skeleton.js';
import {
  type BodyPose,
  bodyExtent,
  bodyPoseOf,
  bodySize,
  facingOf,
  isHumanoid,
  judgeStance,
  lateralVector,
  legsVector,
  limbBend,
  neckChain,
  toesDirection,
  torsoChain,
  torsoVector,
} from './body.js';
import type { Role } from './roles.js';
import { guessRoles } from './shape/guess-roles.js';

const UP: Vec3 = [0, 1, 0];
const degrees = (angle: number) => (angle * 180) / Math.PI;

function bodyOf(figure: Figure = {}) {
  const { skeleton, jointOf } = stickFigure(figure);
  const joints: Partial<Record<Role, number>> = {};
  guessRoles(skeleton).guesses.forEach(({ role }, joint) => {
    if (role) joints[role] = joint;
  });
  return { skeleton, jointOf, joints, body: bodyPoseOf(skeleton, skeleton.rest, joints) };
}

describe('a body of nothing', () => {
  const { skeleton } = createSkeleton('empty', []);
  const body = bodyPoseOf(skeleton, skeleton.rest, {});
  it('has no direction, no size and no stance, and breaks nothing', () => {
    for (const of of [torsoVector, legsVector, lateralVector]) expect(of(body)).toBeNull();
    expect(bodySize(body)).toBe(0);
    expect(bodyExtent(skeleton, body, UP)).toEqual({ low: 0, high: 0 });
    expect(judgeStance(body, UP)).toMatchObject({ upright: false, asymmetry: 0, armSlope: null });
    expect(facingOf(body, UP)).toBeNull();
    expect(toesDirection(body, UP)).toBeNull();
    expect(torsoChain(skeleton, {})).toEqual([]);
    expect(neckChain(skeleton, {})).toEqual([]);
  });
});

describe('broken and degenerate bodies', () => {
  it('a NaN among the joints does not hide the extent of the others', () => {
    const { skeleton, body } = bodyOf();
    body.positions[0] = [Number.NaN, Number.NaN, Number.NaN];
    const { low, high } = bodyExtent(skeleton, body, UP);
    expect(high - low).toBeGreaterThan(1);
  });

  it('a camera that stands beside the body is not part of its extent, a body without hips is all there is', () => {
    const { skeleton, joints, body } = bodyOf();
    const alone = bodyExtent(skeleton, body, UP);
    const parents = Int32Array.of(...skeleton.parents, -1, skeleton.names.length);
    const positions: BodyPose['positions'] = [...body.positions, [0, 30, 0], [0, -5, 0]];
    expect(bodyExtent({ parents }, { positions, joints }, UP)).toEqual(alone);
    expect(bodyExtent({ parents }, { positions, joints: {} }, UP)).toEqual({ low: -5, high: 30 });
  });

  it('bones of no length have no bend and no facing', () => {
    const { body } = bodyOf();
    body.positions = body.positions.map(() => [1, 2, 3]);
    expect(limbBend(body, 'leftUpperArm', 'leftLowerArm', 'leftHand')).toBeNull();
    expect(facingOf(body, UP)).toBeNull();
    expect(Number.isNaN(judgeStance(body, UP).asymmetry)).toBe(false);
  });
});

describe('directions', () => {
  it.each([0, 90, 180, 37])('faces where left and right say, turned by %s degrees', (facing) => {
    const { body } = bodyOf({ facing });
    const angle = (facing * Math.PI) / 180;
    const found = facingOf(body, UP)!;
    expect(found[0]).toBeCloseTo(Math.sin(angle), 9);
    expect(found[2]).toBeCloseTo(Math.cos(angle), 9);
    expect(toesDirection(body, UP)![2]).toBeCloseTo(Math.cos(angle), 9);
  });

  it('legs only: faces, but has no torso', () => {
    const { body } = bodyOf({ without: ['spine'] });
    expect(torsoVector(body)).toBeNull();
    expect(legsVector(body)![1]).toBeGreaterThan(0.8);
    expect(facingOf(body, UP)![2]).toBeCloseTo(1, 9);
    expect(judgeStance(body, UP).upright).toBe(true);
  });

  it('upper body only: has a torso and faces', () => {
    const { body } = bodyOf({ without: ['leftUpperLeg', 'rightUpperLeg'] });
    expect(legsVector(body)).toBeNull();
    expect(torsoVector(body)![1]).toBeGreaterThan(0.3);
    expect(facingOf(body, UP)![2]).toBeCloseTo(1, 9);
  });
});

describe('judgeStance', () => {
  it.each([
    ['T', 0],
    ['A', 45],
    ['down', 85],
  ] as const)('arms %s slope by %s degrees', (arms, slope) => {
    const { body } = bodyOf({ arms });
    const stance = judgeStance(body, UP);
    expect(degrees(stance.armSlope!)).toBeCloseTo(slope, 6);
    expect(degrees(stance.armRaise)).toBeCloseTo(-slope, 6);
    expect(stance).toMatchObject({ upright: true });
    expect(stance.asymmetry).toBeLessThan(1e-9);
  });

  it('measures bends of knees and elbows, and none in straight limbs', () => {
    expect(degrees(judgeStance(bodyOf({ kneeBend: 50 }).body, UP).bend)).toBeCloseTo(50, 6);
    expect(degrees(judgeStance(bodyOf({ elbowBend: 30 }).body, UP).bend)).toBeCloseTo(30, 6);
    expect(judgeStance(bodyOf().body, UP).bend).toBeLessThan(1e-9);
  });

  it('sees that a body lies, and that one arm is elsewhere', () => {
    expect(judgeStance(bodyOf({ up: '+Z' }).body, UP).upright).toBe(false);
    const { body, jointOf } = bodyOf();
    body.positions[jointOf('leftHand')] = [0.2, 2, 0];
    expect(judgeStance(body, UP).asymmetry).toBeGreaterThan(0.02);
  });
});

describe('chains', () => {
  it.each([1, 2, 3, 5])('a torso of %s joints, whatever their roles', (spine) => {
    const { skeleton, joints } = bodyOf({ spine, names: 'unreal' });
    expect(torsoChain(skeleton, joints).length).toBe(spine);
  });
  it.each([0, 1, 2])('a neck of %s joints', (neck) => {
    const { skeleton, joints, jointOf } = bodyOf({ neck, names: 'unreal' });
    expect(neckChain(skeleton, joints).length).toBe(neck);
    expect(neckChain(skeleton, joints)).not.toContain(jointOf('head'));
  });
  it('a head that does not hang on the hips has no chain', () => {
    const { skeleton } = createSkeleton('apart', [
      { name: 'Hips', parent: -1 },
      { name: 'Head', parent: -1 },
    ]);
    expect(neckChain(skeleton, { hips: 0, head: 1 })).toEqual([]);
  });
});

describe('isHumanoid', () => {
  it('W4: needs all fifteen', () => {
    expect(isHumanoid(bodyOf().joints)).toBe(true);
    expect(isHumanoid(bodyOf({ without: ['leftHand'] }).joints)).toBe(false);
  });
});
