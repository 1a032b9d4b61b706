import { describe, expect, it } from 'vitest';
import { jointOf, tinyHuman } from '../../test/tiny-rigs.js';
import type { Role } from '../body/roles.js';
import { createRig } from '../body/understand/create-rig.js';
import { modelPoseOf } from '../scene/pose.js';
import { bodyPoints, hipHeightOf, solePoints } from './body-points.js';
import { offFloor } from './off-floor.js';
import { offsetsOf, placePoints } from './track-points.js';

/** A human's points where skin hangs on some joints, as points of them in hip heights, and where some joints are none. */
function pointsOf({
  skin = {},
  without = [],
}: {
  skin?: Partial<Record<Role, number[]>>;
  without?: string[];
} = {}) {
  const skeleton = tinyHuman();
  const rig = createRig(skeleton);
  const unit = hipHeightOf(rig);
  const own = rig.skeleton;
  // A finger that is as far away as a sword is none.
  if (without.includes('Middle'))
    for (let c = 0; c < 3; c++)
      rig.reference.pose.translations[3 * jointOf(own, 'leftMiddleProximal') + c]! *= 10;
  const { matrices } = modelPoseOf(own, rig.reference.pose);
  own.hulls = own.names.map(() => null);
  for (const [name, ahead] of Object.entries(skin)) {
    const joint = jointOf(own, name as Role);
    // Joints of this human have the axes of the body.
    const scale =
      unit / Math.hypot(matrices[16 * joint]!, matrices[16 * joint + 1]!, matrices[16 * joint + 2]!);
    own.hulls[joint] = Float32Array.from(ahead.flatMap((z) => [0, 0, scale * z]));
  }
  const joints = Object.fromEntries(
    Object.entries(rig.joints).filter(([role]) => !without.some((part) => role.includes(part))),
  ) as typeof rig.joints;
  const points = Object.keys(skin).some((name) => name.endsWith('Foot'))
    ? solePoints(rig, joints)
    : bodyPoints(rig, joints);
  const places = new Float64Array(3 * points.length);
  placePoints(places, 0, points, offsetsOf(points), modelPoseOf(own, rig.reference.pose));
  return {
    standing: Object.fromEntries(points.map(({ name, standing }) => [name, standing])),
    /** How far a point is from a joint, in hip heights. */
    away(name: string, joint: Role): number {
      const n = points.findIndex((point) => point.name === name);
      const j = 16 * jointOf(own, joint) + 12;
      return Math.hypot(...[0, 1, 2].map((c) => places[3 * n + c]! - matrices[j + c]!)) / unit;
    },
    /** How far a point is ahead of a joint, in hip heights. */
    ahead(name: string, joint: Role): number {
      const n = points.findIndex((point) => point.name === name);
      return (places[3 * n + 2]! - matrices[16 * jointOf(own, joint) + 14]!) / unit;
    },
  };
}

describe('where a body touches, without skin', () => {
  it('toes are 15 % ahead of the ankle, and knuckles 9 % beyond the wrist', () => {
    const points = pointsOf({ without: ['Toes', 'Middle'] });
    expect(points.ahead('leftToe', 'leftFoot')).toBeCloseTo(0.15, 3);
    expect(points.away('leftHand', 'leftHand')).toBeCloseTo(0.09, 3);
  });

  it('every part is as thick as an adult’s', () => {
    const { standing } = pointsOf();
    const usual = { leftHand: 0.03, leftElbow: 0.05, leftKnee: 0.06, hips: 0.12, back: 0.13, head: 0.1 };
    for (const [name, thickness] of Object.entries(usual)) expect(standing[name], name).toBe(thickness);
  });
});

describe('where a body touches, by its skin', () => {
  it('the ball is at 0.7 of the foot, which is none below 5 %, and at 40 % at most', () => {
    const ball = (tip: number) =>
      pointsOf({ skin: { leftFoot: [0, tip] }, without: ['Toes'] }).ahead('leftToe', 'leftFoot');
    expect(ball(0.3)).toBeCloseTo(0.21, 3);
    expect(ball(0.055)).toBeCloseTo(0.7 * 0.055, 3);
    expect(ball(0.045)).toBeCloseTo(0.15, 3);
    expect(ball(0.6)).toBeCloseTo(0.4, 3);
  });

  it('a part is as thick as its skin, between 0.3 and 3 times what is usual', () => {
    const head = (thickness: number) =>
      pointsOf({ skin: { head: [-thickness, thickness, 0, 0] } }).standing.head;
    for (const share of [0.35, 2, 2.8]) expect(head(share * 0.1)).toBeCloseTo(share * 0.1, 4);
    for (const share of [0.25, 3.2]) expect(head(share * 0.1)).toBe(0.1);
  });
});

describe('offFloor', () => {
  it('is the floor within 6 %, and whole from twice that on', () => {
    expect([offFloor(0.055), offFloor(-0.055)]).toEqual([0, 0]);
    expect(offFloor(0.065)).toBeCloseTo(0.01, 9);
    expect(offFloor(-0.13)).toBe(-0.13);
  });
});
