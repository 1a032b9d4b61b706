import { smoothCurve, softly, widenCurve } from '../../base/math/smooth-curves.js';
import type { Contact } from '../../options/contact.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { type Planning, type Resting, slotOf } from './planning.js';

/** Seconds over which it comes and goes that a part rests. */
const RESTING_SMOOTHING = 0.15;

/** Finds what lies on the floor of a clip, by its contacts; null where nothing ever does but feet and hands. */
export function restingOf({
  goals,
  record,
  contacts,
  scales,
}: Pick<Planning, 'goals' | 'record' | 'contacts' | 'scales'>): Resting | null {
  const { surfaces } = goals;
  const { count, rate } = record;
  const width = surfaces.length;
  const names = surfaces.map(({ point }) => goals.points[point]!.name);
  const lying = contacts.filter(({ point, height }) => height === 0 && names.includes(point));
  if (lying.length === 0) return null;
  const flags = new Uint8Array(width * count);
  const overs = new Float64Array(width * count);
  const unit = scales.vertical * goals.sourceHipHeight;
  const [trunk, knees] = [new Float64Array(count), new Float64Array(count)];
  const kneeling = new Uint8Array(goals.limbs.length * count);
  for (const { point, start, end } of lying) {
    const n = names.indexOf(point);
    const leg = goals.limbs.findIndex(({ kind, side }) => kind === 'leg' && point === `${side}Knee`);
    const share = point.endsWith('Knee') ? knees : point.endsWith('Elbow') ? null : trunk;
    const first = Math.max(0, Math.round(start * rate));
    const last = Math.min(count - 1, Math.round(end * rate));
    const heights = Float64Array.from({ length: last - first + 1 }, (_, i) => {
      return record.heights[slotOf(goals.points.length, first + i, surfaces[n]!.point)]!;
    });
    const over = heightsOver(heights, rate);
    for (let k = first; k <= last; k++) {
      flags[slotOf(width, k, n)] = 1;
      overs[slotOf(width, k, n)] = unit * over[k - first]!;
      if (share) share[k] = 1;
      if (leg >= 0) kneeling[slotOf(goals.limbs.length, k, leg)] = 1;
    }
  }
  const soften = (curve: Float64Array) => smoothCurve(curve, RESTING_SMOOTHING * rate);
  return { flags, overs, trunk: soften(trunk), knees: soften(knees), kneeling };
}

/**
 * Finds how much each part rests over a clip, coming and going softly, for a body that lies on seat, back or head; see
 * `Laying`. Null where none ever does.
 */
export function restsOf(
  { surfaces, points, laid }: GoalSetup,
  contacts: readonly Contact[],
  { count, rate }: Pick<GoalRecord, 'count' | 'rate'>,
): Float64Array | null {
  const rests = new Float64Array(surfaces.length * count);
  let lies = false;
  const flags = new Float64Array(count);
  for (let s = 0; s < surfaces.length; s++) {
    const { name } = points[surfaces[s]!.point]!;
    let isAny = false;
    flags.fill(0);
    for (const { point, start, end, height } of contacts) {
      if (point !== name || height !== 0) continue;
      flags.fill(1, Math.max(0, Math.round(start * rate)), Math.round(end * rate) + 1);
      isAny = true;
      if (!/Knee|Elbow/.test(name)) lies = true;
    }
    if (!isAny) continue;
    const soft = smoothCurve(flags, RESTING_SMOOTHING * rate);
    for (let k = 0; k < count; k++) rests[slotOf(surfaces.length, k, s)] = soft[k]!;
  }
  return lies && laid.length > 0 ? rests : null;
}

/** Seconds over which turns of parts that lie are smoothed: of another lowest place of the skin they know at once. */
const LAY_SMOOTHING = 0.07;

/** The turns of parts that lie, see `GoalPlan.lays`, without leaps. */
export function calmLays({ lays, count, rate }: GoalRecord): Float64Array {
  const size = lays.length / count;
  const calm = new Float64Array(lays.length);
  for (let c = 0; c < size; c++) {
    const curve = Float64Array.from({ length: count }, (_, k) => lays[size * k + c]!);
    const smooth = smoothCurve(curve, LAY_SMOOTHING * rate);
    for (let k = 0; k < count; k++) calm[size * k + c] = smooth[k]!;
  }
  return calm;
}

/** Per limb and frame 1 where it carries, with its end or, of a leg, on its knee. */
export function groundedLimbs({ carried, resting }: Pick<Planning, 'carried' | 'resting'>): Float64Array {
  return resting ? carried.map((share, i) => Math.max(share, resting.kneeling[i]!)) : carried;
}

/** Seconds to either side within which it is looked how low a part comes. */
const COMES_TO_LIE = 0.25;
/** So much of that, in hip heights, is how a body that rests breathes and a capture trembles. */
const BREATHES = 0.02;

/** How much higher a part is at each frame of a contact than the lowest around it, beyond what is no difference. */
export function heightsOver(heights: Float64Array, rate: number, breathes = BREATHES): Float64Array {
  const negative = heights.map((height) => -height);
  const lowest = widenCurve(negative, Math.round(COMES_TO_LIE * rate));
  return heights.map((height, i) => softly(height + lowest[i]! - breathes, breathes));
}
