import { asin, atan2 } from '../../base/math/functions.js';
import { multiplyQuaternions, quaternionFromAxisAngle, rotateVector } from '../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import { smoothCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import {
  axis,
  bendOf,
  sinkOf,
  split,
  splitVector,
  turnAxis,
  turnInto,
  turnMatrix,
} from '../parts/measure-sole.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';

/** A foot that stands on its ball is tilted back by at most this for what bending and lifting leave: radians. */
const LARGEST_TILT = 0.7;

/** A point that is nearer to the ball than this along the ground, in hip heights, is neither before nor behind it. */
const AT_BALL = 1e-5;

const bent = new Float64Array(4);
/** Where {@link placeBall} has found a ball last. */
const ball = new Float64Array(3);
const turn = new Float64Array(4);
const arm = new Float64Array(3);
/** A place of its skin, see {@link eachSkin}. */
const point = new Float64Array(3);

/** Where the ball of a foot is, seen from its ankle, as copied and turned; and across it. */
function placeBall({ plan, goals, record }: PlannedClip, n: number, k: number): void {
  const width = goals.limbs.length;
  const limb = goals.limbs[n]!;
  const o = 3 * slotOf(width, k, n);
  const f = 24 * slotOf(width, k, n);
  const toe = 3 * slotOf(goals.points.length, k, limb.points[1]!);
  quaternionOfVector(turn, 0, plan.turns, o);
  for (let c = 0; c < 3; c++) ball[c] = record.copied[toe + c]! - record.ends[o + c]!;
  rotateVector(ball, 0, turn, 0, ball, 0);
  turnMatrix(record.frames, f, turn, 0);
  turnAxis(limb.across);
}

/** Whether a foot's toes point back rather than down, as those of one do that lies on its instep. */
export function isOnInstep(planned: PlannedClip, n: number, k: number): boolean {
  placeBall(planned, n, k);
  splitVector(ball);
  return split.rise < -Math.abs(split.level);
}

/** How far a foot must be tilted back about its ball for all of it to be over a height, as far as its heel lets it. */
export function tiltOf(planned: PlannedClip, n: number, k: number, bend: number, height: number): number {
  const { plan, goals, record } = planned;
  const o = 3 * slotOf(goals.limbs.length, k, n);
  placeBall(planned, n, k);
  const level = record.places[o + 1]! + plan.shifts[o + 1]! + ball[1]!;
  let tilt = 0;
  let most = LARGEST_TILT;
  eachSkin(planned, n, k, bend, () => {
    for (let c = 0; c < 3; c++) point[c] = point[c]! - ball[c]!;
    splitVector(point);
    // A point at the ball stays there: on which side of it rounding puts that must not decide.
    if (Math.abs(split.rise) < AT_BALL * goals.hipHeight) return;
    if (split.rise > 0) tilt = Math.max(tilt, bendOf(height - level));
    // A point behind the ball comes down: until it is on the floor.
    else most = Math.min(most, sinkOf(height - level));
  });
  return Math.min(tilt, most);
}

/** Puts the skin of a foot that {@link placeBall} has placed into `point`, one after the other, seen from its ankle. */
function eachSkin(
  { goals, record }: PlannedClip,
  n: number,
  k: number,
  bend: number,
  look: () => void,
): void {
  const limb = goals.limbs[n]!;
  const f = 24 * slotOf(goals.limbs.length, k, n);
  for (let i = 0; i < limb.skin.length; i += 3) {
    turnInto(point, limb.skin, i);
    look();
  }
  if (limb.toes < 0) return;
  quaternionFromAxisAngle(bent, 0, axis, 0, bend);
  turnMatrix(record.frames, f + 12, turn, 0);
  for (let c = 0; c < 3; c++) arm[c] = record.frames[f + 21 + c]! - record.frames[f + 9 + c]!;
  rotateVector(arm, 0, turn, 0, arm, 0);
  for (let i = 0; i < limb.toeSkin.length; i += 3) {
    turnInto(point, limb.toeSkin, i);
    rotateVector(point, 0, bent, 0, point, 0);
    for (let c = 0; c < 3; c++) point[c] = point[c]! + arm[c]!;
    look();
  }
}

/** Turns a foot back about its ball: what it is turned by, and where its ankle is. */
export function tiltFoot(planned: PlannedClip, n: number, k: number, tilt: number): void {
  const { plan, goals } = planned;
  const o = 3 * slotOf(goals.limbs.length, k, n);
  turnFoot(planned, n, k, tilt);
  rotateVector(point, 0, bent, 0, ball, 0);
  for (let c = 0; c < 3; c++) plan.shifts[o + c]! += ball[c]! - point[c]!;
}

/** Turns a foot about its ankle, its ball up. */
function turnFoot(planned: PlannedClip, n: number, k: number, angle: number): void {
  placeBall(planned, n, k);
  quaternionFromAxisAngle(bent, 0, axis, 0, angle);
  multiplyQuaternions(turn, 0, bent, 0, turn, 0);
  vectorOfQuaternion(planned.plan.turns, 3 * slotOf(planned.goals.limbs.length, k, n), turn);
}

/** A foot reaches down by turning at most this about its ankle: radians. */
const LARGEST_REACH = 0.7;
/** Its skin may come this deep then, in hip heights: what lies on its toes presses them into the floor. */
const PRESSED = 0.01;
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
    const smooth = smoothCurve(reaches, REACH_SMOOTHING * plan.rate);
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
