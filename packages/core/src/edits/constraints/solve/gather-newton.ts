import { cos, sin, squared } from '../../../base/math/functions.js';
import { rotateVector } from '../../../base/math/quaternion.js';
import { placeOf } from './gather-task.js';
import type { MovingBody } from './moving-body.js';
import { factorProfile, goForwards } from './profile.js';
import { gatherRows, type Solver } from './system.js';
import { type Task, TURN_SCALE } from './task.js';

/*
 * What eq. 1 leaves out is how rows turn with the body. With a force f on a point at the lever r from joint j, turning
 * j and a joint i above it takes the point, beyond the sum of both, by ωᵢ × (ωⱼ × r), which changes the cost by
 *
 *   −f · (ωᵢ × (ωⱼ × r)) = (ωᵢ · ωⱼ)(f · r) − (ωᵢ · r)(f · ωⱼ),   half of it for i = j;
 *
 * a turn is beyond the sum of two by ½ ωᵢ × ωⱼ. A limb that is pulled taut so resists being turned aside, as a pendulum
 * does, and the stronger the pull the more: with the forces of goals out of reach, eq. 1 goes four times too far with
 * every other step, was halved, and took a hundred steps where this takes ten. Where forces are small eq. 1 is cheaper.
 *
 * So the metric W⁻¹ of the strain becomes H = W⁻¹ + K(f), and a step solves
 *   (J H⁻¹ Jᵀ + C + c) f = e − J H⁻¹ W⁻¹ z,   Δ = H⁻¹ (W⁻¹ z + Jᵀ f):
 * Newton's step for the cost as it is, with the same answer. A push that would fold the body makes H indefinite. Rows
 * that are met whatever the step may be added to it, ρ Jᵀ J, without changing the step: that fills the directions in
 * which the body cannot go anyway. Where it is not enough strain is added, which shortens steps.
 */

const point = new Float64Array(3);
const force = new Float64Array(3);
const lever = new Float64Array(3);
/** ρ. */
const FILLED = 200;
/** Strain that is added to an indefinite H, at first; times four each time. */
const ADDED = 0.1;
/** With so much more nothing is found any more. */
const MOST_ADDED = 1e3;

/**
 * The share of a frame's work that may go into steps of Newton; those after them go by eq. 1, which takes a tenth of the
 * work and some more steps, and comes to the same place: of 115 sets of constraints on a person that contradict each other
 * half differed by less than 10⁻⁵ of the height. H grows by the square of the joints and its factor by the cube: on a
 * chain of 240 joints two steps of it are more than all of a frame's work.
 */
const NEWTON_SHARE = 1 / 2;

/** Whether one more attempt would be more than a frame may spend on it. */
export function isNewtonSpent(solver: Solver): boolean {
  return solver.work + workOfNewton(solver) > NEWTON_SHARE * solver.limit;
}

/** What one attempt takes at most, where every joint hangs on the one before: the factor of H, and all rows through it. */
function workOfNewton({ tasks, count, width }: Solver): number {
  let rows = 0;
  for (let n = 0; n < count; n++) rows += tasks[n]!.rows;
  return width * width * (width / 6 + rows);
}

/**
 * Gathers rows, H from the forces of the last step, and J H⁻¹ Jᵀ of the tasks down to a level.
 * @returns whether there is such a system, and work left to find it.
 */
