import { gatherErrors, gatherSystem, type Solver } from './system.js';

/*
 * Ramps. A task that counts by α, between 0 and 1, is asked for less, and gives way: with e₀ what is wrong with it in
 * the attraction of *this* frame,
 *
 *   e = (1 − b) e₀ + C f,   b = ε + (1 − ε) α,   C = ε (1 − α)/α · G,
 *
 * f its force and G its own block of J W Jᵀ: how far the body goes for a force. A lone task pulls until
 * e₀ − G f = (1 − b) e₀ + C f, so f = b e₀ / (G + C) and, by the choice of b, e = (1 − α) e₀: the joint goes the
 * share α of the way from where this frame has it to where the goal is now. Nothing is frozen: what was captured on the
 * ramp stays. C rises to infinity towards α = 0, where the task vanishes, and is 0 at α = 1, where it is hard: one
 * continuous problem whatever else begins, ends or contradicts it at that time, solved once a frame.
 *
 * ε is how much of a ramp is giving way. With 0 the task is hard from the first instant on and holds its joint where it
 * was captured against all others: overlapping ramps jumped by 50 m/s. With 1 nothing but giving way: G is of the
 * attraction, a goal a third of the height away is not near it, and the joint wandered on the way.
 * Tried too, and dearer: blending the poses that were solved with and without each task, as many as ramps overlap.
 */
const GIVING = 0.25;

/** How far a task gives way where it is to have no say, in heights for a force. */
const FREE = 1e6;

/** Sets what each task of the frame is let off and how far it gives way; the body must stand in its attraction. */
export function softenTasks(solver: Solver): void {
  const { tasks, count, gram, most } = solver;
  let ramps = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    task.gives = task.alpha < 1 - 1e-6 || task.yields > 0;
    task.lag.fill(0);
    task.excess.fill(0);
    if (task.yields > 0) {
      for (let r = 0; r < 3; r++) {
        for (let q = 0; q < 3; q++) task.give[3 * r + q] = FREE * task.free[r]! * task.free[q]!;
        task.give[4 * r] = task.give[4 * r]! + task.yields / task.alpha;
      }
    } else if (task.gives) ramps++;
  }
  if (ramps === 0) return;
  gatherErrors(solver);
  gatherSystem(solver);
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (!task.gives || task.yields > 0) continue;
    const { alpha, rows, row, give, lag, error, bound } = task;
    // What looks is told in axes that turn with it: there is no part of it to be let off.
    const giving = task.kind === 'look' ? 1 : GIVING;
    const share = (giving * (1 - alpha)) / alpha;
    for (let r = 0; r < rows; r++) {
      for (let q = 0; q < rows; q++)
        give[3 * r + q] = share * gram[(row + Math.max(r, q)) * most + row + Math.min(r, q)]!;
      give[4 * r] = give[4 * r]! + 1e-12 * share;
      const wrong = bound !== 0 ? Math.max(0, error[r]!) : error[r]!;
      lag[r] = (1 - giving) * (1 - alpha) * wrong;
    }
  }
}
