import { rotateVector } from '../../base/math/quaternion.js';
import { createTwoBoneSolution } from '../../solvers/solve-two-bone.js';
import type { LimbGoal } from '../goal-setup.js';
import { createLimbPlaces, type LimbPlaces, solvePlaces } from './limb-places.js';

/**
 * A leg over the floor: what {@link measureShin} is told of it, in model space, and what it finds. The numbers stand in
 * stores, as one that is given back would be made anew on the heap.
 */
export type ShinOverFloor = LimbPlaces & {
  /** The height of the floor: one number. */
  floor: Float64Array;
  /** Found: how deep the shin is in the floor, 0 where it is not; and how far along it that is, 0 at the knee, 1 at the ankle. */
  found: Float64Array;
};

/** A leg of which nothing is known yet. */
export function createShinOverFloor(): ShinOverFloor {
  return { ...createLimbPlaces(), floor: new Float64Array(1), found: new Float64Array(2) };
}

const solution = createTwoBoneSolution();
const column = new Float64Array(3);
/** How high each axis of the solved shin goes. */
const rows = new Float64Array(3);

/**
 * Solves a leg as it will be, and finds how deep the skin of its shin is in the floor then.
 * @param axes Columns of the matrix of its middle joint as copied: x, y and z, each `stride` numbers after the one before.
 * @param at Where they begin.
 */
export function measureShin(
  leg: ShinOverFloor,
  limb: LimbGoal,
  axes: Float64Array,
  at: number,
  stride: number,
): void {
  const { found } = leg;
  const { points } = limb.shin;
  const floor = leg.floor[0]!;
  solvePlaces(solution, leg, limb);
  for (let i = 0; i < 3; i++) {
    for (let c = 0; c < 3; c++) column[c] = axes[at + stride * i + c]!;
    rotateVector(column, 0, solution.lowerTurn, 0, column, 0);
    rows[i] = column[1]!;
  }
  const x = rows[0]!;
  const y = rows[1]!;
  const z = rows[2]!;
  const knee = solution.mid[1]!;
  found.fill(0);
  for (let i = 0; i < points.length; i += 4) {
    const height = knee + x * points[i]! + y * points[i + 1]! + z * points[i + 2]!;
    if (floor - height <= found[0]!) continue;
    found[0] = floor - height;
    found[1] = points[i + 3]!;
  }
}
