import { fadeOut, smoothCurve } from '../../base/math/smooth-curves.js';
import { type Stretch, stretchesOf } from './ease-stretches.js';
import { type Planning, slotOf } from './planning.js';

/** Seconds of the shortest flight: between steps of a run the smoothed offset is straight enough. */
const SHORTEST_FLIGHT = 0.2;
/** Seconds of the longest: a body that nothing carries for longer swims, hangs or rides, and does not fall. */
const LONGEST_FLIGHT = 1.5;
/** Seconds over which the offset bends into that of the ground (standard deviation), before and after a flight. */
const FLIGHT_SMOOTHING = 0.03;
/** Seconds to either side of where a flight begins and ends within which it is bent. */
const BEND_REACH = 0.1;

/**
 * Keeps the hips' way through the air a parabola. Copied, they are at k·h(t), k the vertical root scale, and where
 * the source falls freely k·h″ = −k·g: a body of another size falls as one does that is filmed closer by. Any offset
 * that bends in the air, as one does that fades from what hands were off at take-off, adds its own acceleration to
 * that; a straight one adds none. So in flight the offset goes straight from what it is at take-off to what it is at
 * landing.
 */
export function flyFreely(planning: Planning): void {
  const { plan } = planning;
  const { count, rate, hips } = plan;
  const flights = findFlights(planning);
  if (flights.length === 0) return;
  const straight = new Float64Array(count);
  for (let k = 0; k < count; k++) straight[k] = hips[3 * k + 1]!;
  const bends = new Float64Array(count);
  const reach = Math.round(BEND_REACH * rate);
  for (const { first, last } of flights) {
    const [off, land] = [straight[first]!, straight[last]!];
    for (let k = first; k <= last; k++) straight[k] = off + ((land - off) * (k - first)) / (last - first);
    for (const end of [first, last])
      for (let k = Math.max(0, end - reach); k <= Math.min(count - 1, end + reach); k++)
        bends[k] = Math.max(bends[k]!, fadeOut(Math.abs(k - end) / reach));
  }
  const round = smoothCurve(straight, FLIGHT_SMOOTHING * rate);
  for (let k = 0; k < count; k++) hips[3 * k + 1] = straight[k]! + bends[k]! * (round[k]! - straight[k]!);
}

/** The stretches between two supports in which nothing carries the body, from the last frame that does to the next. */
function findFlights(planning: Planning): Stretch[] {
  const { count, rate } = planning.plan;
  return stretchesOf(flightMarks(planning), 0)
    .map(({ first, last }) => ({ first: first - 1, last: last + 1 }))
    .filter(({ first, last }) => {
      const seconds = (last - first) / rate;
      return first >= 0 && last < count && seconds >= SHORTEST_FLIGHT && seconds <= LONGEST_FLIGHT;
    });
}

/** 1 where nothing carries the body. */
function flightMarks({ plan, goals, carried, resting }: Planning): Uint8Array {
  const [width, surfaces] = [goals.limbs.length, goals.surfaces.length];
  const marks = new Uint8Array(plan.count).fill(1);
  for (let k = 0; k < plan.count; k++) {
    for (let n = 0; n < width; n++) if (carried[slotOf(width, k, n)]! > 0) marks[k] = 0;
    for (let n = 0; resting && n < surfaces; n++)
      if (resting.flags[slotOf(surfaces, k, n)] === 1) marks[k] = 0;
  }
  return marks;
}
