import { distanceFlat } from '../../../base/math/flat-vectors.js';
import { divideQuaternions, normalizeQuaternion } from '../../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';
import { type PlannedClip, type Planning, slotOf } from '../planning.js';
import { calmBend } from './calm-bend.js';
import { calmLeaps, markLeaps, type UsualChanges, usualOfClip } from './calm-leaps.js';
import { keepSolved } from './keep-solved.js';
import { liftCalmed } from './lift-calmed.js';
import { createLimbEnd, readEnd, readEndPoint } from './limb-end.js';
import { LIMB_JOINTS, LIMB_SIZE, type LimbTurns, turnsOfLimb } from './limb-turns.js';

/**
 * How stiffly joints are held while their limb is: they hardly give, by which a foot would slide; its end gives a little
 * more by itself, which turns it where it is.
 */
const HELD_JOINTS = 250;
const HELD_END = 16;
const LAST_JOINT = LIMB_JOINTS - 1;

/** A heel, ball or hand that carries may be moved by so much for a pop to go, in hip heights: a few millimetres. */
const SLIPS = 0.008;

/** How often a foot that calming puts into the floor is lifted, and its leg calmed anew. */
const CALMED_ANEW = 4;

/**
 * Takes what pops out of limbs, last of all: what a joint is turned by beyond the copy may change its speed from one frame to the
 * next where a goal is taken up or let go, where a limb is folded and a hair's breadth of the goal is half a turn of
 * it, or where a bound is met. How far a limb is bent is calmed along the line to its goal, so that its end goes where it
 * went; then its joints are, each in its own axes, and all where one of them leaps: where one undoes what another does, both
 * are calmed alike, and the end hardly moves. What is held stays, but where it would pop.
 */
export function calmLimbs(planning: Pick<Planning, keyof PlannedClip | 'carried'>): void {
  const { limbs } = planning.goals;
  // A limb that somebody has scaled goes where it was told.
  const { solved } = planning.plan;
  for (let n = 0; n < limbs.length; n++) {
    if (limbs[n]!.scaling) continue;
    const turns = calmLimb(planning, n);
    if (solved) solved[n] = keepSolved(planning, n, turns);
  }
}

/** @returns what the limb's joints are turned by beyond the copy in the end, see {@link LimbTurns}; null for nothing. */
function calmLimb(planning: Pick<Planning, keyof PlannedClip | 'carried'>, n: number): Float64Array | null {
  const { plan, goals, record, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const { rigid } = goals.limbs[n]!;
  calmBend(planning, n);
  const held = (stiffness: number) => {
    const stiff = new Float64Array(count);
    for (let k = 0; k < count; k++) stiff[k] = stiffness * carried[slotOf(width, k, n)]!;
    return stiff;
  };
  // A joint that only stands in for a hand moves with the forearm.
  const joints = rigid ? LIMB_JOINTS - 1 : LIMB_JOINTS;
  let turns: LimbTurns | null;
  let calmed: Float64Array | null;
  let round = 0;
  do {
    turns = turnsOfLimb(planning, n);
    if (!turns) return null;
    const { copied } = turns;
    calmed = calmJoints(
      turns,
      LIMB_SIZE,
      joints,
      () => held(HELD_JOINTS),
      record.pace,
      (firm, given, first, last) =>
        slips(planning, n, { copied, added: firm }, { copied, added: given }, first, last),
    );
    if (!calmed) return turns.added;
    const end = rigid ? null : endOf({ ...turns, added: calmed });
    const last = end && calmJoints(end, 4, 1, () => held(HELD_END), record.pace);
    if (last)
      for (let i = 0; i < last.length; i++)
        calmed[LIMB_SIZE * (i >> 2) + 4 * LAST_JOINT + (i & 3)] = last[i]!;
  } while (round++ < CALMED_ANEW && liftCalmed(planning, n, { copied: turns.copied, added: calmed }));
  plan.calms ??= new Float64Array(9 * width * count);
  for (let k = 0; k < count; k++)
    for (let j = 0; j < joints; j++) {
      const o = LIMB_SIZE * k + 4 * j;
      if (isSame(calmed, o, turns.added, o)) continue;
      divideQuaternions(more, 0, turns.added, o, calmed, o);
      vectorOfQuaternion(plan.calms, 9 * slotOf(width, k, n) + 3 * j, more);
    }
  return calmed;
}

const more = new Float64Array(4);

/** Whether four numbers are the same: nothing was calmed there. */
function isSame(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2] && a[i + 3] === b[j + 3];
}

const ends = [createLimbEnd(), createLimbEnd()] as const;
const places = [new Float64Array(3), new Float64Array(3)] as const;

/** Whether what carries at the end of a limb is moved too far between two frames from where firm joints have it. */
function slips(
  planning: Pick<Planning, keyof PlannedClip | 'carried'>,
  n: number,
  firm: LimbTurns,
  given: LimbTurns,
  first: number,
  last: number,
): boolean {
  const { goals, carried } = planning;
  for (let k = first; k <= last; k++) {
    const share = carried[slotOf(goals.limbs.length, k, n)]!;
    if (!(share > 0)) continue;
    readEnd(ends[0], planning, n, k, firm);
    readEnd(ends[1], planning, n, k, given);
    for (const point of goals.limbs[n]!.points) {
      for (const at of [0, 1] as const) readEndPoint(places[at], ends[at], planning, n, k, point);
      if (share * distanceFlat(places[0], 0, places[1], 0) > SLIPS * goals.hipHeight) return true;
    }
  }
  return false;
}

/** The end of a limb by itself. */
function endOf({ copied, added }: LimbTurns): LimbTurns {
  const of = (turns: Float64Array) => {
    const end = new Float64Array((4 * turns.length) / LIMB_SIZE);
    for (let i = 0; i < end.length; i++) end[i] = turns[LIMB_SIZE * (i >> 2) + 4 * LAST_JOINT + (i & 3)]!;
    return end;
  };
  return { copied: of(copied), added: of(added) };
}

/**
 * The turns of joints without their pops, all of them calmed where one pops; null where none does.
 * @param size Numbers a frame.
 * @param joints How many of the joints are looked at, the first ones.
 */
function calmJoints(
  { copied, added }: LimbTurns,
  size: number,
  joints: number,
  held: () => Float64Array,
  pace: number,
  slips?: Parameters<typeof calmLeaps>[4],
): Float64Array | null {
  const count = copied.length / size;
  const usual: UsualChanges[][] = [];
  for (let j = 0; j < joints; j++)
    usual.push(usualOfClip({ copied, added: null, size, at: 4 * j, count }, pace));
  const leapsOf = (curve: Float64Array, over: number) => {
    let leaps: Float64Array | null = null;
    for (let j = 0; j < joints; j++)
      leaps = markLeaps(leaps, { copied, added: curve, size, at: 4 * j, count }, usual[j]!, pace, over);
    return leaps;
  };
  if (!leapsOf(added, 1)) return null;
  const now = added.slice();
  calmLeaps(now, size, leapsOf, held(), slips);
  for (let o = 0; o < now.length; o += 4) if (!isSame(now, o, added, o)) normalizeQuaternion(now, o, now, o);
  return now;
}
