import { atan2, squared } from '../../../base/math/functions.js';
import { conjugateQuaternion, multiplyQuaternions, rotateVector } from '../../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';
import type { MassModel } from './body-mass.js';
import { gatherMass } from './body-mass.js';
import type { MovingBody } from './moving-body.js';
import { type Task, TURN_SCALE } from './task.js';

/*
 * Errors and Jacobians of tasks. Every row is of one form: with u a turning and w a moving direction, turning joint i
 * by ω and moving the hips by d changes what is measured by
 *
 *   ω · ( [i carries a] (u + (a − pᵢ) × w)  −  [i carries b] (b − pᵢ) × w )  +  d · w ([a is carried] − [b is carried])
 *
 * since ω × (a − pᵢ) is how the point a moves, and (ω × r) · w = ω · (r × w). Points have w = the axes and u = 0,
 * orientations u = the axes and w = 0, planes w = the normal, distances w = the direction from b to a, directions that
 * look u square to the direction d and w = (u × d) / distance: moving the eye turns the way to its goal.
 * A goal on the own body is point b, and its columns are J_a − J_b: with J_a alone a hand that shall touch the other
 * hand runs after it and does not converge (MP1).
 */

const a = new Float64Array(3);
const b = new Float64Array(3);
const direction = new Float64Array(3);
const turns = new Float64Array(9);
const moves = new Float64Array(9);
const quaternion = new Float64Array(4);
const vector = new Float64Array(3);
const tangents = new Float64Array(6);

/** The place of a point of a joint. */
export function placeOf(
  out: Float64Array,
  { rotations, positions }: MovingBody,
  joint: number,
  offset: Float64Array,
): void {
  rotateVector(out, 0, rotations, 4 * joint, offset, 0);
  for (let c = 0; c < 3; c++) out[c] = out[c]! + positions[3 * joint + c]!;
}

/**
 * Writes what is wrong with a task into its `error`: what must be added to what is, less what it is let off. For
 * tasks with a bound, above 0 is wrong.
 * @returns whether it can be said: false where a direction is undefined.
 */
export function gatherError(task: Task, body: MovingBody, mass: MassModel | null): boolean {
  const { kind, error, excess, goal, joint, other, bound } = task;
  if (kind === 'turn') {
    conjugateQuaternion(quaternion, 0, body.rotations, 4 * joint);
    multiplyQuaternions(quaternion, 0, goal, 0, quaternion, 0);
    vectorOfQuaternion(vector, 0, quaternion);
    for (let c = 0; c < 3; c++) error[c] = TURN_SCALE * vector[c]! - excess[c]!;
    return true;
  }
  if (kind === 'balance') {
    if (!mass) return false;
    gatherMass(mass, body);
    error[0] = goal[0]! - mass.centre[0]! - excess[0]!;
    error[1] = goal[2]! - mass.centre[2]! - excess[1]!;
    return true;
  }
  if (kind === 'look') return gatherLook(task, body);
  placeOf(a, body, joint, task.offset);
  if (other >= 0) placeOf(b, body, other, task.otherOffset);
  if (kind === 'point') {
    for (let c = 0; c < 3; c++) error[c] = goal[c]! + (other >= 0 ? b[c]! : 0) - a[c]! - excess[c]!;
    return true;
  }
  const sign = bound < 0 ? -1 : 1;
  let measured = 0;
  if (kind === 'plane') measured = a[0]! * goal[0]! + a[1]! * goal[1]! + a[2]! * goal[2]!;
  else {
    for (let c = 0; c < 3; c++) direction[c] = a[c]! - (other >= 0 ? b[c]! : goal[c]!);
    measured = Math.sqrt(squared(direction[0]!) + squared(direction[1]!) + squared(direction[2]!));
  }
  error[0] = sign * (task.length - measured) - excess[0]!;
  return true;
}

