import type { ConstraintData } from '../compiled-constraint.js';
import type { RampTimes } from '../ramp.js';
import type { Solver } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { type Correction, placesBefore, readCorrection } from './correction.js';
import {
  type Care,
  type ChangedFrame,
  type DrawnFrame,
  drawOver,
  findJumps,
  type StretchEnds,
} from './draw-over.js';
import { fadeEnds } from './fade-ends.js';
import { findGaps, type Gap } from './find-gaps.js';
import { type ChosenFrame, createBranchFollower } from './follow-branches.js';
import { frameAt, type KnownFrame, keepFrame } from './known-frames.js';
import { restoreWorse } from './review-drawn.js';
import type { SettledFrame } from './settled-frame.js';

/**
 * What was found by looking at all frames of a clip after they were solved each for itself: frames that shall take
 * another of their answers, with that one to start from, gaps that frames are led over, and frames that are drawn anew.
 * Plain data: with it, too, frames may come in any order.
 */
export type ConstraintCourse = {
  /** How often was looked back: 1 after frames alone, 2 and 3 after frames that went by a course themselves. */
  round: number;
  starts: CourseStart[];
  gaps: Gap[];
  /** Frames whose pose is known, by time: as they are alone (round 1), or as they came out (after it). */
  known: KnownFrame[];
  /** Frames that take another pose than they would by all the above, by time. */
  drawn: DrawnFrame[];
  /** What frames had, by time, that take another pose than the time before; of round 1 those that lead over gaps too. */
  changed: ChangedFrame[];
};

/** A frame that shall take another answer, which; and within how many seconds frames between two are nearest to it. */
export type CourseStart = { time: number; near: number; correction: Correction };

/** Collects the frames of a clip for a {@link ConstraintCourse}, in their order. */
export type CourseWatch = {
  /** Takes the frame that was just solved; see `BranchFollower.note`. */
  note(solver: Solver, time: number, attraction: Float64Array): void;
  /** Tells that no constraint counts at this time. */
  rest(): void;
  /** The course; null where nothing is to be changed. */
  finish(): ConstraintCourse | null;
};

/** Ramps that are shorter, in seconds, are meant to jump. */
const SHORT_RAMP = 0.1;
/** Frames that are further apart, in seconds, say nothing of each other. */
const FARTHEST_FRAME = 0.1;
/** Frames that are looked at together, and that are kept; about sixty megabytes. */
const MOST_WATCHED = 20_000;
/** Times that are nearer, in seconds, are one. */
const SAME_STEP_TIME = 1e-6;
/**
 * What is looked for, the times after the first that a clip is looked back at. What is drawn the last time is looked at once
 * more, and only taken back.
 */
const CARES: readonly Care[] = ['fine', 'fine', 'rough', 'calm', 'calm', 'ends'];

/**
 * Makes a watch; null where there is none to be made: ramps as the paper has them shall be seen as they are.
 * @param tasks All tasks that there may be.
 * @param course What the frames go by that are watched; null for themselves alone.
 */
export function createCourseWatch(
  { constraints }: ConstraintData,
  tasks: readonly Task[],
  course: ConstraintCourse | null = null,
): CourseWatch | null {
  if (constraints.some(({ ramp }) => ramp === 'paper')) return null;
  const steps = constraints.flatMap(({ times, ease }) => stepsOf(times, ease === 'step'));
  const isBroken = (from: number, to: number): boolean =>
    to - from > FARTHEST_FRAME || steps.some(([start, end]) => end > from && start < to);
  if (!course) return watchAlone(tasks, isBroken);
  return course.round <= CARES.length + 1 ? watchCourse(tasks, isBroken, course) : null;
}

/** Draws what jumps in a stretch; where nothing does, what is restless; and where nothing is, ends that jump. */
function drawCarefully(frames: readonly SettledFrame[], ends: StretchEnds, care: Care): DrawnFrame[] {
  let drawn = care === 'ends' ? [] : drawOver(frames, ends, care);
  if (drawn.length === 0 && care !== 'calm' && care !== 'ends') drawn = drawOver(frames, ends, 'calm');
  return drawn.length > 0 ? drawn : fadeEnds(frames, ends);
}

/** The ends of a stretch: at rest a frame before and after it, or not. Ends that were asked to jump do not fade. */
function endsOf(
  frames: readonly SettledFrame[],
  before: boolean,
  after: boolean,
  isBroken: IsBroken,
): StretchEnds {
  const [first, second, last] = [frames[0]?.time ?? 0, frames[1]?.time ?? 0, frames.at(-1)?.time ?? 0];
  const step = Math.min(FARTHEST_FRAME, second - first);
  return {
    before,
    after,
    fadesIn: before && !isBroken(first - step, first),
    fadesOut: after && !isBroken(last, last + step),
  };
}

/** Whether a jump between two times was asked for. */
type IsBroken = (from: number, to: number) => boolean;

