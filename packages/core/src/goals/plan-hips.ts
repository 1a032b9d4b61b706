import { CONTACT_RATE } from '../contacts/track-points.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { smoothCurve, smoothWeighted, widenCurve } from './smooth-curves.js';

/** Of the offset that would stand the copied legs on their goals, the hips take this share; the knees take the rest. */
const SHARE = 0.5;
/** Seconds over which that offset is smoothed (standard deviation). */
const OFFSET_SMOOTHING = 0.12;
/** A weight that pulls offsets to zero where nothing carries, in flight. */
const FLIGHT = 0.02;
/** A planted leg is not stretched farther than this share of its length, unless the copied one is. */
export const REACH = 0.97;
/** Nor farther than this in any case: a knee that is quite straight snaps. */
export const FULL_REACH = 0.998;
/** Seconds by which lowering begins early and ends late, and over which it is smoothed. */
const LOWER_AHEAD = 0.12;
const LOWER_SMOOTHING = 0.06;
/** Hips are lowered by at most so many hip heights. */
const LOWEST = 0.25;

/** The stretch that a leg may have: 0.97 of its length, or what it has as copied where that is more. */
export function reachOf(copied: number, length: number): number {
  return length * Math.min(FULL_REACH, Math.max(REACH, copied / length));
}

/**
 * Plans what the hips give way by: half of the offset that stands the copied legs on their goals, weighted by
 * how much each carries and smoothed; then down, as far as planted legs need.
 */
export function planHips(plan: GoalPlan, goals: GoalSetup, record: GoalRecord, carried: Float64Array): void {
  const { count } = plan;
  const width = goals.limbs.length;
  const weights = new Float64Array(count);
  const offsets = [0, 1, 2].map(() => new Float64Array(count));
  for (let k = 0; k < count; k++) {
    for (let n = 0; n < width; n++) {
      const w = carried[width * k + n]!;
      const o = 3 * (width * k + n);
      weights[k]! += w;
      for (let c = 0; c < 3; c++)
        offsets[c]![k]! += w * (record.places[o + c]! + plan.shifts[o + c]! - record.ends[o + c]!);
    }
    for (let c = 0; c < 3; c++) if (weights[k]! > 0) offsets[c]![k]! /= weights[k]!;
  }
  offsets.forEach((offset, c) => {
    const smooth = smoothWeighted(offset, weights, OFFSET_SMOOTHING * CONTACT_RATE, FLIGHT);
    for (let k = 0; k < count; k++) plan.hips[3 * k + c] = SHARE * smooth[k]!;
  });
  lowerHips(plan, goals, record, carried);
}

function lowerHips(plan: GoalPlan, goals: GoalSetup, record: GoalRecord, carried: Float64Array): void {
  const { count } = plan;
  const width = goals.limbs.length;
  const needs = new Float64Array(count);
  let any = false;
  for (let k = 0; k < count; k++)
    goals.limbs.forEach(({ kind, length }, n) => {
      const carries = carried[width * k + n]!;
      if (kind !== 'leg' || !(carries > 0)) return;
      const o = 3 * (width * k + n);
      const d = [0, 1, 2].map(
        (c) => record.places[o + c]! + plan.shifts[o + c]! - record.uppers[o + c]! - plan.hips[3 * k + c]!,
      );
      const copied = Math.hypot(...[0, 1, 2].map((c) => record.ends[o + c]! - record.uppers[o + c]!));
      const reach = reachOf(copied, length);
      const across = Math.hypot(d[0]!, d[2]!);
      if (Math.hypot(across, d[1]!) <= reach) return;
      const drop = -d[1]! - Math.sqrt(Math.max(0, reach * reach - across * across));
      const need = carries * Math.min(Math.max(0, drop), LOWEST * goals.hipHeight);
      if (need > needs[k]!) needs[k] = need;
      any = true;
    });
  if (!any) return;
  const lowered = smoothCurve(
    widenCurve(needs, Math.round(LOWER_AHEAD * CONTACT_RATE)),
    LOWER_SMOOTHING * CONTACT_RATE,
  );
  for (let k = 0; k < count; k++) plan.hips[3 * k + 1]! -= lowered[k]!;
}
