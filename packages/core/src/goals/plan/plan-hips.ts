import {
  fadeOut,
  isAbove,
  smoothCurve,
  smoothWeighted,
  softly,
  widenCurve,
} from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { offFloor } from '../../contacts/off-floor.js';
import type { GoalPlan } from '../goal-plan.js';
import {
  AHEAD,
  AHEAD_SMOOTHING,
  ARM_SHARE,
  DRAWN_IN,
  FULL_REACH,
  HIGH_FEET,
  LEG_SHARE,
  LET_GO,
  LOW_TRUNK,
  LOWEST_HIPS,
  NEAR_CONTACT,
} from '../goal-rules.js';
import type { GoalSetup } from '../goal-setup.js';
import { reachOf } from '../parts/reach.js';
import { secondsFree } from './ease-stretches.js';
import { flyFreely } from './fly-freely.js';
import { giveWayToFolds } from './give-way-to-folds.js';
import { type PlannedClip, type Planning, type Resting, slotOf } from './planning.js';
import { liftElbows, settleKnees } from './settle-bends.js';
import { shortenReaches, shortenSteps } from './shorten-steps.js';
import { swingElbows } from './swing-elbows.js';

/** Seconds over which that offset is smoothed (standard deviation); less where arms alone carry, which do not give. */
const OFFSET_SMOOTHING = 0.12;
const ARM_SMOOTHING = 0.05;
/** A weight that pulls offsets to zero where nothing carries, in flight. */
const FLIGHT = 0.02;
/** Of what limbs ask for upwards resting knees leave a tenth. */
const KNEES_BEAR = 0.9;
/** How softly the hips are lifted out of the floor, in hip heights: what is that much above it begins to lift them. */
const HIP_SOFTNESS = 0.02;
/** Seconds over which that is smoothed. */
const HIP_LIFT_SMOOTHING = 0.05;

/**
 * Plans what the hips give way by. Sideways and along: the offset that stands the copied limbs on their goals, half of
 * it for legs and all of it for arms, weighted by how much each carries and smoothed. Up and down: the same with
 * whatever carries the body, feet, hands, knees, hips, back or head, each as far as it is off what it should lie on;
 * what no limb can make good counts in full. So the height follows what carries the body, without a switch. Then down,
 * as far as planted limbs need in order to reach; then up, until torso and head are out of the floor; and straight
 * through the air. Feet there come along and are kept in reach; no leg is folded further than it may be.
 */
export function planHips(planning: Planning): void {
  const { plan, goals, standing, resting } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const free = goals.limbs.map((_, n) => {
    didWork(count);
    return secondsFree(plan, standing, n, width);
  });
  for (let n = 0; n < width; n++) {
    if (goals.limbs[n]!.kind === 'leg') holdFoot(planning, free[n]!, n);
    didWork(5 * count);
  }
  offsetHips(planning, resting);
  if (shortenSteps(planning)) offsetHips(planning, resting);
  giveWayToFolds(planning, free);
  if (resting) settleKnees(planning, resting);
  if (resting) shortenReaches(planning, resting);
  const needs = new Float64Array(count);
  for (let n = 0; n < width; n++) {
    addStretchNeeds(needs, planning, free[n]!, n);
    didWork(5 * count);
  }
  // Whoever lies is not pulled through the floor by a foot or a hand.
  if (resting) for (let k = 0; k < count; k++) needs[k]! *= 1 - resting.trunk[k]!;
  lowerHips(plan, needs);
  swingElbows(planning);
  liftElbows(planning, resting);
  didWork(5 * count);
  liftTrunk(planning);
  flyFreely(planning);
  for (let n = 0; n < width; n++) {
    didWork(5 * count);
    if (goals.limbs[n]!.kind === 'leg') drawFootIn(planning, free[n]!, n);
  }
}

