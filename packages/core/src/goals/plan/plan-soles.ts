import { rotateVector } from '../../base/math/quaternion.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import { fadeOut, smoothCurve, softly, widenCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { LARGEST_SKIN_LIFT, SKIN_SLACK } from '../goal-rules.js';
import { createSole, measureSole } from '../parts/measure-sole.js';
import { calmLeaps, isLeap } from './calm/calm-leaps.js';
import { secondsFree } from './ease-stretches.js';
import { snapsOf } from './knee-bends.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';
import { isOnInstep, tiltFoot, tiltOf } from './tilt-foot.js';

/** … and no faster than this, in hip heights a second: what is faster than 0.4 does not stand. */
const LIFT_SPEED = 0.15;
/**
 * A foot that leaves the ground, or comes back, may be lifted by ½ · FREEDOM · t² more, in hip heights a second
 * squared; from so many seconds on, as speeds are taken over those, and what is lifted sooner stands no longer.
 */
const FREEDOM = 20;
const FREE_AFTER = 0.034;
/** A foot that lies on its instep below a knee that rests may be lifted as one that left the ground so many seconds ago. */
const LIES_FREE = 0.2;
/** Seconds over which toes that bend are smoothed: over half as many they popped where a foot only touches the floor. */
const TOE_SMOOTHING = 0.05;
/** Seconds over which lifting is smoothed, and lifting in the air. */
const SOLE_SMOOTHING = 0.025;
const AIR_SMOOTHING = 0.05;
/** How softly feet in the air are lifted, in hip heights: those that are that much over the floor begin to be. */
const AIR_SOFTNESS = 0.02;
/** Seconds over which tilting is smoothed: a foot rolls slower than its toes bend. */
const TILT_SMOOTHING = 0.05;

/**
 * Plans what keeps the skin of feet out of the floor: toes bend up when the foot rolls over them, and what is then
 * still under the floor, a heel behind its ankle or a boot without toes, lifts the foot: little while it stands, as
 * far as needed in the air. A boot that stands on its ball deeper than that is tilted back about the ball. Rigs without
 * skin have the joints of their feet for it.
 * @returns Per limb and frame what feet are lifted by, in metres.
 */
export function planSoles(planning: SolePlanning): Float64Array {
  const { plan, goals } = planning;
  const width = goals.limbs.length;
  const lifted = new Float64Array(width * plan.count);
  for (let n = 0; n < width; n++) if (goals.limbs[n]!.kind === 'leg') planSole(planning, n, lifted);
  return lifted;
}

type SolePlanning = Pick<Planning, keyof PlannedClip | 'standing' | 'resting'>;

function planSole(planning: SolePlanning, n: number, lifted: Float64Array): void {
  const { plan, goals, record, standing, resting } = planning;
  const { count } = plan;
  const { hipHeight } = goals;
  const width = goals.limbs.length;
  const floor = plan.floor - SKIN_SLACK * hipHeight;
  const free = secondsFree(plan, standing, n, width);
  const most = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    // A foot on its instep lies as its shin does: how thick its sole is says nothing of how high its ball is.
    const lies = resting?.kneeling[slotOf(width, k, n)] === 1 && isOnInstep(planning, n, k);
    most[k] = largestLift(lies ? Math.max(free[k]!, LIES_FREE) : free[k]!, hipHeight);
  }
  // As far as needed, and then as smoothed.
  const bends = new Float64Array(count).fill(-1);
  const depths = new Float64Array(count);
  const wanted = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    didWork(8);
    // Whoever is told of work may plan another body's soles.
    sole.floor = floor;
    lookAtSole(planning, n, k, most[k]!, bends[k]!);
    depths[k] = sole.depth;
    wanted[k] = sole.bend;
  }
  bends.set(smoothed(wanted, TOE_SMOOTHING * plan.rate));
  calmLeaps(bends, { size: 1, rate: plan.rate }, (curve) => leapsOfToes(curve, record.pace), null);
  for (let k = 0; k < count; k++) bends[k] = Math.max(0, bends[k]!);
  const tilts = new Float64Array(count);
  let isTilted = false;
  for (let k = 0; k < count; k++) {
    didWork(8);
    sole.floor = floor;
    // Where toes neither bend nor are bent by others about them, the foot has been looked at as it will be.
    if (bends[k]! > 0 || wanted[k]! > 0) {
      lookAtSole(planning, n, k, most[k]!, bends[k]!);
      depths[k] = sole.depth;
    }
    if (!(standing[slotOf(width, k, n)]! > 0 && depths[k]! > most[k]!)) continue;
    tilts[k] = tiltOf(planning, n, k, bends[k]!, sole.floor - most[k]!);
    if (tilts[k]! > 0) isTilted = true;
  }
  if (isTilted) {
    const tilt = smoothCurve(tilts, TILT_SMOOTHING * plan.rate);
    for (let k = 0; k < count; k++) {
      if (!(tilt[k]! > 1e-6)) continue;
      didWork(8);
      sole.floor = floor;
      tiltFoot(planning, n, k, tilt[k]!);
      lookAtSole(planning, n, k, most[k]!, bends[k]!);
      depths[k] = sole.depth;
    }
  }
  deepenByPoints(depths, planning, n);
  didWork(4 * count);
  const lifts = liftFoot(depths, free, most, { hipHeight, rate: plan.rate });
  didWork(4 * count);
  for (let k = 0; k < count; k++) {
    lifted[slotOf(width, k, n)] = lifts[k]!;
    plan.shifts[3 * slotOf(width, k, n) + 1]! += lifts[k]!;
    plan.bends[slotOf(width, k, n)] = bends[k]!;
  }
}