/** The rotation vector from where a direction looks to where it shall look, in the plane square to where it looks. */
function gatherLook(task: Task, body: MovingBody): boolean {
  const { error, excess } = task;
  const angle = aim(task, body);
  if (angle < 0) return false;
  for (let n = 0; n < 2; n++) {
    let sum = 0;
    for (let c = 0; c < 3; c++) sum += tangents[3 * n + c]! * vector[c]!;
    error[n] = TURN_SCALE * angle * sum - excess[n]!;
  }
  return true;
}

let away = 1;

/** direction = where it looks; tangents = two axes square to it; vector = the unit axis to turn about; gives the angle. */
function aim(task: Task, body: MovingBody): number {
  const { joint, other, goal } = task;
  rotateVector(direction, 0, body.rotations, 4 * joint, task.offset, 0);
  if (other >= 0) placeOf(b, body, other, task.otherOffset);
  else for (let c = 0; c < 3; c++) b[c] = goal[c]!;
  for (let c = 0; c < 3; c++) a[c] = body.positions[3 * joint + c]!;
  const x = b[0]! - a[0]!;
  const y = b[1]! - a[1]!;
  const z = b[2]! - a[2]!;
  away = Math.sqrt(x * x + y * y + z * z);
  if (!(away > 1e-6)) return -1;
  const dx = direction[0]!;
  const dy = direction[1]!;
  const dz = direction[2]!;
  // The axis furthest from the direction gives two that are square to it.
  const least =
    Math.abs(dx) < Math.abs(dy) ? (Math.abs(dx) < Math.abs(dz) ? 0 : 2) : Math.abs(dy) < Math.abs(dz) ? 1 : 2;
  const along = direction[least]!;
  let length = 0;
  for (let c = 0; c < 3; c++) {
    tangents[c] = (c === least ? 1 : 0) - along * direction[c]!;
    length += squared(tangents[c]!);
  }
  length = Math.sqrt(length);
  for (let c = 0; c < 3; c++) tangents[c] = tangents[c]! / length;
  tangents[3] = dy * tangents[2]! - dz * tangents[1]!;
  tangents[4] = dz * tangents[0]! - dx * tangents[2]!;
  tangents[5] = dx * tangents[1]! - dy * tangents[0]!;
  vector[0] = (dy * z - dz * y) / away;
  vector[1] = (dz * x - dx * z) / away;
  vector[2] = (dx * y - dy * x) / away;
  const sine = Math.sqrt(squared(vector[0]) + squared(vector[1]) + squared(vector[2]));
  const angle = atan2(sine, (dx * x + dy * y + dz * z) / away);
  // Straight behind, every axis is as good.
  if (sine > 1e-12) for (let c = 0; c < 3; c++) vector[c] = vector[c]! / sine;
  else for (let c = 0; c < 3; c++) vector[c] = tangents[c]!;
  return angle;
}