/** Writes the smoothed offset that stands copied limbs on their goals, and the body on what carries it. */
function offsetHips(planning: Planning, resting: Resting | null): void {
  const { plan, goals, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const weights = new Float64Array(count);
  const offsets = [0, 1, 2].map(() => new Float64Array(count));
  for (let n = 0; n < width; n++) {
    for (let k = 0; k < count; k++) weights[k]! += carried[slotOf(width, k, n)]!;
    for (let c = 0; c < 3; c++) addOffsets(offsets[c]!, planning, n, c);
    didWork(4 * count);
  }
  const onArms = armsAlone(goals, carried, plan);
  const upward = weights.slice();
  stayLow(offsets[1]!, upward, planning);
  didWork(5 * count);
  if (resting)
    for (let k = 0; k < count; k++) {
      const share = (1 - resting.trunk[k]!) * (1 - KNEES_BEAR * resting.knees[k]!);
      upward[k]! *= share;
      offsets[1]![k]! *= share;
    }
  lieOn(offsets[1]!, upward, planning, resting);
  didWork(5 * count);
  for (let c = 0; c < 3; c++) {
    const offset = offsets[c]!;
    const by = c === 1 ? upward : weights;
    for (let k = 0; k < count; k++) if (by[k]! > 0) offset[k]! /= by[k]!;
    const smooth = smoothWeighted(offset, by, OFFSET_SMOOTHING * plan.rate, FLIGHT);
    const quick = onArms && smoothWeighted(offset, by, ARM_SMOOTHING * plan.rate, FLIGHT);
    didWork(5 * count);
    for (let k = 0; k < count; k++)
      plan.hips[3 * k + c] = smooth[k]! + (quick ? onArms[k]! * (quick[k]! - smooth[k]!) : 0);
  }
}

/** Adds what a limb's goals are off where they are copied to, along one axis, while it carries. */
function addOffsets(
  offsets: Float64Array,
  { plan: { shifts, count }, record: { places, ends }, goals: { limbs }, carried }: Planning,
  n: number,
  c: number,
): void {
  const width = limbs.length;
  const share = limbs[n]!.kind === 'arm' ? ARM_SHARE : LEG_SHARE;
  for (let k = 0; k < count; k++) {
    const o = 3 * slotOf(width, k, n) + c;
    offsets[k]! += share * carried[slotOf(width, k, n)]! * (places[o]! + shifts[o]! - ends[o]!);
  }
}

/**
 * Lifts the hips until torso and head are out of the floor; hardly sooner than they must, as it takes feet off it: by
 * as much as takes the kink out of how the body comes down on its head.
 */
export function liftTrunk({ plan, goals, record }: PlannedClip): void {
  const { count, hips } = plan;
  const needs = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const depth = plan.floor - record.trunk[k]! - hips[3 * k + 1]!;
    needs[k] = softly(depth, HIP_SOFTNESS * goals.hipHeight);
  }
  if (!isAbove(needs)) return;
  const wide = widenCurve(needs, Math.round(HIP_LIFT_SMOOTHING * plan.rate));
  const lifts = smoothCurve(wide, HIP_LIFT_SMOOTHING * plan.rate);
  for (let k = 0; k < count; k++) hips[3 * k + 1]! += lifts[k]!;
}

/**
 * Says how much a foot is held to the ground rather than to the hips: near it, and near its contacts, wholly. In a
 * handstand or a kick feet come along, or legs would be stretched and folded by what the hips give way for hands.
 * @param free Per frame the seconds to the nearest contact.
 */
function holdFoot({ plan, goals, record }: PlannedClip, free: Float64Array, n: number): void {
  const { holds, shifts, floor, count } = plan;
  const { limbs, hipHeight } = goals;
  const { places } = record;
  const width = limbs.length;
  for (let k = 0; k < count; k++) {
    const o = 3 * slotOf(width, k, n) + 1;
    const height = (places[o]! + shifts[o]! - floor) / hipHeight;
    holds[slotOf(width, k, n)] = 1 - (1 - fadeOut(height / HIGH_FEET - 1)) * (1 - fadeOut(free[k]! / LET_GO));
  }
}

/** Per frame how much it is arms alone that carry, 0 to 1, coming and going softly; null where they never do. */
function armsAlone(
  { limbs }: GoalSetup,
  carried: Float64Array,
  { count, rate }: GoalPlan,
): Float64Array | null {
  const width = limbs.length;
  const alone = new Float64Array(count);
  for (let n = 0; n < width; n++)
    if (limbs[n]!.kind === 'arm')
      for (let k = 0; k < count; k++) if (carried[slotOf(width, k, n)]! > 0) alone[k] = 1;
  for (let n = 0; n < width; n++)
    if (limbs[n]!.kind === 'leg')
      for (let k = 0; k < count; k++) if (carried[slotOf(width, k, n)]! > 0) alone[k] = 0;
  return isAbove(alone) ? smoothCurve(alone, ARM_SMOOTHING * rate) : null;
}

/**
 * Adds what knees, elbows, seat, back and head are off what they should lie on. On the floor they lie with their skin,
 * of seat, back and head with the lowest of it: what else of them is in the floor would be lifted out of it again. While
 * they do, nothing else says how high the body is.
 */
function lieOn(
  offsets: Float64Array,
  weights: Float64Array,
  { plan, goals, record, contacts, scales }: Planning,
  resting: Resting | null,
): void {
  const { surfaces } = goals;
  for (let k = 0; resting && k < record.count; k++) {
    let lowest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < surfaces.length; n++) {
      const at = slotOf(surfaces.length, k, n);
      if (resting.flags[at] !== 1) continue;
      const gap = record.surfaces[at]! - plan.floor - resting.overs[at]!;
      const { name } = goals.points[surfaces[n]!.point]!;
      if (!/Knee|Elbow/.test(name)) lowest = Math.min(lowest, gap);
      else {
        const share = 1 - resting.trunk[k]!;
        weights[k]! += share;
        offsets[k]! -= share * gap;
      }
    }
    if (lowest < Number.POSITIVE_INFINITY) {
      weights[k]! += 1;
      offsets[k]! -= lowest;
    }
  }
  const atEnds = new Set(goals.limbs.flatMap(({ points }) => points));
  for (const { point, start, end, height } of contacts) {
    const n = goals.points.findIndex(({ name }) => name === point);
    if (n < 0 || atEnds.has(n) || height === 0 || !goals.points[n]!.lies) continue;
    const unit = scales.vertical * goals.sourceHipHeight;
    const support =
      goals.floor + unit * offFloor(height) + goals.hipHeight * goals.points[n]!.target.standing;
    const last = Math.min(record.count - 1, Math.round(end * record.rate));
    for (let k = Math.max(0, Math.round(start * record.rate)); k <= last; k++) {
      weights[k]! += 1;
      const over = Math.max(0, record.heights[slotOf(goals.points.length, k, n)]! - height);
      offsets[k]! += support + unit * over - record.copied[3 * slotOf(goals.points.length, k, n) + 1]!;
    }
  }
}

