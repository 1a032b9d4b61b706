import { type Ease, easeAt } from '../../base/math/easing.js';

/** When a constraint holds, in seconds: in ≤ start ≤ end ≤ out. */
export type RampTimes = { in: number; start: number; end: number; out: number };

/** Times nearer than this, in seconds, are one: frames are kept in single precision. */
const SAME_INSTANT = 1e-6;

/**
 * How much a constraint counts at a time (M16): 0 up to `in`, 1 from `start` to `end`, 0 from `out` on, both ends
 * included, eased between. A ramp without length is a step: it counts with the first frame at or after it.
 */
export function rampAt(times: RampTimes, ease: Ease, time: number): number {
  if (!Number.isFinite(time)) return 0;
  if (time >= times.start - SAME_INSTANT && time <= times.end + SAME_INSTANT) return 1;
  if (time < times.start)
    return time <= times.in + SAME_INSTANT ? 0 : easeAt(ease, (time - times.in) / (times.start - times.in));
  return time >= times.out - SAME_INSTANT ? 0 : easeAt(ease, (times.out - time) / (times.out - times.end));
}
