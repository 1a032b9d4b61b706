import { describe, expect, it } from 'vitest';
import { quaternionFromAxisAngle, rotateVector } from '../../base/math/quaternion.js';
import { bendHand, createHandOverFloor } from './bend-hand.js';

/** A flat hand along +X, 10 cm wide and 2 cm thick, from the wrist to its tips 20 cm away; its palm looks down. */
const SKIN = Float64Array.from(
  [0, 0.2].flatMap((x) => [-0.01, 0.01].flatMap((y) => [-0.05, 0.05].flatMap((z) => [x, y, z]))),
);
/** A left hand bends back about what is ahead of it in a T-pose. */
const hand = { skin: SKIN, across: Float64Array.of(0, 0, 1) };

const turned = (axis: readonly number[], degrees: number): Float64Array => {
  const q = new Float64Array(4);
  quaternionFromAxisAngle(q, 0, Float64Array.from(axis), 0, (degrees * Math.PI) / 180);
  const columns = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (let i = 0; i < 9; i += 3) rotateVector(columns, i, q, 0, columns, i);
  return columns;
};

/** Bends a hand whose wrist is so high over the floor. */
function bend(axes: Float64Array, wrist: number) {
  const found = createHandOverFloor();
  found.room[0] = wrist;
  bendHand(found, hand, axes, 0, 3);
  return { degrees: (found.found[0]! * 180) / Math.PI, lowest: found.found[1]!, axis: [...found.axis] };
}

describe('hands that carry', () => {
  it('are left alone where no skin is in the floor', () => {
    expect(bend(turned([0, 0, 1], -20), 0.2).degrees).toBe(0);
    expect(bend(turned([0, 0, 1], 0), 0.011).degrees).toBe(0);
  });

  it('bend back about what is across them until their tips are on the floor, and no farther', () => {
    for (const [down, wrist] of [
      [30, 0.05],
      [60, 0.1],
      [89, 0.12],
    ] as const) {
      const { degrees, lowest, axis } = bend(turned([0, 0, 1], -down), wrist);
      expect(lowest).toBeGreaterThanOrEqual(-wrist);
      expect(lowest).toBeLessThan(-wrist + 0.004);
      expect(degrees).toBeGreaterThan(0);
      expect(degrees).toBeLessThan(down + 1);
      expect(axis[2]).toBeCloseTo(1, 9);
    }
  });

  it('do not bend by more than 80 degrees, nor where the skin of the wrist itself is too low', () => {
    expect(bend(turned([0, 0, 1], -89), 0.02).degrees).toBeLessThanOrEqual(80.001);
    const { degrees } = bend(turned([0, 0, 1], -5), 0.001);
    expect(degrees).toBeLessThan(15);
  });

  it('lie flat, however thick their palms are: no fingers point up', () => {
    const thick = { ...hand, skin: SKIN.map((value, i) => (i % 3 === 1 && value < 0 ? 6 * value : value)) };
    for (const down of [0, 20, 50]) {
      const found = createHandOverFloor();
      found.room[0] = 0.02;
      bendHand(found, thick, turned([0, 0, 1], -down), 0, 3);
      expect((found.found[0]! * 180) / Math.PI - down).toBeLessThan(20);
    }
  });

  it('whose back is down do not bend: that would press their tips into the floor', () => {
    const onBack = turned([1, 0, 0], 180);
    expect(bend(onBack, 0.005).degrees).toBe(0);
  });

  it('of no known axis do not bend', () => {
    const found = createHandOverFloor();
    found.room[0] = 0.05;
    bendHand(found, { ...hand, across: new Float64Array(3) }, turned([0, 0, 1], -60), 0, 3);
    expect(found.found[0]).toBe(0);
  });
});
