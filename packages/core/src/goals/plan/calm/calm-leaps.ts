import { DEGREE } from '../../../base/math/angles.js';
import { calmStretch } from '../../../base/math/stiff-curve.js';
import { didWork } from '../../../base/watch-work.js';
import { CONTACT_RATE } from '../../../contacts/track-points.js';
import { stretchesOf } from '../ease-stretches.js';

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
 * @param leapsOf Per frame how far the curve leaps there as it is now, radians a frame and frame; 0 where it does not.
 * @param held Per frame how stiffly it is held besides; null for nowhere.
 * @returns Whether there was anything to calm.
 */
export function calmLeaps(
  curve: Float64Array,
  size: number,
  leapsOf: (curve: Float64Array) => Float64Array,
  held: Float64Array | null,
): boolean {
  const count = curve.length / size;
  for (let round = 0; round < ROUNDS; round++) {
    const spreads = spreadsOf(leapsOf(curve), count);
    didWork(4 * count);
    if (!spreads) return round > 0;
    for (const { first, last } of stretchesOf(count, (k) => spreads[k]! > 0, 0)) {
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
