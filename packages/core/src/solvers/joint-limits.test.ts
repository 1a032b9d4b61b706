import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../test/random-chains.js';
import { UsageError } from '../base/errors.js';
import { quaternionAngle, quaternionFromAxisAngle } from '../base/math/quaternion.js';
import type { JointLimit } from './joint-limits.js';
import { compileLimit, LEG_LIMITS, mirrorLimit, projectLimit } from './joint-limits.js';

const IDENTITY = Float64Array.of(0, 0, 0, 1);
const degrees = (angle: number) => (angle * Math.PI) / 180;

function about(axis: 'x' | 'y' | 'z', angleDegrees: number): Float64Array {
  const out = new Float64Array(4);
  const unit = Float64Array.of(axis === 'x' ? 1 : 0, axis === 'y' ? 1 : 0, axis === 'z' ? 1 : 0);
  quaternionFromAxisAngle(out, 0, unit, 0, degrees(angleDegrees));
  return out;
}

function limited(q: Float64Array, limit: JointLimit, rest: Float64Array = IDENTITY): Float64Array {
  const out = q.slice();
  projectLimit(out, 0, rest, 0, compileLimit(limit));
  return out;
}

const LIMITS: JointLimit[] = [
  LEG_LIMITS.upperLeg,
  LEG_LIMITS.lowerLeg,
  { type: 'hinge', axis: 'z', forward: 'x', angleDegrees: [10, 20] },
  {
    type: 'swingTwist',
    twistAxis: 'x',
    twistDegrees: [-90, 10],
    swingDegrees: { y: [-30, 60], z: [-5, 90] },
  },
  { type: 'swingTwist', twistAxis: 'z', twistDegrees: [0, 0], swingDegrees: { x: [-170, 170] } },
  {
    type: 'swingTwist',
    twistAxis: 'y',
    twistDegrees: [20, 40],
    swingDegrees: { x: [10, 30], z: [-40, -20] },
  },
];

describe('projectLimit', () => {
  it('K33, R11: whatever is put in comes out inside, in one go, and never as NaN', () => {
    const random = seededRandom(5);
    const edges = [
      IDENTITY,
      Float64Array.of(1, 0, 0, 0),
      Float64Array.of(0, 1, 0, 0),
      Float64Array.of(0, 0, 1, 0),
    ];
    edges.push(Float64Array.of(0, 0, 0, -1), Float64Array.of(Math.SQRT1_2, Math.SQRT1_2, 0, 0));
    for (const limit of LIMITS) {
      const compiled = compileLimit(limit);
      for (let k = 0; k < 500; k++) {
        const q = edges[k]?.slice() ?? Float64Array.from(randomRotation(random));
        const rest = k % 2 === 0 ? IDENTITY : Float64Array.from(randomRotation(random));
        projectLimit(q, 0, rest, 0, compiled);
        expect(Math.hypot(...q)).toBeCloseTo(1, 9);
        expect(projectLimit(q, 0, rest, 0, compiled)).toBeLessThan(1e-5);
      }
    }
  });

  it('leaves alone what is inside, counted from rest', () => {
    const rest = about('y', 70);
    const inside = about('y', 70);
    expect(quaternionAngle(limited(inside, LEG_LIMITS.lowerLeg, rest), 0, inside, 0)).toBeLessThan(1e-9);
    const knee = about('x', 143);
    expect(limited(knee, LEG_LIMITS.lowerLeg)).toEqual(knee);
  });

  it('W23: a knee does not bend forward nor a thigh further than 108° up and 18° back', () => {
    const { upperLeg, lowerLeg } = LEG_LIMITS;
    expect(quaternionAngle(limited(about('x', -30), lowerLeg), 0, IDENTITY, 0)).toBeLessThan(1e-9);
    expect(quaternionAngle(limited(about('x', 160), lowerLeg), 0, about('x', 144), 0)).toBeLessThan(1e-9);
    expect(quaternionAngle(limited(about('z', 40), lowerLeg), 0, IDENTITY, 0)).toBeLessThan(1e-9);
    expect(quaternionAngle(limited(about('x', -150), upperLeg), 0, about('x', -108), 0)).toBeLessThan(1e-6);
    expect(quaternionAngle(limited(about('x', 90), upperLeg), 0, about('x', 18), 0)).toBeLessThan(1e-6);
    expect(quaternionAngle(limited(about('z', 90), upperLeg), 0, about('z', 18), 0)).toBeLessThan(1e-6);
    expect(quaternionAngle(limited(about('y', -90), upperLeg), 0, about('y', -18), 0)).toBeLessThan(1e-6);
    expect(quaternionAngle(limited(about('x', -30), mirrorLimit(lowerLeg)), 0, about('x', -30), 0)).toBe(0);
  });

  it('K33: goes to the closest point of the swing ellipse', () => {
    const limit: JointLimit = {
      type: 'swingTwist',
      twistAxis: 'y',
      twistDegrees: [0, 0],
      swingDegrees: { z: [-40, 40], x: [-20, 20] },
    };
    const q = limited(Float64Array.from([0.5, 0, 0.6, Math.sqrt(1 - 0.61)]), limit);
    const angle = 2 * Math.acos(q[3]!);
    const sine = Math.hypot(q[0]!, q[2]!);
    const on = [(angle * q[2]!) / sine / degrees(40), (angle * q[0]!) / sine / degrees(20)];
    expect(on[0]! ** 2 + on[1]! ** 2).toBeCloseTo(1, 6);
    // What is left is square to the ellipse there: along its gradient.
    const full = 2 * Math.acos(Math.sqrt(1 - 0.61));
    const from = [(full * 0.6) / Math.sqrt(0.61), (full * 0.5) / Math.sqrt(0.61)];
    const left = [from[0]! - on[0]! * degrees(40), from[1]! - on[1]! * degrees(20)];
    const gradient = [on[0]! / degrees(40), on[1]! / degrees(20)];
    expect(left[0]! * gradient[1]! - left[1]! * gradient[0]!).toBeCloseTo(0, 5);
  });

  it('a range that is none is a wrong use', () => {
    expect(() => compileLimit({ type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [10, -10] })).toThrow(
      UsageError,
    );
    expect(() =>
      compileLimit({ type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [Number.NaN, 1] }),
    ).toThrow('no range');
  });
});
