import { DEGREE } from '../../base/math/angles.js';

/*
 * Leaps of joints while a motion is played, knees and all joints of limbs: somewhat less than is measured, see
 * `measurePops`.
 */

/** A joint leaps whose speed changes by more than this in a frame of 60 Hz, radians … */
const LIVE_LEAP = 2 * DEGREE;

/** … and by so many times what the copy's does. */
const OVER_COPY = 2.3;

/** How much of the copy's change counts a frame later. */
export const COPY_REMEMBERED = 0.7;

/** How fast a joint that is behind comes on, per second: the less it lacks the faster, from this … */
export const SLOWEST = 8;

/** … to this. */
export const FASTEST = 40;

/**
 * By how much what a joint is turned by beyond the copy may change its speed in a frame: what the copy itself does comes on
 * top of it, at worst in the same way.
 * @param out The answer, in the unit of the copy's change, radians or about that.
 * @param usual By how much the copy's speed changes, number `n`.
 * @param seconds Since the frame before, one number.
 */
export function leapLimit(out: Float64Array, usual: Float64Array, n: number, seconds: Float64Array): void {
  const frames = 60 * seconds[0]!;
  out[0] = Math.max(LIVE_LEAP * frames * frames - usual[n]!, (OVER_COPY - 1) * usual[n]!);
}

/** The same of a knee whose foot is in the air, which would be in the floor where it is held back by more. */
export function looseLimit(out: Float64Array, usual: Float64Array, n: number, seconds: Float64Array): void {
  const frames = 60 * seconds[0]!;
  out[0] = Math.max(LIVE_LEAP * frames * frames, OVER_COPY * usual[n]!);
}
