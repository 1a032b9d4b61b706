import { hypot } from '../../base/math/functions.js';
import { sampleCurve } from '../../goals/limb-scaling.js';
import type { Pose } from '../../scene/pose.js';
import { FARTHEST_JOINT } from '../../scene/sound-skeleton.js';
import { STANDING_FORCE } from './compile-constraints.js';
import type { ConstraintData } from './compiled-constraint.js';
import { type Bridge, createBridge } from './course/bridge-gaps.js';
import { type ConstraintCourse, type CourseWatch, createCourseWatch } from './course/constraint-course.js';
import { followCourse } from './course/follow-course.js';
import { IDLE_WEIGHT } from './joint-weights.js';
import { createPaperRamps } from './paper-ramp.js';
import { rampAt } from './ramp.js';
import { readGoal } from './read-goal.js';
import { type ClipWork, workOfFrame } from './solve/clip-work.js';
import { gatherError, placeOf } from './solve/gather-task.js';
import { createMovingBody, loadBody, type MovingBody } from './solve/moving-body.js';
import { softenTasks } from './solve/soften-tasks.js';
import { solveSet } from './solve/solve-set.js';
import { storeBody } from './solve/store-body.js';
import { createSolver, isSpent, type Solver } from './solve/system.js';
import { createTask, TASK_ROWS, type Task, TURN_SCALE } from './solve/task.js';

/**
 * Applies compiled constraints to local poses of the skeleton, one frame at a time, in any order: a frame's answer
 * depends on that frame alone. Nothing is allocated.
 */
export type ConstraintStep = {
  /**
   * Changes a pose so that the constraints of its time are met, as little as possible. With none of them at work no
   * bit of it is changed.
   * @param places Where what is listed as `outside` is, three numbers each; model space, metres.
   * @param stands Per entry of `stands` how much it stands now, 0 to 1; by the clip's times if left out.
   */
  (pose: Pose, time: number, places?: Float64Array | null, stands?: Float64Array | null): void;
  /** Shows the pose of a time that the data lists under `looks`. */
  look(pose: Pose, time: number, places?: Float64Array | null): void;
  /**
   * From now on watches frames, which must come in their order, for what a second loop may go by; null where there is
   * nothing to be found.
   */
  watch(): CourseWatch | null;
  /** Per constraint compiled how much it counted in the last frame, 0 to 1. */
  alphas: Float64Array;
  /** Per constraint compiled by how much the last frame missed it: metres, or radians for turns; 0 where it did not count. */
  misses: Float64Array;
  /** Steps that the last frame took. */
  steps: () => number;
  /** Products that the last frame took, about. */
  work: () => number;
  /** Whether the last frame ran out of steps. */
  isCut: () => boolean;
};

/** Below this a constraint does not count: a goal a height away would be followed by a thousandth of a millimetre. */
const LEAST_ALPHA = 1e-6;

/**
 * How far a point that a plane moves gives way along the plane, in heights for a force. A plane asks for a height alone:
 * a straight leg that shall be shorter would swing aside, this way in one frame and that way in the next, rather than
 * bend its knee (velocity jumped by 22 m/s where the motion has 1.2; by 1.25 with this; by 1.5 with 0.1).
 */
const YIELDING = 0.03;

/** All that the loop of compiled constraints works in, made once. */
type StepRoom = {
  data: ConstraintData;
  body: MovingBody;
  /** One task for each slot of constraints that are one, and those that hold what stands. */
  slots: Task[];
  held: { point: Task; turn: Task | null }[];
  /** Per slot what keeps its point in place where the slot asks for its height alone; null for none. */
  keeps: (Task | null)[];
  solver: Solver;
  alphas: Float64Array;
  misses: Float64Array;
  /** Per constraint the place that a lock has seen. */
  seen: Float64Array[];
  /** Per slot how much it counts before others have first say. */
  asked: Float64Array;
  /** Per stand how much it stands in the frame at hand. */
  standing: Float64Array;
  paper: ReturnType<typeof createPaperRamps>;
  /** All tasks but those that only keep what they have. */
  tasks: readonly Task[];
  /** Where joints are in the attraction. */
  attraction: Float64Array;
  /** What frames go by beside themselves, and what leads over its gaps. */
  course: ConstraintCourse | null;
  bridge: Bridge;
  watch: CourseWatch | null;
};

