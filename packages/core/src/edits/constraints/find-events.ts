import { hypot } from '../../base/math/functions.js';
import type { ConstraintEvent } from '../../options/constraint.js';

/** Something that happens to a joint. */
export type MotionEvent = { time: number; event: ConstraintEvent };

/** Seconds over which places are averaged before speeds are looked at: noise of a capture has zero crossings, too. */
const SMOOTHED = 0.1;
/** Share of the largest speed by which a slowest and a fastest moment must differ to be two. */
const PROMINENT = 0.08;

/**
 * The moments at which the acceleration of a point along its way crosses zero (after Bindiganavale and Badler 1998, who
 * take them for where something is grasped, struck or let go): from above where it is fastest, from below where it is
 * slowest. Small ones are left out.
 * @param places Three numbers a frame.
 * @param rate Frames a second.
 */
export function findEvents(places: ArrayLike<number>, rate: number): MotionEvent[] {
  const count = Math.floor(places.length / 3);
  if (count < 5) return [];
  const speeds = speedsOf(smooth(places, count, Math.max(1, Math.round((SMOOTHED * rate) / 2))), count, rate);
  const least = PROMINENT * speeds.reduce((most, speed) => Math.max(most, speed), 0);
  if (!(least > 0)) return [];
  const events: MotionEvent[] = [];
  // Goes along with the highest or lowest speed since the last event, which becomes one once speed has left it for good.
  let best = 0;
  let rising: boolean | null = null;
  let low = 0;
  let high = 0;
  for (let k = 1; k < count; k++) {
    if (rising === null) {
      if (speeds[k]! < speeds[low]!) low = k;
      if (speeds[k]! > speeds[high]!) high = k;
      if (speeds[k]! > speeds[low]! + least) rising = true;
      else if (speeds[k]! < speeds[high]! - least) rising = false;
      if (rising === null) continue;
      const at = rising ? low : high;
      if (at > 0) events.push({ time: crossing(speeds, at) / rate, event: rising ? 'still' : 'fast' });
      best = k;
    } else if (rising ? speeds[k]! >= speeds[best]! : speeds[k]! <= speeds[best]!) best = k;
    else if (Math.abs(speeds[k]! - speeds[best]!) > least) {
      events.push({ time: crossing(speeds, best) / rate, event: rising ? 'fast' : 'still' });
      rising = !rising;
      best = k;
    }
  }
  return events;
}

/** Where between frames the change of speed about an extreme one crosses zero: the vertex of the parabola through three. */
function crossing(speeds: Float64Array, k: number): number {
  const before = speeds[k]! - speeds[Math.max(0, k - 1)]!;
  const after = speeds[Math.min(speeds.length - 1, k + 1)]! - speeds[k]!;
  const bend = before - after;
  return bend === 0 ? k : k + Math.max(-0.5, Math.min(0.5, 0.5 * ((before + after) / bend)));
}

/** A weighted mean over a few frames to either side. */
function smooth(places: ArrayLike<number>, count: number, half: number): Float64Array {
  const out = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    let sum = 0;
    for (let n = -half; n <= half; n++) {
      const weight = half + 1 - Math.abs(n);
      // Beyond both ends it goes on as it came, turned about the end: held still there it would seem to have stopped.
      const end = k + n < 0 ? 0 : count - 1;
      const isInside = k + n >= 0 && k + n < count;
      const o = 3 * (isInside ? k + n : Math.max(0, Math.min(count - 1, 2 * end - k - n)));
      sum += weight;
      for (let c = 0; c < 3; c++)
        out[3 * k + c] =
          out[3 * k + c]! + weight * (isInside ? places[o + c]! : 2 * places[3 * end + c]! - places[o + c]!);
    }
    for (let c = 0; c < 3; c++) out[3 * k + c] = out[3 * k + c]! / sum;
  }
  return out;
}

function speedsOf(places: Float64Array, count: number, rate: number): Float64Array {
  return Float64Array.from({ length: count }, (_, k) => {
    const a = 3 * Math.max(0, k - 1);
    const b = 3 * Math.min(count - 1, k + 1);
    return (
      (hypot(places[b]! - places[a]!, places[b + 1]! - places[a + 1]!, places[b + 2]! - places[a + 2]!) *
        rate) /
      ((b - a) / 3)
    );
  });
}
