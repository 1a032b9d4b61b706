import { type PlannedClip, slotOf } from '../plan/planning.js';
import type { ArmRecord } from './arm-record.js';
import type { ArmSetup } from './arm-setup.js';
import type { ArmWants } from './arm-system.js';
import { OTHER_HAND, TOUCHED } from './body-shape.js';
import type { FoundTouch } from './find-touches.js';
import { armAt, PALM_AXES, rowLength } from './shape-row.js';

/** A touch of the source that is deeper than this, in arm lengths, becomes one that is so deep: skin gives way a little. */
const TOUCH_DENT = 0.005;
/** Depths of the source's own skin in itself count no farther than this, in arm lengths. */
const DEEPEST_OWN = 0.3;

/** Says what is asked of both arms in a frame, by what the source does. */
export function writeWants(
  out: ArmWants,
  { plan, goals }: Pick<PlannedClip, 'plan' | 'goals'>,
  arms: ArmRecord,
  setup: ArmSetup,
  touches: readonly FoundTouch[],
  k: number,
): void {
  const width = 2 * TOUCHED.length;
  out.weights.fill(0);
  out.palms.fill(0);
  out.wrists.fill(0);
  // Flesh that was supposed says nothing against a skin, but as much as flesh that was supposed on both sides.
  const own = setup.source.isSkin || !setup.target.isSkin ? DEEPEST_OWN : 0;
  for (let g = 0; g < width; g++) {
    const gap = arms.course.gaps[width * k + g]!;
    out.gaps[g] = gap > -TOUCH_DENT ? gap : -TOUCH_DENT;
    out.depths[g] = Math.min(own, Math.max(0, -gap));
    out.depths[width + g] = Math.min(own, arms.depths[width * k + g]!);
  }
  let between = false;
  for (const { hand, touched, first, last } of touches) {
    if (k < first || k > last || !Number.isFinite(out.gaps[TOUCHED.length * hand + touched]!)) continue;
    const n = setup.limbs[hand]!;
    // A hand that stands on the floor stays there.
    const free = n < 0 ? 1 : 1 - plan.holds[slotOf(goals.limbs.length, k, n)]!;
    if (touched === OTHER_HAND) between ||= free > 0.5;
    else out.weights[TOUCHED.length * hand + touched] = free;
  }
  if (between) writePalms(out, arms, setup, k);
}

/**
 * Asks that palms which touch are seen from each other as the source's are: in that direction, and as far as their gap
 * and both hands' own depths along it make.
 */
function writePalms(out: ArmWants, arms: ArmRecord, setup: ArmSetup, k: number): void {
  let square = 0;
  for (let c = 0; c < 3; c++) {
    out.palms[c] = arms.palms[6 * k + 3 + c]! - arms.palms[6 * k + c]!;
    square += out.palms[c]! * out.palms[c]!;
  }
  const apart = Math.sqrt(square);
  if (!(apart > 1e-9)) return;
  for (let c = 0; c < 3; c++) out.palms[c] = out.palms[c]! / apart;
  const gap = Math.max(-TOUCH_DENT, arms.course.gaps[2 * TOUCHED.length * k + OTHER_HAND]!);
  const o = rowLength(setup.target) * arms.slots[k]!;
  const own =
    depthAlong(setup, arms.rows, o, 0, out.palms, 1) + depthAlong(setup, arms.rows, o, 1, out.palms, -1);
  const theirs = apart - arms.course.gaps[2 * TOUCHED.length * k + OTHER_HAND]! * setup.source.arm;
  // Hands that touch side by side, or fingers alone, are farther apart than palms are deep: then as the source's, scaled.
  const scaled = (theirs * setup.target.arm) / setup.source.arm;
  const far = gap * setup.target.arm + (own > 0 ? 0.5 * (Math.min(own, 1.3 * scaled) + own) : scaled);
  for (let c = 0; c < 3; c++) out.palms[c] = far * out.palms[c]!;
  out.palms[3] = 1;
}

/** How far a palm reaches from its middle along a direction. */
function depthAlong(
  { target }: ArmSetup,
  rows: Float64Array,
  o: number,
  hand: number,
  direction: Float64Array,
  sign: number,
): number {
  const { points, palm } = target.arms[hand]!;
  const a = o + armAt(target, hand) + PALM_AXES;
  let most = 0;
  for (let p = 0; p < points.length; p += 3) {
    let along = 0;
    for (let c = 0; c < 3; c++)
      for (let i = 0; i < 3; i++)
        along += sign * direction[c]! * rows[a + 3 * i + c]! * (points[p + i]! - palm.ball[i]!);
    most = Math.max(most, along);
  }
  return most;
}