const goal = new Float64Array(4);

function createRoom(data: ConstraintData, course: ConstraintCourse | null): StepRoom {
  const { constraints, stands } = data;
  // Weights that change over time are written into the plan, frame by frame.
  const plan = { ...data.plan, weights: data.plan.weights.slice() };
  const body = createMovingBody(plan);
  const slots = Array.from({ length: data.slots }, (_, slot) => {
    const first = constraints.find((each) => each.slot === slot)!;
    const task = createTask(first.task, plan.parents, plan.weights);
    task.offset.set(first.offset);
    task.otherOffset.set(first.otherOffset);
    task.length = first.length;
    return task;
  });
  const held = stands.map(({ joint, turns }) => {
    const level = 0;
    const force = STANDING_FORCE;
    return {
      point: createTask({ kind: 'point', joint, level, force }, plan.parents, plan.weights),
      turn: turns ? createTask({ kind: 'turn', joint, level, force }, plan.parents, plan.weights) : null,
    };
  });
  const keeps = slots.map((slot) => {
    if (slot.kind !== 'plane') return null;
    const { joint, level, force } = slot;
    const task = createTask({ kind: 'point', joint, level, force }, plan.parents, plan.weights);
    task.offset.set(slot.offset);
    task.yields = YIELDING;
    return task;
  });
  const rows =
    keeps.reduce((sum, task) => sum + (task ? 3 : 0), 0) +
    slots.reduce((sum, { kind }) => sum + TASK_ROWS[kind], 0) +
    held.reduce((sum, { turn }) => sum + (turn ? 6 : 3), 0);
  const solver = createSolver(body, data.mass, Math.max(1, rows));
  const tasks = [...slots, ...held.flatMap(({ point, turn }) => (turn ? [point, turn] : [point]))];
  return {
    data,
    body,
    slots,
    held,
    keeps,
    solver,
    alphas: new Float64Array(constraints.length),
    misses: new Float64Array(constraints.length),
    seen: constraints.map(() => new Float64Array(3).fill(Number.NaN)),
    asked: new Float64Array(data.slots),
    standing: new Float64Array(stands.length),
    paper: createPaperRamps(data, body),
    tasks,
    attraction: new Float64Array(body.positions.length),
    course,
    bridge: createBridge(solver, tasks.length),
    watch: null,
  };
}

/**
 * Builds the loop of compiled constraints, and all the room that it needs.
 * @param clipWork What all frames may take together; each as much as it needs if left out, as live.
 * @param course What was found by watching all frames before; each goes by itself alone if left out, as live.
 */
export function createConstraintStep(
  data: ConstraintData,
  clipWork: ClipWork | null = null,
  course: ConstraintCourse | null = null,
): ConstraintStep {
  const room = createRoom(data, course);
  const { body, solver, alphas, misses, seen, paper } = room;
  const step = (
    pose: Pose,
    time: number,
    places: Float64Array | null = null,
    stands: Float64Array | null = null,
  ): void => {
    alphas.fill(0);
    misses.fill(0);
    solver.steps = 0;
    solver.work = 0;
    if (isIdle(data, time)) {
      room.watch?.rest();
      return;
    }
    loadBody(body, pose);
    readStands(room, time, stands);
    if (clipWork) solver.limit = workOfFrame(clipWork);
    solve(room, time, places, false);
    if (clipWork) clipWork.left -= solver.work;
    if (solver.count === 0 && !paper.isOut(time)) return;
    paper.moveBody(time);
    if (!isWhole(body.locals) || !isWhole(body.place)) return;
    measureMisses(room);
    storeBody(body, pose);
  };

  const look = (pose: Pose, time: number, places: Float64Array | null = null): void => {
    loadBody(body, pose);
    readStands(room, time, null);
    for (let n = 0; n < data.constraints.length; n++) {
      const each = data.constraints[n]!;
      if (each.kind === 'lock' && Math.abs(each.times.start - time) < 1e-6)
        placeOf(seen[n]!, body, each.task.joint, each.offset);
    }
    paper.look(time, () => solve(room, time, places, true));
  };

  return Object.assign(step, {
    look,
    watch: () => {
      room.watch = createCourseWatch(data, room.tasks, course);
      return room.watch;
    },
    alphas,
    misses,
    steps: () => solver.steps,
    work: () => solver.work,
    isCut: () => isSpent(solver),
  });
}

