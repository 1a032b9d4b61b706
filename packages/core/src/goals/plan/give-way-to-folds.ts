import { squared } from '../../base/math/functions.js';
import { fadeOut, isAbove, smoothCurve, softly, widenCurve } from '../../base/math/smooth-curves.js';
import { AHEAD, AHEAD_SMOOTHING, FOOT_FREE, NEAR_CONTACT } from '../goal-rules.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';

/** Legs are not folded further than this share of their length, nor nearer to wholly folded than the other, unless copied so. */
const MOST_FOLDED = 0.25;
const FROM_FOLDED = 0.05;
/** Hips are lifted for the sake of a fold by at most so many hip heights. */
const HIGHEST_FOR_FOLDS = 0.25;

/**
 * Lets hips and feet give way where a leg would be folded further than it may be: in a deep fold a finger's breadth of
 * the goal is a quarter of a turn of the leg. Where the foot stands the hips are lifted, in the air the foot goes back
 * towards where it is copied to.
 * @param free Per limb and frame the seconds to the next contact.
 */
export function giveWayToFolds(planning: Planning, free: readonly Float64Array[]): void {
  const { plan, goals } = planning;
  const needs = new Float64Array(plan.count);
  for (let n = 0; n < goals.limbs.length; n++)
    if (goals.limbs[n]!.kind === 'leg') addFoldNeeds(needs, planning, free[n]!, n);
  if (isAbove(needs)) {
    const lifted = smoothCurve(widenCurve(needs, Math.round(AHEAD * plan.rate)), AHEAD_SMOOTHING * plan.rate);
    for (let k = 0; k < plan.count; k++) plan.hips[3 * k + 1]! += lifted[k]!;
  }
  for (let n = 0; n < goals.limbs.length; n++)
    if (goals.limbs[n]!.kind === 'leg') drawFootBack(planning, free[n]!, n);
}

/** A leg and its goal in one frame. */
const leg = { far: 0, across: 0, down: 0, least: 0, away: 0 };
/** From the goal to where the foot is copied to. */
const back = new Float64Array(3);

function readLeg({ plan, goals, record }: PlannedClip, n: number, k: number, hold: number): void {
  const o = 3 * slotOf(goals.limbs.length, k, n);
  const { uppers, middles, ends, places } = record;
  const { length } = goals.limbs[n]!;
  let [across, down, thigh, shin, copied, away] = [0, 0, 0, 0, 0, 0];
  for (let c = 0; c < 3; c++) {
    const upper = uppers[o + c]!;
    const d = places[o + c]! + plan.shifts[o + c]! - hold * plan.hips[3 * k + c]! - upper;
    if (c === 1) down = -d;
    else across += d * d;
    thigh += squared(middles[o + c]! - upper);
    shin += squared(ends[o + c]! - middles[o + c]!);
    copied += squared(ends[o + c]! - upper);
    back[c] = ends[o + c]! - upper - d;
    away += back[c]! * back[c]!;
  }
  const shortest = Math.abs(Math.sqrt(thigh) - Math.sqrt(shin)) + FROM_FOLDED * length;
  leg.least = Math.min(Math.sqrt(copied), Math.max(shortest, MOST_FOLDED * length));
  leg.far = Math.sqrt(across + down * down);
  leg.across = across;
  leg.down = down;
  leg.away = Math.sqrt(away);
}

/** Raises, per frame, how far the hips must go up to what a leg needs that stands, or is about to. */
function addFoldNeeds(needs: Float64Array, planning: PlannedClip, free: Float64Array, n: number): void {
  const { hipHeight } = planning.goals;
  for (let k = 0; k < needs.length; k++) {
    const carries = fadeOut(free[k]! / NEAR_CONTACT);
    if (!(carries > 0)) continue;
    readLeg(planning, n, k, 1);
    if (!(leg.far < leg.least)) continue;
    const up = Math.sqrt(Math.max(0, leg.least * leg.least - leg.across)) - leg.down;
    needs[k] = Math.max(needs[k]!, carries * Math.min(Math.max(0, up), HIGHEST_FOR_FOLDS * hipHeight));
  }
}

/** Moves the goals of a foot in the air towards where it is copied to, until its leg is folded no further than it may be. */
function drawFootBack(planning: PlannedClip, free: Float64Array, n: number): void {
  const { plan, goals } = planning;
  const width = goals.limbs.length;
  const { length } = goals.limbs[n]!;
  for (let k = 0; k < plan.count; k++) {
    const share = 1 - fadeOut(free[k]! / FOOT_FREE);
    if (!(share > 0)) continue;
    readLeg(planning, n, k, plan.holds[slotOf(width, k, n)]!);
    const by = share * softly(leg.least - leg.far, Math.min(0.05 * length, 0.3 * leg.away));
    if (!(by > 1e-9 * length && leg.away > 1e-9 * length)) continue;
    const part = Math.min(1, by / leg.away);
    for (let c = 0; c < 3; c++) plan.shifts[3 * slotOf(width, k, n) + c]! += part * back[c]!;
  }
}
