import { DEGREE } from '../../../base/math/angles.js';
import { calmStretch } from '../../../base/math/stiff-curve.js';
import { didWork } from '../../../base/watch-work.js';
import { CONTACT_RATE } from '../../../contacts/track-points.js';
import { stretchesOf } from '../ease-stretches.js';
import { changeAt, eachQuickFrame, type TurnCourse } from './turn-changes.js';

/**
 * A joint leaps whose speed changes by more than this from one frame to the next, in radians a frame, and by more than so
 * many times what the copy's does within so many frames: somewhat less than is measured, see `measurePops`.
 */
const LEAP = 2.2 * DEGREE;
const LEAP_OVER_COPY = 2.2;
/** … frames to either side. */
export const NEAR_LEAP = Math.round(0.05 * CONTACT_RATE);

/** How often it is looked again whether anything leaps. */
const ROUNDS = 4;

/**
 * Whether a change of speed is a leap, beside the most that the copy's changes by nearby.
 * @param pace How many frames of the clip one of the planning grid is, at most 1: lines between frames twice as far apart
 * have kinks twice as large.
 */
export function isLeap(change: number, usual: number, pace: number): boolean {
  return change > LEAP * pace && change > LEAP_OVER_COPY * usual;
}

/** Whether a change of speed is so large that it is worth asking what the copy's is; see {@link isLeap}. */
export function isQuick(change: number, pace: number): boolean {
  return change > LEAP * pace;
}

/** How much the speed of a joint as copied changes in each frame: found where it is asked for, and not a number before. */
export type UsualChanges = { course: TurnCourse; known: Float64Array | null };

/** The changes of a joint as copied, of which none has been asked for yet. */
export function usualChanges(course: TurnCourse): UsualChanges {
  return { course, known: null };
}

/** Whether a change of speed at a frame is a leap, as {@link isLeap} says, beside what the copy does around it. */
export function isLeapAt(change: number, usual: UsualChanges, k: number, pace: number): boolean {
  if (!isQuick(change, pace)) return false;
  const { course } = usual;
  usual.known ??= new Float64Array(course.count).fill(Number.NaN);
  const { known } = usual;
  // From the frame itself outwards: what is no leap is mostly one of the copy's, at the same frame.
  for (let i = 0; i <= 2 * NEAR_LEAP; i++) {
    const j = i % 2 === 0 ? k + i / 2 : k - (i + 1) / 2;
    if (j < 0 || j >= course.count) continue;
    if (Number.isNaN(known[j]!)) known[j] = changeAt(course, j);
    if (change <= LEAP_OVER_COPY * known[j]!) return false;
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
): Float64Array | null {
  let out = leaps;
  eachQuickFrame(course, LEAP * pace, (k, bound) => {
    // Mostly the copy does as much, and then it need not be known how much exactly.
    if (!isLeapAt(bound, usual, k, pace)) return;
    const change = changeAt(course, k);
    if (!isLeapAt(change, usual, k, pace)) return;
    out ??= new Float64Array(course.count);
    out[k] = Math.max(out[k]!, change);
  });
  return out;
}

/**
 * Over how many frames to either side a leap is spread. One by v degrees a frame, a kink, becomes v / (σ·√(2π)) degrees a
 * frame and frame when it is spread by a bell of σ frames, and a jump by x degrees about x / (4·σ²): what leaps by more
 * is spread more, and by its root.
 */
function spreadOf(leap: number): number {
  return 1 + Math.sqrt(leap / (6 * DEGREE));
}

/**
 * Takes leaps out of a curve where they are, and leaves it as it is elsewhere: see {@link calmStretch}.
 * @param leapsOf Per frame how far the curve leaps there as it is now, radians a frame and frame; 0 where it does not. Null
 *   where it does nowhere.
 * @param held Per frame how stiffly it is held besides; null for nowhere.
 * @returns Whether there was anything to calm.
 */
export function calmLeaps(
  curve: Float64Array,
  size: number,
  leapsOf: (curve: Float64Array) => Float64Array | null,
  held: Float64Array | null,
): boolean {
  const count = curve.length / size;
  for (let round = 0; round < ROUNDS; round++) {
    const leaps = leapsOf(curve);
    const spreads = leaps && spreadsOf(leaps, count);
    didWork(4 * count);
    if (!spreads) return round > 0;
    for (const { first, last } of stretchesOf(spreads, 0)) {
      const hold = new Float64Array(last - first + 1);
      for (let i = 0; i < hold.length; i++) {
        const k = first + i;
        const square = spreads[k]! * spreads[k]!;
        hold[i] = 1 / (square * square) + (held ? held[k]! : 0);
      }
      calmStretch(curve, size, first, last, hold);
    }
  }
  return true;
}

/** Per frame over how many frames it is spread, around leaps; 0 elsewhere. Null where nothing leaps. */
function spreadsOf(leaps: Float64Array, count: number): Float64Array | null {
  let spreads: Float64Array | null = null;
  for (let k = 1; k < count - 1; k++) {
    if (!(leaps[k]! > 0)) continue;
    spreads ??= new Float64Array(count);
    const spread = spreadOf(leaps[k]!);
    const reach = Math.ceil(3 * spread) + 1;
    for (let i = Math.max(2, k - reach); i <= Math.min(count - 3, k + reach); i++)
      spreads[i] = Math.max(spreads[i]!, spread);
  }
  return spreads;
}
