import { hypot } from '../../base/math/functions.js';
import { rotateVector } from '../../base/math/quaternion.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import { fadeOut, isAbove, smoothCurve, softly, widenCurve } from '../../base/math/smooth-curves.js';
import { offFloor } from '../../contacts/off-floor.js';
import { createTwoBoneSolution } from '../../solvers/solve-two-bone.js';
import { EASE_BACK, LONGEST_HOLD } from '../goal-rules.js';
import { bendHand, createHandOverFloor, lowestWhenBent } from '../parts/bend-hand.js';
import { createLimbPlaces, solvePlaces } from '../parts/limb-places.js';
import { easeStretches, type Stretch, stretchesOf } from './ease-stretches.js';
import { movedContact } from './moved-contact.js';
import { readPlannedLimb } from './planned-limb.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';
import { heightsOver } from './resting.js';

/** How softly hands are lifted out of the floor, in hip heights: what is that much above it begins to be. */
const HAND_SOFTNESS = 0.05;
/** Seconds over which that is smoothed. */
const HAND_LIFT_SMOOTHING = 0.04;
/** Seconds over which hands bend back: those of captures turn by tens of degrees from one frame to the next. */
const BEND_SMOOTHING = 0.08;
/** Seconds in which a hand that was bent back comes to be as copied. */
const BENDS_BACK = 0.3;
/** … and by which they begin early and end late. */
const BEND_AHEAD = 0.12;
/** So much of how a hand that stands goes up and down, in hip heights, is a capture that trembles. */
const HAND_TREMBLES = 0.02;
/** Seconds from an end of a contact on within which a hand is as high as the source's comes and goes. */
const COMES_DOWN = 0.15;
/** Seconds over which it is smoothed how high a hand stands. */
const STANDING_SMOOTHING = 0.05;
/** Seconds around where a hand would be in the floor in which it is lifted softly; elsewhere it stays as it is. */
const AROUND_FLOOR = 0.12;
/** How often it is tried how high a hand must be that turns with its forearm. */
const LIFT_ROUNDS = 3;

/**
 * A hand that goes faster than so many hip heights a second, at an end of its contact, goes off or comes: held until the
 * very end it would have to catch up within a few frames.
 */
const MOVING_OFF = 0.25;
/** It is let go before its end only where it is held no farther than this from where it would be, in hip heights. */
const HELD_NEAR = 0.04;

/**
 * Plans where hands stand on the ground: where the copied ones would on the mean, or where their contact was moved to,
 * on the floor, while the source's do. Hands that touch nothing stay as copied, and come along with the hips.
 * Writes that a hand carries while it stands.
 */
export function planHands(planning: Planning): void {
  const { plan, goals } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  for (let n = 0; n < width; n++) {
    if (goals.limbs[n]!.kind !== 'arm' || !stands(planning, n)) continue;
    const shifts = standHand(planning, n);
    for (let k = 0; k < count; k++)
      for (let c = 0; c < 3; c++) plan.shifts[3 * slotOf(width, k, n) + c]! += shifts[3 * k + c]!;
  }
}

/** Whether a hand has any contact with the ground. */
function stands({ goals: { limbs, points }, contacts }: Planning, n: number): boolean {
  const { name } = points[limbs[n]!.points[0]!]!;
  for (let c = 0; c < contacts.length; c++) if (contacts[c]!.point === name) return true;
  return false;
}

