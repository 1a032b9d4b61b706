import { DEGREE } from '../../../base/math/angles.js';
import { squared } from '../../../base/math/functions.js';
import { calmStretch } from '../../../base/math/stiff-curve.js';
import { didWork } from '../../../base/watch-work.js';
import { CONTACT_RATE } from '../../../contacts/track-points.js';
import { stretchesOf } from '../ease-stretches.js';
import { changeAt, eachQuickFrame, type TurnCourse } from './turn-changes.js';

/**
 * A joint leaps whose speed changes by more than this from one frame to the next, in radians a frame of a sixtieth, and by
 * more than so many times what the copy's does nearby: somewhat less than is measured, see `measurePops`.
 */
export const LEAP = 2.2 * DEGREE;
const LEAP_OVER_COPY = 2.2;
/** Seconds to either side that are nearby. */
const NEAR_LEAP = 0.05;

/** Frames to either side of a leap within which the copy may do the like. */
export function nearLeap(rate: number): number {
  return Math.max(1, Math.round(NEAR_LEAP * rate));
}

/** How often it is looked again whether anything leaps. What is held is held for so many of these rounds. */
const ROUNDS = 12;
const HELD_ROUNDS = 4;
/** Then it gives way a little more in each: it is held by so much of what it was in the one before, and by this at least. */
const GIVES = 0.6;
const HOLDS = 0.02;
/** It does for what is measured as a pop, and not for less: so many times what is a leap. */
const POP_OVER_LEAP = 2.5 / LEAP_OVER_COPY;

/**
 * Whether a change of speed is a leap, beside the most that the copy's changes by nearby.
 * @param pace See `GoalRecord.pace`.
 * @param over So many times as far it must leap.
 */
export function isLeap(change: number, usual: number, pace: number, over = 1): boolean {
  return change > over * LEAP * pace && change > over * LEAP_OVER_COPY * usual;
}

/** Whether a change of speed is so large that it is worth asking what the copy's is; see {@link isLeap}. */
export function isQuick(change: number, pace: number): boolean {
  return change > LEAP * pace;
}

/** How much the speed of a joint as copied changes in each frame: found where it is asked for, and not a number before. */
export type UsualChanges = { course: TurnCourse; known: Float64Array | null; near: number };

/** The changes of a joint as copied, of which none has been asked for yet. */
export function usualChanges(course: TurnCourse, rate: number): UsualChanges {
  return { course, known: null, near: nearLeap(rate) };
}

/** Whether a change of speed at a frame is a leap, as {@link isLeap} says, beside what the copy does around it. */
export function isLeapAt(change: number, usual: UsualChanges, k: number, pace: number, over = 1): boolean {
  if (!isQuick(change, over * pace)) return false;
  const { course } = usual;
  usual.known ??= new Float64Array(course.count).fill(Number.NaN);
  const { known } = usual;
  // From the frame itself outwards: what is no leap is mostly one of the copy's, at the same frame.
  for (let i = 0; i <= 2 * usual.near; i++) {
    const j = i % 2 === 0 ? k + i / 2 : k - (i + 1) / 2;
    if (j < 0 || j >= course.count) continue;
    if (Number.isNaN(known[j]!)) known[j] = changeAt(course, j);
    if (change <= over * LEAP_OVER_COPY * known[j]!) return false;
  }
  return true;
}

/**
 * Where a joint leaps and how far, in `leaps` where that is more than stands there.
 * @param leaps What was found of others; null for nothing.
 */
export function markLeaps(
  leaps: Float64Array | null,
  course: TurnCourse,
  usual: UsualChanges,
  pace: number,
  over = 1,
): Float64Array | null {
  let out = leaps;
  eachQuickFrame(course, over * LEAP * pace, (k, bound) => {
    // Mostly the copy does as much, and then it need not be known how much exactly.
    if (!isLeapAt(bound, usual, k, pace, over)) return;
    const change = changeAt(course, k);
    if (!isLeapAt(change, usual, k, pace, over)) return;
    out ??= new Float64Array(course.count);
    out[k] = Math.max(out[k]!, change);
  });
  return out;
}

