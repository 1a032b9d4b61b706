import { type ArmShape, type BodyShape, OTHER_ARM, OTHER_HAND, TOUCHED } from './body-shape.js';
import { areNear, BALL_NUMBERS, ballOfHand, isBeyondFace, probesNear, readBalls } from './near-parts.js';
import { gapsToPart, gapToPart, PART_NUMBERS } from './part-frame.js';
import {
  armAt,
  FINGERS,
  MOST_PROBES,
  PALM_AXES,
  PALM_PROBES,
  placeArmProbes,
  placeHandProbes,
  probeCount,
} from './shape-row.js';

/** How far hands are from what they can touch: per hand the gaps to all of `TOUCHED`, and where that is nearest. */
export type HandGaps = {
  /** Metres from skin to skin; less than 0 where they are in each other, +∞ where it is farther than asked. */
  gaps: Float64Array;
  /** Number of the nearest part of the shape, −1 for none or where it is the other arm. */
  parts: Int32Array;
  /** As `gaps`, of what of the arm is no hand; what lies in each other in the reference already does not count. */
  arms: Float64Array;
  /** Per hand the middle of its palm: xyz. */
  palms: Float64Array;
  /** One number, to be told: gaps beyond it, in metres, are of no interest. */
  most: Float64Array;
};

/** Room for xyz and radius of all probes of an arm. */
const ROOM = 4 * MOST_PROBES;
/** Balls that hold the parts of the body, and those of both hands. */
let partBalls: Float64Array = new Float64Array(0);
const hands = new Float64Array(2 * BALL_NUMBERS);
const joints = [new Float64Array(9), new Float64Array(9)];
const probes = [new Float64Array(ROOM), new Float64Array(ROOM)];
const palm = new Float64Array(12);
/** Per probe how far is of interest, and how far it is from the part, the finger or the bone that is looked at. */
/** A limit that no gap is below: such probes are not looked at. */
const NOT_LOOKED_AT = -1e9;
const found = new Float64Array(MOST_PROBES);
const nearestBone = new Float64Array(MOST_PROBES);
/** How far the ball of a hand is from both bones of the other arm. */
const away = new Float64Array(2);

/** Room for gaps. */
export function createHandGaps(): HandGaps {
  return {
    gaps: new Float64Array(2 * TOUCHED.length),
    parts: new Int32Array(2 * TOUCHED.length),
    arms: new Float64Array(2 * TOUCHED.length),
    palms: new Float64Array(6),
    most: new Float64Array(1),
  };
}

/**
 * Reads how far the hands of a body are from the rest of it in a pose.
 * @param o Where its row begins.
 * @param depths Per arm, probe and part how deep they are in each other in the reference; where given, arms are looked at too.
 */
export function readGaps(
  out: HandGaps,
  shape: BodyShape,
  row: Float64Array,
  o: number,
  depths: readonly [Float64Array, Float64Array] | null = null,
): void {
  const most = out.most[0]!;
  out.arms.fill(Number.POSITIVE_INFINITY);
  out.gaps.fill(Number.POSITIVE_INFINITY);
  out.parts.fill(-1);
  for (let hand = 0; hand < 2; hand++) {
    const arm = shape.arms[hand];
    if (!arm) continue;
    const a = o + armAt(shape, hand);
    for (let i = 0; i < 9; i++) joints[hand]![i] = row[a + i]!;
    placeArmProbes(probes[hand]!, arm, joints[hand]!);
    ballOfHand(hands, BALL_NUMBERS * hand, arm, row, a);
  }
  readPalms(out, shape, row, o);
  partBalls = readBalls(partBalls, shape.parts, row, o);
  for (let hand = 0; hand < 2; hand++) {
    const arm = shape.arms[hand];
    if (!arm) continue;
    const first = arm.points.length > 0 ? PALM_PROBES : PALM_PROBES - 1;
    const count = probeCount(arm);
    isPlaced = false;
    for (let n = 0; n < shape.parts.length; n++) {
      const part = shape.parts[n]!;
      const g = TOUCHED.length * hand + part.touched;
      const isHandNear =
        areNear(partBalls, BALL_NUMBERS * n, hands, BALL_NUMBERS * hand, most) &&
        !isBeyondFace(part, row, o + PART_NUMBERS * n, hands, BALL_NUMBERS * hand, most);
      if (isHandNear) placeHand(arm, hand, row, o + armAt(shape, hand));
      const last = isHandNear ? count : PALM_PROBES;
      const begin = depths ? 0 : first;
      let bits = (probesNear(partBalls, BALL_NUMBERS * n, probes[hand]!, last, most) >> begin) << begin;
      while (bits !== 0) {
        const bit = bits & -bits;
        bits ^= bit;
        const p = 31 - Math.clz32(bit);
        found[p] = p < first ? 0 : most;
        gapToPart(found, p, part, row, o + PART_NUMBERS * n, probes[hand]!);
        if (p < first) {
          const beyond = found[p]! + depths![hand]![shape.parts.length * p + n]!;
          if (beyond < out.arms[g]!) out.arms[g] = beyond;
        } else if (found[p]! < out.gaps[g]! && found[p]! <= most) {
          out.gaps[g] = found[p]!;
          out.parts[g] = n;
        }
      }
    }
    const other = shape.arms[1 - hand];
    if (other) readOther(out, shape, hand, row, o);
  }
  const between = Math.min(out.gaps[OTHER_HAND]!, out.gaps[TOUCHED.length + OTHER_HAND]!);
  out.gaps[OTHER_HAND] = between;
  out.gaps[TOUCHED.length + OTHER_HAND] = between;
}

