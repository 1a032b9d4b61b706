import { describe, expect, it } from 'vitest';
import { apart, editedFigure, plus } from '../../../../test/edited-figure.js';
import { quaternionAngle } from '../../../base/math/quaternion.js';
import type { Constraint } from '../../../options/constraint.js';
import type { Pose } from '../../../scene/pose.js';
import { createConstraintStep } from '../constraint-step.js';
import type { ConstraintCourse } from './constraint-course.js';
import type { Correction } from './correction.js';
import { findGaps } from './find-gaps.js';
import type { ChosenFrame } from './follow-branches.js';
import { startAt } from './follow-course.js';

const RATE = 60;
const never = () => false;

/** Frames of a body of one joint that is turned about x and moved along y as a function of the time says. */
function framesOf(at: (time: number) => number, count = 60): ChosenFrame[] {
  return Array.from({ length: count }, (_, k): ChosenFrame => {
    const time = k / RATE;
    const x = at(time);
    const correction: Correction = {
      turns: Float32Array.from([Math.sin(x / 2), 0, 0, Math.cos(x / 2)]),
      place: new Float32Array(3),
      spots: Float32Array.from([0, x, 0]),
      errors: new Float32Array(3),
      counts: Uint8Array.of(1),
      cost: 0,
    };
    return { time, correction, own: true };
  });
}

describe('gaps in a course', () => {
  it('are where it jumps, by how much, and with the room to either side', () => {
    const gaps = findGaps(
      framesOf((t) => (t > 0.5 ? 0.4 : 0) + 0.3 * t),
      never,
    );
    expect(gaps.length).toBe(1);
    expect(gaps[0]!.time).toBeCloseTo(30.5 / RATE, 6);
    // What no eye sees stays: 0.7 heights a second, a frame long.
    expect(gaps[0]!.change[0]!).toBeCloseTo(0.4 - 0.7 / RATE, 4);
    expect(gaps[0]!.before).toBeCloseTo(0.25, 1);
  });

  it('are none where it is fast and smooth, or was told to jump', () => {
    const smooth = (t: number) => Math.sin(8 * t);
    expect(findGaps(framesOf(smooth), never)).toEqual([]);
    const jumping = framesOf((t) => (t > 0.5 ? 0.4 : 0));
    expect(findGaps(jumping, (from, to) => from < 0.51 && to > 0.5)).toEqual([]);
  });

  it('are two that undo each other where one frame stands out', () => {
    const gaps = findGaps(
      framesOf((t) => (Math.abs(t - 0.5) < 0.004 ? 0.4 : 0)),
      never,
    );
    expect(gaps.length).toBe(2);
    expect(gaps[0]!.change[0]! + gaps[1]!.change[0]!).toBeCloseTo(0, 5);
  });

  it('have no more room than there is until constraints cease', () => {
    const [gap] = findGaps(
      framesOf((t) => (t > 0.05 ? 0.4 : 0)),
      never,
    );
    expect(gap!.before).toBeLessThan(0.07);
    expect(gap!.after).toBeGreaterThan(0.24);
  });
});

