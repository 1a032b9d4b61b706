import { hypot } from '../../../base/math/functions.js';
import { CONTACT_RATE } from '../../../contacts/track-points.js';
import { HIPS_LEAP } from '../../goal-rules.js';
import type { PlannedClip } from '../planning.js';
import { calmLeaps, LEAP } from './calm-leaps.js';

/**
 * Takes leaps out of how hips give way: they are lowered, lifted and laid by what limbs and parts of the body need, each
 * smoothed over the same time however far it is, so that bodies of other proportions were thrown up by half their height
 * within a tenth of a second. It is before limbs are planned on: these reach from where the hips will be.
 */
export function calmHips({ plan, goals }: Pick<PlannedClip, 'plan' | 'goals'>): void {
  const { hips, count, rate } = plan;
  const frame = CONTACT_RATE / rate;
  // A body that falls changes its speed from frame to frame by the square of a frame's time.
  const limit = HIPS_LEAP * goals.hipHeight * frame * frame;
  calmLeaps(
    hips,
    { size: 3, rate },
    (curve) => {
      let leaps: Float64Array | null = null;
      for (let k = 1; k < count - 1; k++) {
        const leap = hypot(bendAt(curve, 3 * k), bendAt(curve, 3 * k + 1), bendAt(curve, 3 * k + 2));
        if (!(leap > limit)) continue;
        leaps ??= new Float64Array(count);
        // So many times what is too much: it is spread as far as a joint is for which as much is.
        leaps[k] = (frame * LEAP * leap) / limit;
      }
      return leaps;
    },
    null,
  );
}

/** By how much a number of a curve of three changes its speed. */
function bendAt(curve: Float64Array, i: number): number {
  return curve[i + 3]! - 2 * curve[i]! + curve[i - 3]!;
}
