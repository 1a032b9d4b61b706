import { isAbove, smoothCurve, smoothWeighted, widenCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { HIGHEST_FOR_KNEES, REACH, SKIN_SLACK } from '../goal-rules.js';
import { bendGap, bendsOf } from './bend-gap.js';
import { type PlannedClip, type Planning, type Resting, slotOf } from './planning.js';

/** Of what resting knees are over or in the floor hips take this share at once; all of it made them swing. */
const KNEE_SHARE = 0.8;
/** How often it is looked again: with more the hips ran after legs that fold as they come down. */
const KNEE_ROUNDS = 2;
/** Seconds over which that is smoothed, and a weight that pulls to nothing where no knee rests. */
const SETTLING = 0.12;
const NO_KNEES = 0.02;

/** How far hips are moved to see how far a knee goes with them, in hip heights; at least so much of it counts. */
const PROBE = 0.01;
const LEAST_RISE = 0.4;

/** Seconds over which hips are lifted for elbows. */
const ELBOW_SMOOTHING = 0.08;

/**
 * Lets the hips down, or up, until the skin of knees that rest lies on the floor: by legs as they will be solved, since
 * a knee whose foot is held does not come along with the hips as it is copied.
 */
export function settleKnees(planning: Planning, { flags, overs, trunk }: Resting): void {
  const { plan, goals } = planning;
  const { count } = plan;
  const width = goals.surfaces.length;
  const knees = bendsOf(planning, 'leg');
  const probe = PROBE * goals.hipHeight;
  for (let round = 0; round < KNEE_ROUNDS; round++) {
    const gaps = new Float64Array(count);
    const downs = new Float64Array(count);
    const weights = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const share = 1 - trunk[k]!;
      if (!(share > 0)) continue;
      for (const { s, n } of knees) {
        const at = slotOf(width, k, s);
        if (flags[at] !== 1) continue;
        const surface = goals.surfaces[s]!;
        const gap = bendGap(planning, surface, n, k) - overs[at]!;
        didWork(8);
        if (weights[k]! > 0 && gap >= gaps[k]!) continue;
        gaps[k] = gap;
        // A knee whose foot is held goes up by less than its hips, one whose foot comes along by as much.
        const rise = bendGap(planning, surface, n, k, probe) - overs[at]! - gap;
        downs[k] = gap / Math.max(LEAST_RISE, Math.min(1, rise / probe));
        weights[k] = share;
        didWork(8);
      }
    }
    if (!isAbove(weights)) return;
    const down = smoothWeighted(downs, weights, SETTLING * plan.rate, NO_KNEES);
    for (let k = 0; k < count; k++) plan.hips[3 * k + 1]! -= KNEE_SHARE * down[k]!;
  }
}

/**
 * Lifts the hips until the elbows of arms that carry are out of the floor: arms that are longer than their body is high
 * on its knees fold into it. No farther than what carries reaches: a short-armed body was lifted off its hands and feet.
 */
export function liftElbows(planning: Planning, resting: Resting | null): void {
  const { plan, goals, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const elbows = bendsOf(planning, 'arm');
  for (let round = 0; round < KNEE_ROUNDS; round++) {
    const needs = new Float64Array(count);
    for (const { s, n } of elbows)
      for (let k = 0; k < count; k++) {
        if (!(carried[slotOf(width, k, n)]! > 0)) continue;
        // Whoever lies on the back does not get up for an elbow.
        const share = 1 - (resting?.trunk[k] ?? 0);
        needs[k] = Math.max(needs[k]!, -share * bendGap(planning, goals.surfaces[s]!, n, k));
        didWork(8);
      }
    for (let k = 0; k < count; k++) if (needs[k]! > 0) needs[k] = Math.min(needs[k]!, liftRoom(planning, k));
    if (!isAbove(needs, SKIN_SLACK * goals.hipHeight)) return;
    const reach = ELBOW_SMOOTHING * plan.rate;
    const lifts = smoothCurve(widenCurve(needs, Math.round(reach)), reach);
    const most = HIGHEST_FOR_KNEES * goals.hipHeight;
    for (let k = 0; k < count; k++) plan.hips[3 * k + 1]! += Math.min(most, lifts[k]!);
  }
}

/** How far the hips may be lifted in a frame before a limb that carries no longer reaches what it stands on. */
export function liftRoom(
  { plan, goals, record, carried }: Pick<Planning, keyof PlannedClip | 'carried'>,
  k: number,
): number {
  const width = goals.limbs.length;
  let room = Number.POSITIVE_INFINITY;
  for (let n = 0; n < width; n++) {
    const i = slotOf(width, k, n);
    if (!(carried[i]! > 0)) continue;
    const o = 3 * i;
    const far = [0, 1, 2].map(
      (c) => record.uppers[o + c]! + plan.hips[3 * k + c]! - record.places[o + c]! - plan.shifts[o + c]!,
    ) as [number, number, number];
    const reach = REACH * goals.limbs[n]!.length;
    const high = Math.sqrt(Math.max(0, reach * reach - far[0] * far[0] - far[2] * far[2]));
    room = Math.min(room, Math.max(0, high - far[1]));
  }
  return room;
}
