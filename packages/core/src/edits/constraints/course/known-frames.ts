import { updateBody } from '../solve/moving-body.js';
import type { Solver } from '../solve/system.js';

/**
 * A frame that was solved, to the last bit: a clip that is baked once more need not solve it again. Steps and work are
 * those that it took, so that what is told of it stays the same.
 */
export type KnownFrame = {
  time: number;
  locals: Float64Array;
  place: Float64Array;
  steps: number;
  work: number;
  /** Whether it was drawn anew before, and given back what it had. */
  isSettled?: boolean;
};

/** Times that are nearer, in seconds, are one. */
const SAME_FRAME_TIME = 1e-6;

/** Keeps how the body of a solver stands. */
export function keepFrame({ body, steps, work }: Solver, time: number): KnownFrame {
  return { time, locals: body.locals.slice(), place: body.place.slice(), steps, work };
}

/** Stands a body as a frame has it. */
export function putFrame(solver: Solver, { locals, place, steps, work }: KnownFrame): void {
  solver.body.locals.set(locals);
  solver.body.place.set(place);
  updateBody(solver.body);
  solver.steps = steps;
  solver.work = work;
}

/** The place of the first frame of a list by time that is not before a time. */
export function firstFrom(frames: readonly { time: number }[], time: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle]!.time < time - SAME_FRAME_TIME) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The frame of a list by time that stands at a time; null for none. */
export function frameAt<Frame extends { time: number }>(
  frames: readonly Frame[],
  time: number,
): Frame | null {
  const frame = frames[firstFrom(frames, time)];
  return frame && Math.abs(frame.time - time) < SAME_FRAME_TIME ? frame : null;
}
