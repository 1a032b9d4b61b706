import { describe, expect, it } from 'vitest';
import { COUNT, DEGREES, leap, legOf, snapOf } from '../../../test/planned-leg.js';
import { lowerForKnees } from './lower-for-knees.js';

describe('lowerForKnees', () => {
  it('hips that tremble over a foot that stands come down by less than 1 % until its knee does not snap', () => {
    // Nearly straight: a thousandth of the leg is three degrees of the knee there.
    const trembling = Array.from({ length: COUNT }, (_, k) => 0.0014 + 0.0012 * Math.sin(1.4 * k) ** 5);
    const { record, goals, plan } = legOf(trembling);
    const [copied, foot] = [Math.cos(2 * DEGREES), plan.shifts];
    for (let k = 0; k < COUNT; k++) {
      record.middles.set([0, 1 - copied / 2, Math.sin(2 * DEGREES) / 2], 3 * k);
      record.ends.set([0, 1 - copied, 0], 3 * k);
    }
    const bends = () =>
      trembling.map((height, k) => {
        const reach = 1 + plan.hips[3 * k + 1]! - height - foot[3 * k + 1]!;
        return (2 * Math.acos(Math.min(1, reach))) / DEGREES;
      });
    const before = snapOf(bends());
    expect(before).toBeGreaterThan(2.5);
    lowerForKnees({ plan, goals, record, standing: new Float64Array(COUNT).fill(1) });
    expect(snapOf(bends())).toBeLessThan(2.5);
    const drops = Array.from({ length: COUNT }, (_, k) => -plan.hips[3 * k + 1]!);
    expect(Math.min(...drops)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drops)).toBeLessThan(0.01);
    // Smoothly: hips that jerk would be no better than knees that do.
    const jumps = drops.slice(1, -1).map((drop, k) => Math.abs(drops[k + 2]! - 2 * drop + drops[k]!));
    expect(Math.max(...jumps)).toBeLessThan(0.0005);
  });

  it('hips stay where nothing stands, where a leg lies flat, and where its foot is far enough', () => {
    for (const [heights, ahead, stands] of [
      [leap, 0, 0],
      [leap.map((height) => height + 0.9), 0.97, 1],
      [leap.map((height) => height / 4 + 0.3), 0, 1],
    ] as const) {
      const { record, goals, plan } = legOf(heights, ahead);
      lowerForKnees({ plan, goals, record, standing: new Float64Array(COUNT).fill(stands) });
      expect(plan.hips.every((value) => value === 0)).toBe(true);
    }
  });
});
