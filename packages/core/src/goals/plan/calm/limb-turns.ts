import { borrow } from '../../../base/lend-room.js';
import { divideQuaternions, multiplyQuaternions, rotateVector } from '../../../base/math/quaternion.js';
import { quaternionOfVector } from '../../../base/math/rotation-vectors.js';
import { didWork } from '../../../base/watch-work.js';
import { createTwoBoneSolution } from '../../../solvers/solve-two-bone.js';
import { REACHED } from '../../bend-limb.js';
import { createLimbPlaces, solvePlaces } from '../../parts/limb-places.js';
import { readPlannedLimb } from '../planned-limb.js';
import { type PlannedClip, slotOf } from '../planning.js';

/** Joints of a limb whose turns are told. */
export const LIMB_JOINTS = 3;
/** Numbers that a frame of them takes. */
export const LIMB_SIZE = 4 * LIMB_JOINTS;

/**
 * Quaternions of the joints of a limb in their parents, frame after frame and joint after joint: as they are copied, and
 * what they are turned by beyond, each in its own axes; by what lays them on the floor as well.
 */
export type LimbTurns = { copied: Float64Array; added: Float64Array };

const solution = createTwoBoneSolution();
const places = createLimbPlaces();
const { end, goal } = places;
const turn = new Float64Array(4);
const arm = new Float64Array(3);
const own = new Float64Array(4);
const none = Float64Array.of(0, 0, 0, 1);

/**
 * How the three joints of a limb will be turned, when it is known where hips and ends are: solved as they will be. Null
 * where none of them is turned beyond the copy in any frame.
 */
export function turnsOfLimb(planning: PlannedClip, n: number): LimbTurns | null {
  const { plan, goals, record } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const { hangs, rigid } = goals.limbs[n]!;
  const { turned } = record;
  let added: Float64Array | null = null;
  for (let k = 0; k < count; k++) {
    const i = slotOf(width, k, n);
    const isSolved = solveAt(planning, n, k);
    const isTurned = !rigid && isAnyOf(plan.turns, 3 * i);
    if (!isSolved && !isTurned) continue;
    added ??= withoutTurns(LIMB_SIZE * count);
    if (isTurned) quaternionOfVector(turn, 0, plan.turns, 3 * i);
    // A limb that is where it shall be is not solved, and its end is turned alone.
    for (let j = isSolved ? 0 : 2; j < LIMB_JOINTS; j++) {
      const at = 16 * i + 4 * (j + 1);
      const isPlaced = j === 2 && !hangs;
      const by =
        j === 0 ? solution.upperTurn : j === 1 || rigid ? solution.lowerTurn : isTurned ? turn : none;
      const before =
        j === 0 || isPlaced || !isSolved ? none : j === 1 ? solution.upperTurn : solution.lowerTurn;
      // M⁻¹ · before⁻¹ · by · M, M being how the joint is turned in the model as copied.
      divideQuaternions(own, 0, before, 0, by, 0);
      divideQuaternions(own, 0, turned, at, own, 0);
      multiplyQuaternions(added, LIMB_SIZE * k + 4 * j, own, 0, turned, at);
    }
    didWork(4);
  }
  if (record.unlaid) added ??= withoutTurns(LIMB_SIZE * count);
  if (!added) return null;
  const copied = borrow(LIMB_SIZE * count);
  for (let k = 0; k < count; k++)
    for (let j = 0; j < LIMB_JOINTS; j++) {
      const o = 16 * slotOf(width, k, n) + 4 * j;
      const t = LIMB_SIZE * k + 4 * j;
      const isPlaced = j === 2 && !hangs;
      readLocal(copied, t, turned, o, isPlaced);
      if (!record.unlaid) continue;
      multiplyQuaternions(own, 0, copied, t, added, t);
      readLocal(copied, t, record.unlaid, o, isPlaced);
      divideQuaternions(added, t, copied, t, own, 0);
    }
  for (let j = 0; j < LIMB_JOINTS; j++) {
    keepHemisphere(added, j);
    keepHemisphere(copied, j);
  }
  return { copied, added };
}

/** out = how a joint is turned in the one before it, the first of which is the limb's parent; one that is placed is in none. */
function readLocal(
  out: Float64Array,
  o: number,
  turned: Float64Array,
  before: number,
  isPlaced: boolean,
): void {
  divideQuaternions(out, o, isPlaced ? none : turned, isPlaced ? 0 : before, turned, before + 4);
}

/** Room for quaternions, none of which turns. */
function withoutTurns(length: number): Float64Array {
  const turns = borrow(length);
  for (let o = 3; o < length; o += 4) turns[o] = 1;
  return turns;
}

/** Whether a rotation vector turns at all. */
function isAnyOf(vectors: Float64Array, i: number): boolean {
  return vectors[i] !== 0 || vectors[i + 1] !== 0 || vectors[i + 2] !== 0;
}

/** Flips signs of a joint's quaternions so that those of neighbouring frames lie in one hemisphere. */
function keepHemisphere(turns: Float64Array, j: number): void {
  for (let q = LIMB_SIZE + 4 * j; q < turns.length; q += LIMB_SIZE) {
    const p = q - LIMB_SIZE;
    const dot =
      turns[p]! * turns[q]! +
      turns[p + 1]! * turns[q + 1]! +
      turns[p + 2]! * turns[q + 2]! +
      turns[p + 3]! * turns[q + 3]!;
    if (dot < 0) for (let c = 0; c < 4; c++) turns[q + c] = -turns[q + c]!;
  }
}

/** Solves a limb as it will be in a frame; false where it is where it shall be, and nothing is solved: see `solveLimbs`. */
function solveAt({ plan, goals, record }: PlannedClip, n: number, k: number): boolean {
  const width = goals.limbs.length;
  const limb = goals.limbs[n]!;
  const { kind, length, points } = limb;
  const i = slotOf(width, k, n);
  const o = 3 * i;
  readPlannedLimb(places, { plan, goals, record }, n, k);
  if (kind === 'leg') {
    // No heel or toe is lower than it stands: see `keepAboveGround`.
    let depth = 0;
    quaternionOfVector(turn, 0, plan.turns, o);
    for (const point of points) {
      const at = 3 * slotOf(goals.points.length, k, point);
      for (let c = 0; c < 3; c++) arm[c] = record.copied[at + c]! - record.ends[o + c]!;
      rotateVector(arm, 0, turn, 0, arm, 0);
      const height = record.places[o + 1]! + plan.shifts[o + 1]! + arm[1]!;
      depth = Math.max(depth, plan.floor + goals.hipHeight * goals.points[point]!.target.standing - height);
    }
    goal[1]! += depth;
  }
  const away = Math.abs(goal[0]! - end[0]!) + Math.abs(goal[1]! - end[1]!) + Math.abs(goal[2]! - end[2]!);
  if (!(away > REACHED * length) && !(Math.abs(plan.swivels[i]!) > 1e-9)) return false;
  solvePlaces(solution, places, limb, plan.swivels[i]!);
  return true;
}
