import { CONTACT_RATE } from '../contacts/track-points.js';
import { multiplyQuaternions, quaternionFromAxisAngle, rotateVector } from '../quaternion.js';
import { secondsFree } from './ease-stretches.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { quaternionOfVector, vectorOfQuaternion } from './rotation-vectors.js';
import { fadeOut, smoothCurve, softly, widenCurve } from './smooth-curves.js';

/** Toes bend upwards by at most this, in radians: seventy degrees. */
const LARGEST_BEND = 1.2;
/**
 * Feet that stand are lifted for their skin by at most so many hip heights. Farther up they would no longer stand:
 * without a bound, big boots that roll over their toes lost one contact in twenty.
 */
export const LARGEST_LIFT = 0.03;
/** … and no faster than this, in hip heights a second: what is faster than 0.4 does not stand. */
const LIFT_SPEED = 0.15;
/**
 * A foot that leaves the ground, or comes back, may be lifted by ½ · FREEDOM · t² more, in hip heights a second
 * squared; from so many seconds on, as speeds are taken over those, and what is lifted sooner stands no longer.
 */
const FREEDOM = 20;
const FREE_AFTER = 0.034;
/** Seconds over which bending and lifting are smoothed, and lifting in the air. */
const SMOOTHING = 0.025;
const AIR_SMOOTHING = 0.05;
/** How softly feet in the air are lifted, in hip heights: those that are that much over the floor begin to be. */
const SOFTNESS = 0.02;
/** A foot that stands on its ball is tilted back by at most this for what bending and lifting leave: radians. */
const LARGEST_TILT = 0.7;
/** Seconds over which tilting is smoothed: a foot rolls slower than its toes bend. */
const TILT_SMOOTHING = 0.05;
/** Less than this, in hip heights, is no depth: a skin's rounding. */
export const SLACK = 0.002;

/**
 * Plans what keeps the skin of feet out of the floor: toes bend up when the foot rolls over them, and what is then
 * still under the floor, a heel behind its ankle or a boot without toes, lifts the foot: little while it stands, as
 * far as needed in the air. A boot that stands on its ball deeper than that is tilted back about the ball. Rigs without skin have the joints of their feet for it.
 * @param carried Per limb and frame, 1 while it stands.
 * @returns Per limb and frame what feet are lifted by, in metres.
 */
export function planSoles(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  carried: Float64Array,
): Float64Array {
  const { count } = plan;
  const { hipHeight } = goals;
  const width = goals.limbs.length;
  const needs: SoleNeeds = { depth: 0, bend: 0 };
  const lifted = new Float64Array(width * count);
  const floor = plan.floor - SLACK * hipHeight;
  goals.limbs.forEach((limb, n) => {
    if (limb.kind !== 'leg') return;
    const free = secondsFree(carried, n, width, count);
    const most = free.map((seconds) => largestLift(seconds, hipHeight));
    const bends = new Float64Array(count);
    const depths = new Float64Array(count);
    const look = (k: number, bend: number) => {
      const o = 3 * (width * k + n);
      quaternionOfVector(turn, 0, plan.turns, o);
      const ankle = record.places[o + 1]! + plan.shifts[o + 1]!;
      measureSole(needs, limb, record.frames, 24 * (width * k + n), turn, 0, ankle, floor, most[k]!, bend);
    };
    for (let k = 0; k < count; k++) {
      look(k, -1);
      bends[k] = needs.bend;
    }
    const turns = smoothed(bends, SMOOTHING);
    const tilts = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      if (!(carried[width * k + n]! > 0)) continue;
      look(k, turns[k]!);
      if (needs.depth > most[k]!)
        tilts[k] = tiltOf(plan, goals, record, limb, n, k, turns[k]!, floor - most[k]!);
    }
    if (tilts.some((tilt) => tilt > 0)) {
      const smoothed = smoothCurve(tilts, TILT_SMOOTHING * CONTACT_RATE);
      for (let k = 0; k < count; k++)
        if (smoothed[k]! > 1e-6) tiltFoot(plan, goals, record, limb, n, k, smoothed[k]!);
    }
    for (let k = 0; k < count; k++) {
      look(k, turns[k]!);
      depths[k] = Math.max(needs.depth, pointDepth(plan, goals, record, limb, n, k));
    }
    const lifts = liftFoot(depths, free, hipHeight);
    for (let k = 0; k < count; k++) {
      lifted[width * k + n] = lifts[k]!;
      plan.shifts[3 * (width * k + n) + 1]! += lifts[k]!;
      plan.bends[width * k + n] = turns[k]!;
    }
  });
  return lifted;
}

