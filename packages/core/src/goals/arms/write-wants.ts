import { distanceFlat } from '../../base/math/flat-vectors.js';
import { fadeOut } from '../../base/math/smooth-curves.js';
import { type PlannedClip, slotOf } from '../plan/planning.js';
import type { ArmRecord } from './arm-record.js';
import type { ArmSetup } from './arm-setup.js';
import type { ArmWants } from './arm-system.js';
import { OTHER_ARM, OTHER_HAND, TOUCHED } from './body-shape.js';
import { carryLead, distanceAt, type FoundCarry, HAND_FRAME } from './find-carried.js';
import { armAt, PALM_AXES, rowLength } from './shape-row.js';

/** A touch of the source that is deeper than this, in arm lengths, becomes one that is so deep: skin gives way a little. */
export const TOUCH_DENT = 0.005;
/** Depths of the source's own skin in itself count no farther than this, in arm lengths. */
const DEEPEST_OWN = 0.3;

/** Says what is asked of both arms in a frame, by what the source does. */
export function writeWants(
  out: ArmWants,
  planned: Pick<PlannedClip, 'plan' | 'goals'>,
  arms: ArmRecord,
  setup: ArmSetup,
  k: number,
): void {
  const width = 2 * TOUCHED.length;
  const { weights, gaps, depths } = out;
  const own = deepestOwn(setup);
  for (let g = 0; g < width; g++) {
    const gap = arms.course.gaps[width * k + g]!;
    const arm = arms.depths[width * k + g]!;
    weights[g] = 0;
    gaps[g] = gap > -TOUCH_DENT ? gap : -TOUCH_DENT;
    depths[g] = gap < 0 ? (-gap < own ? -gap : own) : 0;
    depths[width + g] = arm < own ? arm : own;
  }
  out.palms[3] = 0;
  out.wrists[3] = 0;
  if (arms.found.touches.length > 0 || arms.found.carries.length > 0)
    writeTouches(out, planned, arms, setup, k);
}

/** How deep the source's own skin may say that arms are in it: flesh that was supposed says nothing against a skin, but as much as flesh that was supposed on both sides. */
export function deepestOwn({ source, target }: ArmSetup): number {
  return source.isSkin || !target.isSkin ? DEEPEST_OWN : 0;
}

/** Says what hands that touch and carry are asked in a frame. */
function writeTouches(
  out: ArmWants,
  { plan, goals }: Pick<PlannedClip, 'plan' | 'goals'>,
  arms: ArmRecord,
  setup: ArmSetup,
  k: number,
): void {
  const width = 2 * TOUCHED.length;
  let between = false;
  // A hand that stands on the floor stays there.
  const freeOf = (hand: number) => {
    const n = setup.limbs[hand]!;
    return n < 0 ? 1 : 1 - plan.holds[slotOf(goals.limbs.length, k, n)]!;
  };
  for (const { hand, touched, first, last, apart } of arms.found.touches) {
    if (k < first || k > last) continue;
    const g = TOUCHED.length * hand + touched;
    if (apart !== undefined) out.gaps[g] = apart / setup.source.arm;
    // A touch that was told and is far away in the source has no gap.
    else if (!Number.isFinite(out.gaps[g]!)) out.gaps[g] = 0;
    const free = freeOf(hand);
    if (touched === OTHER_HAND) between ||= free > 0.5;
    else out.weights[TOUCHED.length * hand + touched] = free;
  }
  if (between) {
    // Palms that lie on each other bring the other wrist near each hand: that is the same touch, and to ask for it too
    // would pull where the palms do not give way, into each other.
    for (let hand = 0; hand < 2; hand++) out.weights[TOUCHED.length * hand + OTHER_ARM] = 0;
    out.palms[3] = arms.course.gaps[width * k + OTHER_HAND]!;
    writePalms(out, setup, arms.palms, 6 * k, arms.rows, rowLength(setup.target) * arms.slots[k]!);
  }
  const lead = carryLead(arms);
  const carry = between
    ? undefined
    : arms.found.carries.find(({ first, last }) => k >= first - lead && k <= last + lead);
  if (carry) writeWrists(out, arms, setup, carry, k, Math.min(freeOf(0), freeOf(1)));
}