/** Gives how far the goal of a hand is moved, xyz per frame, so that it stands while its contacts last. */
function standHand(planning: Planning, n: number): Float64Array {
  const { plan, goals, record, contacts, scales, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const points = goals.points.length;
  const point = goals.limbs[n]!.points[0]!;
  const { name } = goals.points[point]!;
  const shifts = new Float64Array(3 * count);
  // Where the hand would be: as copied, or where it touches the body.
  const at = (k: number, c: number) =>
    record.copied[3 * slotOf(points, k, point) + c]! +
    record.places[3 * slotOf(width, k, n) + c]! -
    record.ends[3 * slotOf(width, k, n) + c]! +
    plan.shifts[3 * slotOf(width, k, n) + c]!;
  const { levels, grounds, overs } = handLevels(planning, n);
  const { isSkinned } = goals.limbs[n]!;
  bendHands(planning, n, { levels, grounds });
  const stretches: Stretch[] = [];
  const rests: Stretch[] = [];
  for (const contact of contacts) {
    if (contact.point !== name) continue;
    const first = Math.max(0, Math.round(contact.start * plan.rate));
    const last = Math.min(count - 1, Math.round(contact.end * plan.rate));
    if (last < first) continue;
    stretches.push({ first, last });
    const unit = scales.vertical * goals.sourceHipHeight;
    const support = goals.floor + unit * offFloor(contact.height);
    plan.floor = Math.min(plan.floor, support);
    const move = movedContact(planning, contact, point, { first, last });
    // The knuckles go along when the hand bends back.
    const along = (k: number, c: number) => at(k, c) + turnedBy(planning, n, point, k, c);
    const mean = [0, 0, 0];
    for (let k = first; k <= last; k++) for (const c of [0, 2]) mean[c]! += along(k, c) / (last - first + 1);
    for (let k = first; k <= last; k++) {
      carried[slotOf(width, k, n)] = 1;
      shifts[3 * k] = mean[0]! - along(k, 0);
      // On its skin where that is known, bent as it is; else on its knuckles, or on what of it is lower.
      const end =
        at(k, 1) +
        record.ends[3 * slotOf(width, k, n) + 1]! -
        record.copied[3 * slotOf(points, k, point) + 1]!;
      const bySkin = grounds[k]! + overs[k]! - end - record.lows[slotOf(width, k, n)]!;
      shifts[3 * k + 1] = isSkinned ? bySkin : Math.max(levels[k]! - at(k, 1), bySkin - overs[k]!);
      shifts[3 * k + 2] = mean[2]! - along(k, 2);
      const away = hypot(shifts[3 * k]!, shifts[3 * k + 2]!);
      const most = LONGEST_HOLD * goals.hipHeight;
      for (const c of [0, 2]) if (away > most) shifts[3 * k + c]! *= most / away;
      shifts[3 * k]! += move?.x ?? 0;
      shifts[3 * k + 2]! += move?.z ?? 0;
    }
    calmHeights(shifts, { first, last }, plan.rate);
    rests.push(restOf(at, shifts, { first, last }, { plan, goals }));
  }
  // Along the floor a hand goes as soon as it would; it is as high as it stands as long as it carries.
  const heights = new Float64Array(count);
  for (let k = 0; k < count; k++) heights[k] = shifts[3 * k + 1]!;
  easeStretches(plan, shifts, 3, rests, [0, 0, 0], [EASE_BACK, EASE_BACK, EASE_BACK]);
  easeStretches(plan, heights, 1, stretches, [0], [EASE_BACK]);
  for (let k = 0; k < count; k++) shifts[3 * k + 1] = heights[k]!;
  const holds = new Float64Array(count);
  for (const { first, last } of stretches) holds.fill(1, first, last + 1);
  easeStretches(plan, holds, 1, stretches, [0], [EASE_BACK]);
  for (let k = 0; k < count; k++) plan.holds[slotOf(width, k, n)] = holds[k]!;
  return shifts;
}

/** Smooths how far a hand that stands is moved up and down: skin that turns with it trembles as it does. */
function calmHeights(shifts: Float64Array, { first, last }: Stretch, rate: number): void {
  const heights = Float64Array.from({ length: last - first + 1 }, (_, i) => shifts[3 * (first + i) + 1]!);
  const calm = smoothCurve(heights, STANDING_SMOOTHING * rate);
  for (let k = first; k <= last; k++) shifts[3 * k + 1] = calm[k - first]!;
}

/**
 * Per frame the height at which the knuckles of a hand stand, NaN where they do not, of what they stand on, and how far
 * they are over that as they come down.
 */
function handLevels(
  { goals, record, contacts, scales }: Planning,
  n: number,
): { levels: Float64Array; grounds: Float64Array; overs: Float64Array } {
  const { count, rate } = record;
  const point = goals.limbs[n]!.points[0]!;
  const { name, target } = goals.points[point]!;
  const unit = scales.vertical * goals.sourceHipHeight;
  const levels = new Float64Array(count).fill(Number.NaN);
  const grounds = new Float64Array(count);
  const overs = new Float64Array(count);
  for (const { point: of, start, end, height } of contacts) {
    if (of !== name) continue;
    const first = Math.max(0, Math.round(start * rate));
    const last = Math.min(count - 1, Math.round(end * rate));
    // Captured hands float, since skeletons have no palms: they lie where they come to lie, however high that is.
    const over = heightsOver(
      Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
        return record.heights[slotOf(goals.points.length, first + i, point)]!;
      }),
      rate,
      HAND_TREMBLES,
    );
    for (let k = first; k <= last; k++) {
      grounds[k] = goals.floor + unit * offFloor(height);
      // Where a clip begins or ends no hand comes or goes.
      const inside = Math.min(first > 0 ? k - first : count, last < count - 1 ? last - k : count) / rate;
      overs[k] = unit * over[k - first]! * fadeOut(inside / COMES_DOWN);
      levels[k] = grounds[k]! + overs[k]! + goals.hipHeight * target.standing;
    }
  }
  return { levels, grounds, overs };
}

