import type { ConstraintData } from '../compiled-constraint.js';
import type { RampTimes } from '../ramp.js';
import type { Solver } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { type Correction, placesBefore, readCorrection } from './correction.js';
import { type DrawnFrame, drawOver, type SettledFrame } from './draw-over.js';
import { findGaps, type Gap } from './find-gaps.js';
import { type ChosenFrame, createBranchFollower } from './follow-branches.js';
import { type KnownFrame, keepFrame } from './known-frames.js';

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
/** How often a clip is looked back at. */
const MOST_ROUNDS = 4;

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
  return course.round < MOST_ROUNDS ? watchCourse(tasks, isBroken, course) : null;
}

/** Whether a jump between two times was asked for. */
type IsBroken = (from: number, to: number) => boolean;

/** Watches frames that were solved each for itself: follows their answers, and finds gaps. */
function watchAlone(tasks: readonly Task[], isBroken: IsBroken): CourseWatch {
  const follower = createBranchFollower(tasks);
  const course: ConstraintCourse = { round: 1, starts: [], gaps: [], known: [], drawn: [] };
  let last = Number.NEGATIVE_INFINITY;
  const flush = (): void => {
    const frames: ChosenFrame[] = follower.choose();
    frames.forEach(({ own, time, correction }, k) => {
      const step = time - frames[Math.max(0, k - 1)]!.time || FARTHEST_FRAME;
      if (!own) course.starts.push({ time, near: step / 2, correction });
    });
    course.gaps.push(...findGaps(frames, isBroken));
    last = Number.NEGATIVE_INFINITY;
  };
  return {
    note(solver, time, attraction) {
      if (!(time > last) || follower.count() >= MOST_WATCHED) flush();
      if (course.known.length < MOST_WATCHED) course.known.push(keepFrame(solver, time));
      follower.note(solver, time, attraction, isBroken(last, time));
      last = time;
    },
    rest() {
      if (follower.count() > 0) flush();
    },
    finish() {
      flush();
      if (course.starts.length + course.gaps.length === 0) return null;
      const others = new Set(course.starts.map(({ time }) => time));
      course.known = course.known.filter(({ time }) => !others.has(time));
      return course;
    },
  };
}

/** Watches frames that went by a course, for what jumps nevertheless. */
function watchCourse(tasks: readonly Task[], isBroken: IsBroken, course: ConstraintCourse): CourseWatch {
  const known: KnownFrame[] = [];
  const drawn: DrawnFrame[] = [];
  let frames: SettledFrame[] = [];
  let isRested = false;
  const flush = (after: boolean): void => {
    drawn.push(...drawOver(frames, { before: isRested, after }, course.round + 1 < MOST_ROUNDS));
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
      });
    },
    rest() {
      if (frames.length > 0) flush(true);
      isRested = true;
    },
    finish() {
      flush(false);
      return drawn.length > 0 ? { ...course, round: course.round + 1, known, drawn } : null;
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
      [times.out + SAME_STEP_TIME, times.out + SAME_STEP_TIME],
    );
  else {
    if (times.start - times.in < SHORT_RAMP)
      steps.push([times.in - SAME_STEP_TIME, times.start - SAME_STEP_TIME]);
    if (times.out - times.end < SHORT_RAMP)
      steps.push([times.end + SAME_STEP_TIME, times.out + SAME_STEP_TIME]);
  }
  return steps;
}
