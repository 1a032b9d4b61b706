import { asin, atan2 } from '../../base/math/functions.js';
import { smoothCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { split, splitVector } from '../parts/measure-sole.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';
import { ball, eachSkin, placeBall, point, turnFoot } from './tilt-foot.js';

/** A foot reaches down by turning at most this about its ankle: radians. */
const LARGEST_REACH = 0.7;
/** Its skin may come this deep then, in hip heights: what lies on its toes presses them into the floor. */
const PRESSED = 0.02;
/** Seconds over which that comes and goes. */
const REACH_SMOOTHING = 0.05;

/**
 * Turns the feet of legs that kneel about their ankles until their balls are where they were to stand: an ankle that
 * was lifted for a thick shin, or for toes that were in the floor, would leave the toes in the air.
 * @param lifts Per limb and frame what feet were lifted by, see `planSoles` and `planShins`.
 */
export function reachToes(
  planning: Pick<Planning, keyof PlannedClip | 'standing' | 'resting'>,
  lifts: Float64Array,
): void {
  const { plan, goals, standing, resting } = planning;
  const width = goals.limbs.length;
  for (let n = 0; resting && n < width; n++) {
    if (goals.limbs[n]!.kind !== 'leg') continue;
    const reaches = new Float64Array(plan.count);
    for (let k = 0; k < plan.count; k++) {
      const at = slotOf(width, k, n);
      if (resting.kneeling[at] !== 1 || !(standing[at]! > 0 && lifts[at]! > 0)) continue;
      reaches[k] = reachOf(planning, n, k, lifts[at]!);
      didWork(8);
    }
    if (!reaches.some((reach) => reach !== 0)) continue;
    const smooth = smoothCurve(reaches, REACH_SMOOTHING * CONTACT_RATE);
    for (let k = 0; k < plan.count; k++)
      if (Math.abs(smooth[k]!) > 1e-6) turnFoot(planning, n, k, smooth[k]!);
  }
}

/**
 * How far a foot turns about its ankle, ball up where it is more than 0, for its ball to come down by so much, its skin no
 * deeper than it may be. Toes that point ahead come down as it stretches, those of a foot that lies on its instep point
 * back and come down as it bends.
 */
function reachOf(planned: PlannedClip, n: number, k: number, down: number): number {
  const { plan, goals, record } = planned;
  const o = 3 * slotOf(goals.limbs.length, k, n);
  placeBall(planned, n, k);
  splitVector(ball);
  const way = split.rise > 0 ? -1 : 1;
  let reach = Math.min(LARGEST_REACH, turnDown(ball[1]! - down, way));
  const lowest = plan.floor - PRESSED * goals.hipHeight - record.places[o + 1]! - plan.shifts[o + 1]!;
  eachSkin(planned, n, k, plan.bends[o / 3]!, () => {
    splitVector(point);
    // Skin on the other side of the ankle goes up.
    if (way * split.rise < 0) reach = Math.min(reach, turnDown(lowest, way));
  });
  return way * reach;
}

/**
 * How far the point, split already, may turn one way until it is as low as said: level · cos θ − fall · sin θ =
 * radius · sin(φ − θ). To straight below the ankle where it never is, and 0 where it is already.
 */
function turnDown(height: number, way: number): number {
  const { along, level, rise } = split;
  if (along + level <= height) return 0;
  const fall = -way * rise;
  const radius = Math.sqrt(level * level + fall * fall);
  const sine = (height - along) / (radius || 1);
  return Math.max(0, atan2(level, fall) - asin(Math.max(-1, Math.min(1, sine))));
}
