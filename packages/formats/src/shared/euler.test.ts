import { multiplyQuaternions, quaternionAngle } from '@stuntdouble/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EULER_ORDERS, type EulerOrder, nearestEulerAngles } from './euler.js';

/** The product of turns, multiplied out the plain way. */
function quaternionOf(order: EulerOrder, angles: ArrayLike<number>): Float64Array {
  const q = Float64Array.of(0, 0, 0, 1);
  const turn = new Float64Array(4);
  for (let n = 0; n < 3; n++) {
    turn.fill(0);
    turn['XYZ'.indexOf(order[n]!)] = Math.sin(angles[n]! / 2);
    turn[3] = Math.cos(angles[n]! / 2);
    multiplyQuaternions(q, 0, q, 0, turn, 0);
  }
  return q;
}

const angle = fc.double({ min: -2 * Math.PI, max: 2 * Math.PI, noNaN: true });

describe.each(EULER_ORDERS)('nearestEulerAngles %s', (order) => {
  it('gives angles whose product is the rotation (S22)', () => {
    fc.assert(
      fc.property(angle, angle, angle, (a, b, c) => {
        const q = quaternionOf(order, [a, b, c]);
        const out = new Float64Array(3);
        nearestEulerAngles(out, 0, q, 0, order);
        expect(quaternionAngle(q, 0, quaternionOf(order, out), 0)).toBeLessThan(1e-5);
      }),
    );
  });

  it('is exact at gimbal lock and keeps the first angle there (R11)', () => {
    for (const middle of [Math.PI / 2, -Math.PI / 2]) {
      const q = quaternionOf(order, [0.4, middle, -1.1]);
      const out = Float64Array.of(0.7, middle, 0);
      nearestEulerAngles(out, 0, q, 0, order);
      expect(out[0]).toBeCloseTo(0.7, 6);
      expect(quaternionAngle(q, 0, quaternionOf(order, out), 0)).toBeLessThan(1e-5);
    }
  });

  it('follows a turn past full circles and past 90° without a jump', () => {
    const out = new Float64Array(3);
    for (let k = 0; k <= 400; k++) {
      const angles = [0.05 * k, 0.03 * k, -0.04 * k];
      nearestEulerAngles(out, 0, quaternionOf(order, angles), 0, order);
      // Passing through gimbal lock either branch is continuous; a jump would be π or more.
      expect(Math.abs(out[1]! - angles[1]!)).toBeLessThan(1e-6);
      expect(Math.abs(out[0]! - angles[0]!)).toBeLessThan(1e-6);
    }
  });

  it('does not care for the sign of the quaternion', () => {
    const q = quaternionOf(order, [0.3, -0.8, 2]);
    const out = new Float64Array(3);
    nearestEulerAngles(
      out,
      0,
      q.map((x) => -x),
      0,
      order,
    );
    expect(Array.from(out)).toEqual([0.3, -0.8, 2].map((x) => expect.closeTo(x, 9)));
  });
});
