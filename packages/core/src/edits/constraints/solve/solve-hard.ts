import { squared } from '../../../base/math/functions.js';
import { type MovingBody, moveBody, updateBody } from './moving-body.js';
import { solveStep } from './solve-step.js';
import { gatherErrors, gatherSystem, isSpent, type Solver } from './system.js';
import type { Task } from './task.js';

/** No joint turns further in one step, in radians: a body that can bend to two sides shall take the one that is nearer. */
const LARGEST_HARD_TURN = 0.15;
/** A step of less, in radians and heights, is the last one. */
const SETTLED = 3e-6;
/** Steps after which meeting all tasks at once is given up. */
const MOST_HARD_STEPS = 60;
/** Where the step has not fallen by a fifth in so many, too. */
const PATIENCE = 8;
/** Forces so many times what is allowed, and the goal is out of reach: no more steps are spent on it. */
const HOPELESS = 4;

/** Starts the working set: all equations, and bounds that are broken. */
export function startWorking({ tasks, count }: Solver): void {
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    task.slip = 0;
    task.pull.fill(0);
    task.working = task.bound === 0 || task.error[0]! > 0;
  }
}

/** The largest number of a step; all joints' turns and the hips' way are of one kind here. */
export function largestOf(step: Float64Array): number {
  let most = 0;
  for (let c = 0; c < step.length; c++) {
    const size = Math.abs(step[c]!);
    // Not a number is larger than all.
    if (!(size <= most)) most = size;
  }
  return most;
}

/** The force of a task. */
export function forceOf({ pull, rows }: Task): number {
  return rows === 1
    ? Math.abs(pull[0]!)
    : Math.sqrt(squared(pull[0]!) + squared(pull[1]!) + (rows > 2 ? squared(pull[2]!) : 0));
}

/**
 * Meets all tasks of a frame at once, from where the body stands, by iterating eq. 1 (see {@link Solver}); from the
 * third step on along one secant, as Anderson does, since what eq. 1 leaves out (how rows turn with the body) makes it
 * converge by a factor only.
 * @param share The share of its force that a task may pull with.
 * @returns whether that went well: settled, and no task pulls harder than that. Then priorities have nothing to
 * decide. Where it did not the body stands anywhere.
 */
export function solveHard(solver: Solver, share: number): boolean {
  const { body, tasks, count, step, lastStep, lastRaw } = solver;
  gatherErrors(solver);
  startWorking(solver);
  let best = Number.POSITIVE_INFINITY;
  let since = 0;
  for (let round = 0; round < MOST_HARD_STEPS; round++) {
    if (isSpent(solver)) return false;
    solver.steps++;
    if (round > 0) gatherErrors(solver);
    gatherSystem(solver);
    if (!(solveStep(solver, Number.POSITIVE_INFINITY) > 0)) return false;
    const size = largestOf(step);
    if (!Number.isFinite(size)) return false;
    let most = 0;
    for (let n = 0; n < count; n++) most = Math.max(most, forceOf(tasks[n]!) / tasks[n]!.force);
    if (round >= 3 && most > HOPELESS * share) return false;
    if (size < SETTLED) {
      moveBody(body, step, 1);
      return most <= share;
    }
    if (size < 0.8 * best) {
      best = size;
      since = 0;
    } else if (++since > PATIENCE) return false;
    takeSecant(step, lastStep, lastRaw, round);
    clampStep(step, LARGEST_HARD_TURN);
    lastStep.set(step);
    moveBody(body, step, 1);
  }
  return false;
}

/** Anderson's step of depth one: what the last two raw steps say of where they lead. */
function takeSecant(step: Float64Array, lastStep: Float64Array, lastRaw: Float64Array, round: number): void {
  let above = 0;
  let below = 0;
  for (let c = 0; c < step.length; c++) {
    const change = step[c]! - lastRaw[c]!;
    above += step[c]! * change;
    below += change * change;
  }
  const g = round >= 2 && below > 0 ? Math.min(0.9, Math.max(-4, above / below)) : 0;
  for (let c = 0; c < step.length; c++) {
    const raw = step[c]!;
    if (g !== 0) step[c] = raw - g * (lastStep[c]! + raw - lastRaw[c]!);
    lastRaw[c] = raw;
  }
}

/** Shortens a step in which a joint would turn further than so many radians. */
export function clampStep(step: Float64Array, most: number): void {
  const size = largestOf(step);
  if (size > most) for (let c = 0; c < step.length; c++) step[c] = (step[c]! * most) / size;
}

/** Keeps how a body stands. */
export function saveBody(solver: Solver, { locals, place }: MovingBody): void {
  solver.savedLocals.set(locals);
  solver.savedPlace.set(place);
}

/** Stands it so again. */
export function restoreBody({ savedLocals, savedPlace }: Solver, body: MovingBody): void {
  body.locals.set(savedLocals);
  body.place.set(savedPlace);
  updateBody(body);
}
