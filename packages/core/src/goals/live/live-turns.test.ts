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

/** `height`: how high the sole of a leg of a metre is over the floor, metres. */
type Frame = {
  copied: number;
  /** Degrees about x, or a quaternion. */
  solved: number | readonly number[];
  carried?: number;
  weight?: number;
  height?: number;
};

/** The degrees about x at which a limb's joints are shown that are copied and solved at others, frame by frame. */
function shownOf(
  frames: readonly Frame[],
  kind: 'arm' | 'leg' = 'arm',
  isFree = true,
  toes = false,
  shown: number[][] = [],
  rate = 60,
) {
  const target = { upper: 0, middle: 1, end: 2 };
  const limb = { kind, target, rigid: false, toes: 3, points: [0], length: 1 };
  const points = [{ target: { standing: 0.05 } }];
  const setup = { limbs: [limb], points, hipHeight: 1, floor: 2 } as unknown as GoalSetup;
  const turns = createLiveTurns(setup, () => isFree);
  const locals = new Float64Array(16);
  const goals = {
    weights: Float64Array.of(1),
    carried: Float64Array.of(0),
    seconds: Float64Array.of(1 / rate),
    places: new Float64Array(3),
    copied: new Float64Array(3),
    turns: Float64Array.of(0, 0, 0, 1),
    target: { matrices: new Float64Array(48) },
  } as unknown as Goals;
  return frames.map(({ copied, solved, carried = 0, weight = 1, height = 0 }) => {
    for (let joint = 0; joint < 4; joint++) locals.set(turnOf(copied), 4 * joint);
    turns.begin(locals);
    for (let joint = 0; joint < 4; joint++)
      locals.set(typeof solved === 'number' ? turnOf(solved) : solved, 4 * joint);
    goals.carried[0] = carried;
    goals.places[1] = 2.05 + height;
    goals.weights[0] = weight;
    turns.update(locals, goals);
    expect(locals.every(Number.isFinite)).toBe(true);
    shown.push([...locals.subarray(0, 4)]);
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

  it('a leg whose foot is on the floor is where it was solved at once: behind, it would be in it', () => {
    expect(shownOf(leap, 'leg')[30]).toBeCloseTo(25, 9);
    const standing = leap.map((frame) => ({ ...frame, carried: 1, height: 1 }));
    expect(shownOf(standing, 'leg')[30]).toBeCloseTo(25, 9);
  });

  it('a leg in the air does not leap, and as its foot comes down it is less behind than that is high', () => {
    const high = leap.map((frame) => ({ ...frame, height: 1 }));
    expect(snapOf(shownOf(high, 'leg'))).toBeLessThan(2.5);
    const down = leap.map((frame, k) => ({ ...frame, height: Math.max(0, 0.3 - (k - 25) / 60) }));
    shownOf(down, 'leg').forEach((angle, k) => {
      expect(Math.abs((down[k]!.solved as number) - angle) * DEGREES).toBeLessThan(
        0.5 * down[k]!.height + 1e-9,
      );
    });
  });

  it('toes of a foot that stands do not leap', () => {
    const frames = leap.map((frame) => ({ ...frame, carried: 1 }));
    expect(snapOf(shownOf(frames, 'leg', true, true))).toBeLessThan(2.5);
  });

  it('a capture that trembles from frame to frame at 120 Hz is no leave for toes to leap', () => {
    const frames = Array.from({ length: 180 }, (_, k): Frame => {
      const copied = 10 + 1.5 * (k % 2);
      return { copied, solved: copied + (k < 60 ? 0 : 40), carried: 1 };
    });
    // At 60 Hz nothing of the tremble is left.
    const shown = shownOf(frames, 'leg', true, true, [], 120).filter((_, k) => k % 2 === 0);
    expect(shown.at(-1)!).toBeCloseTo(50, 0);
    expect(snapOf(shown)).toBeLessThan(2.5);
  });

  it('an arm that comes to stand does not leap either', () => {
    expect(snapOf(shownOf(leap.map((frame, k) => ({ ...frame, carried: k >= 30 ? 1 : 0 }))))).toBeLessThan(
      2.5,
    );
  });

  it('a joint that goes on through half a turn beyond the copy goes on, about whatever axis', () => {
    // The axis swings as well, by half a degree a frame: the vectors of the turn go to the other side at once.
    const solved = Array.from({ length: 120 }, (_, k) => {
      const [half, swing] = [((120 + k) * DEGREES) / 2, 0.5 * k * DEGREES];
      return [Math.sin(half) * Math.cos(swing), Math.sin(half) * Math.sin(swing), 0, Math.cos(half)];
    });
    for (const kind of ['arm', 'leg'] as const) {
      const shown: number[][] = [];
      const frames = solved.map((turn): Frame => ({ copied: 0, solved: turn, height: 9 }));
      shownOf(frames, kind, true, false, shown);
      for (const [k, turn] of shown.entries()) {
        const cosine = Math.abs(turn.reduce((sum, value, c) => sum + value * solved[k]![c]!, 0));
        expect(2 * Math.acos(Math.min(1, cosine))).toBeLessThan(1e-3);
      }
    }
  });

  it('what a joint is behind just before half a turn goes the same way over it', () => {
    const frames = Array.from({ length: 120 }, (_, k) => 120 + k + (k < 56 ? 0 : 15));
    const shown = shownOf(frames.map((solved): Frame => ({ copied: 0, solved })));
    const whole = shown.map((angle) => (angle < 0 ? angle + 360 : angle));
    expect(snapOf(whole)).toBeLessThan(2.5);
    expect(Math.max(...whole.map((angle, k) => Math.abs(angle - frames[k]!)))).toBeLessThan(15.01);
  });

  it('what the copy does is done as well', () => {
    const frames = leap.map((frame, k) => ({ ...frame, copied: k < 30 ? 10 : 25 }));
    shownOf(frames).forEach((angle, k) => {
      expect(angle).toBeCloseTo(frames[k]!.copied, 9);
    });
  });

  it('limbs that keep to limits, that are not moved, and first frames are as they were solved', () => {
    expect(shownOf(leap, 'arm', false)[30]).toBeCloseTo(25, 9);
    expect(shownOf(leap.map((frame, k) => ({ ...frame, weight: k < 30 ? 0 : 1 })))[30]).toBeCloseTo(25, 9);
    expect(shownOf([{ copied: 0, solved: 90 }])[0]).toBeCloseTo(90, 9);
  });
});
