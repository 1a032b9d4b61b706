import { substitute } from './factor.js';
import { gatherNewton, isMetAnyway, isNewtonSpent } from './gather-newton.js';
import { moveBody } from './moving-body.js';
import { clampStep, forceOf, largestOf, restoreBody, saveBody } from './solve-hard.js';
import { solveForces, solveStep, stepOfForces } from './solve-step.js';
import { gatherErrors, gatherSystem, isSpent, type Solver, strainOf, workOfMove } from './system.js';
import { measurePenalty } from './task-penalty.js';

/**
 * No joint turns further in one step, in radians. A body that is pulled hard can bend to one side or the other, and what
 * is wanted is the side that a slow pull would have bent it to: with 0.5 one frame in twenty went to the other side
 * (velocity jumped by 82 m/s instead of 3), for three steps less.
 */
const LARGEST_PULL_TURN = 0.07;
/** Steps that one level may take. */
const MOST_PULL_STEPS = 80;
/** A step that gains less of the sum is the last one. */
const LEAST_PULL_GAIN = 1e-11;
/**
 * c makes the quadratic of a step lie above the cost, which is safe and converges by a factor. Once steps are smaller
 * than this and taken whole, the cost itself is followed: along its force a task that slips pulls by F, so that it
 * gives way so many times as far for a change of force.
 */
const SMALL_STEP = 0.1;
const SMALL_STEP_EASE = 100;
/** What a held task costs that is not where it was: any number larger than forces are. */
const HELD_COST = 300;

/**
 * Brings the tasks of one level as near to their goals as is worth it, while those of the levels above keep what they
 * have: the least of
 *
 *   ½ strain + Σ cost(e)   over the tasks of this level (see `measurePenalty`),   e = 0 for all above.
 *
 * Each step solves (J W Jᵀ + C + c I) f = e − J z, the same system as `solveHard` with tasks that give way, c from the
 * error at hand (so that the quadratic it minimises lies above the cost and touches it); where a task then pulls less
 * than it may it does not give way at all. A step is halved until the sum falls. *Before* it is judged, what is held is
 * put back twice with the same factor: held rows are curved, a straight step leaves them, and judged without that,
 * steps shrink to nothing (the effect of Maratos; jerk ×11 instead of ×1.1).
 */
export function solvePull(solver: Solver, level: number): void {
  const { body, tasks, count, step } = solver;
  gatherErrors(solver);
  solver.attempt = 0;
  let sum = sumOf(solver, level);
  let small = 0;
  let near = false;
  for (let round = 0; round < MOST_PULL_STEPS; round++) {
    if (isSpent(solver)) return;
    solver.steps++;
    if (!gather(solver, level)) return;
    for (let n = 0; n < count; n++) {
      const task = tasks[n]!;
      task.filled = solver.filled > 0 && isMetAnyway(task, level);
      task.before.set(task.error);
      task.working = task.level <= level && (task.bound === 0 || task.error[0]! > -1e-9);
      if (task.level === level) measurePenalty(task, task.force);
      else task.slip = 0;
      task.ease = near ? SMALL_STEP_EASE : 1;
    }
    if (!(solveStep(solver, level) > 0) || !stick(solver, level)) return;
    for (let n = 0; n < count; n++) {
      const task = tasks[n]!;
      // Rows that fill H pull by ρ e less than was solved for.
      if (task.filled && task.working)
        for (let r = 0; r < task.rows; r++) task.pull[r] = task.pull[r]! - solver.filled * task.error[r]!;
    }
    clampStep(step, LARGEST_PULL_TURN);
    const size = largestOf(step);
    if (!Number.isFinite(size)) return;
    solver.lastStep.set(step);
    saveBody(solver, body);
    let share = 1;
    let next = sum;
    for (let halves = 0; ; halves++) {
      moveBody(body, solver.lastStep, share);
      solver.work += 3 * workOfMove(solver);
      putBack(solver, share);
      next = sumOf(solver, level);
      if (next < sum || halves >= 12) break;
      restoreBody(solver, body);
      share /= 2;
    }
    if (!(next < sum)) {
      restoreBody(solver, body);
      gatherErrors(solver);
      return;
    }
    const gain = sum - next;
    near = share === 1 && size < SMALL_STEP;
    sum = next;
    small = gain < LEAST_PULL_GAIN * (1 + sum) || share * size < 1e-7 ? small + 1 : 0;
    if (small >= 2) return;
  }
}

/** Gathers the system of a step: Newton's while there is work left for it, else that of eq. 1. */
function gather(solver: Solver, level: number): boolean {
  if (gatherNewton(solver, level)) return true;
  if (!isNewtonSpent(solver)) return false;
  gatherSystem(solver);
  return true;
}

/** Tasks that pull less than they may need not slip; those that then pull more do. Solves anew where one changes. */
function stick(solver: Solver, level: number): boolean {
  const { tasks, count } = solver;
  let changed = false;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    task.kept = task.slip;
    if (task.level === level && task.working && task.slip > 0 && forceOf(task) < 0.95 * task.force) {
      task.slip = 0;
      changed = true;
    }
  }
  if (!changed) return true;
  const pivot = solveForces(solver);
  if (!(pivot > 0)) return false;
  let isSolved = true;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (!(task.slip < task.kept && forceOf(task) > task.force)) continue;
    task.slip = task.kept;
    isSolved = false;
  }
  return solveStep(solver, level, isSolved ? pivot : 0) > 0;
}

/** What is minimised; errors are gathered on the way. */
function sumOf(solver: Solver, level: number): number {
  const { tasks, count } = solver;
  gatherErrors(solver);
  let sum = 0.5 * strainOf(solver);
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (task.level > level) continue;
    const { slip } = task;
    sum += measurePenalty(task, task.level === level ? task.force : HELD_COST);
    task.slip = slip;
  }
  return Number.isFinite(sum) ? sum : Number.POSITIVE_INFINITY;
}

/** Twice: what does not slip is put where a straight step of that share would have it: at (1 − share) e + share · C f. */
function putBack(solver: Solver, share: number): void {
  const { body, tasks, count, right, system, most } = solver;
  for (let round = 0; round < 2; round++) {
    gatherErrors(solver);
    let at = 0;
    let worst = 0;
    for (let n = 0; n < count; n++) {
      const task = tasks[n]!;
      if (!task.working) continue;
      for (let r = 0; r < task.rows; r++) {
        let wanted = (1 - share) * task.before[r]!;
        if (task.gives)
          for (let c = 0; c < task.rows; c++) wanted += share * task.give[3 * r + c]! * task.pull[c]!;
        const off = task.slip === 0 ? task.error[r]! - wanted : 0;
        worst = Math.max(worst, Math.abs(off));
        right[at++] = off;
      }
    }
    if (!(worst > 1e-12)) return;
    substitute(system, right, at, most);
    stepOfForces(solver, false);
    clampStep(solver.step, LARGEST_PULL_TURN);
    moveBody(body, solver.step, 1);
  }
}