/** Hands come no nearer to each other than copied ones, and no farther apart, than by this: as a ratio of distances. */
const LARGEST_CARRY = 1.6;
/** Where arms are long that is little: each hand may go so far for what it carries, in arm lengths. A third is some 20°. */
const FARTHEST_CARRY = 0.3;

/**
 * Asks that wrists which carry something are seen from each other in the source's direction, and as far as that thing is
 * wide on this body: scaled as the body is, within what its arms can do.
 */
function writeWrists(
  out: ArmWants,
  arms: ArmRecord,
  setup: ArmSetup,
  carry: FoundCarry,
  k: number,
  weight: number,
): void {
  const far = carriedApart(arms, setup, carry);
  const apart = distanceAt(arms, k);
  if (!(apart > 1e-9)) return;
  // Hands that come to what they carry, or let it go, do so as the source's: caught at once they were a twentieth off.
  const outside = Math.max(0, carry.first - k, k - carry.last);
  const wide =
    outside > 0 ? (far * apart) / distanceAt(arms, Math.max(carry.first, Math.min(carry.last, k))) : far;
  for (let c = 0; c < 3; c++)
    out.wrists[c] =
      (wide * (arms.hands[HAND_FRAME * k + 21 + c]! - arms.hands[HAND_FRAME * k + 9 + c]!)) / apart;
  out.wrists[3] = weight * fadeOut(outside / (carryLead(arms) + 1));
}

/** How far wrists of the target are from each other while they carry, in metres; found once for a stretch. */
function carriedApart(arms: ArmRecord, setup: ArmSetup, carry: FoundCarry): number {
  if (carry.onTarget !== undefined) return carry.onTarget;
  const [left, right] = [armAt(setup.target, 0) + 6, armAt(setup.target, 1) + 6];
  let sum = 0;
  let count = 0;
  for (let k = carry.first; k <= carry.last; k++) {
    if (arms.slots[k]! < 0) continue;
    const o = rowLength(setup.target) * arms.slots[k]!;
    sum += distanceFlat(arms.rows, o + left, arms.rows, o + right);
    count++;
  }
  const copied = count > 0 ? sum / count : setup.scale * carry.apart;
  const way = 2 * FARTHEST_CARRY * setup.target.arm;
  carry.onTarget = Math.min(
    Math.max(copied * LARGEST_CARRY, copied + way),
    Math.max(Math.min(copied / LARGEST_CARRY, copied - way), setup.scale * carry.apart),
  );
  return carry.onTarget;
}

/**
 * Asks that palms which touch are seen from each other as the source's are: in that direction, and as far as their gap
 * and both hands' own depths along it make.
 * @param out Its last number of `palms` tells the gap between the source's, in its arm lengths.
 * @param palms Middles of the source's palms, left and right, from `p` on.
 * @param o Where the row of the target begins in `rows`.
 */
export function writePalms(
  out: ArmWants,
  setup: ArmSetup,
  palms: ArrayLike<number>,
  p: number,
  rows: Float64Array,
  o: number,
): void {
  const told = out.palms[3]!;
  out.palms[3] = 0;
  // A body with one arm has no other hand to lay it on.
  if (!setup.target.arms[0] || !setup.target.arms[1]) return;
  let square = 0;
  for (let c = 0; c < 3; c++) {
    out.palms[c] = palms[p + 3 + c]! - palms[p + c]!;
    square += out.palms[c]! * out.palms[c]!;
  }
  const apart = Math.sqrt(square);
  if (!(apart > 1e-9)) return;
  for (let c = 0; c < 3; c++) out.palms[c] = out.palms[c]! / apart;
  const gap = Math.max(-TOUCH_DENT, told);
  const own = depthAlong(setup, rows, o, 0, out.palms, 1) + depthAlong(setup, rows, o, 1, out.palms, -1);
  const theirs = apart - told * setup.source.arm;
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
