import { rotateVector } from '../../base/math/quaternion.js';
import { isAbove, smoothCurve, smoothWeighted, widenCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { createTwoBoneSolution } from '../../solvers/solve-two-bone.js';
import { HIGHEST_FOR_KNEES, REACH, SKIN_SLACK } from '../goal-rules.js';
import type { RestingSurface } from '../goal-setup.js';
import { createLimbPlaces, solvePlaces } from '../parts/limb-places.js';
import { readPlannedLimb } from './planned-limb.js';
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

/** A knee or an elbow: the number of its surface, and of its limb. */
type Bend = { s: number; n: number };

/** The knees, or the elbows, whose outside is known. */
function bendsOf({ goals }: Planning, kind: 'leg' | 'arm'): Bend[] {
  const joint = kind === 'leg' ? 'Knee' : 'Elbow';
  return goals.surfaces.flatMap(({ point }, s) => {
    const { name } = goals.points[point]!;
    const n = goals.limbs.findIndex((limb) => limb.kind === kind && name === `${limb.side}${joint}`);
    return n < 0 ? [] : [{ s, n }];
  });
}

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
    const down = smoothWeighted(downs, weights, SETTLING * CONTACT_RATE, NO_KNEES);
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
    const reach = ELBOW_SMOOTHING * CONTACT_RATE;
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

const solution = createTwoBoneSolution();
const places = createLimbPlaces();
const column = new Float64Array(3);

/**
 * How high the skin of a knee or an elbow is over the floor when its limb is solved; less than 0 in it.
 * @param lift What the hips are lifted by on top of the plan.
 */
function bendGap(
  { plan, goals, record }: Planning,
  { surface }: RestingSurface,
  n: number,
  k: number,
  lift = 0,
): number {
  const width = goals.limbs.length;
  const limb = goals.limbs[n]!;
  readPlannedLimb(places, { plan, goals, record }, n, k);
  const { upper, middle, end, goal } = places;
  // As far as the goal follows the hips it is lifted with them.
  for (const place of [upper, middle, end]) place[1] = place[1]! + lift;
  goal[1] = goal[1]! + (1 - plan.holds[slotOf(width, k, n)]!) * lift;
  solvePlaces(solution, places, limb);
  let lowest = Number.POSITIVE_INFINITY;
  for (let j = 0; j < surface.joints.length; j++) {
    const isUpper = surface.joints[j] === limb.target.upper;
    const axes = isUpper ? record.thighs : record.shins;
    const rows = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      for (let c = 0; c < 3; c++) column[c] = axes[9 * slotOf(width, k, n) + 3 * i + c]!;
      rotateVector(column, 0, isUpper ? solution.upperTurn : solution.lowerTurn, 0, column, 0);
      rows[i] = column[1]!;
    }
    const up = isUpper ? upper[1]! : solution.mid[1]!;
    const skin = surface.places[j]!;
    for (let i = 0; i < skin.length; i += 3)
      lowest = Math.min(lowest, up + rows[0]! * skin[i]! + rows[1]! * skin[i + 1]! + rows[2]! * skin[i + 2]!);
  }
  return lowest - surface.thickness - plan.floor;
}
