import { describe, expect, it } from 'vitest';
import { apart, editedFigure, plus } from '../../../../test/edited-figure.js';
import type { Vec3 } from '../../../base/math/vector.js';
import type { Constraint } from '../../../options/constraint.js';
import type { Pose } from '../../../scene/pose.js';
import { createConstraintStep } from '../constraint-step.js';
import type { ConstraintCourse } from './constraint-course.js';
import { drawOver } from './draw-over.js';
import type { MeetingWay } from './meet-again.js';
import { restoreWorse } from './review-drawn.js';
import type { SettledFrame } from './settled-frame.js';

const RATE = 60;
const INSIDE = { before: false, after: false };

/** Frames of a body of one joint, a height from what it hangs on, that is turned about x as a function of the time says. */
function framesOf(
  at: (time: number) => number,
  isBroken: (k: number) => boolean = () => false,
): SettledFrame[] {
  return Array.from({ length: 60 }, (_, k): SettledFrame => {
    const x = at(k / RATE);
    return {
      time: k / RATE,
      correction: {
        turns: Float32Array.from([Math.sin(x / 2), 0, 0, Math.cos(x / 2)]),
        place: new Float32Array(3),
        spots: Float32Array.from([0, Math.cos(x), Math.sin(x)]),
        errors: new Float32Array(3),
        counts: Uint8Array.of(1),
        cost: 0,
      },
      attraction: new Float32Array(3),
      isBroken: isBroken(k),
    };
  });
}

/** The turns of frames after what was drawn took the place of some. */
function turnsOf(frames: readonly SettledFrame[], ends = INSIDE): number[] {
  const drawn = drawOver(frames, ends, 'fine');
  return frames.map(({ time, correction }) => {
    const { turns } = drawn.find((each) => each.time === time) ?? correction;
    return 2 * Math.atan2(turns[0]!, turns[3]!);
  });
}

/** The largest change of a turn's speed from frame to frame, radians a second. */
function bendOf(turns: readonly number[]): number {
  let most = 0;
  const way = (k: number) =>
    Math.atan2(Math.sin(turns[k]! - turns[k - 1]!), Math.cos(turns[k]! - turns[k - 1]!));
  for (let k = 2; k < turns.length; k++) most = Math.max(most, RATE * Math.abs(way(k) - way(k - 1)));
  return most;
}

describe('what is drawn anew', () => {
  it.each([
    ['one jump', (t: number) => (t > 0.5 ? 1 : 0)],
    ['a frame that stands out', (t: number) => (Math.abs(t - 0.5) < 0.004 ? 1 : 0.2)],
    ['two answers by turns', (t: number) => (Math.abs(t - 0.5) < 0.1 && Math.round(t * RATE) % 2 ? 1 : 0)],
    ['a jump over a half turn', (t: number) => (t > 0.5 ? -2.6 : 2.6)],
  ])('goes calmly over %s, and leaves the rest as it was', (_, at) => {
    const frames = framesOf(at);
    const before = frames.map(({ time }) => at(time));
    expect(bendOf(before)).toBeGreaterThan(40);
    const turns = turnsOf(frames);
    expect(bendOf(turns)).toBeLessThan(3);
    for (const k of [0, 5, 54, 59]) expect(Math.cos(turns[k]! - before[k]!)).toBeCloseTo(1, 9);
  });

  it('is nothing where all is fast but smooth, or a jump was asked for, or the motion itself is as wild', () => {
    expect(
      drawOver(
        framesOf((t) => Math.sin(8 * t)),
        INSIDE,
        'fine',
      ),
    ).toEqual([]);
    const jump = (t: number) => (t >= 0.5 ? 1 : 0);
    expect(
      drawOver(
        framesOf(jump, (k) => k === 30),
        INSIDE,
        'fine',
      ),
    ).toEqual([]);
    const wild = framesOf(jump);
    wild.forEach(({ attraction }, k) => {
      attraction[0] = k % 2;
    });
    expect(drawOver(wild, INSIDE, 'fine')).toEqual([]);
  });

  it('comes from nothing where constraints were at rest before', () => {
    const frames = framesOf((t) => (t > 0.05 ? 1 : 0.8));
    const [rested, free] = [turnsOf(frames, { before: true, after: false }), turnsOf(frames)];
    expect(rested[0]!).toBeLessThan(free[0]! - 0.05);
  });
});

