import { describe, expect, it } from 'vitest';
import { apart, editedFigure, plus } from '../../../test/edited-figure.js';
import { EASES, easeAt } from '../../base/math/easing.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Constraint } from '../../options/constraint.js';
import { modelPoseOf, type Pose } from '../../scene/pose.js';
import { rampAt } from './ramp.js';

const TIMES = { in: 1, start: 2, end: 4, out: 5 };

describe('rampAt (M16)', () => {
  it('is 0 up to in, 1 from start to end, 0 from out, both ends included', () => {
    for (const ease of EASES)
      expect([0, 1, 2, 3, 4, 5, 9].map((time) => rampAt(TIMES, ease, time))).toEqual([0, 0, 1, 1, 1, 0, 0]);
  });

  it('rises and falls as the easing does, and smoother has neither speed nor acceleration at its ends (MP2)', () => {
    expect(rampAt(TIMES, 'linear', 1.25)).toBeCloseTo(0.25, 12);
    expect(rampAt(TIMES, 'linear', 4.25)).toBeCloseTo(0.75, 12);
    expect(rampAt(TIMES, 'smooth', 1.5)).toBeCloseTo(0.5, 12);
    const h = 1e-3;
    expect(easeAt('smoother', h) / h).toBeLessThan(1e-4);
    expect(easeAt('smoother', h) / h ** 2).toBeLessThan(0.02);
    expect(easeAt('smooth', h) / h ** 2).toBeGreaterThan(2);
    expect(easeAt('linear', h) / h).toBe(1);
  });

  it('takes a ramp without length for a step, and start = end for an instant', () => {
    expect([0.9, 1, 2].map((t) => rampAt({ in: 1, start: 1, end: 2, out: 2 }, 'smoother', t))).toEqual([
      0, 1, 1,
    ]);
    expect(rampAt({ in: 0, start: 1, end: 1, out: 2 }, 'smoother', 1)).toBe(1);
    expect(rampAt(TIMES, 'smoother', Number.NaN)).toBe(0);
  });
});

const { body, poseAt, placeOf, stepOf } = editedFigure();
const H = body.height;
const RATE = 60;

/** The largest change from one frame to the next of the velocity that constraints add, of any joint; metres a second. */
function largestJump(document: readonly Constraint[]): number {
  const { step } = stepOf(document);
  const added: Float64Array[] = [];
  for (let k = 0; k <= 3 * RATE; k++) {
    const pose = poseAt(k / RATE);
    const before = modelPoseOf(body.skeleton, pose).matrices;
    step(pose, k / RATE);
    const { matrices } = modelPoseOf(body.skeleton, pose);
    added.push(matrices.map((x, i) => x - before[i]!));
  }
  let jump = 0;
  for (let k = 2; k < added.length; k++)
    for (let i = 12; i < added[k]!.length; i += 16) {
      const change = [i, i + 1, i + 2].map((c) => added[k]![c]! - 2 * added[k - 1]![c]! + added[k - 2]![c]!);
      jump = Math.max(jump, Math.hypot(...change) * RATE);
    }
  return jump;
}

const hand = (time: number, role: 'rightHand' | 'leftHand' = 'rightHand') => placeOf(poseAt(time), role);
const goal = (place: Vec3, by: Vec3): Vec3 => plus(place, by.map((x) => x * H) as Vec3);

