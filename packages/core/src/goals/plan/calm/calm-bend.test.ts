import { describe, expect, it } from 'vitest';
import { COUNT, leap, legOf, snapOf } from '../../../../test/planned-leg.js';
import { calmBend } from './calm-bend.js';

const carried = (value: number) => new Float64Array(COUNT).fill(value);

describe('calmBend', () => {
  it('a knee that snaps in the air no longer does, and the foot goes along the leg', () => {
    const { record, goals, plan, bends } = legOf(leap, 0.2);
    expect(snapOf(bends())).toBeGreaterThan(5);
    calmBend({ plan, goals, record, carried: carried(0) }, 0);
    expect(snapOf(bends())).toBeLessThan(2.5);
    expect(Math.max(...plan.shifts.map(Math.abs))).toBeLessThan(0.02);
    for (let k = 0; k < COUNT; k++) {
      const [y, z] = [plan.shifts[3 * k + 1]!, plan.shifts[3 * k + 2]!];
      expect(y * 0.2 - z * (leap[k]! - 1)).toBeCloseTo(0, 9);
    }
  });

  it('a foot that is held goes by less than three quarters of that, and its knee snaps less all the same', () => {
    const most = (held: number) => {
      const { record, goals, plan, bends } = legOf(leap);
      calmBend({ plan, goals, record, carried: carried(held) }, 0);
      return { moved: Math.max(...plan.shifts.map(Math.abs)), snap: snapOf(bends()) };
    };
    expect(most(1).moved).toBeLessThan(0.75 * most(0).moved);
    expect(most(1).snap).toBeLessThan(0.7 * snapOf(legOf(leap).bends()));
  });

  it('nothing is done to a knee that does not snap, however far it bends', () => {
    const { record, goals, plan } = legOf(
      Array.from({ length: COUNT }, (_, k) => 0.2 - 0.15 * Math.cos((k / COUNT) * 2 * Math.PI)),
    );
    calmBend({ plan, goals, record, carried: carried(0) }, 0);
    expect(plan.shifts.every((value) => value === 0)).toBe(true);
  });

  it('a goal at the hip joint or out of reach gives no NaN', () => {
    for (const heights of [leap.map(() => 1), leap.map((_, k) => (k % 2 ? -3 : 0.5))]) {
      const { record, goals, plan } = legOf(heights);
      calmBend({ plan, goals, record, carried: carried(0) }, 0);
      expect(plan.shifts.every(Number.isFinite)).toBe(true);
    }
  });
});
