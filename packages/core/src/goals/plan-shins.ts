import { CONTACT_RATE } from '../contacts/track-points.js';
import { rotateVector } from '../quaternion.js';
import { distanceFlat } from '../solvers/flat-vectors.js';
import { createTwoBoneSolution, solveTwoBone } from '../solvers/solve-two-bone.js';
import { secondsFree } from './ease-stretches.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { REACH, reachOf } from './plan-hips.js';
import { largestLift, SLACK } from './plan-soles.js';
import { smoothCurve, widenCurve } from './smooth-curves.js';

/** Seconds over which lifting for shins is smoothed. */
const SMOOTHING = 0.05;
/** Hips are lifted for knees by at most so many hip heights. */
const HIGHEST = 0.3;

const solution = createTwoBoneSolution();
const options = { softness: REACH };
const upper = new Float64Array(3);
const middle = new Float64Array(3);
const end = new Float64Array(3);
const goal = new Float64Array(3);
const column = new Float64Array(3);
/** How high each axis of the solved shin goes. */
const rows = new Float64Array(3);

/** How deep a shin is in the floor, and how far along it that is: 0 at the knee, 1 at the ankle. */
const needs = { depth: 0, along: 0 };

/**
 * Plans what keeps shins and knees out of the floor, when it is known where hips and feet are: legs are solved as they
 * will be. What is deep near the ankle, the boot of a body whose feet do not move, lifts the foot, as far as one that
 * stands may be lifted; what is deep near the knee lifts the hips.
 * @param lifts What feet have been lifted by already, per limb and frame, see `planSoles`.
 */
export function planShins(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  carried: Float64Array,
  lifts: Float64Array,
): void {
  const { count } = plan;
  const width = goals.limbs.length;
  const up = new Float64Array(count);
  const slack = SLACK * goals.hipHeight;
  goals.limbs.forEach((limb, n) => {
    if (limb.kind !== 'leg' || limb.shin.points.length === 0) return;
    const free = secondsFree(carried, n, width, count);
    const foot = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      lookAtShin(plan, goals, record, n, k);
      if (!(needs.depth > slack)) continue;
      const { along } = needs;
      if (along > 0.5) foot[k] = needs.depth / along;
      else up[k] = Math.max(up[k]!, needs.depth / (1 - along));
    }
    if (!foot.some((need) => need > 0)) return;
    const smooth = smoothed(foot);
    for (let k = 0; k < count; k++) {
      const room = Math.max(0, largestLift(free[k]!, goals.hipHeight) - lifts[width * k + n]!);
      plan.shifts[3 * (width * k + n) + 1]! += Math.min(smooth[k]!, room);
    }
  });
  if (!up.some((need) => need > 0)) return;
  const smooth = smoothed(up);
  for (let k = 0; k < count; k++) plan.hips[3 * k + 1]! += Math.min(smooth[k]!, HIGHEST * goals.hipHeight);
}

function smoothed(needs: Float64Array): Float64Array {
  return smoothCurve(widenCurve(needs, Math.round(SMOOTHING * CONTACT_RATE)), SMOOTHING * CONTACT_RATE);
}

/** Solves a leg as it will be, where its shin can be in the floor at all, and notes how deep it is. */
function lookAtShin(plan: GoalPlan, goals: GoalSetup, record: GoalRecord, n: number, k: number): void {
  const width = goals.limbs.length;
  const { length, shin } = goals.limbs[n]!;
  const { points, girths } = shin;
  const o = 3 * (width * k + n);
  const follows = 1 - plan.holds[width * k + n]!;
  for (let c = 0; c < 3; c++) {
    const hips = plan.hips[3 * k + c]!;
    upper[c] = record.uppers[o + c]! + hips;
    middle[c] = record.middles[o + c]! + hips;
    end[c] = record.ends[o + c]! + hips;
    goal[c] = record.places[o + c]! + plan.shifts[o + c]! + follows * hips;
  }
  needs.depth = 0;
  // The knee is no lower than a thigh below the hip joint.
  const thigh = distanceFlat(upper, 0, middle, 0);
  if (goal[1]! - girths[1] > plan.floor && upper[1]! - thigh - girths[0] > plan.floor) return;
  options.softness = reachOf(distanceFlat(upper, 0, end, 0), length) / length;
  solveTwoBone(solution, upper, 0, middle, 0, end, 0, goal, 0, options);
  const f = 9 * (width * k + n);
  for (let i = 0; i < 3; i++) {
    for (let c = 0; c < 3; c++) column[c] = record.shins[f + 3 * i + c]!;
    rotateVector(column, 0, solution.lowerTurn, 0, column, 0);
    rows[i] = column[1]!;
  }
  const x = rows[0]!;
  const y = rows[1]!;
  const z = rows[2]!;
  const knee = solution.mid[1]!;
  for (let i = 0; i < points.length; i += 4) {
    const height = knee + x * points[i]! + y * points[i + 1]! + z * points[i + 2]!;
    if (plan.floor - height <= needs.depth) continue;
    needs.depth = plan.floor - height;
    needs.along = points[i + 3]!;
  }
}
