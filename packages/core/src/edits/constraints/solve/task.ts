import { isAncestorInTree } from './tree-path.js';

/** What a task asks of a body: see {@link gatherTask} for the equation of each. */
export type TaskKind = 'point' | 'turn' | 'plane' | 'distance' | 'look' | 'balance';

/** Radians count as so many heights: a hand's breadth of error is worth as much as turning it by a third. */
export const TURN_SCALE = 0.3;

/**
 * One thing that a solve shall bring about, e = 0 or e ≤ 0, with the numbers of the frame at hand. Lengths are in
 * heights of the body, model space; joints are places in the list of a `BodyPlan`.
 */
export type Task = {
  kind: TaskKind;
  /** How many equations it is. */
  rows: number;
  joint: number;
  /** The point of the joint that counts, in the joint's own axes; for `look` the direction that looks. */
  offset: Float64Array;
  /** A second joint that it is counted from; −1 for none. */
  other: number;
  otherOffset: Float64Array;
  /** A place; or a rotation (`turn`); or the normal (`plane`). */
  goal: Float64Array;
  /** A distance (`distance`), or the height of a plane along its normal. */
  length: number;
  /** 0: e = 0. 1: the measured length shall be at least `length`. −1: at most. */
  bound: -1 | 0 | 1;
  /** Lower ones come first. */
  level: number;
  /** How hard it may pull: no force of it is larger. */
  force: number;
  /** The joints that it may move: those of the tree that carry it, from the topmost one allowed. */
  columns: Int32Array;
  /** Per column whether it carries `joint` (1), `other` (2) or both (3). */
  carries: Uint8Array;
  /** Whether the hips' place may move it. */
  movesPlace: boolean;
  /** Whether the task counts in this frame, and how much: see `rampAt`. */
  alpha: number;
  /** First row in the system. */
  row: number;
  /** What is wrong: to be added to what is. `rows` numbers. */
  error: Float64Array;
  /** What was wrong before the step at hand. */
  before: Float64Array;
  /** What a ramp lets off: see `softenTasks`. */
  lag: Float64Array;
  /** What is let off, the ramp's part included: the error that this task is left with where levels above or reach forbid more. */
  excess: Float64Array;
  /** Force of the last solve. */
  pull: Float64Array;
  /** How far it gives way on a ramp, a block of rows × rows; see `softenTasks`. All zero where it does not. */
  give: Float64Array;
  gives: boolean;
  /** Above 0: it only keeps what it has, and gives way by so much for a force, ramp or not. */
  yields: number;
  /** The direction in which it then has no say. */
  free: Float64Array;
  /** How far it gives way where it would pull harder than `force`. */
  slip: number;
  /** The direction of the force of a task that slips, and how many times as far it gives way along it. */
  aim: Float64Array;
  ease: number;
  kept: number;
  /** Whether its rows fill up the metric of the step; see `gatherNewton`. */
  filled: boolean;
  /** Whether it is in the system at hand. */
  working: boolean;
};

/** How many equations a task of each kind is. */
export const TASK_ROWS: Readonly<Record<TaskKind, number>> = {
  point: 3,
  turn: 3,
  plane: 1,
  distance: 1,
  // A direction has two degrees of freedom: as three rows it is singular always.
  look: 2,
  balance: 2,
};

/** What a task is made from; the rest is found or filled in per frame. */
export type TaskDescription = {
  kind: TaskKind;
  joint: number;
  other?: number;
  bound?: -1 | 0 | 1;
  level: number;
  force: number;
  /** Topmost joint it may move; −1 for all of them, and the hips' place. */
  from?: number;
};

/** Makes a task for a body whose joints hang as `parents` say and turn as `weights` do. */
export function createTask(
  { kind, joint, other = -1, bound = 0, level, force, from = -1 }: TaskDescription,
  parents: Int32Array,
  weights: Float64Array,
): Task {
  const columns: number[] = [];
  const carries: number[] = [];
  for (let i = 0; i < parents.length; i++) {
    if (!(weights[i]! > 0)) continue;
    const own = kind === 'balance' || isAncestorInTree(parents, i, joint) ? 1 : 0;
    const others = other >= 0 && isAncestorInTree(parents, i, other) ? 2 : 0;
    if (own + others === 0 || (from >= 0 && !isAncestorInTree(parents, from, i))) continue;
    // What carries both moves nothing between them unless the way is counted in model axes; the sum of both says so.
    columns.push(i);
    carries.push(own + others);
  }
  const rows = TASK_ROWS[kind];
  return {
    kind,
    rows,
    joint,
    offset: new Float64Array(3),
    other,
    otherOffset: new Float64Array(3),
    goal: new Float64Array(4),
    length: 0,
    bound,
    level,
    force,
    columns: Int32Array.from(columns),
    carries: Uint8Array.from(carries),
    movesPlace: from < 0,
    alpha: 0,
    row: 0,
    error: new Float64Array(3),
    before: new Float64Array(3),
    lag: new Float64Array(3),
    excess: new Float64Array(3),
    pull: new Float64Array(3),
    give: new Float64Array(9),
    gives: false,
    yields: 0,
    free: new Float64Array(3),
    slip: 0,
    aim: new Float64Array(3),
    ease: 1,
    kept: 0,
    filled: false,
    working: false,
  };
}