/** How far a foot may be lifted at an instant, in metres: little while it stands, the more the longer it is in the air. */
export function largestLift(free: number, hipHeight: number): number {
  const t = Math.max(0, free - FREE_AFTER);
  return hipHeight * (LARGEST_LIFT + Math.min(1, (FREEDOM / 2) * t * t));
}

/**
 * What lifts a foot out of depths, within what it may be lifted by. In the air it comes and goes softly: a little
 * before there is a depth (see `softly`), widened and smoothed; a knee that is made
 * to follow a sole along the floor and then no longer is would snap.
 */
function liftFoot(depths: Float64Array, free: Float64Array, hipHeight: number): Float64Array {
  const count = depths.length;
  const needs = depths.map((depth, k) => softly(depth, hipHeight * Math.min(SOFTNESS, free[k]! / 8)));
  const near = smoothed(needs, SMOOTHING);
  const far = smoothed(needs, AIR_SMOOTHING);
  const lifts = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const w = 1 - fadeOut(free[k]! / (4 * AIR_SMOOTHING));
    lifts[k] = Math.min(near[k]! + w * (far[k]! - near[k]!), largestLift(free[k]!, hipHeight));
  }
  // What stands is not lifted quickly, or it does not stand.
  const step = (LIFT_SPEED * hipHeight) / CONTACT_RATE;
  const stands = (k: number) => free[k]! <= FREE_AFTER;
  for (let k = 1; k < count; k++) if (stands(k)) lifts[k] = Math.min(lifts[k]!, lifts[k - 1]! + step);
  for (let k = count - 2; k >= 0; k--) if (stands(k)) lifts[k] = Math.min(lifts[k]!, lifts[k + 1]! + step);
  return lifts;
}

/** The most within some seconds, smoothed over as many. */
function smoothed(needs: Float64Array, seconds: number): Float64Array {
  return smoothCurve(widenCurve(needs, Math.round(seconds * CONTACT_RATE)), seconds * CONTACT_RATE);
}

/** How deep heel or ball are under where they stand on the floor; negative above it. */
function pointDepth(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  limb: LimbGoal,
  n: number,
  k: number,
): number {
  const o = 3 * (goals.limbs.length * k + n);
  quaternionOfVector(turn, 0, plan.turns, o);
  let depth = Number.NEGATIVE_INFINITY;
  for (const e of limb.points) {
    const at = 3 * (goals.points.length * k + e);
    for (let c = 0; c < 3; c++) point[c] = record.copied[at + c]! - record.ends[o + c]!;
    rotateVector(point, 0, turn, 0, point, 0);
    const height = record.places[o + 1]! + plan.shifts[o + 1]! + point[1]!;
    depth = Math.max(depth, plan.floor + goals.hipHeight * goals.points[e]!.target.standing - height);
  }
  return depth;
}

/** Where the ball of a foot is, seen from its ankle, as copied and turned; and across it. */
function placeBall(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  limb: LimbGoal,
  n: number,
  k: number,
): void {
  const width = goals.limbs.length;
  const o = 3 * (width * k + n);
  const f = 24 * (width * k + n);
  const toe = 3 * (goals.points.length * k + limb.points[1]!);
  quaternionOfVector(turn, 0, plan.turns, o);
  for (let c = 0; c < 3; c++) ball[c] = record.copied[toe + c]! - record.ends[o + c]!;
  rotateVector(ball, 0, turn, 0, ball, 0);
  turnMatrix(record.frames, f, turn, 0);
  turnAxis(limb.across);
}