export function gatherNewton(solver: Solver, level: number): boolean {
  if (isNewtonSpent(solver)) return false;
  gatherRows(solver);
  solver.newton = true;
  if (!factorHessian(solver, level)) return false;
  const { body, tasks, count, width, profile, half, halfFirsts, halfBack, jacobian, gram, most } = solver;
  const { back, step } = solver;
  const { plan } = body;
  for (let i = 0; i < plan.joints.length; i++) {
    const w = plan.weights[i]!;
    for (let c = 3 * i; c < 3 * i + 3; c++) step[c] = w > 0 ? back[c]! / w : 0;
  }
  for (let c = width - 3; c < width; c++) step[c] = plan.hips >= 0 ? back[c]! / plan.placeWeight : 0;
  goForwards(profile, halfBack, 0, step, 0);
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (task.level > level) continue;
    for (let r = 0; r < task.rows; r++) {
      const o = (task.row + r) * width;
      halfFirsts[task.row + r] = goForwards(profile, half, o, jacobian, o);
    }
    for (let m = 0; m <= n; m++) {
      const two = tasks[m]!;
      if (two.level > level) continue;
      for (let a = 0; a < task.rows; a++)
        for (let b = 0; b < (n === m ? a + 1 : two.rows); b++) {
          const ra = (task.row + a) * width;
          const rb = (two.row + b) * width;
          let sum = 0;
          for (let c = Math.max(halfFirsts[task.row + a]!, halfFirsts[two.row + b]!); c < width; c++)
            sum += half[ra + c]! * half[rb + c]!;
          // Later levels may stand before earlier ones in the list: both halves are filled.
          gram[(task.row + a) * most + two.row + b] = sum;
        }
    }
  }
  return true;
}

/**
 * Factors H with as little done to it as makes it definite: nothing (attempt 0), rows filled in (1), strain added (2 and on).
 * What is enough for one attempt is enough for all after it, and hardly changes from step to step: it is looked for from the
 * attempt of the step before, which takes two factors where beginning anew took three to ten.
 * @returns whether there is a factor, and work left to find it.
 */
function factorHessian(solver: Solver, level: number): boolean {
  const { profile, hessian } = solver;
  let attempt = Math.max(0, solver.attempt - 1);
  let isFilled: boolean | null = null;
  let added = 0;
  for (let goesDown = true; ; ) {
    if (isNewtonSpent(solver)) return false;
    solver.work += workOfNewton(solver);
    if (isFilled !== attempt > 0) {
      isFilled = attempt > 0;
      added = 0;
      gatherHessian(solver, level, isFilled);
    }
    const strain = attempt > 1 ? ADDED * (1 << (2 * (attempt - 2))) : 0;
    stiffen(solver, strain - added);
    added = strain;
    if (factorProfile(profile, hessian) > 1e-9) {
      if (!goesDown || attempt === 0) break;
      attempt--;
    } else {
      if (strain > MOST_ADDED) return false;
      goesDown = false;
      attempt++;
    }
  }
  solver.attempt = attempt;
  solver.filled = attempt > 0 ? FILLED : 0;
  return true;
}

/** H from the forces of the last step, with rows filled in or not. */
function gatherHessian(solver: Solver, level: number, isFilled: boolean): void {
  const { body, tasks, count, width, hessian, back } = solver;
  const { plan } = body;
  hessian.fill(0);
  for (let i = 0; i < plan.joints.length; i++) {
    const w = plan.weights[i]!;
    for (let c = 3 * i; c < 3 * i + 3; c++) hessian[c * width + c] = w > 0 ? 1 / w : 1;
  }
  for (let c = width - 3; c < width; c++) hessian[c * width + c] = plan.hips >= 0 ? 1 / plan.placeWeight : 1;
  addStrain(hessian, width, back, plan.weights);
  for (let n = 0; n < count; n++) if (tasks[n]!.level <= level) addStiffness(solver, tasks[n]!);
  if (body.locked) stiffenLocked(hessian, width, body);
  if (isFilled)
    for (let n = 0; n < count; n++) if (isMetAnyway(tasks[n]!, level)) fillRows(solver, tasks[n]!);
}

/** Adds strain to all that turns. */
function stiffen({ body: { plan }, hessian, width }: Solver, by: number): void {
  if (by === 0) return;
  for (let c = 0; c < width - 3; c++)
    if (plan.weights[(c / 3) | 0]! > 0) hessian[c * width + c] = hessian[c * width + c]! + by;
}

