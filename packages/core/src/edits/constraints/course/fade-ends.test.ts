import { describe, expect, it } from 'vitest';
import { editedFigure } from '../../../../test/edited-figure.js';
import type { Constraint } from '../../../options/constraint.js';
import { createConstraintStep } from '../constraint-step.js';
import { fadeEnds } from './fade-ends.js';
import type { SettledFrame } from './settled-frame.js';

const RATE = 60;
const ENDS = { before: true, after: true, fadesIn: true, fadesOut: true };

/** Frames of a body of one joint that carries a tip half a height away, turned about x as a function of the time says. */
function framesOf(at: (time: number) => number): SettledFrame[] {
  return Array.from({ length: 60 }, (_, k): SettledFrame => {
    const x = at(k / RATE);
    return {
      time: k / RATE,
      correction: {
        turns: Float32Array.from([Math.sin(x / 2), 0, 0, Math.cos(x / 2)]),
        place: new Float32Array(3),
        spots: Float32Array.from([0, 0, 0, 0, 0.5 * Math.cos(x) - 0.5, 0.5 * Math.sin(x)]),
        errors: new Float32Array(3),
        counts: Uint8Array.of(1),
        cost: 0,
      },
      attraction: new Float32Array(6),
      isBroken: false,
    };
  });
}

/** The turns of frames after what was faded took the place of some; before and after them nothing is turned. */
function turnsOf(frames: readonly SettledFrame[], ends = ENDS): number[] {
  const faded = fadeEnds(frames, ends);
  const turns = frames.map(({ time, correction }) => {
    const { turns: q } = faded.find((each) => each.time === time) ?? correction;
    return 2 * Math.atan2(q[0]!, q[3]!);
  });
  return [0, 0, ...turns, 0, 0];
}

/** The largest change of a turn's speed from frame to frame, radians a second. */
function bendOf(turns: readonly number[]): number {
  return Math.max(...turns.slice(2).map((x, k) => RATE * Math.abs(x - 2 * turns[k + 1]! + turns[k]!)));
}

describe('ends of what constraints change', () => {
  it('M18: fade where they jump, and the rest stays as it was', () => {
    const frames = framesOf(() => 0.6);
    expect(bendOf([0, 0, ...Array(60).fill(0.6), 0, 0])).toBeGreaterThan(30);
    const turns = turnsOf(frames);
    expect(bendOf(turns)).toBeLessThan(4);
    for (const k of [30, 31, 32]) expect(turns[k]!).toBeCloseTo(0.6, 6);
    expect(fadeEnds(frames, ENDS).every(({ way, jumps }) => way === 'drawn' && jumps)).toBe(true);
  });

  it('M18: fade only where nothing is changed beyond them, and the jump was not asked for', () => {
    const frames = framesOf(() => 0.6);
    const out = turnsOf(frames, { ...ENDS, fadesIn: false });
    expect(out.slice(2, 20)).toEqual(
      turnsOf(frames, { ...ENDS, fadesIn: false, fadesOut: false }).slice(2, 20),
    );
    expect(Math.abs(out.at(-3)!)).toBeLessThan(0.1);
    expect(fadeEnds(frames, { ...ENDS, fadesIn: false, fadesOut: false })).toEqual([]);
  });

  it('are left alone where they are smooth', () => {
    expect(
      fadeEnds(
        framesOf((t) => 0.6 * Math.sin(Math.PI * (t + 1 / RATE)) ** 2),
        ENDS,
      ),
    ).toEqual([]);
  });

  it('M16: that are asked to begin at once do', () => {
    const { compile, poseAt } = editedFigure();
    const document: Constraint[] = [
      {
        kind: 'point',
        joint: 'rightHand',
        ease: 'step',
        space: 'copied',
        goal: { place: [0.1, 0.3, 0.3] },
        times: { start: 1, end: 2 },
      },
    ];
    // A step takes no time of its ramps: it begins with the last of the first one, and ends with the first of the other.
    for (const times of [document[0]!.times!, { in: 0.8, start: 1, end: 2, out: 2.2 }]) {
      const step = createConstraintStep(compile([{ ...document[0]!, times }]));
      const watch = step.watch()!;
      for (let k = 0; k <= 3 * RATE; k++) step(poseAt(k / RATE), k / RATE);
      expect(watch.finish()?.drawn.filter(({ way }) => way === 'drawn') ?? []).toEqual([]);
    }
  });
});