describe('ramps of a constraint', () => {
  const reach: Constraint = {
    kind: 'point',
    joint: 'rightHand',
    goal: { place: goal(hand(1.3), [0.05, -0.1, 0.12]) },
    times: { in: 0.5, start: 1, end: 1.6, out: 2.1 },
  };

  it('take the hand the share of the way that they count, from where this very frame has it (MP2)', () => {
    const { step } = stepOf([reach]);
    const shares = [0.6, 0.7, 0.75, 0.8, 0.9].map((time) => {
      const pose = poseAt(time);
      step(pose, time);
      const before = apart(hand(time), reach.goal!.place!);
      return 1 - apart(placeOf(pose, 'rightHand'), reach.goal!.place!) / before;
    });
    const wanted = [0.6, 0.7, 0.75, 0.8, 0.9].map((time) => easeAt('smoother', (time - 0.5) / 0.5));
    // Feet hold the body: it goes a little less far than a lone hand would.
    shares.forEach((share, n) => {
      expect(Math.abs(share - wanted[n]!)).toBeLessThan(0.15);
    });
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
  });

  it('do not jump, where those of the paper do (M17, MP2)', () => {
    const near: Constraint = { ...reach, space: 'copied', goal: { place: [0.05 * H, -0.1 * H, 0.1 * H] } };
    const ours = largestJump([near]);
    // The motion itself, of straight keys at 30 Hz, has changes of 0.7 m/s.
    expect(ours).toBeLessThan(0.4);
    expect(largestJump([{ ...near, ease: 'linear' }])).toBeGreaterThan(1.5 * ours);
    expect(largestJump([{ ...near, ramp: 'paper' }])).toBeGreaterThan(5 * ours);
  });

  it('keep the feet where they were, where those of the paper let them go on the way out (MP3)', () => {
    const slip = (ramp: 'give' | 'paper') => {
      const { step } = stepOf([{ ...reach, ramp }]);
      return Math.max(
        ...[1.7, 1.8, 1.9, 2].map((time) => {
          const pose = poseAt(time);
          step(pose, time);
          return apart(placeOf(pose, 'leftFoot'), placeOf(poseAt(time), 'leftFoot'));
        }),
      );
    };
    expect(slip('give')).toBeLessThan(1e-6 * H);
    expect(slip('paper')).toBeGreaterThan(1e-3 * H);
  });

  it('of the paper are what it says: a straight line in, angles out, met between (M17)', () => {
    const document = [{ ...reach, ramp: 'paper' as const }];
    const { step } = stepOf(document);
    const at = (time: number): Pose => {
      const pose = poseAt(time);
      step(pose, time);
      return pose;
    };
    const [from, to] = [hand(0.5), reach.goal!.place!];
    for (const u of [0.2, 0.5, 0.8]) {
      const wanted = from.map((x, c) => x + u * (to[c]! - x)) as Vec3;
      expect(apart(placeOf(at(0.5 + 0.5 * u), 'rightHand'), wanted)).toBeLessThan(1e-6 * H);
    }
    expect(apart(placeOf(at(1.3), 'rightHand'), to)).toBeLessThan(1e-6 * H);
    expect(at(2.1)).toEqual(poseAt(2.1));
    expect(at(0.5)).toEqual(poseAt(0.5));
  });

  it('may overlap, contradict each other and follow each other on one joint (MP3)', () => {
    const near = (joint: string, place: Vec3, times: Constraint['times'], level = 1): Constraint => ({
      kind: 'point',
      joint,
      space: 'copied',
      unit: 'height',
      goal: { place },
      ...(times && { times }),
      level,
    });
    const early = { in: 0.5, start: 1, end: 1.6, out: 2.1 };
    const late = { in: 0.8, start: 1.2, end: 1.9, out: 2.4 };
    const both = [near('rightHand', [0.05, -0.1, 0.1], early), near('leftHand', [-0.05, 0.1, 0.1], late)];
    expect(largestJump(both)).toBeLessThan(0.7);
    // One hand, two places, two levels.
    const against = [
      near('rightHand', [0.05, -0.1, 0.1], early, 2),
      near('rightHand', [-0.1, 0.1, 0], late, 1),
    ];
    expect(largestJump(against)).toBeLessThan(1.1);
    const gap = [
      near('rightHand', [0.05, -0.1, 0.1], { in: 0.3, start: 0.7, end: 1, out: 1.5 }),
      near('rightHand', [0.05, -0.1, 0.1], { in: 1.1, start: 1.7, end: 2, out: 2.5 }),
    ];
    expect(largestJump(gap)).toBeLessThan(0.7);
  });

  it('read moving goals on ramps too', () => {
    const keys = [0, 1, 2, 3].map((time) => ({ time, place: goal(hand(time), [0.05, 0.05 * time, 0.1]) }));
    const { step } = stepOf([{ ...reach, goal: { keys } }]);
    const pose = poseAt(1.5);
    step(pose, 1.5);
    const late = poseAt(1);
    step(late, 1);
    expect(apart(placeOf(late, 'rightHand'), keys[1]!.place)).toBeLessThan(1e-6 * H);
    expect(apart(placeOf(pose, 'rightHand'), keys[1]!.place)).toBeGreaterThan(0.01 * H);
  });
});