/** Solves a loaded body at a time; with `bare` as if there were no ramps (the paper's first pass). */
function solve(room: StepRoom, time: number, places: Float64Array | null, bare: boolean): void {
  const { data, body, slots, keeps, solver, alphas, seen, asked, paper } = room;
  const { constraints } = data;
  weighJoints(room, time);
  solver.count = 0;
  solver.steps = 0;
  solver.work = 0;
  for (let n = 0; n < slots.length; n++) {
    slots[n]!.alpha = 0;
    slots[n]!.goal.fill(0);
  }
  for (let n = 0; n < constraints.length; n++) {
    const each = constraints[n]!;
    let alpha = rampAt(each.times, each.ease, time);
    if (bare && alpha < 1) alpha = 0;
    if (each.ramp === 'paper') alpha = bare ? (alpha < 1 ? 0 : 1) : paper.alphaAt(n, time);
    alphas[n] = alpha > LEAST_ALPHA && readGoal(goal, each, body, time, places, seen[n]!) ? alpha : 0;
    if (alphas[n] === 0) continue;
    if (each.ramp === 'paper' && !bare) paper.moveGoal(n, goal, time);
    const task = slots[each.slot]!;
    if (task.kind === 'plane') task.length = each.length + goal[3]!;
    let sign = 1;
    if (task.kind === 'turn') {
      const dot =
        goal[0]! * task.goal[0]! +
        goal[1]! * task.goal[1]! +
        goal[2]! * task.goal[2]! +
        goal[3]! * task.goal[3]!;
      sign = dot < 0 ? -1 : 1;
    }
    for (let c = 0; c < 4; c++) task.goal[c] = task.goal[c]! + alphas[n]! * sign * goal[c]!;
    task.alpha += alphas[n]!;
  }
  for (let n = 0; n < slots.length; n++) finishSlot(slots[n]!);
  addStands(room);
  for (let n = 0; n < slots.length; n++) asked[n] = slots[n]!.alpha;
  for (let n = 0; n < slots.length; n++) {
    const task = slots[n]!;
    const firsts = data.firsts[n]!;
    for (let k = 0; k < firsts.length; k++) task.alpha *= 1 - asked[firsts[k]!]!;
    if (task.kind === 'balance' && task.alpha > 0) aimBalance(room, task, n);
    if (!(task.alpha > LEAST_ALPHA)) continue;
    solver.tasks[solver.count++] = task;
    const keep = keeps[n];
    if (!keep) continue;
    keep.alpha = task.alpha;
    placeOf(keep.goal, body, keep.joint, keep.offset);
    for (let c = 0; c < 3; c++) keep.free[c] = task.goal[c]!;
    solver.tasks[solver.count++] = keep;
  }
  let row = 0;
  for (let n = 0; n < solver.count; n++) {
    solver.tasks[n]!.row = row;
    row += solver.tasks[n]!.rows;
  }
  softenTasks(solver);
  if (bare) {
    solveSet(solver);
    return;
  }
  if (solver.count === 0) {
    // Balance over nothing, goals that are no numbers: the body stays as it is, as where no constraint counts.
    room.watch?.rest();
    return;
  }
  room.attraction.set(body.positions);
  if (room.course) followCourse(solver, room.course, room.bridge, room.tasks, time);
  else solveSet(solver);
  room.watch?.note(solver, time, room.attraction);
}

/** Sets the weights that change over time. */
function weighJoints({ data: { weights }, body: { plan }, solver }: StepRoom, time: number): void {
  for (let n = 0; n < weights.length; n++) {
    const { joint, curve } = weights[n]!;
    const weight = Math.max(IDLE_WEIGHT, sampleCurve(curve, time));
    plan.weights[joint] = weight;
    for (let c = 3 * joint; c < 3 * joint + 3; c++) solver.weights[c] = weight;
  }
}

