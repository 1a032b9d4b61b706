import { distanceFlat } from '../../../base/math/flat-vectors.js';
import { fadeOut, smoothCurve } from '../../../base/math/smooth-curves.js';
import { didWork } from '../../../base/watch-work.js';
import { type PlannedClip, slotOf } from '../planning.js';

/** Arms whose bones differ by more than this share of their length cannot be folded: others hardly ever are that far. */
const UNEQUAL = 0.2;
/** Goals are kept so much farther from the shoulder than the arm can be folded, in its lengths; from twice as much on they are free. */
const OUT_OF_FOLD = 0.04;
/** Seconds over which it is smoothed which way they go. */
const WAY_SMOOTHING = 0.25;

/**
 * Keeps hands out of the fold of arms of which one bone is much longer than the other: a goal nearer to the shoulder than
 * the arm can be folded is met by none, and as it goes by the shoulder the arm turns round. It goes outwards along the
 * floor, so that it is as high as it was, more and more the way in which the copied arm reaches out.
 */
export function keepUnfolded({ plan, goals, record }: PlannedClip): void {
  const { count, rate } = plan;
  const width = goals.limbs.length;
  for (let n = 0; n < width; n++) {
    const { kind, length } = goals.limbs[n]!;
    if (kind !== 'arm') continue;
    const o = 3 * slotOf(width, 0, n);
    const upper = distanceFlat(record.uppers, o, record.middles, o);
    const lower = distanceFlat(record.middles, o, record.ends, o);
    const least = Math.abs(upper - lower);
    if (least < UNEQUAL * length) continue;
    const ways = [0, 2].map((c) =>
      smoothCurve(
        Float64Array.from({ length: count }, (_, k) => {
          const i = 3 * slotOf(width, k, n) + c;
          return record.ends[i]! - record.uppers[i]!;
        }),
        WAY_SMOOTHING * rate,
      ),
    ) as [Float64Array, Float64Array];
    didWork(count);
    const softness = OUT_OF_FOLD * length;
    for (let k = 0; k < count; k++) pushOut({ plan, goals, record }, n, k, least + softness, softness, ways);
  }
}

const line = new Float64Array(3);

/** Moves a goal along the floor until it is so far from the shoulder, softly. */
function pushOut(
  { plan, goals, record }: PlannedClip,
  n: number,
  k: number,
  least: number,
  softness: number,
  [wayX, wayZ]: readonly [Float64Array, Float64Array],
): void {
  const i = slotOf(goals.limbs.length, k, n);
  const o = 3 * i;
  const hold = plan.holds[i]!;
  for (let c = 0; c < 3; c++)
    line[c] =
      record.places[o + c]! + plan.shifts[o + c]! - hold * plan.hips[3 * k + c]! - record.uppers[o + c]!;
  const far = Math.sqrt(line[0]! * line[0]! + line[1]! * line[1]! + line[2]! * line[2]!);
  if (far >= least + softness) return;
  // As far as it is at twice the softness, and never nearer than the least: with the slope that it has there.
  const over = Math.max(0, far - least + softness);
  const wanted = least + (over * over) / (4 * softness);
  const across = Math.sqrt(Math.max(0, wanted * wanted - line[1]! * line[1]!));
  const now = Math.sqrt(line[0]! * line[0]! + line[2]! * line[2]!);
  const way = Math.sqrt(wayX[k]! * wayX[k]! + wayZ[k]! * wayZ[k]!);
  // A goal that is over or under the shoulder has no way of its own.
  const share = fadeOut(now / least);
  const x = (1 - share) * line[0]! + (way > 0 ? (share * least * wayX[k]!) / way : 0);
  const z = (1 - share) * line[2]! + (way > 0 ? (share * least * wayZ[k]!) / way : 0);
  const out = Math.sqrt(x * x + z * z);
  if (!(out > 1e-9)) return;
  plan.shifts[o]! += (across * x) / out - line[0]!;
  plan.shifts[o + 2]! += (across * z) / out - line[2]!;
}
