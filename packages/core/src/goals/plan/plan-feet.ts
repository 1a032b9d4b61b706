import { hypot } from '../../base/math/functions.js';
import { rotateVector, shortestArc } from '../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import { selectNth } from '../../base/math/select-nth.js';
import { didWork } from '../../base/watch-work.js';
import { EASE_BACK, LARGEST_FOOT_TURN, LONGEST_HOLD } from '../goal-rules.js';
import { calmLeaps, isLeapAt, type UsualChanges, usualChanges } from './calm/calm-leaps.js';
import { easeStretches, type Stretch, stretchesOf } from './ease-stretches.js';
import { type Planning, slotOf } from './planning.js';
import { type Foot, HEEL, plantsOf, readFoot, softenLeaps, TOE } from './read-foot.js';

/**
 * Seconds in which heights go back. Less than other differences take: what has been put on the floor from a little
 * above it would else leave the floor later than the source does.
 */
const EASE_UP = 0.08;

/**
 * By how much a foot that goes back may change its speed within a second, in lengths of its leg: a knee that is half bent
 * turns by 1 degree for it within a sixtieth. Large differences take longer for it, small ones not: those of feet a little over the
 * floor, which would leave it late.
 */
const GENTLE = 0.006 * 60 * 60;

/** Seconds in which a foot that was held flat takes the source's tilt again: slower, heels would come up late. */
const EASE_TURN = 0.12;

/**
 * Plans where feet are held: fills the shifts and turns of a plan for the legs.
 *
 * A foot stands from the first contact of its heel or toe to the last that touches it without a gap. While both
 * are in contact the foot lies flat and keeps its direction: copied soles tilt and turn by a few degrees, and
 * heel or toe would slide. While it stands, the ankle's goal A rolls about what is in contact, without sliding:
 * with h and t the heel and toe seen from the ankle, and w the share of the toe (0, ½ or 1),
 *
 *   A′ = −(1 − w) · h′ − w · t′
 *
 * so that heel strike, flat foot and toe-off follow from the copied turns of the foot, whatever its length. Of all
 * such paths the one is taken whose mean is that of the scaled source's. Heights are the floor's, or those of the
 * steps that the source stands on, scaled. Before and after, the difference is eased over 0.2 s, with the speed
 * that the foot has when it is let go, so that nothing jerks.
 * Writes that a leg carries while its foot stands.
 */
