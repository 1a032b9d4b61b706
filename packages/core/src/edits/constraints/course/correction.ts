import { hypot } from '../../../base/math/functions.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
  rotateVector,
} from '../../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';
import { modelPoseOf } from '../../../scene/pose.js';
import { type BodyPlan, type MovingBody, resetBody, updateBody } from '../solve/moving-body.js';
import { gatherErrors, type Solver, strainOf } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { isAncestorInTree } from '../solve/tree-path.js';

/** What constraints changed of one frame; lengths in heights of the body, joints as in the body's plan. */
export type Correction = {
  /** Per joint the turn from the attraction, q̂⁻¹ q, as a quaternion; and the way of the hips. */
  turns: Float32Array;
  place: Float32Array;
  /** Per joint how far it went; then how far the tips went of those that end a limb. */
  spots: Float32Array;
  /** Per task what is wrong with it, three numbers; and whether it counts in this frame: 0 not, 1 on a ramp, 2 in full. */
  errors: Float32Array;
  counts: Uint8Array;
  /** What is minimised: half the strain, and what is wrong times the force that may be used against it. */
  cost: number;
};

/** Turns count like ways of a point so many heights from the joint: a hand's fingers are no joints of the plan. */
const TURN_LEVER = 0.1;
/** How far tips are from the last joint of a limb, in heights, at least. */
const TIP = 0.15;

/**
 * Reads what a solve did to a body.
 * @param attraction Where its joints were before, three numbers each.
 * @param tasks All tasks that there may be; those of the frame are in the solver.
 */
export function readCorrection(solver: Solver, attraction: Float64Array, tasks: readonly Task[]): Correction {
  const { body } = solver;
  const count = body.plan.joints.length;
  const ends = endsOf(body);
  const correction: Correction = {
    turns: new Float32Array(4 * count),
    place: Float32Array.from(body.place),
    spots: new Float32Array(3 * (count + ends.length)),
    errors: new Float32Array(3 * tasks.length),
    counts: new Uint8Array(tasks.length),
    cost: 0.5 * strainOf(solver),
  };
  for (let i = 0; i < count; i++) {
    divideQuaternions(quaternion, 0, body.home, 4 * i, body.locals, 4 * i);
    correction.turns.set(quaternion, 4 * i);
  }
  for (let c = 0; c < 3 * count; c++) correction.spots[c] = body.positions[c]! - attraction[c]!;
  ends.forEach((end, n) => {
    const i = end.joint;
    readTip(tip, body, end, body.rotations, 4 * i);
    readTip(tipBefore, body, end, body.model.rotations, 4 * body.plan.joints[i]!);
    for (let c = 0; c < 3; c++)
      correction.spots[3 * (count + n) + c] = correction.spots[3 * i + c]! + tip[c]! - tipBefore[c]!;
  });
  gatherWhole(solver);
  tasks.forEach((task, t) => {
    if (!isAsked(solver, task)) return;
    correction.counts[t] = task.gives ? 1 : 2;
    let square = 0;
    for (let r = 0; r < task.rows; r++) {
      const wrong = wrongOf(task, r);
      correction.errors[3 * t + r] = wrong;
      square += wrong * wrong;
    }
    // A task on a ramp is let off most of it anyway, and in the same way wherever the body stands.
    if (!task.gives) correction.cost += task.force * Math.sqrt(square);
  });
  return correction;
}

/** Where joints and tips are without a correction, three numbers each, as `spots` has them. */
export function placesBefore(body: MovingBody, attraction: Float64Array): Float32Array {
  const count = body.plan.joints.length;
  const ends = endsOf(body);
  const places = new Float32Array(3 * (count + ends.length));
  places.set(attraction);
  ends.forEach((end, n) => {
    const i = end.joint;
    readTip(tip, body, end, body.model.rotations, 4 * body.plan.joints[i]!);
    for (let c = 0; c < 3; c++) places[3 * (count + n) + c] = attraction[3 * i + c]! + tip[c]!;
  });
  return places;
}

const tip = new Float64Array(3);
const tipBefore = new Float64Array(3);
const lever = new Float64Array(3);
const undo = new Float64Array(4);

/** An end of a body's tree, and the joint of the skeleton below it whose way is looked at; −1 for none far enough. */
type TreeEnd = { joint: number; tip: number };

const knownEnds = new WeakMap<BodyPlan, TreeEnd[]>();