const hand = createHandOverFloor();

/**
 * Bends hands that stand back at the wrist until their fingers are out of what they stand on; lifted for them instead,
 * a hand stands on its fingertips, a palm's length over the floor.
 * @param levels Per frame the height of its knuckles, see {@link handLevels}; where it stands is below by their thickness.
 */
function bendHands(
  { plan, goals, record }: Planning,
  n: number,
  { levels, grounds }: { levels: Float64Array; grounds: Float64Array },
): void {
  const { count } = plan;
  const limb = goals.limbs[n]!;
  const width = goals.limbs.length;
  const point = limb.points[0]!;
  const bends = new Float64Array(count);
  const marks = new Uint8Array(count);
  for (let k = 0; k < count; k++) if (!Number.isNaN(levels[k]!)) marks[k] = 1;
  const stretches: Stretch[] = stretchesOf(marks, 0);
  for (const { first, last } of stretches)
    for (let k = first; k <= last; k++) {
      const o = slotOf(width, k, n);
      const over = record.copied[3 * slotOf(goals.points.length, k, point) + 1]! - record.ends[3 * o + 1]!;
      // The wrist over what the hand stands on.
      hand.room[0] = levels[k]! - grounds[k]! - over;
      bendHand(hand, limb, record.frames, 24 * o, 3);
      bends[k] = hand.found[0]!;
    }
  if (!isAbove(bends)) return;
  easeStretches(plan, bends, 1, stretches, [0], [BENDS_BACK]);
  // Widened by more than it is smoothed by, so that it is never less than what is needed: else hands were lifted at once.
  const wide = widenCurve(bends, Math.round(BEND_AHEAD * plan.rate));
  const smooth = smoothCurve(wide, BEND_SMOOTHING * plan.rate);
  for (let k = 0; k < count; k++) {
    if (!(smooth[k]! > 1e-6)) continue;
    const o = slotOf(width, k, n);
    hand.room[0] = Number.POSITIVE_INFINITY;
    bendHand(hand, limb, record.frames, 24 * o, 3);
    for (let c = 0; c < 3; c++) plan.turns[3 * o + c] = smooth[k]! * hand.axis[c]!;
    record.lows[o] = lowestWhenBent(hand.axis, limb.skin, record.frames, 24 * o, 3, smooth[k]!);
  }
}

const turn = new Float64Array(4);
const knuckles = new Float64Array(3);

/** How far the knuckles of a hand move along an axis by its turn. */
function turnedBy({ plan, goals, record }: Planning, n: number, point: number, k: number, c: number): number {
  const o = 3 * slotOf(goals.limbs.length, k, n);
  quaternionOfVector(turn, 0, plan.turns, o);
  for (let i = 0; i < 3; i++)
    knuckles[i] = record.copied[3 * slotOf(goals.points.length, k, point) + i]! - record.ends[o + i]!;
  const before = knuckles[c]!;
  rotateVector(knuckles, 0, turn, 0, knuckles, 0);
  return knuckles[c]! - before;
}

/**
 * The part of a contact in which a hand rests: without its ends, where it is about to leave or has just come.
 * @param shifts What it is moved by, xyz per frame.
 */