export function planFeet(planning: Planning): void {
  const { plan, goals, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  for (let n = 0; n < width; n++) {
    if (goals.limbs[n]!.kind !== 'leg') continue;
    const foot = readFoot(planning, n);
    didWork(10 * count);
    const turns = flattenFoot(foot, usualOf(planning, n), planning.record.pace);
    didWork(10 * count);
    const shifts = plantFoot(foot, LONGEST_HOLD * goals.hipHeight, carried, width);
    for (let k = 0; k < count; k++) {
      const o = 3 * slotOf(width, k, n);
      for (let c = 0; c < 3; c++) {
        plan.shifts[o + c] = shifts[3 * k + c]!;
        plan.turns[o + c] = turns[3 * k + c]!;
      }
    }
    didWork(10 * count);
  }
}

const arc = new Float64Array(4);

/**
 * Gives the turns, as rotation vectors, that keep the foot in one direction while heel and toe are in contact;
 * and turns the arms of the foot by them.
 */
function flattenFoot(
  { arms, touching, levels, count, rate }: Foot,
  usual: UsualChanges,
  pace: number,
): Float64Array {
  const turns = new Float64Array(3 * count);
  const flats = stretchesOf(flatMarks(touching), 0);
  const along = new Float64Array(3);
  const wanted = new Float64Array(3);
  const held = new Float64Array(3);
  for (const { first, last } of flats) {
    didWork(10 * (last - first));
    wanted.fill(0);
    for (let k = first; k <= last; k++)
      for (let c = 0; c < 3; c += 2) wanted[c]! += arms[6 * k + 3 + c]! - arms[6 * k + c]!;
    const level = hypot(wanted[0]!, wanted[2]!);
    if (!(level > 1e-9)) continue;
    for (let k = first; k <= last; k++) {
      for (let c = 0; c < 3; c++) along[c] = arms[6 * k + 3 + c]! - arms[6 * k + c]!;
      const square = along[0]! * along[0]! + along[1]! * along[1]! + along[2]! * along[2]!;
      const rise = levels[2 * k + 1]! - levels[2 * k]!;
      const run = Math.sqrt(Math.max(0, square - rise * rise));
      held[0] = (wanted[0]! * run) / level;
      held[1] = rise;
      held[2] = (wanted[2]! * run) / level;
      shortestArc(arc, 0, along, 0, held, 0);
      vectorOfQuaternion(turns, 3 * k, arc);
      const angle = hypot(turns[3 * k]!, turns[3 * k + 1]!, turns[3 * k + 2]!);
      if (angle > LARGEST_FOOT_TURN)
        for (let c = 0; c < 3; c++) turns[3 * k + c]! *= LARGEST_FOOT_TURN / angle;
    }
  }
  didWork(4 * count);
  easeStretches({ rate }, turns, 3, flats, [0, 0, 0], [EASE_TURN, EASE_TURN, EASE_TURN]);
  didWork(4 * count);
  calmEdges(turns, flats, usual, { pace, rate });
  didWork(4 * count);
  for (let k = 0; k < count; k++) {
    if (turns[3 * k] === 0 && turns[3 * k + 1] === 0 && turns[3 * k + 2] === 0) continue;
    quaternionOfVector(arc, 0, turns, 3 * k);
    rotateVector(arms, 6 * k, arc, 0, arms, 6 * k);
    rotateVector(arms, 6 * k + 3, arc, 0, arms, 6 * k + 3);
  }
  return turns;
}

/** 1 where heel and toe are both in contact. */
function flatMarks(touching: Uint8Array): Uint8Array {
  const marks = new Uint8Array(touching.length);
  for (let k = 0; k < marks.length; k++) if (touching[k] === (HEEL | TOE)) marks[k] = 1;
  return marks;
}

/** Gives how far the ankle's goal is moved from where it was placed. */
function plantFoot(foot: Foot, most: number, carried: Float64Array, width: number): Float64Array {
  const { count, n } = foot;
  const shifts = new Float64Array(3 * count);
  const plants = plantsOf(foot);
  const heights = new Float64Array(count);
  let stood = 0;
  for (const plant of plants) {
    didWork(10 * (plant.last - plant.first));
    rollFoot(shifts, plant, foot, most);
    const moved = foot.moved.filter(({ first, last }) => first <= plant.last && last >= plant.first);
    for (const { x, z } of moved)
      for (let k = plant.first; k <= plant.last; k++) {
        shifts[3 * k]! += x / moved.length;
        shifts[3 * k + 2]! += z / moved.length;
      }
    for (let k = plant.first; k <= plant.last; k++) {
      carried[slotOf(width, k, n)] = 1;
      heights[stood++] = shifts[3 * k + 1]! - foot.calm[3 * k + 1]!;
    }
  }
  for (let i = 0; i < shifts.length; i++) shifts[i]! -= foot.calm[i]!;
  // Where the foot stands when it stands lowest is no difference but the capture's floor, or another sole.
  didWork(4 * count);
  const usual = stood > 0 ? selectNth(heights, stood, Math.floor(0.95 * stood)) : 0;
  const times = [EASE_BACK, EASE_UP, EASE_BACK];
  const gentle = GENTLE * foot.limb.length;
  easeStretches({ rate: foot.rate, gentle }, shifts, 3, plants, [0, usual, 0], times);
  for (let i = 0; i < shifts.length; i++) shifts[i]! += foot.calm[i]!;
  return shifts;
}

/** Writes how far the rolling ankle is from its goal as placed, over a plant. */
function rollFoot(
  shifts: Float64Array,
  { first, last }: Stretch,
  { arms, touching, levels, places, leans, glides, rate }: Foot,
  most: number,
): void {
  const mean = new Float64Array(3);
  const leaps = new Float64Array(last - first + 1);
  const both = HEEL | TOE;
  let share = 0.5;
  let stood = both;
  for (let k = first; k <= last; k++) {
    const before = share;
    const stands = touching[k] === 0 && k > first ? stood : touching[k]!;
    share = stands === HEEL ? 0 : stands === TOE ? 1 : leans[k]!;
    // From one frame to the next the foot turns about what is in contact at both; of a flat foot both, by how high.
    const w = k === first || stood === both ? share : stands === both ? before : share;
    stood = stands;
    for (let c = 0; c < 3 && k > first; c += 2) {
      const roll =
        (1 - w) * (arms[6 * k + c]! - arms[6 * k - 6 + c]!) +
        w * (arms[6 * k + 3 + c]! - arms[6 * k - 3 + c]!);
      // A foot that glides goes on as it is placed.
      const back = glides[k] === 1 ? 0 : places[3 * (k - 1) + c]! - roll - places[3 * k + c]!;
      shifts[3 * k + c] = shifts[3 * (k - 1) + c]! + back;
      mean[c]! += shifts[3 * k + c]!;
    }
    const onHeel = levels[2 * k]! - arms[6 * k + 1]!;
    const onToe = levels[2 * k + 1]! - arms[6 * k + 4]!;
    shifts[3 * k + 1] = (1 - share) * onHeel + share * onToe - places[3 * k + 1]!;
    if (k > first) leaps[k - first] = (share - before) * (onToe - onHeel);
  }
  softenLeaps(shifts, 3, 1, { first, last, rate }, leaps);
  for (let k = first; k <= last; k++) {
    for (let c = 0; c < 3; c += 2) shifts[3 * k + c]! -= mean[c]! / (last - first + 1);
    const away = Math.sqrt(shifts[3 * k]! * shifts[3 * k]! + shifts[3 * k + 2]! * shifts[3 * k + 2]!);
    if (away <= most) continue;
    shifts[3 * k]! *= most / away;
    shifts[3 * k + 2]! *= most / away;
  }
}

/** How much the speed of a foot as copied changes. */
function usualOf({ record: { turned, count, rate }, goals: { limbs } }: Planning, n: number): UsualChanges {
  const at = 16 * n + 12;
  return usualChanges({ copied: turned, added: null, size: 16 * limbs.length, at, count }, rate);
}

/** Seconds from either edge on in which a flat foot is not turned for the sake of the edge; and how stiffly it is held there. */
const FLAT_EDGE = 1 / 30;
const HELD_FLAT = 40;
/** Seconds around an edge in which a foot may leap. */
const NEAR_EDGE = 0.2;

/**
 * Takes leaps out of how a foot is turned where it comes to lie flat or no longer does: a heel that is lost for a few frames of a
 * turn on the spot makes two stretches of one, each in a direction of its own. Within a stretch the foot stays as it lies.
 */
function calmEdges(
  turns: Float64Array,
  flats: readonly Stretch[],
  usual: UsualChanges,
  { pace, rate }: { pace: number; rate: number },
): void {
  const count = turns.length / 3;
  const near = Math.round(NEAR_EDGE * rate);
  const flat = Math.round(FLAT_EDGE * rate);
  const edges = new Uint8Array(count);
  const held = new Float64Array(count);
  for (const { first, last } of flats)
    for (const at of [first, last]) edges.fill(1, Math.max(0, at - near), Math.min(count, at + near + 1));
  for (const { first, last } of flats)
    for (let k = first + flat + 1; k < last - flat; k++) {
      held[k] = HELD_FLAT;
      edges[k] = 0;
    }
  calmLeaps(turns, { size: 3, rate }, (curve) => leapsAt(curve, edges, usual, pace), held);
}

function leapsAt(
  turns: Float64Array,
  edges: Uint8Array,
  usual: UsualChanges,
  pace: number,
): Float64Array | null {
  let leaps: Float64Array | null = null;
  for (let k = 1; k < edges.length - 1; k++) {
    if (edges[k] === 0) continue;
    const o = 3 * k;
    const leap = hypot(
      turns[o + 3]! - 2 * turns[o]! + turns[o - 3]!,
      turns[o + 4]! - 2 * turns[o + 1]! + turns[o - 2]!,
      turns[o + 5]! - 2 * turns[o + 2]! + turns[o - 1]!,
    );
    if (!isLeapAt(leap, usual, k, pace)) continue;
    leaps ??= new Float64Array(edges.length);
    leaps[k] = leap;
  }
  return leaps;
}
