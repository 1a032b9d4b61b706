import { squared } from '../../../base/math/functions.js';
import { divideQuaternions, rotateVector } from '../../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';
import type { MassModel } from './body-mass.js';
import { gatherError, gatherTask } from './gather-task.js';
import type { MovingBody } from './moving-body.js';
import { createProfile, type Profile } from './profile.js';
import type { Task } from './task.js';
import { columnsFromLeaves } from './tree-path.js';

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
  /** Room for the columns that two tasks share. */
  shared: Int32Array;
  /** Whether the system at hand is that of `gatherNewton`: then H, and by its order the factor L, L⁻¹ Jᵀ and L⁻¹ W⁻¹ z. */
  newton: boolean;
  /** ρ of it, and the attempt by which its factor was found. */
  filled: number;
  attempt: number;
  hessian: Float64Array;
  profile: Profile;
  half: Float64Array;
  /** Per row of `half` where its first number stands that is not 0. */
  halfFirsts: Int32Array;
  halfBack: Float64Array;
  halfStep: Float64Array;
  /** z, and the step. */
  back: Float64Array;
  step: Float64Array;
  lastStep: Float64Array;
  lastRaw: Float64Array;
  savedLocals: Float64Array;
  savedPlace: Float64Array;
  /** Steps taken since the frame began, and products that they took, about. */
  steps: number;
  work: number;
  /** Products that the frame may take: {@link WORK_BUDGET}, or less. */
  limit: number;
};

/** How many steps a frame may take in all. */
export const STEP_BUDGET = 300;
/**
 * How many products a frame may take in all, about: some thirty milliseconds, whatever the body and whatever is asked of
 * it. All the steps of a person take less.
 */
export const WORK_BUDGET = 60_000_000;

/** Whether a frame has taken all the steps or all the work that it may. */
export function isSpent({ steps, work, limit }: Solver): boolean {
  return steps >= STEP_BUDGET || work >= limit;
}

/** What moving a joint and looking at where it then is takes, in products. */
const WORK_A_JOINT = 150;

/** What a move of the whole body takes. */
export function workOfMove({ body }: Solver): number {
  return WORK_A_JOINT * body.plan.joints.length;
}

/** What gathering and solving the system of all rows takes. */
function workOfSystem({ tasks, count, width }: Solver): number {
  let rows = 0;
  for (let n = 0; n < count; n++) rows += tasks[n]!.rows;
  return rows * rows * (width / 2 + rows / 6);
}

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
    shared: new Int32Array(count),
    newton: false,
    filled: 0,
    attempt: 0,
    hessian: new Float64Array(width * width),
    profile: createProfile(columnsFromLeaves(body.plan.parents)),
    half: new Float64Array(most * width),
    halfFirsts: new Int32Array(most),
    halfBack: new Float64Array(width),
    halfStep: new Float64Array(width),
    back: new Float64Array(width),
    step: new Float64Array(width),
    lastStep: new Float64Array(width),
    lastRaw: new Float64Array(width),
    savedLocals: new Float64Array(4 * count),
    savedPlace: new Float64Array(3),
    steps: 0,
    work: 0,
    limit: WORK_BUDGET,
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
  const { tasks, count, jacobian, width, gram, most, weights, shared } = solver;
  gatherRows(solver);
  solver.newton = false;
  solver.filled = 0;
  solver.work += workOfSystem(solver) + workOfMove(solver);
  const places = width - 3;
  const place = weights[places]!;
  for (let n = 0; n < count; n++) {
    const one = tasks[n]!;
    for (let m = 0; m <= n; m++) {
      const two = tasks[m]!;
      const common = shareColumns(shared, one.columns, two.columns);
      for (let a = 0; a < one.rows; a++) {
        const ra = (one.row + a) * width;
        for (let b = 0; b < (n === m ? a + 1 : two.rows); b++) {
          const rb = (two.row + b) * width;
          let sum = 0;
          for (let k = 0; k < common; k++) {
            const c = shared[k]!;
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

/**
 * Writes the first columns of the joints that move both of two tasks; each list rises. A hand and a foot share the hips
 * alone: all other products are with 0.
 * @returns how many there are.
 */
function shareColumns(out: Int32Array, one: Int32Array, two: Int32Array): number {
  let count = 0;
  let k = 0;
  for (let n = 0; n < one.length && k < two.length; n++) {
    const joint = one[n]!;
    while (k < two.length && two[k]! < joint) k++;
    if (two[k] === joint) out[count++] = 3 * joint;
  }
  return count;
}

const quaternion = new Float64Array(4);
const vector = new Float64Array(3);

/** z: per joint the turn back to the attraction, −R log(q̂⁻¹ q), in model space; and the way back of the hips. */
function gatherBack({ body, back, width }: Solver): void {
  const { plan, home, locals, rotations, place, stay } = body;
  for (let i = 0; i < plan.joints.length; i++) {
    if (plan.weights[i] === 0) continue;
    divideQuaternions(quaternion, 0, locals, 4 * i, home, 4 * i);
    vectorOfQuaternion(vector, 0, quaternion);
    rotateVector(back, 3 * i, rotations, 4 * i, vector, 0);
  }
  for (let c = 0; c < 3; c++) back[width - 3 + c] = stay[c]! - place[c]!;
}

/** Twice the strain: the sum of the squares of all turns and of the hips' way, each over its weight. */
export function strainOf({ body }: Solver): number {
  const { plan, home, locals, place } = body;
  let sum = 0;
  for (let i = 0; i < plan.joints.length; i++) {
    if (plan.weights[i] === 0) continue;
    divideQuaternions(quaternion, 0, locals, 4 * i, home, 4 * i);
    vectorOfQuaternion(vector, 0, quaternion);
    sum += (squared(vector[0]!) + squared(vector[1]!) + squared(vector[2]!)) / plan.weights[i]!;
  }
  const w = plan.hips >= 0 ? plan.placeWeight : 0;
  return w > 0 ? sum + (squared(place[0]!) + squared(place[1]!) + squared(place[2]!)) / w : sum;
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
