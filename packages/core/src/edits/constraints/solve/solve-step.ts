import { factorMatrix, substitute } from './factor.js';
import { goBackwards } from './profile.js';
import type { Solver } from './system.js';
import type { Task } from './task.js';

/** Rows that depend on each other share their force: every pivot has at least this of its diagonal. */
const RIDGE = 1e-9;

/**
 * Solves for the forces of the working tasks, and writes them into `pull`.
 * @returns the smallest pivot over its diagonal; 0 where there is no solution.
 */
export function solveForces(solver: Solver): number {
  const { tasks, count, gram, system, most, list, right } = solver;
  let rows = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (!task.working) continue;
    for (let r = 0; r < task.rows; r++) {
      const row = task.row + r;
      for (let c = 0; c < rows; c++) system[rows * most + c] = gram[row * most + list[c]!]!;
      const diagonal = gram[row * most + row]!;
      system[rows * most + rows] = diagonal + RIDGE * diagonal + 1e-14 + task.slip;
      if (task.gives)
        for (let c = 0; c <= r; c++)
          system[rows * most + rows - r + c] = system[rows * most + rows - r + c]! + task.give[3 * r + c]!;
      right[rows] = task.error[r]! - movedBack(solver, task, row);
      if (task.slip > 0 && task.ease > 1) {
        // Along its force a task that slips pulls by F whatever the step: c m f = e + c (m − 1) F there.
        const more = (task.ease - 1) * task.slip * task.aim[r]!;
        for (let c = 0; c <= r; c++)
          system[rows * most + rows - r + c] = system[rows * most + rows - r + c]! + more * task.aim[c]!;
        right[rows] = right[rows]! + more * task.force;
      }
      list[rows++] = row;
    }
  }
  solver.working = rows;
  const pivot = factorMatrix(system, rows, most);
  if (!(pivot > 0)) return 0;
  substitute(system, right, rows, most);
  let at = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    for (let r = 0; r < task.rows; r++) task.pull[r] = task.working ? right[at++]! : 0;
  }
  return pivot;
}

/** What going all the way back would change a row by. */
function movedBack(
  { jacobian, width, back, newton, half, halfFirsts, halfBack }: Solver,
  task: Task,
  row: number,
): number {
  let moved = 0;
  const o = row * width;
  if (newton) {
    for (let c = halfFirsts[row]!; c < width; c++) moved += half[o + c]! * halfBack[c]!;
    return moved;
  }
  for (let k = 0; k < task.columns.length; k++) {
    const c = 3 * task.columns[k]!;
    moved +=
      jacobian[o + c]! * back[c]! + jacobian[o + c + 1]! * back[c + 1]! + jacobian[o + c + 2]! * back[c + 2]!;
  }
  for (let c = width - 3; c < width; c++) moved += jacobian[o + c]! * back[c]!;
  return moved;
}

/** step = (z where `home`) + W Jᵀ f, f the forces of the working rows in `right`. */
export function stepOfForces(solver: Solver, home: boolean): void {
  const { tasks, count, jacobian, width, right, weights, back, step } = solver;
  if (solver.newton) {
    newtonStep(solver, home);
    return;
  }
  if (home) step.set(back);
  else step.fill(0);
  let at = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (!task.working) continue;
    const { columns } = task;
    for (let r = 0; r < task.rows; r++) {
      const o = (task.row + r) * width;
      const f = right[at++]!;
      for (let k = 0; k < columns.length; k++) {
        const c = 3 * columns[k]!;
        const w = weights[c]! * f;
        step[c] = step[c]! + w * jacobian[o + c]!;
        step[c + 1] = step[c + 1]! + w * jacobian[o + c + 1]!;
        step[c + 2] = step[c + 2]! + w * jacobian[o + c + 2]!;
      }
      const w = weights[width - 3]! * f;
      for (let c = width - 3; c < width; c++) step[c] = step[c]! + w * jacobian[o + c]!;
    }
  }
}

function newtonStep(
  { tasks, count, half, halfFirsts, halfBack, halfStep, profile, width, right, step }: Solver,
  home: boolean,
): void {
  if (home) halfStep.set(halfBack);
  else halfStep.fill(0);
  let at = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (!task.working) continue;
    for (let r = 0; r < task.rows; r++) {
      const o = (task.row + r) * width;
      const f = right[at++]!;
      for (let c = halfFirsts[task.row + r]!; c < width; c++) halfStep[c] = halfStep[c]! + f * half[o + c]!;
    }
  }
  goBackwards(profile, step, halfStep);
}

/** What a step changes a one-row task by, by its row. */
export function changeBy({ jacobian, width, step }: Solver, { row, columns }: Task): number {
  let sum = 0;
  for (let k = 0; k < columns.length; k++) {
    const c = 3 * columns[k]!;
    sum +=
      jacobian[row * width + c]! * step[c]! +
      jacobian[row * width + c + 1]! * step[c + 1]! +
      jacobian[row * width + c + 2]! * step[c + 2]!;
  }
  for (let c = width - 3; c < width; c++) sum += jacobian[row * width + c]! * step[c]!;
  return sum;
}

/** How often the working set is changed before it is taken as it is. */
const SET_ROUNDS = 8;

/**
 * Solves for the step of the tasks that are working, and finds which of those with a bound must be: a bound that the
 * step would break works, one whose force pulls the wrong way does not.
 * @param level Tasks below it do not count.
 * @param solved The pivot of `solveForces` where it has solved for these tasks already; else 0.
 * @returns the smallest pivot, or 0.
 */
export function solveStep(solver: Solver, level: number, solved = 0): number {
  const { tasks, count } = solver;
  for (let round = 0; ; round++) {
    const pivot = round === 0 && solved > 0 ? solved : solveForces(solver);
    if (!(pivot > 0)) return 0;
    stepOfForces(solver, true);
    if (round >= SET_ROUNDS) return pivot;
    let changed = false;
    for (let n = 0; n < count; n++) {
      const task = tasks[n]!;
      if (task.bound === 0 || task.level > level) continue;
      if (task.working) {
        if (task.pull[0]! < 0) {
          task.working = false;
          changed = true;
        }
      } else if (task.error[0]! - changeBy(solver, task) > 1e-9) {
        task.working = true;
        changed = true;
      }
    }
    if (!changed) return pivot;
  }
}