/** Per frame how far toes leap; 0 where they do not. */
function leapsOfToes(bends: Float64Array, pace: number): Float64Array {
  const snaps = snapsOf(bends);
  for (let k = 0; k < snaps.length; k++) if (!isLeap(snaps[k]!, 0, pace)) snaps[k] = 0;
  return snaps;
}

/**
 * Measures a foot in a frame, into `sole`.
 * @param most How far the foot may be lifted.
 * @param bend How far its toes are bent; below 0 where that is to be found.
 */
function lookAtSole(
  { plan: { turns, shifts }, goals: { limbs }, record: { places, frames } }: PlannedClip,
  n: number,
  k: number,
  most: number,
  bend: number,
): void {
  const i = slotOf(limbs.length, k, n);
  quaternionOfVector(turn, 0, turns, 3 * i);
  sole.ankle = places[3 * i + 1]! + shifts[3 * i + 1]!;
  sole.most = most;
  sole.told = bend;
  measureSole(sole, limbs[n]!, frames, 24 * i, turn, 0);
}

/** How far a foot may be lifted at an instant, in metres: little while it stands, the more the longer it is in the air. */
export function largestLift(free: number, hipHeight: number): number {
  const t = Math.max(0, free - FREE_AFTER);
  return hipHeight * (LARGEST_SKIN_LIFT + Math.min(1, (FREEDOM / 2) * t * t));
}

/**
 * The lift of a foot out of depths, within what it may be lifted by. In the air it comes and goes softly: a little
 * before there is a depth (see `softly`), widened and smoothed; a knee that is made
 * to follow a sole along the floor and then no longer is would snap.
 */
function liftFoot(
  depths: Float64Array,
  free: Float64Array,
  most: Float64Array,
  { hipHeight, rate }: { hipHeight: number; rate: number },
): Float64Array {
  const count = depths.length;
  const needs = new Float64Array(count);
  for (let k = 0; k < count; k++)
    needs[k] = softly(depths[k]!, hipHeight * Math.min(AIR_SOFTNESS, free[k]! / 8));
  const near = smoothed(needs, SOLE_SMOOTHING * rate);
  const far = smoothed(needs, AIR_SMOOTHING * rate);
  const lifts = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const w = 1 - fadeOut(free[k]! / (4 * AIR_SMOOTHING));
    lifts[k] = Math.min(near[k]! + w * (far[k]! - near[k]!), most[k]!);
  }
  // A foot that stands is not lifted quickly, or it does not stand.
  const step = (LIFT_SPEED * hipHeight) / rate;
  for (let k = 1; k < count; k++)
    if (free[k]! <= FREE_AFTER) lifts[k] = Math.min(lifts[k]!, lifts[k - 1]! + step);
  for (let k = count - 2; k >= 0; k--)
    if (free[k]! <= FREE_AFTER) lifts[k] = Math.min(lifts[k]!, lifts[k + 1]! + step);
  return lifts;
}

/** The most within some frames, smoothed over as many. */
function smoothed(needs: Float64Array, frames: number): Float64Array {
  return smoothCurve(widenCurve(needs, Math.round(frames)), frames);
}

/** Raises depths to how deep heel or ball are under where they stand on the floor; negative above it. */
function deepenByPoints(depths: Float64Array, { plan, goals, record }: PlannedClip, n: number): void {
  const { turns, shifts, floor, count } = plan;
  const { copied, ends, places } = record;
  const { points: soles } = goals.limbs[n]!;
  const width = goals.limbs.length;
  for (let e = 0; e < soles.length; e++) {
    const level = floor + goals.hipHeight * goals.points[soles[e]!]!.target.standing;
    for (let k = 0; k < count; k++) {
      const o = 3 * slotOf(width, k, n);
      const at = 3 * slotOf(goals.points.length, k, soles[e]!);
      quaternionOfVector(turn, 0, turns, o);
      for (let c = 0; c < 3; c++) point[c] = copied[at + c]! - ends[o + c]!;
      rotateVector(point, 0, turn, 0, point, 0);
      const depth = level - places[o + 1]! - shifts[o + 1]! - point[1]!;
      if (depth > depths[k]!) depths[k] = depth;
      didWork(1);
    }
  }
}

const sole = createSole();
const turn = new Float64Array(4);
const point = new Float64Array(3);