/** The joints of a body that none of the tree hangs on, found once. */
function endsOf({ plan }: MovingBody): TreeEnd[] {
  let ends = knownEnds.get(plan);
  if (!ends) {
    const { skeleton, joints, parents, height } = plan;
    const { matrices } = modelPoseOf(skeleton, skeleton.rest);
    ends = Array.from(parents.keys())
      .filter((i) => !parents.includes(i))
      .map((i) => {
        const top = 16 * joints[i]! + 12;
        let tip = -1;
        let most = TIP * height;
        for (let n = joints[i]! + 1; n < skeleton.names.length; n++) {
          if (!isAncestorInTree(skeleton.parents, joints[i]!, n)) continue;
          const m = 16 * n + 12;
          const away = hypot(
            matrices[m]! - matrices[top]!,
            matrices[m + 1]! - matrices[top + 1]!,
            matrices[m + 2]! - matrices[top + 2]!,
          );
          if (!(away > most)) continue;
          most = away;
          tip = n;
        }
        return { joint: i, tip };
      });
    knownEnds.set(plan, ends);
  }
  return ends;
}

/**
 * From a joint to what hangs on it and is no joint of the plan: to its furthest joint, a finger of an arm that ends at the
 * elbow; where there is none far enough, fingers and the crown, on along the bone that leads to it.
 */
function readTip(
  out: Float64Array,
  { offsets, model, plan }: MovingBody,
  { joint, tip: below }: TreeEnd,
  rotations: Float64Array,
  r: number,
): void {
  const o = 3 * joint;
  if (below >= 0) {
    const top = plan.joints[joint]!;
    for (let c = 0; c < 3; c++)
      lever[c] = (model.matrices[16 * below + 12 + c]! - model.matrices[16 * top + 12 + c]!) / plan.height;
    conjugateQuaternion(undo, 0, model.rotations, 4 * top);
    rotateVector(lever, 0, undo, 0, lever, 0);
  } else {
    const length = hypot(offsets[o]!, offsets[o + 1]!, offsets[o + 2]!);
    for (let c = 0; c < 3; c++) lever[c] = length > 0 ? (TIP * offsets[o + c]!) / length : 0;
  }
  rotateVector(out, 0, rotations, r, lever, 0);
}

/** What is wrong with all tasks of the frame, nothing let off. */
export function gatherWhole(solver: Solver): void {
  for (let n = 0; n < solver.count; n++) solver.tasks[n]!.excess.fill(0);
  gatherErrors(solver);
}

/** A row of what is wrong; a bound that is kept is right. */
export function wrongOf({ error, bound }: Task, row: number): number {
  return bound !== 0 ? Math.max(0, error[row]!) : error[row]!;
}

function isAsked({ tasks, count }: Solver, task: Task): boolean {
  for (let n = 0; n < count; n++) if (tasks[n] === task) return true;
  return false;
}

const quaternion = new Float64Array(4);
const from = new Float64Array(4);
const to = new Float64Array(4);
const vector = new Float64Array(3);

/** Stands a body, from its attraction, as a correction has it. */
export function putCorrection(body: MovingBody, { turns, place }: Correction): void {
  resetBody(body);
  for (let i = 0; i < body.plan.joints.length; i++) {
    if (body.plan.weights[i] === 0) continue;
    for (let c = 0; c < 4; c++) quaternion[c] = turns[4 * i + c]!;
    multiplyQuaternions(body.locals, 4 * i, body.locals, 4 * i, quaternion, 0);
    normalizeQuaternion(body.locals, 4 * i, body.locals, 4 * i);
  }
  body.place.set(place);
  updateBody(body);
}

/** What has to be done to one correction to get another: per joint a rotation vector in its own axes, then the hips' way. */
export function changeBetween(a: Correction, b: Correction): Float64Array {
  const count = a.turns.length / 4;
  const change = new Float64Array(3 * count + 3);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 4; c++) {
      from[c] = a.turns[4 * i + c]!;
      to[c] = b.turns[4 * i + c]!;
    }
    divideQuaternions(quaternion, 0, from, 0, to, 0);
    vectorOfQuaternion(vector, 0, quaternion);
    change.set(vector, 3 * i);
  }
  for (let c = 0; c < 3; c++) change[3 * count + c] = b.place[c]! - a.place[c]!;
  return change;
}

/** The way that one joint or tip goes, which stands at `o`, where some ways and turns are made: heights. */
export function farOf(spots: ArrayLike<number>, turns: ArrayLike<number>, o: number): number {
  const way = hypot(spots[o]!, spots[o + 1]!, spots[o + 2]!);
  // After the joints' turns comes the hips' way, after their places come tips.
  if (o >= turns.length - 3) return way;
  return Math.max(way, TURN_LEVER * hypot(turns[o]!, turns[o + 1]!, turns[o + 2]!));
}

/** The furthest way that a joint or tip goes where some ways and turns are made: heights. */
export function furthestOf(spots: ArrayLike<number>, turns: ArrayLike<number>): number {
  let most = 0;
  for (let c = 0; c < spots.length; c += 3) most = Math.max(most, farOf(spots, turns, c));
  return most;
}

/** How far joints are apart in two corrections, the furthest: heights. */
export function wayBetween(a: Correction, b: Correction): number {
  return furthestOf(
    a.spots.map((x, c) => b.spots[c]! - x),
    changeBetween(a, b),
  );
}
