import { factorMatrix, substitute } from './factor.js';
import { gatherErrors, gatherSystem, type Solver } from './system.js';

/*
 * Ramps. A task that counts by α, between 0 and 1, gives way: it asks for e = C f instead of e = 0, f its force, with
 *
 *   C = (1 − α)/α · S,   S the compliance of the body under it: how far it goes for a force, everything else held as it is.
 *
 * A lone task that was wrong by e₀ pulls until e₀ − S f = C f, and is left with (1 − α) e₀: the joint goes the share α of
 * the way from where *this frame* has it to where the goal is *now*; nothing is frozen, and what was captured on the
 * ramp stays. C rises to infinity towards α = 0, where the task vanishes, and falls to 0 towards α = 1, where it is hard:
 * one continuous problem whatever else begins, ends or contradicts it at that time, solved once a frame.
 *
 * S comes from the body as it is before anything is solved. With M the Gram matrix J W Jᵀ whose blocks on the diagonal
 * are divided by their α, the inverse of M's inverse's own block is that block less what goes through the others, so
 *   S = ((M⁻¹)ₜₜ)⁻¹ − (1/α − 1) Gₜₜ.
 * Where others hold the joint fast S goes to 0, and a task that contradicts them would be stiff at once: a share of the
 * body's own compliance stays.
 *
 * Tried instead, and worse: blending the poses solved with and without each task (as many solves as ramps overlap).
 */

/** The share of G that a task gives way by whatever the others do. */
const OWN = 0.2;

const block = new Float64Array(9);
const inverse = new Float64Array(9);
const column = new Float64Array(256);

/** Sets how far each task of the frame gives way; the body must stand in its attraction. */
export function softenTasks(solver: Solver): void {
  const { tasks, count, gram, system, most } = solver;
  let ramps = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    task.gives = task.alpha < 1;
    task.give.fill(0);
    task.excess.fill(0);
    if (task.gives) ramps++;
  }
  if (ramps === 0) return;
  gatherErrors(solver);
  gatherSystem(solver);
  // Bounds do not count among the others: they may or may not hold.
  let rows = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (task.bound !== 0) continue;
    for (let r = 0; r < task.rows; r++) {
      let c = 0;
      for (let m = 0; m <= n; m++) {
        const two = tasks[m]!;
        if (two.bound !== 0) continue;
        for (let q = 0; q < (m === n ? r + 1 : two.rows); q++)
          system[rows * most + c++] =
            (gram[(task.row + r) * most + two.row + q]! / (m === n ? task.alpha : 1)) * (m === n && q === r ? 1 + 1e-6 : 1) +
            (m === n && q === r ? 1e-12 : 0);
      }
      rows++;
    }
  }
  const regular = factorMatrix(system, rows, most) > 0;
  let at = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    const size = task.rows;
    const share = (1 - task.alpha) / task.alpha;
    if (task.gives) {
      for (let r = 0; r < size; r++)
        for (let q = 0; q < size; q++)
          block[3 * r + q] = gram[(task.row + Math.max(r, q)) * most + task.row + Math.min(r, q)]!;
      const fits = regular && task.bound === 0 && rows <= column.length;
      for (let q = 0; fits && q < size; q++) {
        column.fill(0, 0, rows);
        column[at + q] = 1;
        substitute(system, column, rows, most);
        for (let r = 0; r < size; r++) inverse[3 * r + q] = column[at + r]!;
      }
      const known = fits && invertBlock(inverse, size);
      for (let r = 0; r < size; r++)
        for (let q = 0; q < size; q++) {
          const k = 3 * r + q;
          const rest = known ? inverse[k]! - share * block[k]! : block[k]!;
          task.give[k] = share * (OWN * block[k]! + (1 - OWN) * rest);
        }
      for (let r = 0; r < size; r++) task.give[4 * r] = task.give[4 * r]! + 1e-12 * share;
    }
    if (task.bound === 0) at += size;
  }
}

/** Inverts a symmetric block of up to three rows, three numbers apart, in place; false where it is singular. */
function invertBlock(m: Float64Array, rows: number): boolean {
  const [a, b, c, d, e, f] = [m[0]!, m[3]!, m[6]!, m[4]!, m[7]!, m[8]!];
  if (rows === 1) {
    m[0] = 1 / a;
    return a > 0;
  }
  if (rows === 2) {
    const k = 1 / (a * d - b * b);
    m[0] = k * d;
    m[1] = -k * b;
    m[3] = -k * b;
    m[4] = k * a;
    return Number.isFinite(k);
  }
  const A = d * f - e * e;
  const B = c * e - b * f;
  const C = b * e - d * c;
  const k = 1 / (a * A + b * B + c * C);
  m[0] = k * A;
  m[1] = k * B;
  m[2] = k * C;
  m[3] = k * B;
  m[4] = k * (a * f - c * c);
  m[5] = k * (b * c - a * e);
  m[6] = k * C;
  m[7] = k * (b * c - a * e);
  m[8] = k * (a * d - b * b);
  return Number.isFinite(k);
}
