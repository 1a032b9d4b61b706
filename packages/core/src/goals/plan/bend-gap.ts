import { rotateVector } from '../../base/math/quaternion.js';
import { createTwoBoneSolution } from '../../solvers/solve-two-bone.js';
import type { RestingSurface } from '../goal-setup.js';
import { createLimbPlaces, solvePlaces } from '../parts/limb-places.js';
import { readPlannedLimb } from './planned-limb.js';
import { type PlannedClip, slotOf } from './planning.js';

/** A knee or an elbow: the number of its surface, and of its limb. */
export type Bend = { s: number; n: number };

/** The knees, or the elbows, whose outside is known. */
export function bendsOf({ goals }: Pick<PlannedClip, 'goals'>, kind: 'leg' | 'arm'): Bend[] {
  const joint = kind === 'leg' ? 'Knee' : 'Elbow';
  return goals.surfaces.flatMap(({ point }, s) => {
    const { name } = goals.points[point]!;
    const n = goals.limbs.findIndex((limb) => limb.kind === kind && name === `${limb.side}${joint}`);
    return n < 0 ? [] : [{ s, n }];
  });
}

const solution = createTwoBoneSolution();
const places = createLimbPlaces();
const column = new Float64Array(3);

/**
 * How high the skin of a knee or an elbow is over the floor when its limb is solved; less than 0 in it.
 * @param lift What the hips are lifted by on top of the plan.
 * @param swivel What an elbow is turned by about the line from shoulder to hand; as planned if left out.
 */
export function bendGap(
  { plan, goals, record }: PlannedClip,
  { surface }: RestingSurface,
  n: number,
  k: number,
  lift = 0,
  swivel = plan.swivels[slotOf(goals.limbs.length, k, n)]!,
): number {
  const width = goals.limbs.length;
  const limb = goals.limbs[n]!;
  readPlannedLimb(places, { plan, goals, record }, n, k);
  const { upper, middle, end, goal } = places;
  // As far as the goal follows the hips it is lifted with them.
  for (const place of [upper, middle, end]) place[1] = place[1]! + lift;
  goal[1] = goal[1]! + (1 - plan.holds[slotOf(width, k, n)]!) * lift;
  solvePlaces(solution, places, limb, swivel);
  let lowest = Number.POSITIVE_INFINITY;
  for (let j = 0; j < surface.joints.length; j++) {
    const isUpper = surface.joints[j] === limb.target.upper;
    const axes = isUpper ? record.thighs : record.shins;
    const rows = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      for (let c = 0; c < 3; c++) column[c] = axes[9 * slotOf(width, k, n) + 3 * i + c]!;
      rotateVector(column, 0, isUpper ? solution.upperTurn : solution.lowerTurn, 0, column, 0);
      rows[i] = column[1]!;
    }
    const up = isUpper ? upper[1]! : solution.mid[1]!;
    const skin = surface.places[j]!;
    for (let i = 0; i < skin.length; i += 3)
      lowest = Math.min(lowest, up + rows[0]! * skin[i]! + rows[1]! * skin[i + 1]! + rows[2]! * skin[i + 2]!);
  }
  return lowest - surface.thickness - plan.floor;
}