/** Writes a task's rows of the Jacobian, `width` numbers each: three turns a joint, then the hips' place. */
export function gatherTask(
  task: Task,
  body: MovingBody,
  mass: MassModel | null,
  jacobian: Float64Array,
  width: number,
): void {
  const { kind, rows, joint, other, columns, carries, row, goal } = task;
  jacobian.fill(0, row * width, (row + rows) * width);
  if (kind === 'balance') {
    if (mass) gatherBalance(task, body, mass, jacobian, width);
    return;
  }
  turns.fill(0);
  moves.fill(0);
  if (kind === 'look') {
    if (aim(task, body) < 0) return;
    for (let n = 0; n < 2; n++) {
      const t = 3 * n;
      for (let c = 0; c < 3; c++) turns[t + c] = TURN_SCALE * tangents[t + c]!;
      const k = TURN_SCALE / away;
      moves[t] = k * (tangents[t + 1]! * direction[2]! - tangents[t + 2]! * direction[1]!);
      moves[t + 1] = k * (tangents[t + 2]! * direction[0]! - tangents[t]! * direction[2]!);
      moves[t + 2] = k * (tangents[t]! * direction[1]! - tangents[t + 1]! * direction[0]!);
    }
  } else if (kind === 'turn') for (let c = 0; c < 3; c++) turns[4 * c] = TURN_SCALE;
  else {
    placeOf(a, body, joint, task.offset);
    if (other >= 0) placeOf(b, body, other, task.otherOffset);
    if (kind === 'point') for (let c = 0; c < 3; c++) moves[4 * c] = 1;
    else {
      const sign = task.bound < 0 ? -1 : 1;
      if (kind === 'plane') for (let c = 0; c < 3; c++) moves[c] = sign * goal[c]!;
      else {
        for (let c = 0; c < 3; c++) direction[c] = a[c]! - (other >= 0 ? b[c]! : goal[c]!);
        const length = Math.sqrt(squared(direction[0]!) + squared(direction[1]!) + squared(direction[2]!));
        // Two points in one place part in any direction.
        if (length > 1e-9) for (let c = 0; c < 3; c++) moves[c] = (sign * direction[c]!) / length;
        else moves[1] = sign;
      }
    }
  }
  const { positions, carried, plan } = body;
  for (let n = 0; n < rows; n++) {
    const t = 3 * n;
    const wx = moves[t]!;
    const wy = moves[t + 1]!;
    const wz = moves[t + 2]!;
    const o = (row + n) * width;
    for (let k = 0; k < columns.length; k++) {
      const i = columns[k]!;
      const p = 3 * i;
      const which = carries[k]!;
      let x = 0;
      let y = 0;
      let z = 0;
      if (which & 1) {
        const rx = a[0]! - positions[p]!;
        const ry = a[1]! - positions[p + 1]!;
        const rz = a[2]! - positions[p + 2]!;
        x = turns[t]! + ry * wz - rz * wy;
        y = turns[t + 1]! + rz * wx - rx * wz;
        z = turns[t + 2]! + rx * wy - ry * wx;
      }
      if (which & 2) {
        const rx = b[0]! - positions[p]!;
        const ry = b[1]! - positions[p + 1]!;
        const rz = b[2]! - positions[p + 2]!;
        x -= ry * wz - rz * wy;
        y -= rz * wx - rx * wz;
        z -= rx * wy - ry * wx;
      }
      jacobian[o + p] = x;
      jacobian[o + p + 1] = y;
      jacobian[o + p + 2] = z;
    }
    if (!task.movesPlace) continue;
    const share = carried[joint]! - (other >= 0 ? carried[other]! : 0);
    if (share === 0) continue;
    const c = o + 3 * plan.joints.length;
    jacobian[c] = share * wx;
    jacobian[c + 1] = share * wy;
    jacobian[c + 2] = share * wz;
  }
}

/** Turning a joint moves all mass below it about the joint: (mᵢ / m) (cᵢ − pᵢ) × w, cᵢ the centre of that mass. */
function gatherBalance(
  { row, columns, movesPlace }: Task,
  { positions, plan }: MovingBody,
  { masses, centres }: MassModel,
  jacobian: Float64Array,
  width: number,
): void {
  for (let k = 0; k < columns.length; k++) {
    const i = columns[k]!;
    const p = 3 * i;
    const m = masses[i]!;
    const x = m * (centres[p]! - positions[p]!);
    const y = m * (centres[p + 1]! - positions[p + 1]!);
    const z = m * (centres[p + 2]! - positions[p + 2]!);
    // r × (1, 0, 0) and r × (0, 0, 1)
    jacobian[row * width + p + 1] = z;
    jacobian[row * width + p + 2] = -y;
    jacobian[(row + 1) * width + p] = y;
    jacobian[(row + 1) * width + p + 1] = -x;
  }
  if (!movesPlace) return;
  const c = 3 * plan.joints.length;
  jacobian[row * width + c] = masses[plan.joints.length]!;
  jacobian[(row + 1) * width + c + 2] = masses[plan.joints.length]!;
}
