import { DEGREE } from '../../base/math/angles.js';

/*
 * Leaps of joints while a motion is played, knees and all joints of limbs: somewhat less than is measured, see
 * `measurePops`.
 */

/** A joint leaps whose speed changes by more than this in a frame of 60 Hz, radians … */
export const LIVE_LEAP = 2 * DEGREE;

/** … and by so many times what the copy's does. */
export const OVER_COPY = 2.2;

/** How much of the copy's change counts a frame later. */
export const COPY_REMEMBERED = 0.7;

/** How fast a joint that is behind comes on, per second: the less it lacks the faster, from this … */
export const SLOWEST = 8;

/** … to this. */
export const FASTEST = 40;
