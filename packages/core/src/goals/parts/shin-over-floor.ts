import { distanceFlat } from '../../base/math/flat-vectors.js';
import { rotateVector } from '../../base/math/quaternion.js';
import { createTwoBoneSolution, solveTwoBone } from '../../solvers/solve-two-bone.js';
import { REACH } from '../goal-rules.js';
import type { LimbGoal } from '../goal-setup.js';
import { reachOf } from './reach.js';

/**
 * A leg over the floor: what {@link measureShin} is told of it, in model space, and what it finds. The numbers stand in
 * stores, as one that is given back would be made anew on the heap.
 */
export type ShinOverFloor = {
  /** Hip joint, knee and ankle as copied, and where the ankle shall be: xyz each. */
  upper: Float64Array;
  middle: Float64Array;
  end: Float64Array;
  goal: Float64Array;
  /** The height of the floor: one number. */
  floor: Float64Array;
  /** Found: how deep the shin is in the floor, 0 where it is not; and how far along it that is, 0 at the knee, 1 at the ankle. */
  found: Float64Array;
};

/** A leg of which nothing is known yet. */
export function createShinOverFloor(): ShinOverFloor {
  const place = () => new Float64Array(3);
  return {
    upper: place(),
    middle: place(),
    end: place(),
    goal: place(),
    floor: new Float64Array(1),
    found: new Float64Array(2),
  };
}

const solution = createTwoBoneSolution();
const options = { softness: REACH };
const column = new Float64Array(3);
/** How high each axis of the solved shin goes. */
const rows = new Float64Array(3);

/**
 * Solves a leg as it will be, and finds how deep the skin of its shin is in the floor then.
 * @param axes Columns of the matrix of its middle joint as copied: x, y and z, each `stride` numbers after the one before.
 * @param at Where they begin.
 */
export function measureShin(
  { upper, middle, end, goal, floor: level, found }: ShinOverFloor,
  { length, shin: { points } }: LimbGoal,
  axes: Float64Array,
  at: number,
  stride: number,
): void {
  const floor = level[0]!;
  options.softness = reachOf(distanceFlat(upper, 0, end, 0), length) / length;
  solveTwoBone(solution, upper, 0, middle, 0, end, 0, goal, 0, options);
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
