import { unlockBody } from '../solve/moving-body.js';
import { solveHard } from '../solve/solve-hard.js';
import { solveLevels } from '../solve/solve-set.js';
import type { Solver } from '../solve/system.js';
import { type Correction, putCorrection } from './correction.js';

/** Solves the tasks of a frame from a correction instead of from the attraction: of several answers the one near it. */
export function solveFrom(solver: Solver, start: Correction): void {
  const { body, tasks, count } = solver;
  for (let n = 0; n < count; n++) tasks[n]!.excess.set(tasks[n]!.lag);
  putCorrection(body, start);
  if (solveHard(solver, 1)) return;
  unlockBody(body);
  for (let n = 0; n < count; n++) tasks[n]!.excess.set(tasks[n]!.lag);
  putCorrection(body, start);
  solveLevels(solver);
}
