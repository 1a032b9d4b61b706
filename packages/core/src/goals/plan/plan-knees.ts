import { distanceFlat } from '../../base/math/flat-vectors.js';
import { acos, cos } from '../../base/math/functions.js';
import { fadeOut, smoothCurve, widenCurve } from '../../base/math/smooth-curves.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { softenReach } from '../../solvers/solve-two-bone.js';
import type { GoalRecord } from '../goal-record.js';
import { FOOT_FREE } from '../goal-rules.js';
import { reachOf } from '../parts/reach.js';
import { secondsFree } from './ease-stretches.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';

/**
 * A knee snaps whose speed changes by more than this from one frame to the next, in radians a frame, and by more than
 * twice what the copy's does. In the air somewhat less than is measured, see `measurePops`: with 7.5 degrees there 224
 * results popped 1,749 times instead of 1,526. A foot that stands is lifted for less of that: a body would float.
 */
const SNAP = { inAir: (2.2 * Math.PI) / 180, onGround: (7.5 * Math.PI) / 180 } as const;
/** Seconds within which the copy may do the like. */
const NEAR_SNAP = 0.05;
/** From this share of a snap on a knee begins to be calmed. */
const BEGINS = 0.6;
/** Seconds around a snap in which it is, over which that comes and goes, and over which the knee is smoothed. */
const AROUND_SNAP = 0.07;
const COMING_SNAP = 0.03;
const KNEE_SMOOTHING = 0.05;
/** A foot that stands is lifted for its knee by at most so many hip heights, 1 cm of an adult … */
const LARGEST_KNEE_LIFT = 0.01;
/** … unless its leg is flatter than this: lifting it hardly bends the knee, sine of the slope. */
const FLAT_LEG = 0.3;

/**
 * Takes snaps out of knees and elbows, when it is known where hips and feet are. Near full stretch a hair's breadth of the goal is
 * many degrees of the knee, so that what is smooth in space snaps there. What a knee is bent by beyond the copy is
 * smoothed where it leaps, and the foot goes along: in the air along the leg, on the ground up, by a hair.
 */
export function planKnees(planning: Pick<Planning, keyof PlannedClip | 'standing'>): void {
  planning.goals.limbs.forEach((_, n) => {
    calmKnee(planning, n);
  });
}

function calmKnee(planning: Pick<Planning, keyof PlannedClip | 'standing'>, n: number): void {
  const { plan, goals, record, standing } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const { length } = goals.limbs[n]!;
  const copied = new Float64Array(count);
  const bends = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    readLeg(record, 3 * slotOf(width, k, n), length);
    copied[k] = bendAt(leg.reach);
    bends[k] = bendAt(length * softenReach(lineToGoal(planning, n, k) / length, leg.softness));
  }
  const snaps = snapsOf(bends);
  const usual = widenCurve(snapsOf(copied), Math.round(NEAR_SNAP * CONTACT_RATE));
  const sharesInAir = calmingShares(snaps, usual, SNAP.inAir);
  if (!sharesInAir.some((share) => share > 1e-6)) return;
  const sharesOnGround = calmingShares(snaps, usual, SNAP.onGround);
  const more = bends.map((bend, k) => bend - copied[k]!);
  const smooth = smoothCurve(more, KNEE_SMOOTHING * CONTACT_RATE);
  // No foot is pressed into the floor for its knee: on the ground it is bent more, never less.
  const above = smoothCurve(
    widenCurve(more, Math.round(0.5 * KNEE_SMOOTHING * CONTACT_RATE)),
    KNEE_SMOOTHING * CONTACT_RATE,
  );
  const free = secondsFree(standing, n, width, count);
  for (let k = 0; k < count; k++) {
    if (!(sharesInAir[k]! > 1e-6)) continue;
    const o = 3 * slotOf(width, k, n);
    const inAir = 1 - fadeOut(free[k]! / FOOT_FREE);
    const share = inAir * sharesInAir[k]! + (1 - inAir) * sharesOnGround[k]!;
    const onGround = Math.max(above[k]!, more[k]!);
    const asked = onGround + inAir * (smooth[k]! - onGround) - more[k]!;
    readLeg(record, o, length);
    const far = lineToGoal(planning, n, k);
    const nearer = far - goalFor(Math.max(0, bends[k]! + share * asked), length);
    if (!(far > 1e-9 * length)) continue;
    for (let c = 0; c < 3; c++) plan.shifts[o + c]! -= (inAir * nearer * line[c]!) / far;
    const steep = -line[1]! / far;
    if (nearer > 0 && steep > FLAT_LEG)
      plan.shifts[o + 1]! += (1 - inAir) * Math.min(LARGEST_KNEE_LIFT * goals.hipHeight, nearer / steep);
  }
}

/** Per frame how much a knee is calmed, 0 to 1: around where it snaps. */
function calmingShares(snaps: Float64Array, usual: Float64Array, limit: number): Float64Array {
  const where = snaps.map(
    (snap, k) => 1 - fadeOut((snap / Math.max(limit, 2 * usual[k]!) - BEGINS) / (1 - BEGINS)),
  );
  return smoothCurve(widenCurve(where, Math.round(AROUND_SNAP * CONTACT_RATE)), COMING_SNAP * CONTACT_RATE);
}

/** The leg as copied that was read last: lengths of its bones, from end to end, and where it begins to be softened. */
const leg = { thigh: 0, shin: 0, reach: 0, softness: 0 };

function readLeg({ uppers, middles, ends }: GoalRecord, o: number, length: number): void {
  leg.thigh = distanceFlat(uppers, o, middles, o);
  leg.shin = distanceFlat(middles, o, ends, o);
  leg.reach = distanceFlat(uppers, o, ends, o);
  leg.softness = reachOf(leg.reach, length) / length;
}

const line = new Float64Array(3);

/** Gives how far a limb's goal is from its upper joint, and writes the line there, when the hips have given way. */
function lineToGoal({ plan, goals, record }: PlannedClip, n: number, k: number): number {
  const width = goals.limbs.length;
  const o = 3 * slotOf(width, k, n);
  const hold = plan.holds[slotOf(width, k, n)]!;
  for (let c = 0; c < 3; c++)
    line[c] =
      record.places[o + c]! + plan.shifts[o + c]! - hold * plan.hips[3 * k + c]! - record.uppers[o + c]!;
  return Math.sqrt(line[0]! * line[0]! + line[1]! * line[1]! + line[2]! * line[2]!);
}

/** How far the knee is bent where the leg reaches so far, 0 for straight: law of cosines. */
function bendAt(reach: number): number {
  const { thigh, shin } = leg;
  const cosine = (reach * reach - thigh * thigh - shin * shin) / (2 * thigh * shin);
  return acos(cosine < 1 ? Math.max(-1, cosine) : 1);
}

/** How far away a goal must be for the knee to be bent so: what `softenReach` does, undone. */
function goalFor(bend: number, length: number): number {
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
function snapsOf(angles: Float64Array): Float64Array {
  const snaps = new Float64Array(angles.length);
  for (let k = 1; k < angles.length - 1; k++)
    snaps[k] = Math.abs(angles[k + 1]! - 2 * angles[k]! + angles[k - 1]!);
  return snaps;
}
