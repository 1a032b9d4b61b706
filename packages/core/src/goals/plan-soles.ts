import { CONTACT_RATE } from '../contacts/track-points.js';
import { rotateVector } from '../quaternion.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { quaternionOfVector } from './rotation-vectors.js';
import { smoothCurve, widenCurve } from './smooth-curves.js';

/** Toes bend upwards by at most this, in radians: seventy degrees. */
const LARGEST_BEND = 1.2;
/** Seconds over which bending and lifting are smoothed. */
const SMOOTHING = 0.025;
/** Less than this, in hip heights, is no depth: a skin's rounding. */
const SLACK = 0.002;

/**
 * Plans what keeps the skin of feet out of the floor: toes bend up when the foot rolls over them, and what is then
 * still under the floor, a heel behind its ankle for one, lifts the foot. Rigs without skin have the joints of
 * their feet for it.
 */
export function planSoles(plan: GoalPlan, goals: GoalSetup, record: GoalRecord): void {
  const { count } = plan;
  const width = goals.limbs.length;
  goals.limbs.forEach((limb, n) => {
    if (limb.kind !== 'leg') return;
    const foot = new Float64Array(count);
    const bends = new Float64Array(count);
    for (let k = 0; k < count; k++) measureSole(foot, bends, plan, goals, limb, n, record, k);
    const wide = Math.round(SMOOTHING * CONTACT_RATE);
    const smooth = (needs: Float64Array) => smoothCurve(widenCurve(needs, wide), SMOOTHING * CONTACT_RATE);
    const lifts = smooth(foot);
    const turns = smooth(bends);
    for (let k = 0; k < count; k++) {
      plan.shifts[3 * (width * k + n) + 1]! += lifts[k]!;
      plan.bends[width * k + n] = turns[k]!;
    }
  });
}

const turn = new Float64Array(4);
const arm = new Float64Array(3);
const point = new Float64Array(3);

/** Writes how deep the foot is, and how far the toes must bend to come out of the floor. */
function measureSole(
  depths: Float64Array,
  bends: Float64Array,
  plan: GoalPlan,
  goals: GoalSetup,
  { skin, toes, toeSkin }: LimbGoal,
  n: number,
  record: GoalRecord,
  k: number,
): void {
  const width = goals.limbs.length;
  const o = 3 * (width * k + n);
  const m = record.frames;
  const f = 24 * (width * k + n);
  const slack = SLACK * goals.hipHeight;
  quaternionOfVector(turn, 0, plan.turns, o);
  const ankle = record.places[o + 1]! + plan.shifts[o + 1]!;
  let deepest = 0;
  for (let i = 0; i < skin.length; i += 3) {
    for (let c = 0; c < 3; c++)
      point[c] = m[f + c]! * skin[i]! + m[f + 3 + c]! * skin[i + 1]! + m[f + 6 + c]! * skin[i + 2]!;
    rotateVector(point, 0, turn, 0, point, 0);
    deepest = Math.max(deepest, plan.floor - slack - ankle - point[1]!);
  }
  depths[k] = deepest;
  if (toes < 0) return;
  for (let c = 0; c < 3; c++) arm[c] = m[f + 21 + c]! - m[f + 9 + c]!;
  rotateVector(arm, 0, turn, 0, arm, 0);
  const joint = ankle + deepest + arm[1]!;
  const level = Math.hypot(arm[0]!, arm[2]!);
  if (!(level > 1e-9)) return;
  for (let i = 0; i < toeSkin.length; i += 3) {
    for (let c = 0; c < 3; c++)
      point[c] =
        m[f + 12 + c]! * toeSkin[i]! + m[f + 15 + c]! * toeSkin[i + 1]! + m[f + 18 + c]! * toeSkin[i + 2]!;
    rotateVector(point, 0, turn, 0, point, 0);
    if (joint + point[1]! > plan.floor - slack) continue;
    // In the plane that the foot points along: from the slope it has up to where it meets the floor.
    const along = (point[0]! * arm[0]! + point[2]! * arm[2]!) / level;
    const radius = Math.hypot(along, point[1]!);
    // Only what is ahead of the joint comes up when the toes do.
    if (!(along > 0.2 * radius)) continue;
    const wanted = Math.asin(Math.max(-1, Math.min(1, (plan.floor - slack - joint) / radius)));
    const bend = wanted - Math.atan2(point[1]!, along);
    bends[k] = Math.max(bends[k]!, Math.min(LARGEST_BEND, bend));
  }
}