describe('frames that are led over a gap', () => {
  const { body, compile, poseAt, placeOf } = editedFigure();
  const H = body.height;
  const place = plus(placeOf(poseAt(1.5), 'rightHand'), [0.05 * H, -0.1 * H, 0.12 * H]);
  const document: Constraint[] = [{ kind: 'point', joint: 'rightHand', goal: { place } }];
  const data = compile(document);
  const arm = data.plan.joints.indexOf(body.joints.rightUpperArm!);
  const change = new Float64Array(3 * data.plan.joints.length + 3);
  change[3 * arm] = 0.5;
  const tasks = data.slots + 2 * data.stands.length;
  const gap = { time: 1.5, before: 0.25, after: 0.25, change, errors: new Float64Array(3 * tasks) };
  const course: ConstraintCourse = { round: 1, starts: [], gaps: [gap], known: [], drawn: [], changed: [] };
  const alone = createConstraintStep(data);
  const led = createConstraintStep(data, null, course);
  const poseBy = (step: typeof led, time: number): Pose => {
    const pose = poseAt(time);
    step(pose, time);
    return pose;
  };
  const turnOf = (time: number): number => {
    const joint = 4 * body.joints.rightUpperArm!;
    return quaternionAngle(poseBy(led, time).rotations, joint, poseBy(alone, time).rotations, joint);
  };

  it('are changed most next to it, to either side alike, and meet what they met (M13, M18)', () => {
    expect(turnOf(1.49)).toBeGreaterThan(0.05);
    expect(turnOf(1.49)).toBeCloseTo(turnOf(1.51), 1);
    expect(turnOf(1.35)).toBeLessThan(turnOf(1.45));
    // One side is turned on, the other back.
    const [before, after] = [poseBy(led, 1.49).rotations, poseBy(led, 1.51).rotations];
    const joint = 4 * body.joints.rightUpperArm!;
    expect(quaternionAngle(before, joint, after, joint)).toBeGreaterThan(1.5 * turnOf(1.49));
    for (const time of [1.3, 1.4, 1.49, 1.51, 1.6, 1.7]) {
      const pose = poseBy(led, time);
      expect(apart(placeOf(pose, 'rightHand'), place), `${time}`).toBeLessThan(1e-6 * H);
      for (const foot of ['leftFoot', 'rightFoot'] as const)
        expect(apart(placeOf(pose, foot), placeOf(poseAt(time), foot))).toBeLessThan(1e-6 * H);
    }
  });

  it('are the same to the last bit beyond its room, and in any order (M15, MP6)', () => {
    for (const time of [1.24, 1.76, 0.5, 2.9])
      expect(poseBy(led, time).rotations).toEqual(poseBy(alone, time).rotations);
    const times = [1.3, 1.45, 1.52, 1.6];
    const forwards = times.map((time) => poseBy(led, time).rotations);
    const backwards = [...times].reverse().map((time) => poseBy(led, time).rotations);
    expect(backwards.reverse()).toEqual(forwards);
  });
});

describe('a watch over frames', () => {
  it('finds nothing where every frame has one answer, and nothing for ramps of the paper', () => {
    const { stepOf, poseAt, placeOf, body } = editedFigure();
    const place = plus(placeOf(poseAt(1.5), 'rightHand'), [0, -0.1 * body.height, 0]);
    const times = { in: 0.5, start: 1, end: 2, out: 2.5 };
    const reach: Constraint = { kind: 'point', joint: 'rightHand', goal: { place }, times };
    const { step } = stepOf([reach]);
    const watch = step.watch()!;
    for (let k = 0; k <= 3 * RATE; k++) step(poseAt(k / RATE), k / RATE);
    expect(watch.finish()).toBeNull();
    expect(stepOf([{ ...reach, ramp: 'paper' }]).step.watch()).toBeNull();
  });

  it('is of numbers, wherever goals lie: what costs more than numbers can say has a frame before it too', () => {
    const { compile, poseAt } = editedFigure();
    const step = createConstraintStep(
      compile([{ kind: 'point', joint: 'rightHand', goal: { place: [0, 1e300, 0] } }]),
    );
    const watch = step.watch()!;
    for (let k = 0; k < 20; k++) step(poseAt(k / RATE), k / RATE);
    expect(() => watch.finish()).not.toThrow();
  });

  it('leaves a jump that was asked for alone', () => {
    const { stepOf, poseAt, placeOf, body } = editedFigure();
    const place = plus(placeOf(poseAt(1.5), 'rightHand'), [0, -0.1 * body.height, 0.1]);
    const times = { in: 1, start: 1, end: 2, out: 2 };
    const { step } = stepOf([{ kind: 'point', joint: 'rightHand', goal: { place }, times }]);
    const watch = step.watch()!;
    for (let k = 0; k <= 3 * RATE; k++) step(poseAt(k / RATE), k / RATE);
    expect(watch.finish()).toBeNull();
  });

  it('gives another answer to its frame alone, and to what lies nearest to it', () => {
    const { correction } = framesOf(() => 0, 1)[0]!;
    const course: ConstraintCourse = {
      starts: [1, 2].map((k) => ({ time: k / RATE, near: 0.5 / RATE, correction })),
      gaps: [],
      round: 1,
      known: [],
      drawn: [],
      changed: [],
    };
    expect(startAt(course, 0)).toBeNull();
    expect(startAt(course, 1 / RATE)).toBe(course.starts[0]);
    expect(startAt(course, 1.6 / RATE)).toBe(course.starts[1]);
    expect(startAt(course, 3 / RATE)).toBeNull();
  });
});