function restOf(
  at: (k: number, c: number) => number,
  shifts: Float64Array,
  { first, last }: Stretch,
  { plan: { count, rate }, goals: { hipHeight } }: Pick<Planning, 'plan' | 'goals'>,
): Stretch {
  const most = Math.floor((last - first) / 4);
  const step = (MOVING_OFF * hipHeight) / rate;
  const moves = (k: number) => hypot(at(k + 1, 0) - at(k, 0), at(k + 1, 2) - at(k, 2)) > step;
  const isNear = (k: number) => hypot(shifts[3 * k]!, shifts[3 * k + 2]!) < HELD_NEAR * hipHeight;
  let [from, to] = [first, last];
  // Where a clip begins or ends nothing comes or goes.
  while (first > 0 && from < first + most && moves(from)) from++;
  while (last < count - 1 && to > last - most && moves(to - 1)) to--;
  return { first: isNear(from) ? from : first, last: isNear(to) ? to : last };
}

/** Lifts hands until no skin of them is under the floor, when it is known where the hips are. */
export function liftHands(planning: PlannedClip): void {
  const { plan, goals, record } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  for (let n = 0; n < width; n++) {
    const limb = goals.limbs[n]!;
    if (limb.kind !== 'arm') continue;
    const needs = new Float64Array(count);
    const inFloor = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const o = 3 * slotOf(width, k, n) + 1;
      const along = (1 - plan.holds[slotOf(width, k, n)]!) * plan.hips[3 * k + 1]!;
      const low = record.places[o]! + record.lows[slotOf(width, k, n)]! + plan.shifts[o]! + along;
      // Hands that carry are on the floor, not a little over it.
      inFloor[k] = low < plan.floor ? 1 : 0;
      const softness = HAND_SOFTNESS * goals.hipHeight * (1 - plan.holds[slotOf(width, k, n)]!);
      needs[k] = softly(plan.floor - low, softness);
      // A hand that turns with its forearm is lower or higher when that is lifted: found by trying.
      for (let round = 0; round < LIFT_ROUNDS && limb.rigid; round++)
        needs[k] = Math.max(
          0,
          needs[k]! + softly(plan.floor - lowOfForearm(planning, n, k, needs[k]!), softness),
        );
    }
    // A hand above the floor is left alone, but around where it would not be.
    if (!isAbove(inFloor)) continue;
    const near = widenCurve(inFloor, Math.round(AROUND_FLOOR * plan.rate));
    const share = smoothCurve(near, (AROUND_FLOOR / 3) * plan.rate);
    for (let k = 0; k < count; k++) if (inFloor[k] === 0) needs[k]! *= share[k]!;
    const wide = widenCurve(needs, Math.round(HAND_LIFT_SMOOTHING * plan.rate));
    const lifts = smoothCurve(wide, HAND_LIFT_SMOOTHING * plan.rate);
    for (let k = 0; k < count; k++) {
      const held = plan.holds[slotOf(width, k, n)]!;
      plan.shifts[3 * slotOf(width, k, n) + 1]! += held * needs[k]! + (1 - held) * lifts[k]!;
    }
  }
}

const solution = createTwoBoneSolution();
const places = createLimbPlaces();
const column = new Float64Array(3);

/** The height of the lowest skin of a hand that moves as one with its forearm, when its arm is solved and it is lifted. */
function lowOfForearm({ plan, goals, record }: PlannedClip, n: number, k: number, lift: number): number {
  const width = goals.limbs.length;
  const limb = goals.limbs[n]!;
  const { skin } = limb;
  readPlannedLimb(places, { plan, goals, record }, n, k);
  places.goal[1] = places.goal[1]! + lift;
  solvePlaces(solution, places, limb, plan.swivels[slotOf(width, k, n)]!);
  const rows = [0, 0, 0];
  for (let i = 0; i < 3; i++) {
    for (let c = 0; c < 3; c++) column[c] = record.frames[24 * slotOf(width, k, n) + 3 * i + c]!;
    rotateVector(column, 0, solution.lowerTurn, 0, column, 0);
    rows[i] = column[1]!;
  }
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < skin.length; i += 3)
    lowest = Math.min(lowest, rows[0]! * skin[i]! + rows[1]! * skin[i + 1]! + rows[2]! * skin[i + 2]!);
  return solution.end[1]! + lowest;
}
