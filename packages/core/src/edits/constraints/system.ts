import { vectorOfQuaternion } from '../../goals/rotation-vectors.js';
import { divideQuaternions, rotateVector } from '../../quaternion.js';
import type { MassModel } from './body-mass.js';
import { factorMatrix, substitute } from './factor.js';
import { backwards } from './gather-newton.js';
import { gatherError, gatherTask } from './gather-task.js';
import type { MovingBody } from './moving-body.js';
import type { Task } from './task.js';

/**
 * The room in which tasks are solved. One step solves eq. 1 of Monzani et al. for the whole body at once,
 *
 *   Δ = J⁺ e + (I − J⁺ J) z   with   J⁺ = W Jᵀ (J W Jᵀ)⁻¹,
 *
 * z the *whole* way back to the attraction. Written as Δ = z + W Jᵀ f with f = (J W Jᵀ)⁻¹ (e − J z), its fixed point
 * Δ = 0 says e = 0 and −z = W Jᵀ f: where J's rows are the tasks' gradients and −z / W that of the strain
 * ½ Σ |θᵢ|² / wᵢ + ½ |t|² / w_t, the turns θᵢ = log(q̂ᵢ⁻¹ qᵢ), that is the condition for the least strain among all
 * poses that meet the tasks, and f the force of each. (The gradient of ½ |log R|² in the tangent is log R itself, so no
 * Jacobian of the logarithm is needed.) So iterating eq. 1 minimises, and has no memory of where it started.
 * A damped J⁺ in the projector would leak z into the tasks (M23).
 */
export type Solver = {
  body: MovingBody;
  mass: MassModel | null;
  /** The tasks of the frame: the first `count` of the list. */
  tasks: Task[];
  count: number;
  /** Numbers in a row: three turns a joint, three of the hips' place. */
  width: number;
  /** Rows that there is room for. */
  most: number;
  jacobian: Float64Array;
  /** J W Jᵀ of all rows. */
  gram: Float64Array;
  /** The factor of the working rows, which of all rows they are, and how many. */
  system: Float64Array;
  list: Int32Array;
  working: number;
  right: Float64Array;
  weights: Float64Array;
  /** Whether the system at hand is that of `gatherNewton`: then the factor L of H, L⁻¹ Jᵀ, and L⁻¹ W⁻¹ z. */
  newton: boolean;
  /** ρ of it. */
  filled: number;
  hessian: Float64Array;
  half: Float64Array;
  halfBack: Float64Array;
  /** z, and the step. */
  back: Float64Array;
  step: Float64Array;
  lastStep: Float64Array;
  lastRaw: Float64Array;
  savedLocals: Float64Array;
  savedPlace: Float64Array;
  /** Steps taken since the frame began, and how many it may take. */
  steps: number;
  budget: number;
};

/** How many steps a frame may take in all. */
export const STEP_BUDGET = 300;

/** Room for solving up to `most` rows on a body. */
export function createSolver(body: MovingBody, mass: MassModel | null, most: number): Solver {
  const count = body.plan.joints.length;
  const width = 3 * count + 3;
  const weights = new Float64Array(width);
  for (let i = 0; i < count; i++) weights.fill(body.plan.weights[i]!, 3 * i, 3 * i + 3);
  weights.fill(body.plan.hips >= 0 ? body.plan.placeWeight : 0, 3 * count);
  return {
    body,
    mass,
    tasks: [],
    count: 0,
    width,
    most,
    jacobian: new Float64Array(most * width),
    gram: new Float64Array(most * most),
    system: new Float64Array(most * most),
    list: new Int32Array(most),
    working: 0,
    right: new Float64Array(most),
    weights,
    newton: false,
    filled: 0,
    hessian: new Float64Array(width * width),
    half: new Float64Array(most * width),
    halfBack: new Float64Array(width),
    back: new Float64Array(width),
    step: new Float64Array(width),
    lastStep: new Float64Array(width),
    lastRaw: new Float64Array(width),
    savedLocals: new Float64Array(4 * count),
    savedPlace: new Float64Array(3),
    steps: 0,
    budget: STEP_BUDGET,
  };
}

/** What is wrong with every task, as the body stands. A task of which nothing can be said has no error. */
export function gatherErrors({ body, mass, tasks, count }: Solver): void {
  for (let n = 0; n < count; n++) if (!gatherError(tasks[n]!, body, mass)) tasks[n]!.error.fill(0);
}

/** Rows of all tasks, and the way back. */
export function gatherRows(solver: Solver): void {
  const { body, mass, tasks, count, jacobian, width } = solver;
  for (let n = 0; n < count; n++) gatherTask(tasks[n]!, body, mass, jacobian, width);
  gatherBack(solver);
  if (body.locked) removeLocked(solver);
}