describe('a kink that no one would call a jump', () => {
  // The velocity changes by 0.6 heights a second at once, less than the rough limit, more than the fine one.
  const kink = (t: number) => 0.6 * Math.abs(t - 0.5);

  it('is drawn over where the joint itself is calm, and not where it is as fast, or it is looked at roughly (M18)', () => {
    expect(drawOver(framesOf(kink), INSIDE, 'fine').length).toBeGreaterThan(6);
    expect(drawOver(framesOf(kink), INSIDE, 'rough')).toEqual([]);
    const lively = framesOf(kink);
    lively.forEach(({ attraction }, k) => {
      attraction[1] = 0.01 * (k % 2);
    });
    expect(drawOver(lively, INSIDE, 'fine')).toEqual([]);
    expect(
      drawOver(
        framesOf(kink).map((frame) => ({ ...frame, isSettled: true })),
        INSIDE,
        'fine',
      ),
    ).toEqual([]);
  });

  it('gets back what it had where drawing made it no calmer, or missed what was met; never where it jumped (M13, M18)', () => {
    const wild = (t: number) => (Math.abs(t - 0.5) < 0.06 ? 0.3 * Math.sin(200 * t) : 0);
    const [before, after] = [framesOf(kink), framesOf(wild)];
    const changed = before
      .filter(({ time }) => Math.abs(time - 0.5) < 0.1)
      .map(({ time, correction }) => ({ time, was: correction, jumps: false }));
    const now = framesOf(wild);
    expect(restoreWorse(now, changed).length).toBe(changed.length);
    expect(now[30]!.correction).toBe(changed.find(({ time }) => time === 0.5)!.was);
    expect(now[30]!.isSettled).toBe(true);
    const calmer = changed.map((each, n) => ({ ...each, was: after[24 + n + 1]!.correction }));
    const flat = () => framesOf(() => 0);
    expect(restoreWorse(flat(), calmer)).toEqual([]);
    const missing = flat();
    for (const { correction } of missing) {
      correction.errors[0] = 1e-3;
      correction.counts[0] = 2;
    }
    for (const { was } of calmer) was.counts[0] = 2;
    expect(restoreWorse(missing, calmer).length).toBe(calmer.length);
    expect(
      restoreWorse(
        framesOf(wild),
        changed.map((each) => ({ ...each, jumps: true })),
      ),
    ).toEqual([]);
  });
});

describe('what is restless without any jump', () => {
  /** A body that goes evenly, with a kick of 0.1 heights a second every quarter of a second. */
  const walking = (spotAt: (t: number) => number) => {
    const frames = framesOf(spotAt);
    frames.forEach(({ attraction, time }) => {
      attraction[1] = 0.01 * Math.abs(((4 * time) % 1) - 0.5);
    });
    return frames;
  };
  // Aside by a hand's breadth and back within a fifth of a second: no kink is as large as a jump.
  const swings = (t: number) => 0.02 * Math.max(0, 1 - ((t - 0.5) / 0.1) ** 2) ** 2;

  it('is drawn over once it is asked for, by a mean of a few frames, and may be taken back (M18)', () => {
    const frames = walking(swings);
    for (const care of ['rough', 'fine'] as const) expect(drawOver(frames, INSIDE, care)).toEqual([]);
    const drawn = drawOver(frames, INSIDE, 'calm');
    expect(drawn.length).toBeGreaterThan(9);
    expect(drawn.every(({ time }) => Math.abs(time - 0.5) < 0.3)).toBe(true);
    expect(drawn.every(({ way, jumps }) => way === 'limbs' && !jumps)).toBe(true);
  });

  it('is left alone where the motion jerks as much, or was found to be no better, or a jump was asked for', () => {
    const wild = walking(swings);
    wild.forEach(({ attraction }, k) => {
      attraction[1] = 0.01 * (k % 2);
    });
    expect(drawOver(wild, INSIDE, 'calm')).toEqual([]);
    const settled = walking(swings).map((frame) => ({ ...frame, isSettled: true }));
    expect(drawOver(settled, INSIDE, 'calm')).toEqual([]);
    const broken = walking((t) => (t > 0.5 ? 0.02 : 0));
    for (const frame of broken) frame.isBroken = Math.abs(frame.time - 0.5) < 0.06;
    expect(drawOver(broken, INSIDE, 'calm')).toEqual([]);
  });
});

