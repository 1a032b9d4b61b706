import { describe, expect, it } from 'vitest';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { createLiveTurns } from './live-turns.js';

const DEGREES = Math.PI / 180;
const turnOf = (degrees: number) => [
  Math.sin((degrees / 2) * DEGREES),
  0,
  0,
  Math.cos((degrees / 2) * DEGREES),
];
const angleOf = (q: ArrayLike<number>) => (2 * Math.atan2(q[0]!, q[3]!)) / DEGREES;

type Frame = { copied: number; solved: number; carried?: number; weight?: number };

/** The degrees about x at which a limb's joints are shown that are copied and solved at others, 60 times a second. */
function shownOf(frames: readonly Frame[], kind: 'arm' | 'leg' = 'arm', isFree = true, toes = false) {
  const limb = { kind, target: { upper: 0, middle: 1, end: 2 }, rigid: false, toes: 3 };
  const turns = createLiveTurns({ limbs: [limb] } as unknown as GoalSetup, () => isFree);
  const locals = new Float64Array(16);
  const goals = {
    weights: Float64Array.of(1),
    carried: Float64Array.of(0),
    seconds: Float64Array.of(1 / 60),
  } as unknown as Goals;
  return frames.map(({ copied, solved, carried = 0, weight = 1 }) => {
    for (let joint = 0; joint < 4; joint++) locals.set(turnOf(copied), 4 * joint);
    turns.begin(locals);
    for (let joint = 0; joint < 4; joint++) locals.set(turnOf(solved), 4 * joint);
    goals.carried[0] = carried;
    goals.weights[0] = weight;
    turns.update(locals, goals);
    expect(locals.every(Number.isFinite)).toBe(true);
    expect(angleOf(locals.subarray(4, 8))).toBeCloseTo(angleOf(locals), 9);
    return angleOf(toes ? locals.subarray(12) : locals);
  });
}

const snapOf = (angles: readonly number[]) =>
  Math.max(...angles.slice(1, -1).map((angle, k) => Math.abs(angles[k + 2]! - 2 * angle + angles[k]!)));
const leap = Array.from({ length: 90 }, (_, k): Frame => ({ copied: 10, solved: k < 30 ? 10 : 25 }));

describe('createLiveTurns', () => {
  it('a joint that would leap does not, and is where it shall be soon after', () => {
    const shown = shownOf(leap);
    expect(snapOf(shown)).toBeLessThan(2.5);
    expect(shown[29]).toBeCloseTo(10, 9);
    expect(shown[60]).toBeCloseTo(25, 0);
    expect(Math.max(...shown)).toBeLessThan(30);
  });

  it('a leg is where it was solved at once: behind, its foot would be in the floor', () => {
    expect(shownOf(leap, 'leg')[30]).toBeCloseTo(25, 9);
  });

  it('toes of a foot that stands do not leap', () => {
    const frames = leap.map((frame) => ({ ...frame, carried: 1 }));
    expect(snapOf(shownOf(frames, 'leg', true, true))).toBeLessThan(2.5);
  });

  it('an arm that comes to stand does not leap either', () => {
    expect(snapOf(shownOf(leap.map((frame, k) => ({ ...frame, carried: k >= 30 ? 1 : 0 }))))).toBeLessThan(
      2.5,
    );
  });

  it('what the copy does is done as well', () => {
    const frames = leap.map((frame) => ({ ...frame, copied: frame.solved }));
    shownOf(frames).forEach((angle, k) => {
      expect(angle).toBeCloseTo(frames[k]!.solved, 9);
    });
  });

  it('limbs that keep to limits, that are not moved, and first frames are as they were solved', () => {
    expect(shownOf(leap, 'arm', false)[30]).toBeCloseTo(25, 9);
    expect(shownOf(leap.map((frame, k) => ({ ...frame, weight: k < 30 ? 0 : 1 })))[30]).toBeCloseTo(25, 9);
    expect(shownOf([{ copied: 0, solved: 90 }])[0]).toBeCloseTo(90, 9);
  });
});
