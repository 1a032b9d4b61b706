import { distanceFlat } from '../../base/math/flat-vectors.js';
import { isAbove, smoothCurve, widenCurve } from '../../base/math/smooth-curves.js';
import { HIGHEST_FOR_KNEES, SKIN_SLACK } from '../goal-rules.js';
import { createShinOverFloor, measureShin } from '../parts/shin-over-floor.js';
import { secondsFree } from './ease-stretches.js';
import { largestLift } from './plan-soles.js';
import { readPlannedLimb } from './planned-limb.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';

/** Seconds over which lifting for shins is smoothed. */
const SHIN_SMOOTHING = 0.05;

/** Skin this near to a knee that lies, share of the shin, lies with it: no ankle lifts it. */
const NEAR_KNEE = 0.15;

const leg = createShinOverFloor();

/**
 * Plans what keeps shins and knees out of the floor, when it is known where hips and feet are: legs are solved as they
 * will be. What is deep near the ankle, the boot of a body whose feet do not move, lifts the foot, as far as one that
 * stands may be lifted; what is deep near the knee lifts the hips.
 * @param lifts What feet have been lifted by already, per limb and frame, see `planSoles`; what they are lifted by here is
 * added.
 */
export function planShins(
  planning: Pick<Planning, keyof PlannedClip | 'carried' | 'resting'>,
  lifts: Float64Array,
): void {
  const { plan, goals, carried, resting } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const up = new Float64Array(count);
  const slack = SKIN_SLACK * goals.hipHeight;
  for (let n = 0; n < width; n++) {
    const limb = goals.limbs[n]!;
    if (limb.kind !== 'leg' || limb.shin.points.length === 0) continue;
    const free = secondsFree(plan, carried, n, width);
    const foot = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      lookAtShin(planning, n, k);
      const [depth, along] = [leg.found[0]!, leg.found[1]!];
      if (!(depth > slack)) continue;
      const kneels = resting?.kneeling[slotOf(width, k, n)] === 1;
      if (along > 0.5) foot[k] = depth / along;
      else if (kneels && along > NEAR_KNEE) {
        // A knee that lies stays where it is, and its ankle gives way as far as its foot may.
        const need = depth / along;
        foot[k] = Math.min(need, roomFor(free[k]!, goals.hipHeight, lifts[slotOf(width, k, n)]!));
        up[k] = Math.max(up[k]!, ((need - foot[k]!) * along) / (1 - along));
      } else up[k] = Math.max(up[k]!, depth / (1 - along));
    }
    if (!isAbove(foot)) continue;
    const smooth = smoothed(foot, plan.rate);
    for (let k = 0; k < count; k++) {
      const lift = Math.min(smooth[k]!, roomFor(free[k]!, goals.hipHeight, lifts[slotOf(width, k, n)]!));
      plan.shifts[3 * slotOf(width, k, n) + 1]! += lift;
      lifts[slotOf(width, k, n)]! += lift;
    }
  }
  // Whoever lies does not get up for a knee.
  if (resting) for (let k = 0; k < count; k++) up[k]! *= 1 - resting.trunk[k]!;
  if (!isAbove(up)) return;
  const smooth = smoothed(up, plan.rate);
  for (let k = 0; k < count; k++)
    plan.hips[3 * k + 1]! += Math.min(smooth[k]!, HIGHEST_FOR_KNEES * goals.hipHeight);
}

/** How far a foot may still be lifted that has been lifted already, in metres. */
function roomFor(free: number, hipHeight: number, lifted: number): number {
  return Math.max(0, largestLift(free, hipHeight) - lifted);
}

function smoothed(needs: Float64Array, rate: number): Float64Array {
  return smoothCurve(widenCurve(needs, Math.round(SHIN_SMOOTHING * rate)), SHIN_SMOOTHING * rate);
}

/** Looks at a leg as it will be, where its shin can be in the floor at all; see {@link measureShin}. */
function lookAtShin(planned: PlannedClip, n: number, k: number): void {
  const { plan, goals, record } = planned;
  const limb = goals.limbs[n]!;
  const { girths } = limb.shin;
  readPlannedLimb(leg, planned, n, k);
  const { upper, middle, goal } = leg;
  leg.found[0] = 0;
  // The knee is no lower than a thigh below the hip joint.
  const thigh = distanceFlat(upper, 0, middle, 0);
  if (goal[1]! - girths[1] > plan.floor && upper[1]! - thigh - girths[0] > plan.floor) return;
  leg.floor[0] = plan.floor;
  measureShin(leg, limb, record.shins, 9 * slotOf(goals.limbs.length, k, n), 3);
}
