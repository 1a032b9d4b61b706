import { describe, expect, it } from 'vitest';
import { composeMatrix } from '../../base/math/matrix.js';
import { quaternionFromAxisAngle } from '../../base/math/quaternion.js';
import type { LimbGoal } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { bendLiveHand, createLiveHandBend } from './bend-live-hand.js';

/** A flat hand along +X, its palm down, from the wrist to its tips 20 cm away. */
const skin = Float64Array.from(
  [0, 0.2].flatMap((x) => [-0.01, 0.01].flatMap((y) => [-0.05, 0.05].flatMap((z) => [x, y, z]))),
);
const limb = { target: { end: 0 }, skin, across: Float64Array.of(0, 0, 1) } as unknown as LimbGoal;

/** The hand, its fingers so many degrees down, over frames in which its wrist is so high over what it stands on: its bends. */
function bendsOf(down: number, rooms: readonly number[]): number[] {
  const turn = new Float64Array(4);
  quaternionFromAxisAngle(turn, 0, Float64Array.of(0, 0, 1), 0, (-down * Math.PI) / 180);
  const matrices = new Float64Array(16);
  composeMatrix(matrices, 0, new Float64Array(3), 0, turn, 0, Float64Array.of(1, 1, 1), 0);
  const goals = { target: { matrices } } as unknown as Goals;
  const bend = createLiveHandBend();
  const out = new Float64Array(3);
  return rooms.map((room, k) => {
    bendLiveHand(out, bend, limb, goals, Float64Array.of(room), Float64Array.of(k === 0 ? -1 : 1 / 60));
    expect(Math.hypot(out[0]!, out[1]!)).toBeCloseTo(0, 9);
    return (out[2]! * 180) / Math.PI;
  });
}

describe('bendLiveHand', () => {
  it('bends a hand that comes to stand back until its fingers are out of the floor, softly, and on again when it leaves', () => {
    const rooms = Array.from({ length: 150 }, (_, k) => (k >= 20 && k < 80 ? 0.05 : -1));
    const bends = bendsOf(60, rooms);
    expect(bends.slice(0, 20).every((bend) => bend === 0)).toBe(true);
    // Tips 20 cm ahead and a centimetre below lie on the floor, 5 cm under the wrist: no more than 12 degrees down.
    expect(bends[79]).toBeGreaterThan(45);
    expect(bends[79]).toBeLessThan(60);
    expect(bends[149]).toBeCloseTo(0, 1);
    const changes = bends.slice(2).map((bend, k) => Math.abs(bend - 2 * bends[k + 1]! + bends[k]!));
    expect(Math.max(...changes)).toBeLessThan(2.5);
  });

  it('is there from the first frame on, and leaves flat hands alone', () => {
    const [first, second] = bendsOf(60, [0.05, 0.05]);
    expect(first).toBeGreaterThan(45);
    expect(second).toBeCloseTo(first!, 6);
    expect(bendsOf(0, [0.05, 0.05, -1])).toEqual([0, 0, 0]);
  });
});