/** Whether the probes of the hand that is looked at are placed: most hands are far from all. */
let isPlaced = false;

function placeHand(arm: ArmShape, hand: number, row: Float64Array, a: number): void {
  if (isPlaced) return;
  placeHandProbes(probes[hand]!, arm, row, a, joints[hand]!);
  isPlaced = true;
}

/** Reads where the middles of both palms are, alone. */
export function readPalms(out: HandGaps, shape: BodyShape, row: Float64Array, o: number): void {
  for (let hand = 0; hand < 2; hand++) {
    const arm = shape.arms[hand];
    if (!arm) continue;
    const a = o + armAt(shape, hand);
    const { ball } = arm.palm;
    for (let c = 0; c < 3; c++)
      out.palms[3 * hand + c] =
        row[a + 6 + c]! +
        row[a + PALM_AXES + c]! * ball[0]! +
        row[a + PALM_AXES + 3 + c]! * ball[1]! +
        row[a + PALM_AXES + 6 + c]! * ball[2]!;
  }
}

/** Gaps to the other hand and arm. */
function readOther(out: HandGaps, shape: BodyShape, hand: number, row: Float64Array, o: number): void {
  const most = out.most[0]!;
  const arm = shape.arms[hand]!;
  const first = arm.points.length > 0 ? PALM_PROBES : PALM_PROBES - 1;
  const count = probeCount(arm);
  const other = shape.arms[1 - hand]!;
  const own = probes[hand]!;
  const at = joints[1 - hand]!;
  const a = o + armAt(shape, 1 - hand);
  for (let c = 0; c < 9; c++) palm[c] = row[a + PALM_AXES + c]!;
  for (let c = 0; c < 3; c++) palm[9 + c] = at[6 + c]!;
  const g = TOUCHED.length * hand;
  const { fingers, fingerThick, thick } = other;
  const lower = (thick[1] + thick[2]) / 2;
  // A hand that is far from the other arm as a whole, and from its hand, is far from all of it.
  gapsToLine(away, hands, hand, hand + 1, at, 0);
  const fromUpper = away[hand]!;
  gapsToLine(away, hands, hand, hand + 1, at, 3);
  const thickest = Math.max(thick[0], thick[1], thick[2]);
  if (
    Math.min(fromUpper, away[hand]!) - thickest > most &&
    !areNear(hands, BALL_NUMBERS * hand, hands, BALL_NUMBERS * (1 - hand), most)
  )
    return;
  placeHand(arm, hand, row, o + armAt(shape, hand));
  for (let p = 0; p < count; p++) found[p] = p < first ? NOT_LOOKED_AT : most;
  gapsToPart(found, other.palm, palm, 0, own, count);
  for (let f = 1; f < fingers.length; f++) {
    gapsToLine(nearestBone, own, first, count, row, a + FINGERS + 3 * f - 3);
    for (let p = first; p < count; p++) found[p] = Math.min(found[p]!, nearestBone[p]! - fingerThick);
  }
  for (let p = first; p < count; p++)
    if (found[p]! < most && found[p]! < out.gaps[g + OTHER_HAND]!) out.gaps[g + OTHER_HAND] = found[p]!;
  for (let i = 0; i < 6; i += 3) {
    gapsToLine(nearestBone, own, first, count, at, i);
    for (let p = first; p < count; p++) {
      const gap = nearestBone[p]! - (i === 0 ? thick[0] : lower);
      if (gap < most && gap < out.gaps[g + OTHER_ARM]!) out.gaps[g + OTHER_ARM] = gap;
    }
  }
}

/**
 * out = per ball how far its surface is from a line between two points, less than 0 where it lies in it.
 * @param balls xyz and radius each, of which those from `first` up to before `last` are looked at.
 * @param i Where the first point begins among the points; the second follows it.
 */
export function gapsToLine(
  out: Float64Array,
  balls: Float64Array,
  first: number,
  last: number,
  points: Float64Array,
  i: number,
): void {
  const j = i + 3;
  const ux = points[j]! - points[i]!;
  const uy = points[j + 1]! - points[i + 1]!;
  const uz = points[j + 2]! - points[i + 2]!;
  const square = ux * ux + uy * uy + uz * uz;
  for (let p = first; p < last; p++) {
    const wx = balls[4 * p]! - points[i]!;
    const wy = balls[4 * p + 1]! - points[i + 1]!;
    const wz = balls[4 * p + 2]! - points[i + 2]!;
    const along = square > 0 ? (wx * ux + wy * uy + wz * uz) / square : 0;
    const s = along < 0 ? 0 : along > 1 ? 1 : along;
    const x = wx - s * ux;
    const y = wy - s * uy;
    const z = wz - s * uz;
    out[p] = Math.sqrt(x * x + y * y + z * z) - balls[4 * p + 3]!;
  }
}
