import { describe, expect, it } from 'vitest';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { createLiveBends } from './live-bends.js';

const DEGREES = Math.PI / 180;

/** A leg of two bones of half a metre under a hip joint a metre high, its goal as far away as told, frame by frame. */
function bendsOf(reaches: readonly number[], carried: number) {
  const limb = { kind: 'leg', length: 1, target: { upper: 0, middle: 1, end: 2 } };
  const bends = createLiveBends({ limbs: [limb] } as unknown as GoalSetup);
  const matrices = new Float64Array(48);
  const copied = Math.cos(30 * DEGREES);
  matrices.set([0, 1, 0], 12);
  matrices.set([0, 1 - copied / 2, Math.sin(30 * DEGREES) / 2], 28);
  matrices.set([0, 1 - copied, 0], 44);
  const goals = {
    places: new Float64Array(3),
    target: { matrices },
    weights: Float64Array.of(1),
    carried: Float64Array.of(carried),
    seconds: Float64Array.of(1 / 60),
  } as unknown as Goals;
  return reaches.map((reach) => {
    goals.places.set([0, 1 - reach, 0]);
    bends.update(goals);
    expect(goals.places.every(Number.isFinite)).toBe(true);
    return (2 * Math.acos(Math.min(1, 1 - goals.places[1]!))) / DEGREES;
  });
}

const snapOf = (bends: readonly number[]) =>
  Math.max(...bends.slice(1, -1).map((bend, k) => Math.abs(bends[k + 2]! - 2 * bend + bends[k]!)));
const at = (degrees: number) => Math.cos((degrees / 2) * DEGREES);
const leap = Array.from({ length: 90 }, (_, k) => at(k < 30 ? 60 : 72));

describe('createLiveBends', () => {
  it('a knee in the air that would leap does not, and is where it shall be soon after', () => {
    const bends = bendsOf(leap, 0);
    expect(snapOf(bends)).toBeLessThan(2.5);
    expect(bends[29]).toBeCloseTo(60, 6);
    expect(bends[60]).toBeCloseTo(72, 0);
    expect(Math.max(...bends)).toBeLessThan(76);
  });

  it('what carries stays where it is, to a thousandth of its leg', () => {
    // As bent as this that is a sixth of a degree of the knee: d bend = −2 · d reach / sin(bend / 2).
    expect(Math.abs(bendsOf(leap, 1)[30]! - 72)).toBeLessThan(0.25);
    expect(bendsOf(leap, 1)[60]).toBeCloseTo(72, 2);
  });

  it('a knee that carries gives way by as much, which is more the straighter it is', () => {
    const straighter = Array.from({ length: 90 }, (_, k) => at(k < 30 ? 30 : 32.4));
    expect(snapOf(bendsOf(straighter, 1))).toBeLessThan(2.2);
  });

  it('what does not leap is not touched, and the first frame has nothing to follow', () => {
    const slow = Array.from({ length: 60 }, (_, k) => at(60 + 10 * Math.sin(k / 10)));
    bendsOf(slow, 0).forEach((bend, k) => {
      expect(bend).toBeCloseTo(60 + 10 * Math.sin(k / 10), 6);
    });
    expect(bendsOf([at(100)], 0)[0]).toBeCloseTo(100, 6);
  });

  it('a goal at the hip joint or out of reach gives no NaN', () => {
    for (const reaches of [leap.map(() => 0), leap.map((_, k) => (k % 2 ? 3 : 0.5))]) bendsOf(reaches, 0);
  });
});
