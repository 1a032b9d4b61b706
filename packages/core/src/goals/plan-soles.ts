import { CONTACT_RATE } from '../contacts/track-points.js';
import { rotateVector } from '../quaternion.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { quaternionOfVector } from './rotation-vectors.js';
import { smoothCurve, widenCurve } from './smooth-curves.js';

/** Toes bend upwards by at most this, in radians: seventy degrees. */
const LARGEST_BEND = 1.2;
/**
 * Feet are lifted for their skin by at most so many hip heights. Farther up they would no longer stand: without a
 * bound, big boots that roll over their toes lost one contact in twenty.
 */
export const LARGEST_LIFT = 0.03;
/** Seconds over which bending and lifting are smoothed. */
const SMOOTHING = 0.025;
/** Less than this, in hip heights, is no depth: a skin's rounding. */
export const SLACK = 0.002;

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
    const needs: SoleNeeds = { depth: 0, bend: 0 };
    const floor = plan.floor - SLACK * goals.hipHeight;
    for (let k = 0; k < count; k++) {
      const o = 3 * (width * k + n);
      quaternionOfVector(turn, 0, plan.turns, o);
      const ankle = record.places[o + 1]! + plan.shifts[o + 1]!;
      measureSole(needs, limb, record.frames, 24 * (width * k + n), turn, 0, ankle, floor);
      foot[k] = Math.min(needs.depth, LARGEST_LIFT * goals.hipHeight);
      bends[k] = needs.bend;
    }
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

/** What {@link measureSole} found: how deep the foot is, and how far its toes must bend to come out of the floor. */
export type SoleNeeds = { depth: number; bend: number };

/**
 * Measures how deep a foot's skin is under the floor, and how far its toes must then bend.
 * @param m The columns of the foot's and the toes' matrices from place `f` on, see `GoalRecord.frames`.
 * @param turn What the foot is turned by on top of that.
 * @param ankle The height at which its end joint stands.
 * @param floor The height below which skin counts.
 */
export function measureSole(
  out: SoleNeeds,
  { skin, toes, toeSkin }: LimbGoal,
  m: Float64Array,
  f: number,
  turn: Float64Array,
  t: number,
  ankle: number,
  floor: number,
): void {
  let deepest = 0;
  for (let i = 0; i < skin.length; i += 3) {
    for (let c = 0; c < 3; c++)
      point[c] = m[f + c]! * skin[i]! + m[f + 3 + c]! * skin[i + 1]! + m[f + 6 + c]! * skin[i + 2]!;
    rotateVector(point, 0, turn, t, point, 0);
    deepest = Math.max(deepest, floor - ankle - point[1]!);
  }
  out.depth = deepest;
  out.bend = 0;
  if (toes < 0) return;
  for (let c = 0; c < 3; c++) arm[c] = m[f + 21 + c]! - m[f + 9 + c]!;
  rotateVector(arm, 0, turn, t, arm, 0);
  const joint = ankle + deepest + arm[1]!;
  const level = Math.sqrt(arm[0]! * arm[0]! + arm[2]! * arm[2]!);
  if (!(level > 1e-9)) return;
  for (let i = 0; i < toeSkin.length; i += 3) {
    for (let c = 0; c < 3; c++)
      point[c] =
        m[f + 12 + c]! * toeSkin[i]! + m[f + 15 + c]! * toeSkin[i + 1]! + m[f + 18 + c]! * toeSkin[i + 2]!;
    rotateVector(point, 0, turn, t, point, 0);
    if (joint + point[1]! > floor) continue;
    // In the plane that the foot points along: from the slope it has up to where it meets the floor.
    const along = (point[0]! * arm[0]! + point[2]! * arm[2]!) / level;
    const radius = Math.sqrt(along * along + point[1]! * point[1]!);
    // Only what is ahead of the joint comes up when the toes do.
    if (!(along > 0.2 * radius)) continue;
    const wanted = Math.asin(Math.max(-1, Math.min(1, (floor - joint) / radius)));
    const bend = wanted - Math.atan2(point[1]!, along);
    if (bend > out.bend) out.bend = Math.min(LARGEST_BEND, bend);
  }
}