/** How far a foot must be tilted back about its ball for all of it to be over a height, as far as its heel lets it. */
function tiltOf(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  limb: LimbGoal,
  n: number,
  k: number,
  bend: number,
  height: number,
): number {
  const width = goals.limbs.length;
  const o = 3 * (width * k + n);
  const f = 24 * (width * k + n);
  placeBall(plan, goals, record, limb, n, k);
  const level = record.places[o + 1]! + plan.shifts[o + 1]! + ball[1]!;
  let tilt = 0;
  let most = LARGEST_TILT;
  const add = () => {
    for (let c = 0; c < 3; c++) point[c] = point[c]! - ball[c]!;
    splitVector(point);
    if (split.rise > 0) tilt = Math.max(tilt, bendOf(height - level));
    // What is behind the ball comes down: until it is on the floor.
    else most = Math.min(most, sinkOf(height - level));
  };
  for (let i = 0; i < limb.skin.length; i += 3) {
    turnInto(point, limb.skin, i);
    add();
  }
  if (limb.toes >= 0) {
    quaternionFromAxisAngle(bent, 0, axis, 0, bend);
    turnMatrix(record.frames, f + 12, turn, 0);
    for (let c = 0; c < 3; c++) arm[c] = record.frames[f + 21 + c]! - record.frames[f + 9 + c]!;
    rotateVector(arm, 0, turn, 0, arm, 0);
    for (let i = 0; i < limb.toeSkin.length; i += 3) {
      turnInto(point, limb.toeSkin, i);
      rotateVector(point, 0, bent, 0, point, 0);
      for (let c = 0; c < 3; c++) point[c] = point[c]! + arm[c]!;
      add();
    }
  }
  return Math.min(tilt, most);
}

/** Turns a foot back about its ball: what it is turned by, and where its ankle is. */
function tiltFoot(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  limb: LimbGoal,
  n: number,
  k: number,
  tilt: number,
): void {
  const o = 3 * (goals.limbs.length * k + n);
  placeBall(plan, goals, record, limb, n, k);
  quaternionFromAxisAngle(bent, 0, axis, 0, tilt);
  rotateVector(point, 0, bent, 0, ball, 0);
  for (let c = 0; c < 3; c++) plan.shifts[o + c]! += ball[c]! - point[c]!;
  multiplyQuaternions(turn, 0, bent, 0, turn, 0);
  vectorOfQuaternion(plan.turns, o, turn);
}

const bent = new Float64Array(4);
const ball = new Float64Array(3);
const turn = new Float64Array(4);
const arm = new Float64Array(3);
const axis = new Float64Array(3);
const point = new Float64Array(3);

/**
 * What {@link measureSole} found: how deep the foot is, negative above the floor, and how far its toes must bend to
 * come out of it.
 */
export type SoleNeeds = { depth: number; bend: number };

/**
 * Measures how far a foot's toes must bend for their skin to come out of the floor, and how deep the foot is then.
 * @param m The columns of the foot's and the toes' matrices from place `f` on, see `GoalRecord.frames`.
 * @param turn What the foot is turned by on top of that.
 * @param ankle The height at which its end joint stands.
 * @param floor The height below which skin counts.
 * @param most How far the foot may be lifted, metres: toes need not bend for what lifting it for its heel makes good.
 * @param told How far the toes bend, radians; −1 as far as needed.
 */
export function measureSole(
  out: SoleNeeds,
  { skin, toes, toeSkin, across }: LimbGoal,
  m: Float64Array,
  f: number,
  turn: Float64Array,
  t: number,
  ankle: number,
  floor: number,
  most: number,
  told = -1,
): void {
  turnMatrix(m, f, turn, t);
  let deepest = Number.NEGATIVE_INFINITY;
  const x = rows[1]!;
  const y = rows[4]!;
  const z = rows[7]!;
  for (let i = 0; i < skin.length; i += 3) {
    const depth = floor - ankle - x * skin[i]! - y * skin[i + 1]! - z * skin[i + 2]!;
    if (depth > deepest) deepest = depth;
  }
  out.depth = deepest;
  out.bend = 0;
  if (toes < 0) return;
  turnAxis(across);
  for (let c = 0; c < 3; c++) arm[c] = m[f + 21 + c]! - m[f + 9 + c]!;
  rotateVector(arm, 0, turn, t, arm, 0);
  const joint = ankle + arm[1]!;
  turnMatrix(m, f + 12, turn, t);
  splitRows();
  let bend = told;
  if (told < 0) {
    bend = 0;
    for (let i = 0; i < toeSkin.length; i += 3) {
      splitPoint(toeSkin, i);
      bend = Math.max(bend, bendOf(floor - joint - Math.min(Math.max(0, deepest), most)));
    }
    out.bend = bend;
  }
  const cosine = Math.cos(bend);
  const sine = Math.sin(bend);
  for (let i = 0; i < toeSkin.length; i += 3) {
    splitPoint(toeSkin, i);
    const depth = floor - joint - split.along - cosine * split.level - sine * split.rise;
    if (depth > out.depth) out.depth = depth;
  }
}