/** Rows of all tasks, the way back, and J W Jᵀ; errors must have been gathered. */
export function gatherSystem(solver: Solver): void {
  const { tasks, count, jacobian, width, gram, most, weights } = solver;
  gatherRows(solver);
  solver.newton = false;
  const places = width - 3;
  const place = weights[places]!;
  for (let n = 0; n < count; n++) {
    const one = tasks[n]!;
    for (let m = 0; m <= n; m++) {
      const two = tasks[m]!;
      const columns = one.columns.length <= two.columns.length ? one.columns : two.columns;
      for (let a = 0; a < one.rows; a++) {
        const ra = (one.row + a) * width;
        for (let b = 0; b < (n === m ? a + 1 : two.rows); b++) {
          const rb = (two.row + b) * width;
          let sum = 0;
          for (let k = 0; k < columns.length; k++) {
            const c = 3 * columns[k]!;
            sum +=
              weights[c]! *
              (jacobian[ra + c]! * jacobian[rb + c]! +
                jacobian[ra + c + 1]! * jacobian[rb + c + 1]! +
                jacobian[ra + c + 2]! * jacobian[rb + c + 2]!);
          }
          sum +=
            place *
            (jacobian[ra + places]! * jacobian[rb + places]! +
              jacobian[ra + places + 1]! * jacobian[rb + places + 1]! +
              jacobian[ra + places + 2]! * jacobian[rb + places + 2]!);
          gram[(one.row + a) * most + two.row + b] = sum;
        }
      }
    }
  }
}

const quaternion = new Float64Array(4);
const vector = new Float64Array(3);

/** z: per joint the turn back to the attraction, −R log(q̂⁻¹ q), in model space; and the way back of the hips. */
function gatherBack({ body, back, width }: Solver): void {
  const { plan, home, locals, rotations, place } = body;
  for (let i = 0; i < plan.joints.length; i++) {
    if (plan.weights[i] === 0) continue;
    divideQuaternions(quaternion, 0, locals, 4 * i, home, 4 * i);
    vectorOfQuaternion(vector, 0, quaternion);
    rotateVector(back, 3 * i, rotations, 4 * i, vector, 0);
  }
  for (let c = 0; c < 3; c++) back[width - 3 + c] = -place[c]!;
}

/** Twice the strain: the sum of the squares of all turns and of the hips' way, each over its weight. */
export function strainOf({ body }: Solver): number {
  const { plan, home, locals, place } = body;
  let sum = 0;
  for (let i = 0; i < plan.joints.length; i++) {
    if (plan.weights[i] === 0) continue;
    divideQuaternions(quaternion, 0, locals, 4 * i, home, 4 * i);
    vectorOfQuaternion(vector, 0, quaternion);
    sum += (vector[0]! ** 2 + vector[1]! ** 2 + vector[2]! ** 2) / plan.weights[i]!;
  }
  const w = plan.hips >= 0 ? plan.placeWeight : 0;
  return w > 0 ? sum + (place[0]! ** 2 + place[1]! ** 2 + place[2]! ** 2) / w : sum;
}

/** Takes from rows and from the way back what limits have taken from the joints. */
function removeLocked({ body, jacobian, width, back, tasks, count }: Solver): void {
  const { plan, locks, lockCounts, rotations } = body;
  for (let i = 0; i < plan.joints.length; i++)
    for (let n = 0; n < lockCounts[i]!; n++) {
      rotateVector(vector, 0, rotations, 4 * i, locks, 9 * i + 3 * n);
      removeAlong(back, 3 * i);
      for (let k = 0; k < count; k++)
        for (let r = 0; r < tasks[k]!.rows; r++) removeAlong(jacobian, (tasks[k]!.row + r) * width + 3 * i);
    }
}

function removeAlong(values: Float64Array, o: number): void {
  const along = values[o]! * vector[0]! + values[o + 1]! * vector[1]! + values[o + 2]! * vector[2]!;
  for (let c = 0; c < 3; c++) values[o + c] = values[o + c]! - along * vector[c]!;
}

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
  { jacobian, width, back, newton, half, halfBack }: Solver,
  task: Task,
  row: number,
): number {
  let moved = 0;
  const o = row * width;
  if (newton) {
    for (let c = 0; c < width; c++) moved += half[o + c]! * halfBack[c]!;
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
  { tasks, count, half, halfBack, hessian, width, right, step }: Solver,
  home: boolean,
): void {
  if (home) step.set(halfBack);
  else step.fill(0);
  let at = 0;
  for (let n = 0; n < count; n++) {
    const task = tasks[n]!;
    if (!task.working) continue;
    for (let r = 0; r < task.rows; r++) {
      const o = (task.row + r) * width;
      const f = right[at++]!;
      for (let c = 0; c < width; c++) step[c] = step[c]! + f * half[o + c]!;
    }
  }
  backwards(hessian, step, width);
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
const ROUNDS = 8;

/**
 * Solves for the step of the tasks that are working, and finds which of those with a bound must be: a bound that the
 * step would break works, one whose force pulls the wrong way does not.
 * @param level Tasks below it do not count.
 * @returns the smallest pivot, or 0.
 */
export function solveStep(solver: Solver, level: number): number {
  const { tasks, count } = solver;
  for (let round = 0; ; round++) {
    const pivot = solveForces(solver);
    if (!(pivot > 0)) return 0;
    stepOfForces(solver, true);
    if (round >= ROUNDS) return pivot;
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
