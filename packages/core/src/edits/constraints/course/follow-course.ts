import { easeAt } from '../../../base/math/easing.js';
import { squared } from '../../../base/math/functions.js';
import { multiplyQuaternions, normalizeQuaternion } from '../../../base/math/quaternion.js';
import { resetBody, updateBody } from '../solve/moving-body.js';
import { solveSet } from '../solve/solve-set.js';
import type { Solver } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { type Bridge, bridgeGaps, MISSED } from './bridge-gaps.js';
import type { ConstraintCourse, CourseStart } from './constraint-course.js';
import { gatherWhole, putCorrection, wrongOf } from './correction.js';
import type { DrawnFrame } from './draw-over.js';
import { firstFrom, frameAt, putFrame } from './known-frames.js';
import { meetAgain } from './meet-again.js';
import { solveFrom } from './solve-from.js';

/**
 * Solves the tasks of a frame as a course has it.
 * @param tasks All tasks that there may be, as the course knows them.
 */
export function followCourse(
  solver: Solver,
  course: ConstraintCourse,
  bridge: Bridge,
  tasks: readonly Task[],
  time: number,
): void {
  // After the first round all frames are known as they came out; in it, frames with another answer than their own are not.
  const early = course.round === 1 ? startAt(course, time) : null;
  const known = early ? null : frameAt(course.known, time);
  const start = early ?? (known ? null : startAt(course, time));
  if (known) putFrame(solver, known);
  else if (start) takeAnswer(solver, start, time);
  else solveSet(solver);
  if (!known || course.round === 1) bridgeGaps(solver, bridge, tasks, course.gaps, time);
  takeDrawn(solver, bridge, tasks, course.drawn, time);
}

/** The frame whose answer the one at a time shall take; null where it has its own. */
export function startAt({ starts }: ConstraintCourse, time: number): CourseStart | null {
  const next = firstFrom(starts, time);
  const [before, after] = [starts[next - 1] ?? null, starts[next] ?? null];
  const isAfter = !before || (after !== null && after.time - time < time - before.time);
  const best = isAfter ? after : before;
  return best && Math.abs(best.time - time) < best.near ? best : null;
}

/** Gives a frame the answer that was chosen for it; one between two frames is solved from the nearer one's. */
function takeAnswer(solver: Solver, { time: known, correction }: CourseStart, time: number): void {
  if (Math.abs(known - time) < 1e-6) putCorrection(solver.body, correction);
  else solveFrom(solver, correction);
}

/** Frames further apart, in seconds, are of two windows. */
const ONE_WINDOW = 0.1;

/** Stands a body as was drawn for its time, and meets tasks anew from there. */
function takeDrawn(
  solver: Solver,
  bridge: Bridge,
  tasks: readonly Task[],
  drawn: readonly DrawnFrame[],
  time: number,
): void {
  const next = firstFrom(drawn, time);
  const after = drawn[next];
  if (!after) return;
  const isExact = after.time - time < 1e-6;
  const before = isExact ? after : drawn[next - 1];
  if (!before || after.time - before.time > ONE_WINDOW) return;
  gatherWhole(solver);
  for (let n = 0; n < solver.count; n++) {
    const task = solver.tasks[n]!;
    // What is met stays met, and so does what a ramp lets off. What turns or looks tells what is wrong in axes that turn.
    const isKept = task.gives || task.kind === 'look' || task.kind === 'turn';
    let square = 0;
    for (let r = 0; r < task.rows; r++) square += squared(wrongOf(task, r));
    const led = isKept ? 0 : easeAt('smooth', Math.sqrt(square) / MISSED);
    const t = tasks.indexOf(task);
    for (let r = 0; r < task.rows; r++)
      task.excess[r] = (1 - led) * wrongOf(task, r) + (led > 0 ? led * after.errors[3 * t + r]! : 0);
  }
  const share = isExact ? 0 : (after.time - time) / (after.time - before.time);
  putBetween(solver, after, before, share);
  if (after.way !== 'drawn') meetAgain(solver, bridge.meeting, after.way);
}

const turn = new Float64Array(4);

/** Stands a body between two frames that were drawn, `share` of the way from one to the other. */
function putBetween({ body }: Solver, one: DrawnFrame, other: DrawnFrame, share: number): void {
  resetBody(body);
  for (let i = 0; i < body.plan.joints.length; i++) {
    if (body.plan.weights[i] === 0) continue;
    let dot = 0;
    for (let c = 4 * i; c < 4 * i + 4; c++) dot += one.turns[c]! * other.turns[c]!;
    for (let c = 0; c < 4; c++)
      turn[c] = (1 - share) * one.turns[4 * i + c]! + (dot < 0 ? -share : share) * other.turns[4 * i + c]!;
    multiplyQuaternions(body.locals, 4 * i, body.locals, 4 * i, turn, 0);
    normalizeQuaternion(body.locals, 4 * i, body.locals, 4 * i);
  }
  for (let c = 0; c < 3; c++) body.place[c] = (1 - share) * one.place[c]! + share * other.place[c]!;
  updateBody(body);
}
