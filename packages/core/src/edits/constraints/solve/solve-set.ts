import { resetBody, stoopBody, unlockBody } from './moving-body.js';
import { restoreBody, saveBody, solveHard } from './solve-hard.js';
import { solvePull } from './solve-pull.js';
import { gatherErrors, type Solver } from './system.js';

/** With less than this share of the usual force nothing that is pressed gives in: there is one answer. */
const ONE_ANSWER = 0.1;

/**
 * Solves the tasks of a frame, from the attraction, or stooped where that takes force (see `stoopBody`): the pose of least
 * strain that meets them all; where they cannot be met, or not without pulling harder than they may, level by level, each as near as the ones above allow. A level is
 * solved before those below it exist, and is then held where it is: what is below cannot change it (M22).
 * @returns whether all are met.
 */
export function solveSet(solver: Solver): boolean {
  const { body, tasks, count } = solver;
  for (let n = 0; n < count; n++) tasks[n]!.excess.set(tasks[n]!.lag);
  resetBody(body);
  if (isContent(solver, Number.POSITIVE_INFINITY) || solveHard(solver, ONE_ANSWER)) return true;
  resetBody(body);
  stoopBody(body);
  if (solveHard(solver, 1)) return true;
  resetBody(body);
  stoopBody(body);
  solveLevels(solver);
  return false;
}

/** Solves level by level from where the body stands. */
export function solveLevels(solver: Solver): void {
  const { body, tasks, count } = solver;
  for (let n = 0; n < count; n++) tasks[n]!.pull.fill(0);
  let level = Number.NEGATIVE_INFINITY;
  for (;;) {
    let next = Number.POSITIVE_INFINITY;
    for (let n = 0; n < count; n++) {
      const each = tasks[n]!.level;
      if (each > level && each < next) next = each;
    }
    if (next === Number.POSITIVE_INFINITY) break;
    level = next;
    if (isFreeOf(solver, level)) continue;
    solvePull(solver, level);
    gatherErrors(solver);
    for (let n = 0; n < count; n++) {
      const task = tasks[n]!;
      // A bound that is kept is held as a bound, not as where it happens to be.
      if (task.level === level && (task.bound === 0 || task.error[0]! > 0))
        for (let r = 0; r < task.rows; r++) task.excess[r] = task.excess[r]! + task.error[r]!;
    }
    unlockBody(body);
  }
}

/** What arithmetic leaves of no error, in heights. */
const ERROR_ROUNDING = 1e-13;

/**
 * Whether the attraction meets all tasks down to a level, none of them on a ramp: nothing is let off, and the body stands there
 * at once, which took what stands a dozen steps.
 */
function isFreeOf(solver: Solver, level: number): boolean {
  const { body, tasks, count } = solver;
  for (let n = 0; n < count; n++) if (tasks[n]!.level <= level && tasks[n]!.gives) return false;
  saveBody(solver, body);
  resetBody(body);
  if (isContent(solver, level)) return true;
  restoreBody(solver, body);
  return false;
}

/** Whether a body as it stands meets every task down to a level already. In the attraction no bit of it need be changed then. */
function isContent(solver: Solver, level: number): boolean {
  gatherErrors(solver);
  for (let n = 0; n < solver.count; n++) {
    const { error, bound, level: own } = solver.tasks[n]!;
    if (own > level) continue;
    const wrong =
      bound !== 0 ? error[0]! : Math.max(Math.abs(error[0]!), Math.abs(error[1]!), Math.abs(error[2]!));
    if (!(wrong <= ERROR_ROUNDING)) return false;
  }
  return true;
}