describe('frames that are drawn anew', () => {
  const { body, compile, poseAt, placeOf } = editedFigure();
  const H = body.height;
  const place = plus(placeOf(poseAt(1.5), 'rightHand'), [0.02 * H, -0.03 * H, 0.04 * H]);
  const data = compile([{ kind: 'point', joint: 'rightHand', goal: { place } }]);
  const count = data.plan.joints.length;
  const turns = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) turns[4 * i + 3] = 1;
  turns[4 * data.plan.joints.indexOf(body.joints.rightUpperArm!)] = 0.1;
  const errors = new Float32Array(3 * (data.slots + 2 * data.stands.length));
  const courseOf = (way: MeetingWay): ConstraintCourse => ({
    round: 2,
    starts: [],
    gaps: [],
    known: [],
    drawn: [1.48, 1.5, 1.52].map((time) => ({
      time,
      turns,
      place: new Float32Array(3),
      errors,
      way,
      was: framesOf(() => 0)[0]!.correction,
      jumps: true,
    })),
    changed: [],
  });
  const poseBy = (course: ConstraintCourse | null, time: number): Pose => {
    const pose = poseAt(time);
    createConstraintStep(data, null, course)(pose, time);
    return pose;
  };

  it('meet from there what can be met, with the arm rather than the trunk; or only what lies near (M13)', () => {
    for (const time of [1.48, 1.49, 1.52]) {
      expect(apart(placeOf(poseBy(courseOf('limbs'), time), 'rightHand'), place)).toBeLessThan(1e-6 * H);
      expect(apart(placeOf(poseBy(courseOf('near'), time), 'rightHand'), place)).toBeGreaterThan(0.02 * H);
    }
    for (const time of [1.48, 1.5, 1.52]) {
      const far = (way: MeetingWay) =>
        apart(placeOf(poseBy(courseOf(way), time), 'rightUpperArm'), placeOf(poseAt(time), 'rightUpperArm'));
      expect(far('limbs')).toBeLessThan(0.8 * far('whole'));
    }
    for (const time of [1.47, 1.53])
      expect(poseBy(courseOf('near'), time).rotations).toEqual(poseBy(null, time).rotations);
  });
});

describe('a bake', () => {
  /** Bakes a document as often as is looked back; the poses of each time. */
  function bake(document: readonly Constraint[]) {
    const figure = editedFigure();
    const data = figure.compile(document);
    const runs: Pose[][] = [];
    let course: ConstraintCourse | null = null;
    for (;;) {
      const step = createConstraintStep(data, null, course);
      const watch = step.watch();
      const poses = Array.from({ length: 3 * RATE + 1 }, (_, k) => {
        const pose = figure.poseAt(k / RATE);
        step(pose, k / RATE);
        return pose;
      });
      runs.push(poses);
      course = watch?.finish() ?? null;
      if (!course) return { ...figure, runs };
    }
  }

  it('is led calmly to its last frame too where constraints count throughout: they end nowhere', () => {
    const { compile, poseAt, placeOf, body } = editedFigure();
    const place = plus(placeOf(poseAt(0), 'rightHand'), [0, 0, 0.05 * body.height]);
    const goal = { character: 'Ben', joint: 'leftHand' };
    const course: ConstraintCourse = { round: 1, starts: [], gaps: [], known: [], drawn: [], changed: [] };
    const drawnOf = (part: Partial<Constraint>) => {
      const data = compile([{ kind: 'point', joint: 'rightHand', goal, ...part }]);
      const step = createConstraintStep(data, null, course);
      const watch = step.watch()!;
      // The goal jumps in the last frame.
      for (let k = 0; k <= 3 * RATE; k++)
        step(poseAt(0), k / RATE, Float64Array.from(k < 3 * RATE ? place : plus(place, [0.2, 0, 0])));
      return watch.finish()?.drawn ?? [];
    };
    expect(drawnOf({}).at(-1)!.time).toBeCloseTo(3, 6);
    // One that begins at once with that frame was told to jump there.
    const begins = { in: 3 - 0.5 / RATE, start: 3 - 0.5 / RATE, end: 3, out: 3 };
    expect(drawnOf({ times: begins })).toEqual([]);
    expect(drawnOf({ times: { in: 0, start: 0, end: 3 - 1 / RATE, out: 3 } })).toEqual([]);
  });

  /** The largest change of a joint's velocity, in heights a second. */
  function jumpOf(poses: readonly Pose[], placeOf: (pose: Pose) => Vec3, height: number): number {
    const places = poses.map(placeOf);
    let most = 0;
    for (let k = 2; k < places.length; k++) {
      const [a, b, c] = [places[k - 2]!, places[k - 1]!, places[k]!];
      most = Math.max(most, (RATE * apart(plus(a, c), plus(b, b))) / height);
    }
    return most;
  }

  it('does not jump where a goal passes behind the body, though each frame for itself does (M18)', () => {
    const far = (degrees: number): Vec3 => [
      3 * Math.sin((degrees * Math.PI) / 180),
      1.2,
      3 * Math.cos((degrees * Math.PI) / 180),
    ];
    const keys = [0, 1, 2, 3].map((time) => ({ time, place: far(120 + 40 * time) }));
    const { runs, placeOf, body } = bake([
      { kind: 'lookAt', joint: 'head', from: 'neck', goal: { keys } },
      { kind: 'lookAt', joint: 'rightHand', goal: { keys } },
    ]);
    const jumps = runs.map((poses) => jumpOf(poses, (pose) => placeOf(pose, 'rightHand'), body.height));
    expect(jumps[0]!).toBeGreaterThan(50);
    expect(jumps[jumps.length - 1]!).toBeLessThan(2);
  });
});
