import type { Contact } from '../contacts/find-contacts.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import { EASE, easeStretches, type Stretch } from './ease-stretches.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import { offFloor } from './plan-feet.js';
import type { GoalRecord } from './plan-goals.js';
import { smoothCurve, softly, widenCurve } from './smooth-curves.js';

/** How softly hands are lifted out of the floor, in hip heights: what is that much above it begins to be. */
const SOFTNESS = 0.05;
/** Seconds over which that is smoothed. */
const LIFT_SMOOTHING = 0.04;

/** Seconds over which what hands touch is smoothed: other parts come near and go within a few frames. */
const TOUCH_SMOOTHING = 0.06;

/** Plans what hands are moved by for what they touch on their own body: as `touchHands` says, smoothed. */
export function planTouches(plan: GoalPlan, goals: GoalSetup, record: GoalRecord): void {
  const { count } = plan;
  const width = goals.limbs.length;
  goals.touch?.limbs.forEach((n, hand) => {
    if (n < 0) return;
    for (let c = 0; c < 3; c++) {
      const offsets = Float64Array.from({ length: count }, (_, k) => record.touches[6 * k + 3 * hand + c]!);
      if (!offsets.some((offset) => offset !== 0)) continue;
      const smooth = smoothCurve(offsets, TOUCH_SMOOTHING * CONTACT_RATE);
      for (let k = 0; k < count; k++) plan.shifts[3 * (width * k + n) + c]! += smooth[k]!;
    }
  });
}

/**
 * Plans where hands stand on the ground: where the copied ones would on the mean, on the floor, while the source's
 * do. Hands that touch nothing stay as copied, and come along with the hips.
 * @param carried Written: 1 while a hand carries.
 */
export function planHands(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  contacts: readonly Contact[],
  vertical: number,
  carried: Float64Array,
): void {
  const { count } = plan;
  const width = goals.limbs.length;
  goals.limbs.forEach((limb, n) => {
    if (limb.kind !== 'arm') return;
    const shifts = standHand(plan, goals, limb, n, record, contacts, vertical, (k) => {
      carried[width * k + n] = 1;
    });
    for (let k = 0; k < count; k++)
      for (let c = 0; c < 3; c++) plan.shifts[3 * (width * k + n) + c]! += shifts[3 * k + c]!;
  });
}

function standHand(
  plan: GoalPlan,
  goals: GoalSetup,
  limb: LimbGoal,
  n: number,
  record: GoalRecord,
  contacts: readonly Contact[],
  vertical: number,
  carries: (k: number) => void,
): Float64Array {
  const { count } = plan;
  const width = goals.limbs.length;
  const points = goals.points.length;
  const point = limb.points[0]!;
  const { name, target } = goals.points[point]!;
  const standing = goals.hipHeight * target.standing;
  const shifts = new Float64Array(3 * count);
  // Where the hand would be: as copied, or where it touches the body.
  const at = (k: number, c: number) =>
    record.copied[3 * (points * k + point) + c]! +
    record.places[3 * (width * k + n) + c]! -
    record.ends[3 * (width * k + n) + c]! +
    plan.shifts[3 * (width * k + n) + c]!;
  const stretches: Stretch[] = [];
  for (const contact of contacts) {
    if (contact.point !== name) continue;
    const first = Math.max(0, Math.round(contact.start * CONTACT_RATE));
    const last = Math.min(count - 1, Math.round(contact.end * CONTACT_RATE));
    if (last < first) continue;
    stretches.push({ first, last });
    const level = goals.floor + vertical * goals.sourceHipHeight * offFloor(contact.height) + standing;
    plan.floor = Math.min(plan.floor, level - standing);
    const mean = [0, 0, 0];
    for (let k = first; k <= last; k++) for (const c of [0, 2]) mean[c]! += at(k, c) / (last - first + 1);
    for (let k = first; k <= last; k++) {
      carries(k);
      shifts[3 * k] = mean[0]! - at(k, 0);
      // On its knuckles, or on what of it is lower as it is turned: fingertips, or the whole of a thick hand.
      const end =
        at(k, 1) + record.ends[3 * (width * k + n) + 1]! - record.copied[3 * (points * k + point) + 1]!;
      shifts[3 * k + 1] = Math.max(level - at(k, 1), level - standing - end - record.lows[width * k + n]!);
      shifts[3 * k + 2] = mean[2]! - at(k, 2);
    }
  }
  easeStretches(shifts, 3, stretches, count, [0, 0, 0], [EASE, EASE, EASE]);
  const holds = new Float64Array(count);
  for (const { first, last } of stretches) holds.fill(1, first, last + 1);
  easeStretches(holds, 1, stretches, count, [0], [EASE]);
  for (let k = 0; k < count; k++) plan.holds[width * k + n] = holds[k]!;
  return shifts;
}

/** Lifts hands until no skin of them is under the floor, when it is known where the hips are. */
export function liftHands(plan: GoalPlan, goals: GoalSetup, record: GoalRecord): void {
  const { count } = plan;
  const width = goals.limbs.length;
  goals.limbs.forEach(({ kind }, n) => {
    if (kind !== 'arm') return;
    const needs = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const o = 3 * (width * k + n) + 1;
      const along = (1 - plan.holds[width * k + n]!) * plan.hips[3 * k + 1]!;
      const low = record.places[o]! + record.lows[width * k + n]! + plan.shifts[o]! + along;
      // Hands that carry are on the floor, not a little over it.
      const softness = SOFTNESS * goals.hipHeight * (1 - plan.holds[width * k + n]!);
      needs[k] = softly(plan.floor - low, softness);
    }
    if (!needs.some((need) => need > 0)) return;
    const wide = widenCurve(needs, Math.round(LIFT_SMOOTHING * CONTACT_RATE));
    const lifts = smoothCurve(wide, LIFT_SMOOTHING * CONTACT_RATE);
    for (let k = 0; k < count; k++) {
      const held = plan.holds[width * k + n]!;
      plan.shifts[3 * (width * k + n) + 1]! += held * needs[k]! + (1 - held) * lifts[k]!;
    }
  });
}
