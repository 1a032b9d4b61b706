import { distanceFlat } from '../../base/math/flat-vectors.js';
import { fadeOut, isAbove, smoothCurve, widenCurve } from '../../base/math/smooth-curves.js';
import { secondsFree } from './ease-stretches.js';
import { type PlannedClip, type Planning, slotOf } from './planning.js';
import { groundedLimbs } from './resting.js';

/** A leg whose foot comes nearer to its hip than this share of its length is folded: the whole of it, and the most of it. */
const FOLDED_LEG = 0.15;
const FOLDING_LEG = 0.4;
/** Seconds around that in which the foot follows, and over which that comes and goes. */
const AROUND_FOLD = 0.03;
const COMING_FOLD = 0.03;
/**
 * Seconds from a contact on in which it comes to do so. A folded foot may be a leg's length from where it stands next: over
 * that way within the 0.12 s in which others come free, thighs turned round.
 */
const FOLD_FREE = 0.3;

/**
 * Lets feet in the air go with the copied leg while it is folded, as a short leg is in a wide swing. From hip to foot is
 * then no line to speak of: a goal a little aside of the foot is the other way, and the leg would turn around for it.
 */
export function followFolded({
  plan,
  goals,
  record,
  carried,
  resting,
}: Pick<Planning, keyof PlannedClip | 'carried' | 'resting'>): void {
  const { count, rate, shifts, holds, hips } = plan;
  const width = goals.limbs.length;
  const grounded = groundedLimbs({ carried, resting });
  for (let n = 0; n < width; n++) {
    const { kind, length } = goals.limbs[n]!;
    if (kind !== 'leg') continue;
    const folded = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const o = 3 * slotOf(width, k, n);
      const reach = distanceFlat(record.uppers, o, record.ends, o) / length;
      folded[k] = fadeOut((reach - FOLDED_LEG) / (FOLDING_LEG - FOLDED_LEG));
    }
    if (!isAbove(folded)) continue;
    const shares = smoothCurve(widenCurve(folded, Math.round(AROUND_FOLD * rate)), COMING_FOLD * rate);
    const free = secondsFree(plan, grounded, n, width);
    for (let k = 0; k < count; k++) {
      const share = shares[k]! * (1 - fadeOut(free[k]! / FOLD_FREE));
      for (let c = 0; c < 3; c++) {
        const o = 3 * slotOf(width, k, n) + c;
        const along = record.ends[o]! - record.places[o]! + holds[slotOf(width, k, n)]! * hips[3 * k + c]!;
        shifts[o]! += share * (along - shifts[o]!);
      }
    }
  }
}
