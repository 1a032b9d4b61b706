import { squared } from '../../../base/math/functions.js';
import type { Task } from './task.js';

/*
 * What a task costs while it is soft. It pulls with a force of at most F, so that a goal out of reach bends the body
 * as far as is worth it and no further; and on a ramp it gives way: e = C f. Together that is the least of
 *   ½ (e − s)ᵀ C⁻¹ (e − s) + F |s|
 * over the part s that slips: with f = (C + c I)⁻¹ e the force, s = c f, and c ≥ 0 such that |f| ≤ F.
 * Without a ramp C = 0: the cost is F |e|, which is an exact penalty: where F is enough, e = 0 to the last digit.
 */

const force = new Float64Array(3);

/**
 * The cost of a task's error, and in `task.slip` the c of it. Nothing for a bound that is kept.
 * @param most F.
 */
export function measurePenalty(task: Task, most: number): number {
  const { error, rows, bound, give, gives } = task;
  if (bound !== 0 && !(error[0]! > 0)) {
    task.slip = 0;
    return 0;
  }
  let size = 0;
  for (let r = 0; r < rows; r++) size += error[r]! * error[r]!;
  size = Math.sqrt(size);
  if (!gives) {
    task.slip = size / most;
    for (let r = 0; r < rows; r++) task.aim[r] = size > 0 ? error[r]! / size : 0;
    return most * size;
  }
  let c = 0;
  if (solveGive(give, rows, 0, error) > most) {
    // |(C + c I)⁻¹ e| falls with c; between 0 and |e| / F it passes F.
    let low = 0;
    let high = size / most;
    for (let k = 0; k < 40 && high - low > 1e-12 * high; k++) {
      c = (low + high) / 2;
      if (solveGive(give, rows, c, error) > most) low = c;
      else high = c;
    }
    c = high;
    solveGive(give, rows, c, error);
  }
  task.slip = c;
  for (let r = 0; r < rows; r++) task.aim[r] = force[r]! / most;
  let cost = c * most * most;
  for (let r = 0; r < rows; r++)
    for (let q = 0; q < rows; q++) cost += 0.5 * force[r]! * give[3 * r + q]! * force[q]!;
  return cost;
}

/** force = (C + c I)⁻¹ e by Cramer's rule; gives its length. */
function solveGive(m: Float64Array, rows: number, c: number, e: Float64Array): number {
  const a = m[0]! + c + 1e-30;
  if (rows === 1) {
    force[0] = e[0]! / a;
    return Math.abs(force[0]);
  }
  const b = m[3]!;
  const d = m[4]! + c + 1e-30;
  if (rows === 2) {
    const k = 1 / (a * d - b * b);
    force[0] = k * (d * e[0]! - b * e[1]!);
    force[1] = k * (a * e[1]! - b * e[0]!);
    return Math.sqrt(squared(force[0]) + squared(force[1]));
  }
  const f = m[6]!;
  const g = m[7]!;
  const h = m[8]! + c + 1e-30;
  const A = d * h - g * g;
  const B = f * g - b * h;
  const C = b * g - d * f;
  const k = 1 / (a * A + b * B + f * C);
  force[0] = k * (A * e[0]! + B * e[1]! + C * e[2]!);
  force[1] = k * (B * e[0]! + (a * h - f * f) * e[1]! + (b * f - a * g) * e[2]!);
  force[2] = k * (C * e[0]! + (b * f - a * g) * e[1]! + (a * d - b * b) * e[2]!);
  return Math.sqrt(squared(force[0]) + squared(force[1]) + squared(force[2]));
}