/**
 * Brings the body down where the source's torso or head is near the floor: one that rolls or falls is on the floor
 * although no part of it rests, and a body with longer legs would be in the air. What is in the floor is lifted later.
 */
function stayLow(
  offsets: Float64Array,
  weights: Float64Array,
  { goals, record, scales: { vertical } }: Planning,
): void {
  const { trunks, floor, sourceFloor, sourceHipHeight } = goals;
  const [sourceThickness, thickness] = [trunks.source.trunk[0]!.thickness, trunks.target.trunk[0]!.thickness];
  for (let k = 0; k < record.count; k++) {
    const height = record.sourceTrunk[k]! - sourceThickness - sourceFloor;
    const weight = fadeOut(height / (LOW_TRUNK * sourceHipHeight) - 1);
    if (!(weight > 0)) continue;
    const down = record.lying[k]! - thickness - floor - vertical * Math.max(0, height);
    if (!(down > 0)) continue;
    weights[k]! += weight;
    offsets[k]! -= weight * down;
  }
}

/** Raises, per frame, how far the hips must come down to what a limb needs that is planted, or about to be. */
function addStretchNeeds(
  needs: Float64Array,
  { plan, goals, record }: PlannedClip,
  free: Float64Array,
  n: number,
): void {
  const { shifts, hips, count } = plan;
  const { limbs, hipHeight } = goals;
  const { places, uppers, ends } = record;
  const width = limbs.length;
  const { kind, length } = limbs[n]!;
  for (let k = 0; k < count; k++) {
    const carries = fadeOut(free[k]! / NEAR_CONTACT);
    if (!(carries > 0)) continue;
    const o = 3 * slotOf(width, k, n);
    let across = 0;
    let down = 0;
    let copied = 0;
    for (let c = 0; c < 3; c++) {
      const upper = uppers[o + c]!;
      const d = places[o + c]! + shifts[o + c]! - upper - hips[3 * k + c]!;
      if (c === 1) down = -d;
      else across += d * d;
      copied += (ends[o + c]! - upper) * (ends[o + c]! - upper);
    }
    // No elbow snaps that need not bend again soon.
    const reach = kind === 'arm' ? FULL_REACH * length : reachOf(Math.sqrt(copied), length);
    if (across + down * down <= reach * reach) continue;
    const drop = down - Math.sqrt(Math.max(0, reach * reach - across));
    const need = carries * Math.min(Math.max(0, drop), LOWEST_HIPS * hipHeight);
    if (need > needs[k]!) needs[k] = need;
  }
}

/** Lowers the hips by what is needed, widened and smoothed so that it is there in time. */
function lowerHips(plan: GoalPlan, needs: Float64Array): void {
  if (!isAbove(needs)) return;
  const lowered = smoothCurve(widenCurve(needs, Math.round(AHEAD * plan.rate)), AHEAD_SMOOTHING * plan.rate);
  for (let k = 0; k < plan.count; k++) plan.hips[3 * k + 1]! -= lowered[k]!;
}

/**
 * Draws the goals of a foot in the air towards the hips until its leg is no straighter than it may be: as copied, or
 * 0.97. What stands must be reached, what flies need not be; legs that are pulled straight in the air snap.
 */
function drawFootIn({ plan, goals: { limbs }, record }: PlannedClip, free: Float64Array, n: number): void {
  const { shifts, hips, holds, count } = plan;
  const { places, uppers, ends } = record;
  const width = limbs.length;
  const { length } = limbs[n]!;
  const line = new Float64Array(3);
  for (let k = 0; k < count; k++) {
    const share = 1 - fadeOut(free[k]! / DRAWN_IN);
    if (!(share > 0)) continue;
    const o = 3 * slotOf(width, k, n);
    const hold = holds[slotOf(width, k, n)]!;
    let square = 0;
    let copied = 0;
    let away = 0;
    for (let c = 0; c < 3; c++) {
      const upper = uppers[o + c]!;
      const end = ends[o + c]! - upper;
      const along = places[o + c]! + shifts[o + c]! - hold * hips[3 * k + c]! - upper;
      line[c] = along;
      square += along * along;
      copied += end * end;
      away += (along - end) * (along - end);
    }
    const far = Math.sqrt(square);
    const over = far - reachOf(Math.sqrt(copied), length);
    const by = share * softly(over, Math.min(0.02 * length, 0.3 * Math.sqrt(away)));
    if (by > 1e-9 * length && by < far) for (let c = 0; c < 3; c++) shifts[o + c]! -= (line[c]! * by) / far;
  }
}
