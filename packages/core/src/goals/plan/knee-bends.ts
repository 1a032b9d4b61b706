import { distanceFlat } from '../../base/math/flat-vectors.js';
import { acos, cos } from '../../base/math/functions.js';
import type { GoalRecord } from '../goal-record.js';
import { reachOf } from '../parts/reach.js';
import { type PlannedClip, slotOf } from './planning.js';

/**
 * A knee snaps whose speed changes by more than this from one frame to the next, in radians a frame, and by more than
 * twice what the copy's does: somewhat less than is measured, see `measurePops`.
 */
export const SNAP = (2.2 * Math.PI) / 180;
/** Seconds within which the copy may do the like. */
export const NEAR_SNAP = 0.05;
/** A leg that is flatter than this is hardly bent by moving its foot or its hips up and down: sine of the slope. */
export const FLAT_LEG = 0.3;

/** The limb as copied that was read last: lengths of its bones, from end to end, and where it begins to be softened. */
export const leg = { thigh: 0, shin: 0, reach: 0, softness: 0 };

/** Reads a limb as it is copied, into {@link leg}. */
export function readLeg({ uppers, middles, ends }: GoalRecord, o: number, length: number): void {
  leg.thigh = distanceFlat(uppers, o, middles, o);
  leg.shin = distanceFlat(middles, o, ends, o);
  leg.reach = distanceFlat(uppers, o, ends, o);
  leg.softness = reachOf(leg.reach, length) / length;
}

/** From a limb's upper joint to its goal: xyz, see {@link lineToGoal}. */
export const line = new Float64Array(3);

/** Gives how far a limb's goal is from its upper joint, and writes the line there, when the hips have given way. */
export function lineToGoal({ plan, goals, record }: PlannedClip, n: number, k: number): number {
  const width = goals.limbs.length;
  const o = 3 * slotOf(width, k, n);
  const hold = plan.holds[slotOf(width, k, n)]!;
  for (let c = 0; c < 3; c++)
    line[c] =
      record.places[o + c]! + plan.shifts[o + c]! - hold * plan.hips[3 * k + c]! - record.uppers[o + c]!;
  return Math.sqrt(line[0]! * line[0]! + line[1]! * line[1]! + line[2]! * line[2]!);
}

/** How far the knee is bent where the leg reaches so far, 0 for straight: law of cosines. */
export function bendAt(reach: number): number {
  const { thigh, shin } = leg;
  const cosine = (reach * reach - thigh * thigh - shin * shin) / (2 * thigh * shin);
  return acos(cosine < 1 ? Math.max(-1, cosine) : 1);
}

/** How far away a goal must be for the knee to be bent so: what `softenReach` does, undone. */
export function goalFor(bend: number, length: number): number {
  const { thigh, shin, softness } = leg;
  const square = thigh * thigh + shin * shin + 2 * thigh * shin * cos(bend);
  const reach = Math.sqrt(Math.max(0, square)) / length;
  const room = 1 - softness;
  // reach − softness = over − over² / (4 · room)
  return reach > softness
    ? length * (softness + 2 * room * (1 - Math.sqrt(Math.max(0, 1 - (reach - softness) / room))))
    : length * reach;
}

/** How much the speed of an angle changes from frame to frame, without its sign. */
export function snapsOf(angles: Float64Array): Float64Array {
  const snaps = new Float64Array(angles.length);
  for (let k = 1; k < angles.length - 1; k++) snaps[k] = snapAt(angles, k);
  return snaps;
}

/** How much the speed of an angle changes at a frame that is neither the first nor the last. */
export function snapAt(angles: Float64Array, k: number): number {
  return Math.abs(angles[k + 1]! - 2 * angles[k]! + angles[k - 1]!);
}
