import { CONTACT_RATE } from '../contacts/track-points.js';
import { rotateVector } from '../quaternion.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { quaternionOfVector } from './rotation-vectors.js';
import { smoothCurve, widenCurve } from './smooth-curves.js';

/** Toes bend upwards by at most this, in radians: seventy degrees. */
const LARGEST_BEND = 1.2;
/**
 * Feet that stand are lifted for their skin by at most so many hip heights. Farther up they would no longer stand:
 * without a bound, big boots that roll over their toes lost one contact in twenty.
 */
export const LARGEST_LIFT = 0.03;
/** A foot that leaves the ground, or comes back, may be lifted by ½ · FREEDOM · t² more: hip heights a second squared. */
const FREEDOM = 60;
/** Seconds over which bending and lifting are smoothed. */
const SMOOTHING = 0.025;
/** Less than this, in hip heights, is no depth: a skin's rounding. */
export const SLACK = 0.002;

/**
 * Plans what keeps the skin of feet out of the floor: toes bend up when the foot rolls over them, and what is then
 * still under the floor, a heel behind its ankle or a boot without toes, lifts the foot: little while it stands, as
 * far as needed in the air. Rigs without skin have the joints of their feet for it.
 * @param carried Per limb and frame, 1 while it stands.
 */
export function planSoles(plan: GoalPlan, goals: GoalSetup, record: GoalRecord, carried: Float64Array): void {
  const { count } = plan;
  const { hipHeight } = goals;
  const width = goals.limbs.length;
  const wide = Math.round(SMOOTHING * CONTACT_RATE);
  const smooth = (needs: Float64Array) => smoothCurve(widenCurve(needs, wide), SMOOTHING * CONTACT_RATE);
  const needs: SoleNeeds = { depth: 0, bend: 0 };
  const floor = plan.floor - SLACK * hipHeight;
  goals.limbs.forEach((limb, n) => {
    if (limb.kind !== 'leg') return;
    const most = largestLifts(carried, n, width, count, hipHeight);
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
    const turns = smooth(bends);
    for (let k = 0; k < count; k++) {
      look(k, turns[k]!);
      depths[k] = needs.depth;
    }
    const lifts = smooth(depths);
    // Smoothing must not lift what stands; the bound is smooth enough by itself.
    for (let k = 0; k < count; k++) lifts[k] = Math.min(lifts[k]!, most[k]!);
    for (let k = 0; k < count; k++) {
      plan.shifts[3 * (width * k + n) + 1]! += lifts[k]!;
      plan.bends[width * k + n] = turns[k]!;
    }
  });
}

/** Per frame how far a foot may be lifted, in metres: little while it stands, the more the longer it is in the air. */
function largestLifts(
  carried: Float64Array,
  n: number,
  width: number,
  count: number,
  hipHeight: number,
): Float64Array {
  const free = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (const [from, to, way] of [
    [0, count, 1],
    [count - 1, -1, -1],
  ] as const) {
    let away = Number.POSITIVE_INFINITY;
    for (let k = from; k !== to; k += way) {
      away = carried[width * k + n]! > 0 ? 0 : away + 1;
      free[k] = Math.min(free[k]!, away / CONTACT_RATE);
    }
  }
  return free.map((t) => hipHeight * (LARGEST_LIFT + Math.min(1, (FREEDOM / 2) * t * t)));
}

const turn = new Float64Array(4);
const arm = new Float64Array(3);
const axis = new Float64Array(3);
const point = new Float64Array(3);

/** What {@link measureSole} found: how deep the foot is, and how far its toes must bend to come out of the floor. */
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
  let deepest = 0;
  for (let i = 0; i < skin.length; i += 3) {
    turnInto(point, m, f, skin, i, turn, t);
    if (floor - ankle - point[1]! > deepest) deepest = floor - ankle - point[1]!;
  }
  out.depth = deepest;
  out.bend = 0;
  if (toes < 0) return;
  turnInto(axis, m, f, across, 0, turn, t);
  const length = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]! + axis[2]! * axis[2]!);
  for (let c = 0; c < 3; c++) {
    axis[c] = length > 1e-9 ? axis[c]! / length : 0;
    arm[c] = m[f + 21 + c]! - m[f + 9 + c]!;
  }
  rotateVector(arm, 0, turn, t, arm, 0);
  const joint = ankle + arm[1]!;
  let bend = told;
  if (told < 0) {
    bend = 0;
    if (length > 1e-9)
      for (let i = 0; i < toeSkin.length; i += 3) {
        turnInto(point, m, f + 12, toeSkin, i, turn, t);
        bend = Math.max(bend, bendOf(floor - joint - Math.min(deepest, most)));
      }
    out.bend = bend;
  }
  const cosine = Math.cos(bend);
  const sine = Math.sin(bend);
  for (let i = 0; i < toeSkin.length; i += 3) {
    turnInto(point, m, f + 12, toeSkin, i, turn, t);
    splitPoint();
    const height = joint + split.along + cosine * split.level + sine * split.rise;
    if (floor - height > out.depth) out.depth = floor - height;
  }
}

/** out = a place or direction in the local space of a matrix, seen from its origin, turned. */
function turnInto(
  out: Float64Array,
  m: Float64Array,
  f: number,
  place: Float64Array,
  i: number,
  turn: Float64Array,
  t: number,
): void {
  for (let c = 0; c < 3; c++)
    out[c] = m[f + c]! * place[i]! + m[f + 3 + c]! * place[i + 1]! + m[f + 6 + c]! * place[i + 2]!;
  rotateVector(out, 0, turn, t, out, 0);
}

/** The height of the point p bent by β about the axis a: along + cos β · level + sin β · rise. */
const split = { along: 0, level: 0, rise: 0 };

function splitPoint(): void {
  const dot = point[0]! * axis[0]! + point[1]! * axis[1]! + point[2]! * axis[2]!;
  split.along = dot * axis[1]!;
  split.level = point[1]! - split.along;
  split.rise = axis[2]! * point[0]! - axis[0]! * point[2]!;
}

/** How far the point must be bent to be as high as asked, over the joint it bends about; less where bending hardly lifts it. */
function bendOf(height: number): number {
  splitPoint();
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