/**
 * Over how many frames to either side a leap is spread. One by v degrees a frame, a kink, becomes v / (σ·√(2π)) degrees a
 * frame and frame when it is spread by a bell of σ frames, and a jump by x degrees about x / (4·σ²): what leaps by more
 * is spread more, and by its root. In seconds it is as much on every grid: a kink is of so many degrees a second.
 */
function spreadOf(leap: number, rate: number): number {
  const share = rate / CONTACT_RATE;
  return share * (1 + Math.sqrt((share * leap) / (6 * DEGREE)));
}

/**
 * Takes leaps out of a curve where they are, and leaves it as it is elsewhere: see {@link calmStretch}.
 * @param about Numbers a frame, and frames a second.
 * @param leapsOf Per frame how far the curve leaps there as it is now, radians a frame and frame; 0 where it does not. Null
 *   where it does nowhere. `over`: so many times as far as usual it must leap.
 * @param held Per frame how stiffly it is held besides, on a grid of 60 frames a second; null for nowhere. Where it would pop all the same, it gives way.
 * @param slips Whether what is held has given way too far between two frames, by the curve as it was while it was held and
 *   as it is now. There, and where it gave way in vain, it is held.
 * @returns Whether there was anything to calm.
 */
export function calmLeaps(
  curve: Float64Array,
  { size, rate }: { size: number; rate: number },
  leapsOf: (curve: Float64Array, over: number) => Float64Array | null,
  held: Float64Array | null,
  slips: (firm: Float64Array, given: Float64Array, first: number, last: number) => boolean = () => false,
): boolean {
  const count = curve.length / size;
  // Stiffness is weighed against changes of speed from frame to frame, which go with the square of a frame's time.
  const stiff = squared(squared(CONTACT_RATE / rate));
  let gives = 1;
  let firm: Float64Array | null = null;
  let isCalmed = false;
  for (let round = 0; round < ROUNDS; round++) {
    const isLate = round >= HELD_ROUNDS;
    const leaps = leapsOf(curve, isLate ? POP_OVER_LEAP : 1);
    if (isLate) gives = Math.max(HOLDS, gives * GIVES);
    const spreads = leaps && spreadsOf(leaps, count, rate);
    didWork(4 * count);
    if (!spreads) break;
    if (isLate) firm ??= curve.slice();
    for (const { first, last } of stretchesOf(spreads, 0)) {
      const hold = new Float64Array(last - first + 1);
      for (let i = 0; i < hold.length; i++) {
        const k = first + i;
        const square = spreads[k]! * spreads[k]!;
        hold[i] = 1 / (square * square) + (held ? gives * stiff * held[k]! : 0);
      }
      calmStretch(curve, size, first, last, hold);
      isCalmed = true;
    }
  }
  if (firm) holdAgain(curve, size, firm, slips);
  return isCalmed;
}

/** Gives stretches in which what is held gave way too far back what they were. */
function holdAgain(
  curve: Float64Array,
  size: number,
  firm: Float64Array,
  slips: NonNullable<Parameters<typeof calmLeaps>[4]>,
): void {
  const gives = new Float64Array(curve.length / size);
  for (let i = 0; i < curve.length; i++) if (curve[i] !== firm[i]) gives[Math.floor(i / size)] = 1;
  for (const { first, last } of stretchesOf(gives, 0))
    if (slips(firm, curve, first, last))
      for (let i = size * first; i < size * (last + 1); i++) curve[i] = firm[i]!;
}

/** Per frame over how many frames it is spread, around leaps; 0 elsewhere. Null where nothing leaps. */
function spreadsOf(leaps: Float64Array, count: number, rate: number): Float64Array | null {
  let spreads: Float64Array | null = null;
  for (let k = 1; k < count - 1; k++) {
    if (!(leaps[k]! > 0)) continue;
    spreads ??= new Float64Array(count);
    const spread = spreadOf(leaps[k]!, rate);
    const reach = Math.ceil(3 * spread) + 1;
    for (let i = Math.max(2, k - reach); i <= Math.min(count - 3, k + reach); i++)
      spreads[i] = Math.max(spreads[i]!, spread);
  }
  return spreads;
}