/** What stands is held where the attraction has it, as far as no constraint moves that limb. */
function addStands({ data: { stands }, standing, body, slots, held, solver }: StepRoom): void {
  for (let n = 0; n < stands.length; n++) {
    const { joint, rivals } = stands[n]!;
    let alpha = standing[n]!;
    let most = 0;
    for (let k = 0; k < rivals.length; k++) most = Math.max(most, slots[rivals[k]!]!.alpha);
    alpha *= 1 - most;
    const { point, turn } = held[n]!;
    point.alpha = alpha;
    if (!(alpha > LEAST_ALPHA)) continue;
    for (let c = 0; c < 3; c++) point.goal[c] = body.positions[3 * joint + c]!;
    solver.tasks[solver.count++] = point;
    if (!turn) continue;
    turn.alpha = alpha;
    for (let c = 0; c < 4; c++) turn.goal[c] = body.rotations[4 * joint + c]!;
    solver.tasks[solver.count++] = turn;
  }
}

/** The centre of mass shall be over the middle of what stands, each as it counts; over nothing it does not count. */
function aimBalance({ data, standing, body, alphas }: StepRoom, task: Task, slot: number): void {
  const { stands, constraints } = data;
  let sum = 0;
  task.goal.fill(0);
  for (let n = 0; n < stands.length; n++) {
    const alpha = standing[n]!;
    sum += alpha;
    for (let c = 0; c < 3; c++)
      task.goal[c] = task.goal[c]! + alpha * body.positions[3 * stands[n]!.joint + c]!;
  }
  for (let c = 0; c < 3; c++) task.goal[c] = sum > 0 ? task.goal[c]! / sum : 0;
  task.alpha *= Math.min(1, sum);
  for (let n = 0; n < constraints.length; n++)
    if (constraints[n]!.slot === slot) alphas[n] = alphas[n]! * Math.min(1, sum);
}

/** Whether no constraint counts at a time, whatever its goal. */
function isIdle({ constraints }: ConstraintData, time: number): boolean {
  for (let n = 0; n < constraints.length; n++)
    if (rampAt(constraints[n]!.times, constraints[n]!.ease, time) > LEAST_ALPHA) return false;
  return true;
}

/** Writes by how much the constraints that count are missed. */
function measureMisses({ data, body, slots, alphas, misses }: StepRoom): void {
  const { constraints, plan } = data;
  for (let n = 0; n < slots.length; n++) {
    slots[n]!.excess.fill(0);
    gatherError(slots[n]!, body, data.mass);
  }
  for (let n = 0; n < constraints.length; n++) {
    if (!(alphas[n]! > 0)) continue;
    const { error, rows: size, kind, bound } = slots[constraints[n]!.slot]!;
    let square = 0;
    for (let r = 0; r < size; r++) square += error[r]! * error[r]!;
    if (bound !== 0 && error[0]! < 0) square = 0;
    const miss = Math.sqrt(square) * (kind === 'turn' || kind === 'look' ? 1 / TURN_SCALE : plan.height);
    // Squares of goals that lie nowhere are more than numbers can be.
    misses[n] = Math.min(FARTHEST_JOINT, miss);
  }
}

/** A slot's goal is the mean of its constraints' goals, as they count; together they count at most once. */
function finishSlot(task: Task): void {
  if (!(task.alpha > 0)) return;
  const k = 1 / task.alpha;
  for (let c = 0; c < 4; c++) task.goal[c] = task.goal[c]! * k;
  if (task.kind === 'turn') {
    const length = hypot(task.goal[0]!, task.goal[1]!, task.goal[2]!, task.goal[3]!);
    for (let c = 0; c < 4; c++) task.goal[c] = length > 0 ? task.goal[c]! / length : c === 3 ? 1 : 0;
  }
  task.alpha = Math.min(1, task.alpha);
}

/** How much everything stands in a frame: as told, or by its times, of which stretches that nearly meet are one. */
function readStands({ data: { stands }, standing }: StepRoom, time: number, told: Float64Array | null): void {
  for (let n = 0; n < stands.length; n++) {
    const { times } = stands[n]!;
    let sum = told ? told[n]! : 0;
    if (!told) for (let k = 0; k < times.length; k++) sum += rampAt(times[k]!, 'smoother', time);
    standing[n] = Math.min(1, sum);
  }
}

function isWhole(values: Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return Number.isFinite(sum);
}