/** Whether a task neither slipped nor gave way when it was solved last. */
export function isMetAnyway(task: Task, level: number): boolean {
  return task.level <= level && task.working && task.slip === 0 && !task.gives;
}

/** H + ρ Jᵀ J of a task. */
function fillRows({ hessian, jacobian, width }: Solver, { row, rows, columns }: Task): void {
  const joints = width / 3 - 1;
  for (let r = 0; r < rows; r++) {
    const o = (row + r) * width;
    // The hips' place comes after the joints that move the task.
    for (let k = 0; k <= columns.length; k++) {
      const i = 3 * (columns[k] ?? joints);
      for (let a = i; a < i + 3; a++) {
        const x = FILLED * jacobian[o + a]!;
        if (x === 0) continue;
        for (let m = 0; m < k; m++) {
          const j = 3 * columns[m]!;
          for (let b = j; b < j + 3; b++)
            hessian[a * width + b] = hessian[a * width + b]! + x * jacobian[o + b]!;
        }
        for (let b = i; b <= a; b++) hessian[a * width + b] = hessian[a * width + b]! + x * jacobian[o + b]!;
      }
    }
  }
}

/**
 * The strain ½ θ² / w of a joint that has turned by θ about n grows by 1 for turning it further about n, and by
 * (θ/2) cot (θ/2), less than 1, for turning it about another axis.
 */
function addStrain(h: Float64Array, width: number, back: Float64Array, weights: Float64Array): void {
  for (let i = 0; i < weights.length; i++) {
    if (!(weights[i]! > 0)) continue;
    const x = back[3 * i]!;
    const y = back[3 * i + 1]!;
    const z = back[3 * i + 2]!;
    const square = x * x + y * y + z * z;
    if (square < 1e-4) continue;
    const half = 0.5 * Math.sqrt(square);
    const less = (1 - Math.max(0.05, (half * cos(half)) / sin(half))) / weights[i]!;
    const o = 3 * i * width + 3 * i;
    const k = less / square;
    h[o] = h[o]! - less + k * x * x;
    h[o + width] = h[o + width]! + k * x * y;
    h[o + width + 1] = h[o + width + 1]! - less + k * y * y;
    h[o + 2 * width] = h[o + 2 * width]! + k * x * z;
    h[o + 2 * width + 1] = h[o + 2 * width + 1]! + k * y * z;
    h[o + 2 * width + 2] = h[o + 2 * width + 2]! - less + k * z * z;
  }
}

function addStiffness({ body, hessian, width }: Solver, task: Task): void {
  const { kind, pull, joint, other, goal, bound } = task;
  if (kind === 'look' || kind === 'balance') return;
  if (kind === 'turn') {
    addTurning(hessian, width, task);
    return;
  }
  const sign = bound < 0 ? -1 : 1;
  placeOf(point, body, joint, task.offset);
  if (kind === 'point') for (let c = 0; c < 3; c++) force[c] = pull[c]!;
  else if (kind === 'plane') for (let c = 0; c < 3; c++) force[c] = sign * pull[0]! * goal[c]!;
  else {
    if (other >= 0) placeOf(lever, body, other, task.otherOffset);
    else for (let c = 0; c < 3; c++) lever[c] = goal[c]!;
    let size = 0;
    for (let c = 0; c < 3; c++) {
      force[c] = point[c]! - lever[c]!;
      size += squared(force[c]!);
    }
    const k = size > 1e-18 ? (sign * pull[0]!) / Math.sqrt(size) : 0;
    for (let c = 0; c < 3; c++) force[c] = k * force[c]!;
  }
  addPulling(hessian, width, task, body.positions, 1);
  if (other < 0) return;
  placeOf(point, body, other, task.otherOffset);
  for (let c = 0; c < 3; c++) force[c] = -force[c]!;
  addPulling(hessian, width, task, body.positions, 2);
}

