import { fadeOut, smoothCurve, widenCurve } from '../../base/math/smooth-curves.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { softenReach } from '../../solvers/solve-two-bone.js';
import { FOOT_FREE } from '../goal-rules.js';
import { secondsFree } from './ease-stretches.js';
import {
  bendAt,
  FLAT_LEG,
  goalFor,
  leg,
  line,
  lineToGoal,
  NEAR_SNAP,
  readLeg,
  SNAP,
  snapsOf,
} from './knee-bends.js';
import { lowerForKnees } from './lower-for-knees.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';

/** From this share of a snap on a knee begins to be calmed. */
const BEGINS = 0.6;
/** Seconds around a snap in which it is, over which that comes and goes, and over which the knee is smoothed. */
const AROUND_SNAP = 0.07;
const COMING_SNAP = 0.03;
const KNEE_SMOOTHING = 0.05;
/** A foot that stands is lifted for its knee by at most so many hip heights, 1 cm of an adult; see {@link FLAT_LEG}. */
const LARGEST_KNEE_LIFT = 0.01;

/**
 * Takes snaps out of knees and elbows, when it is known where hips and feet are. Near full stretch a hair's breadth of the goal is
 * many degrees of the knee, so that what is smooth in space snaps there. What a knee is bent by beyond the copy is
 * smoothed where it leaps, and the foot goes along: in the air along the leg, on the ground up, by a hair. Before that the
 * hips come down by a hair, for which no foot need leave the ground.
 */
export function planKnees(planning: Pick<Planning, keyof PlannedClip | 'standing'>): void {
  lowerForKnees(planning);
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
