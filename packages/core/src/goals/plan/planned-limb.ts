import { rotateVector } from '../../base/math/quaternion.js';
import type { LimbPlaces } from '../parts/limb-places.js';
import { type PlannedClip, slotOf } from './planning.js';

/** Reads where a limb is in a frame as planned so far: carried along with its hips, its goal as far as it follows them. */
export function readPlannedLimb(
  { upper, middle, end, goal, bend }: LimbPlaces,
  { plan, goals, record }: PlannedClip,
  n: number,
  k: number,
): void {
  const i = slotOf(goals.limbs.length, k, n);
  const o = 3 * i;
  const follows = 1 - plan.holds[i]!;
  for (let c = 0; c < 3; c++) {
    const hips = plan.hips[3 * k + c]!;
    upper[c] = record.uppers[o + c]! + hips;
    middle[c] = record.middles[o + c]! + hips;
    end[c] = record.ends[o + c]! + hips;
    goal[c] = record.places[o + c]! + plan.shifts[o + c]! + follows * hips;
  }
  rotateVector(bend, 0, record.turned, 16 * i + 4, goals.limbs[n]!.bend, 0);
}
