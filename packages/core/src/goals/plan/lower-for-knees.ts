import { fadeOut, isAbove, smoothCurve, widenCurve } from '../../base/math/smooth-curves.js';
import { softenReach } from '../../solvers/solve-two-bone.js';
import { AHEAD, AHEAD_SMOOTHING, FOOT_FREE } from '../goal-rules.js';
import { secondsFree } from './ease-stretches.js';
import { bendAt, FLAT_LEG, leg, line, lineToGoal, NEAR_SNAP, readLeg, SNAP, snapsOf } from './knee-bends.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';

/** Hips are lowered for knees by at most so many hip heights: a centimetre of an adult. */
const LARGEST_KNEE_DROP = 0.01;
/** How often it is halved in looking for the least that does. */
const DROP_ROUNDS = 6;

/**
 * Lowers the hips where the knee of a foot that stands snaps near full stretch: by the least that it no longer does. The
 * knee's angle β goes with √(1 − reach), so that the same tremble of the hips over a foot that is held turns it the less,
 * dβ/dreach = −2 / √(1 − reach²), the less it is stretched: from 0.999 to 0.995 of its length by half.
 */
export function lowerForKnees(planning: Pick<Planning, keyof PlannedClip | 'standing'>): void {
  const { plan, goals, record, standing } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const most = LARGEST_KNEE_DROP * goals.hipHeight;
  const drops = new Float64Array(count);
  for (let n = 0; n < width; n++) {
    const { kind, length } = goals.limbs[n]!;
    if (kind !== 'leg') continue;
    const copied = new Float64Array(count);
    const bends = new Float64Array(count);
    const lines = new Float64Array(count);
    const steep = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      readLeg(record, 3 * slotOf(width, k, n), length);
      lines[k] = lineToGoal(planning, n, k);
      steep[k] = -line[1]! / lines[k]!;
      copied[k] = bendAt(leg.reach);
      bends[k] = bendAt(length * softenReach(lines[k]! / length, leg.softness));
    }
    const snaps = snapsOf(bends);
    const free = secondsFree(plan, standing, n, width);
    const usual = widenCurve(snapsOf(copied), Math.round(NEAR_SNAP * plan.rate));
    for (let k = 1; k < count - 1; k++) {
      const limit = Math.max(SNAP * Math.max(1, record.pace), 2 * usual[k]!);
      const stands = fadeOut(free[k]! / FOOT_FREE);
      if (!(snaps[k]! > limit && steep[k]! > FLAT_LEG && stands > 0)) continue;
      let [least, by] = [0, most];
      for (let round = 0; round < DROP_ROUNDS; round++) {
        const half = (least + by) / 2;
        const snap = Math.abs(
          bentAt(planning, n, k - 1, lines[k - 1]! - half) -
            2 * bentAt(planning, n, k, lines[k]! - half) +
            bentAt(planning, n, k + 1, lines[k + 1]! - half),
        );
        if (snap > limit) least = half;
        else by = half;
      }
      drops[k] = Math.max(drops[k]!, stands * Math.min(most, by / steep[k]!));
    }
  }
  if (!isAbove(drops)) return;
  const lowered = smoothCurve(widenCurve(drops, Math.round(AHEAD * plan.rate)), AHEAD_SMOOTHING * plan.rate);
  for (let k = 0; k < count; k++) plan.hips[3 * k + 1]! -= lowered[k]!;
}

/** How far a knee is bent in a frame whose goal is so far from the limb's upper joint. */
function bentAt({ goals: { limbs }, record }: PlannedClip, n: number, k: number, far: number): number {
  const { length } = limbs[n]!;
  readLeg(record, 3 * slotOf(limbs.length, k, n), length);
  return bendAt(length * softenReach(Math.max(0, far) / length, leg.softness));
}