/** (f · r) I − r fᵀ for every pair of joints that carry the point, r the lever of the lower one. */
function addPulling(
  h: Float64Array,
  width: number,
  { columns, carries }: Task,
  positions: Float64Array,
  end: number,
): void {
  const fx = force[0]!;
  const fy = force[1]!;
  const fz = force[2]!;
  if (fx === 0 && fy === 0 && fz === 0) return;
  for (let b = 0; b < columns.length; b++) {
    if ((carries[b]! & end) === 0) continue;
    const j = 3 * columns[b]!;
    const x = point[0]! - positions[j]!;
    const y = point[1]! - positions[j + 1]!;
    const z = point[2]! - positions[j + 2]!;
    const along = fx * x + fy * y + fz * z;
    for (let a = 0; a <= b; a++) {
      if ((carries[a]! & end) === 0) continue;
      const i = 3 * columns[a]!;
      // The lower half holds ωⱼ's rows: entry (j + q, i + p) is that of ωᵢ[p] ωⱼ[q], along δ − r[p] f[q].
      const o = j * width + i;
      if (a === b) {
        h[o] = h[o]! + along - x * fx;
        h[o + width] = h[o + width]! - 0.5 * (x * fy + y * fx);
        h[o + width + 1] = h[o + width + 1]! + along - y * fy;
        h[o + 2 * width] = h[o + 2 * width]! - 0.5 * (x * fz + z * fx);
        h[o + 2 * width + 1] = h[o + 2 * width + 1]! - 0.5 * (y * fz + z * fy);
        h[o + 2 * width + 2] = h[o + 2 * width + 2]! + along - z * fz;
        continue;
      }
      h[o] = h[o]! + along - x * fx;
      h[o + 1] = h[o + 1]! - y * fx;
      h[o + 2] = h[o + 2]! - z * fx;
      h[o + width] = h[o + width]! - x * fy;
      h[o + width + 1] = h[o + width + 1]! + along - y * fy;
      h[o + width + 2] = h[o + width + 2]! - z * fy;
      h[o + 2 * width] = h[o + 2 * width]! - x * fz;
      h[o + 2 * width + 1] = h[o + 2 * width + 1]! - y * fz;
      h[o + 2 * width + 2] = h[o + 2 * width + 2]! + along - z * fz;
    }
  }
}

/** −½ f · (ωᵢ × ωⱼ) for every pair of different joints, i above j. */
function addTurning(h: Float64Array, width: number, { columns, pull }: Task): void {
  const x = 0.5 * TURN_SCALE * pull[0]!;
  const y = 0.5 * TURN_SCALE * pull[1]!;
  const z = 0.5 * TURN_SCALE * pull[2]!;
  if (x === 0 && y === 0 && z === 0) return;
  for (let b = 0; b < columns.length; b++)
    for (let a = 0; a < b; a++) {
      // −½ f · (ωᵢ × ωⱼ): entry (j + q, i + p).
      const o = 3 * columns[b]! * width + 3 * columns[a]!;
      h[o + width] = h[o + width]! - z;
      h[o + 2 * width] = h[o + 2 * width]! + y;
      h[o + 1] = h[o + 1]! + z;
      h[o + 2 * width + 1] = h[o + 2 * width + 1]! - x;
      h[o + 2] = h[o + 2]! - y;
      h[o + width + 2] = h[o + width + 2]! + x;
    }
}

/** What a limit has taken does not move. */
function stiffenLocked(
  h: Float64Array,
  width: number,
  { plan, locks, lockCounts, rotations }: MovingBody,
): void {
  for (let i = 0; i < plan.joints.length; i++)
    for (let n = 0; n < lockCounts[i]!; n++) {
      rotateVector(lever, 0, rotations, 4 * i, locks, 9 * i + 3 * n);
      for (let p = 0; p < 3; p++)
        for (let q = 0; q <= p; q++) {
          const o = (3 * i + p) * width + 3 * i + q;
          h[o] = h[o]! + 1e6 * lever[p]! * lever[q]!;
        }
    }
}
