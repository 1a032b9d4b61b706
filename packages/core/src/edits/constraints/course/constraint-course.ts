import type { ConstraintData } from '../compiled-constraint.js';
import type { RampTimes } from '../ramp.js';
import type { Solver } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { type Correction, putCorrection } from './correction.js';
import { findGaps, type Gap } from './find-gaps.js';
import { type ChosenFrame, createBranchFollower } from './follow-branches.js';
import { solveFrom } from './solve-from.js';

/**
 * What was found by looking at all frames of a clip after they were solved each for itself: frames that shall take
 * another of their answers, with that one to start from, and gaps that frames are led over. Plain data: with it, too,
 * frames may come in any order.
 */
export type ConstraintCourse = {
  starts: CourseStart[];
  gaps: Gap[];
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
/** Frames that are looked at together; about thirty megabytes. */
const MOST_WATCHED = 20_000;

/**
 * Makes a watch; null where there is none to be made: ramps as the paper has them shall be seen as they are.
 * @param tasks All tasks that there may be.
 */
export function createCourseWatch(
  { constraints }: ConstraintData,
  tasks: readonly Task[],
): CourseWatch | null {
  if (constraints.some(({ ramp }) => ramp === 'paper')) return null;
  const steps = constraints.flatMap(({ times, ease }) => stepsOf(times, ease === 'step'));
  const isBroken = (from: number, to: number): boolean =>
    to - from > FARTHEST_FRAME || steps.some(([start, end]) => end > from - 1e-6 && start < to + 1e-6);
  const follower = createBranchFollower(tasks);
  const course: ConstraintCourse = { starts: [], gaps: [] };
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
      follower.note(solver, time, attraction, isBroken(last, time));
      last = time;
    },
    rest() {
      if (follower.count() > 0) flush();
    },
    finish() {
      flush();
      return course.starts.length + course.gaps.length > 0 ? course : null;
    },
  };
}

/** The stretches in which a constraint is told to begin or to end at once. */
function stepsOf(times: RampTimes, isStep: boolean): [number, number][] {
  const ramps: [number, number][] = [
    [times.in, times.start],
    [times.end, times.out],
  ];
  return ramps.flatMap(([start, end]): [number, number][] => {
    if (isStep) return [[end, end]];
    return end - start < SHORT_RAMP ? [[start, end]] : [];
  });
}

/** The frame whose answer the one at a time shall take; null where it has its own. */
export function startAt({ starts }: ConstraintCourse, time: number): CourseStart | null {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [starts[low - 1] ?? null, starts[low] ?? null];
  const isAfter = !before || (after !== null && after.time - time < time - before.time);
  const best = isAfter ? after : before;
  return best && Math.abs(best.time - time) < best.near ? best : null;
}

/** Gives a frame the answer that was chosen for it; one between two frames is solved from the nearer one's. */
export function takeAnswer(solver: Solver, { time: known, correction }: CourseStart, time: number): void {
  if (Math.abs(known - time) < 1e-6) putCorrection(solver.body, correction);
  else solveFrom(solver, correction);
}
