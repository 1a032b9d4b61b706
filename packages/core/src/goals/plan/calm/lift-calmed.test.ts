import { describe, expect, it } from 'vitest';
import { COUNT, DEGREES, legOf } from '../../../../test/planned-leg.js';
import { liftCalmed } from './lift-calmed.js';
import { LIMB_SIZE } from './limb-turns.js';

/**
 * A leg whose sole is 2 cm under its ankle, which is 4 mm higher than that: its joints have the axes of the model. `bends` is
 * by how many degrees its shin is turned beyond the copy, frame by frame.
 */
function sweeping(bends: (k: number) => number, carried = 0) {
  const { record, goals, plan } = legOf(Array.from({ length: COUNT }, () => 0.024));
  const none = Float64Array.from({ length: 16 * COUNT }, (_, i) => (i % 4 === 3 ? 1 : 0));
  Object.assign(record, {
    turned: none,
    copied: Float64Array.from(record.ends, (value, i) => (i % 3 === 1 ? value - 0.02 : value)),
  });
  Object.assign(goals.limbs[0]!, { hangs: true, points: [0] });
  Object.assign(goals, { points: [{ target: { standing: 0 } }] });
  plan.floor = 0;
  const copied = none.slice(0, LIMB_SIZE * COUNT);
  const calmed = copied.slice();
  for (let k = 0; k < COUNT; k++) {
    const half = (bends(k) * DEGREES) / 2;
    calmed.set([Math.sin(half), 0, 0, Math.cos(half)], LIMB_SIZE * k + 4);
  }
  const planning = { plan, goals, record, carried: new Float64Array(COUNT).fill(carried) };
  return { planning, plan, copied, calmed, lift: () => liftCalmed(planning, 0, { copied, added: calmed }) };
}

/** A shin that hangs straight down for a moment: the sole is 8 mm in the floor then, and in no other frame. */
const swing = (k: number) => -12.5 * Math.max(0, 1 - Math.abs(k - 20) / 4);

describe('liftCalmed', () => {
  it('a foot that calmed joints sweep through the floor is lifted there, softly, and nowhere else', () => {
    const { plan, lift } = sweeping(swing);
    expect(lift()).toBe(true);
    const up = Array.from({ length: COUNT }, (_, k) => plan.shifts[3 * k + 1]!);
    expect(up[20]).toBeGreaterThan(0.006);
    expect(up[20]).toBeLessThan(0.009);
    expect(up[0]).toBeLessThan(1e-4);
    for (let k = 1; k < COUNT; k++) expect(Math.abs(up[k]! - up[k - 1]!)).toBeLessThan(0.003);
  });

  it('one that stays over it is left alone, and so is one that carries', () => {
    const still = sweeping(() => 0);
    expect(still.lift()).toBe(false);
    expect(still.plan.shifts.every((value) => value === 0)).toBe(true);
    const standing = sweeping(swing, 1);
    standing.lift();
    expect(standing.plan.shifts.every((value) => value === 0)).toBe(true);
  });

  it('one that is placed by itself is not asked about', () => {
    const placed = sweeping(swing);
    placed.planning.goals.limbs[0]!.hangs = false;
    expect(placed.lift()).toBe(false);
  });
});