/** The columns of a turned matrix, one after the other. */
const rows = new Float64Array(9);
/** What a place in its space is multiplied by for each part of its height, see {@link splitPoint}. */
const forms = new Float64Array(9);

/** rows = turn · the matrix of a joint, without its place. */
function turnMatrix(m: Float64Array, f: number, turn: Float64Array, t: number): void {
  for (let column = 0; column < 9; column += 3) rotateVector(rows, column, turn, t, m, f + column);
}

/** axis = a direction in the space of the turned matrix, of length 1; 0 where there is none. */
function turnAxis(direction: Float64Array): void {
  for (let c = 0; c < 3; c++)
    axis[c] = rows[c]! * direction[0]! + rows[3 + c]! * direction[1]! + rows[6 + c]! * direction[2]!;
  const length = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]! + axis[2]! * axis[2]!);
  for (let c = 0; c < 3; c++) axis[c] = length > 1e-9 ? axis[c]! / length : 0;
}

/**
 * The height of a point p that is turned by β about the axis a: along + cos β · level + sin β · rise, with
 * along = (a · p) a_y, level = p_y − along, rise = (a × p)_y. All are linear in p.
 */
const split = { along: 0, level: 0, rise: 0 };

function splitRows(): void {
  for (let column = 0; column < 3; column++) {
    const x = rows[3 * column]!;
    const y = rows[3 * column + 1]!;
    const z = rows[3 * column + 2]!;
    const along = axis[1]! * (axis[0]! * x + axis[1]! * y + axis[2]! * z);
    forms[column] = along;
    forms[3 + column] = y - along;
    forms[6 + column] = axis[2]! * x - axis[0]! * z;
  }
}

function splitPoint(places: Float64Array, i: number): void {
  const x = places[i]!;
  const y = places[i + 1]!;
  const z = places[i + 2]!;
  split.along = forms[0]! * x + forms[1]! * y + forms[2]! * z;
  split.level = forms[3]! * x + forms[4]! * y + forms[5]! * z;
  split.rise = forms[6]! * x + forms[7]! * y + forms[8]! * z;
}

/** Splits a place in model space, seen from what it turns about. */
function splitVector(place: Float64Array): void {
  const dot = place[0]! * axis[0]! + place[1]! * axis[1]! + place[2]! * axis[2]!;
  split.along = dot * axis[1]!;
  split.level = place[1]! - split.along;
  split.rise = axis[2]! * place[0]! - axis[0]! * place[2]!;
}

/** out = a place in the space of the turned matrix, seen from its origin in model space. */
function turnInto(out: Float64Array, places: Float64Array, i: number): void {
  for (let c = 0; c < 3; c++)
    out[c] = rows[c]! * places[i]! + rows[3 + c]! * places[i + 1]! + rows[6 + c]! * places[i + 2]!;
}

/** How far the point, split already, may be turned until it is as low as said; 0 where it is lower already. */
function sinkOf(height: number): number {
  const { along, level, rise } = split;
  if (along + level <= height) return 0;
  const radius = Math.sqrt(level * level + rise * rise);
  const sine = (height - along) / (radius || 1);
  // radius · sin(β + φ) falls from φ on, past its top at a right angle: to π − asin.
  return sine <= -1 ? LARGEST_BEND : Math.PI - Math.asin(Math.min(1, sine)) - Math.atan2(level, rise);
}

/** How far the point, split already, must be turned to be as high as asked; less where turning hardly lifts it. */
function bendOf(height: number): number {
  const { along, level, rise } = split;
  if (along + level >= height) return 0;
  const radius = Math.sqrt(level * level + rise * rise);
  // Toes that point straight down, or back, do not come up by bending: between 12° and 30° ahead it fades out.
  const ahead = (rise / (radius || 1) - 0.2) / 0.3;
  if (!(ahead > 0)) return 0;
  // level · cos β + rise · sin β = radius · sin(β + φ)
  const bend = Math.asin(Math.max(-1, Math.min(1, (height - along) / radius))) - Math.atan2(level, rise);
  return Math.min(LARGEST_BEND, bend) * Math.min(1, ahead);
}