/** Watches frames that were solved each for itself: follows their answers, and finds gaps; where there is neither, what jumps finely. */
function watchAlone(tasks: readonly Task[], isBroken: IsBroken): CourseWatch {
  const follower = createBranchFollower(tasks);
  const course: ConstraintCourse = { round: 1, starts: [], gaps: [], known: [], drawn: [], changed: [] };
  const stretches: { frames: SettledFrame[]; ends: StretchEnds }[] = [];
  let settled: SettledFrame[] = [];
  let isRested = false;
  let last = Number.NEGATIVE_INFINITY;
  const flush = (after: boolean): void => {
    const stretch = settled;
    stretches.push({ frames: stretch, ends: endsOf(stretch, isRested, after, isBroken) });
    settled = [];
    isRested = after;
    const frames: ChosenFrame[] = follower.choose();
    frames.forEach(({ own, time, correction }, k) => {
      const step = time - frames[Math.max(0, k - 1)]!.time || FARTHEST_FRAME;
      if (!own) course.starts.push({ time, near: step / 2, correction });
    });
    const gaps = findGaps(frames, isBroken);
    course.gaps.push(...gaps);
    const jumps = findJumps(stretch, 'rough');
    stretch.forEach(({ time, correction }, k) => {
      const isLed = gaps.some((gap) => time > gap.time - gap.before && time < gap.time + gap.after);
      if (isLed || !frames[k]!.own) course.changed.push({ time, was: correction, jumps: jumps[k]! > 1 });
    });
    last = Number.NEGATIVE_INFINITY;
  };
  return {
    note(solver, time, attraction) {
      if (!(time > last) || follower.count() >= MOST_WATCHED) flush(false);
      if (course.known.length < MOST_WATCHED) course.known.push(keepFrame(solver, time));
      follower.note(solver, time, attraction, isBroken(last, time));
      settled.push({
        time,
        correction: follower.own(),
        attraction: placesBefore(solver.body, attraction),
        isBroken: settled.length > 0 && isBroken(last, time),
      });
      last = time;
    },
    rest() {
      if (follower.count() > 0) flush(true);
      isRested = true;
    },
    finish() {
      flush(false);
      if (course.starts.length + course.gaps.length === 0) {
        const drawn = stretches.flatMap(({ frames, ends }) => drawCarefully(frames, ends, CARES[0]!));
        return drawn.length > 0 ? { ...course, round: 2, drawn, changed: drawn } : null;
      }
      return course;
    },
  };
}

/** Watches frames that went by a course, for what jumps nevertheless. */
function watchCourse(tasks: readonly Task[], isBroken: IsBroken, course: ConstraintCourse): CourseWatch {
  const known: KnownFrame[] = [];
  const drawn: DrawnFrame[] = [];
  const restored: KnownFrame[] = [];
  let frames: SettledFrame[] = [];
  let isRested = false;
  const flush = (after: boolean): void => {
    for (const k of restoreWorse(frames, course.changed)) {
      const before = frameAt(course.known, frames[k]!.time);
      if (before) restored.push({ ...before, isSettled: true });
    }
    const care = CARES[course.round - 1];
    if (care) drawn.push(...drawCarefully(frames, endsOf(frames, isRested, after, isBroken), care));
    frames = [];
    isRested = after;
  };
  return {
    note(solver, time, attraction) {
      const last = frames[frames.length - 1]?.time ?? Number.NEGATIVE_INFINITY;
      if (frames.length >= MOST_WATCHED || !(time > last)) flush(false);
      if (known.length < MOST_WATCHED) known.push(keepFrame(solver, time));
      const correction = readCorrection(solver, attraction, tasks);
      frames.push({
        time,
        correction,
        attraction: placesBefore(solver.body, attraction),
        isBroken: frames.length > 0 && isBroken(last, time),
        isSettled: frameAt(course.known, time)?.isSettled ?? false,
      });
    },
    rest() {
      if (frames.length > 0) flush(true);
      isRested = true;
    },
    finish() {
      flush(false);
      if (drawn.length + restored.length === 0) return null;
      const all = known.map((frame) => frameAt(restored, frame.time) ?? frame);
      return { ...course, round: course.round + 1, known: all, drawn, changed: drawn };
    },
  };
}

/**
 * The stretches in which a constraint is told to begin or to end at once, beginning before the last frame without it and
 * ending with the first one with it, or the other way round: it counts at both of its ends, so that one which counts from
 * the first frame to the last begins and ends nowhere.
 */
function stepsOf(times: RampTimes, isStep: boolean): [number, number][] {
  const steps: [number, number][] = [];
  if (isStep)
    steps.push(
      [times.start - SAME_STEP_TIME, times.start - SAME_STEP_TIME],
      [times.end + SAME_STEP_TIME, times.end + SAME_STEP_TIME],
    );
  else {
    if (times.start - times.in < SHORT_RAMP)
      steps.push([times.in - SAME_STEP_TIME, times.start - SAME_STEP_TIME]);
    if (times.out - times.end < SHORT_RAMP)
      steps.push([times.end + SAME_STEP_TIME, times.out + SAME_STEP_TIME]);
  }
  return steps;
}
