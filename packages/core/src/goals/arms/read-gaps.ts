import { type BodyShape, OTHER_ARM, OTHER_HAND, TOUCHED } from './body-shape.js';
import { areNear, BALL_NUMBERS, ballOfProbes, readBalls } from './near-parts.js';
import { gapToPart, PART_NUMBERS } from './part-frame.js';
import { armAt, FINGERS, MOST_PROBES, PALM_AXES, PALM_PROBES, placeProbes, probeCount } from './shape-row.js';

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
};

/** Room for xyz and radius of all probes of an arm. */
const ROOM = 4 * MOST_PROBES;
/** Balls that hold the parts of the body, and those of both hands. */
let balls: Float64Array = new Float64Array(0);
const hands = new Float64Array(2 * BALL_NUMBERS);
const joints = [new Float64Array(9), new Float64Array(9)];
const probes = [new Float64Array(ROOM), new Float64Array(ROOM)];
const palm = new Float64Array(12);

/** Room for gaps. */
export function createHandGaps(): HandGaps {
  return {
    gaps: new Float64Array(2 * TOUCHED.length),
    parts: new Int32Array(2 * TOUCHED.length),
    arms: new Float64Array(2 * TOUCHED.length),
    palms: new Float64Array(6),
  };
}

/**
 * Reads how far the hands of a body are from the rest of it in a pose.
 * @param o Where its row begins.
 * @param most Gaps beyond this, in metres, are of no interest.
 * @param depths Per arm, probe and part how deep they are in each other in the reference; where given, arms are looked at too.
 */
export function readGaps(
  out: HandGaps,
  shape: BodyShape,
  row: Float64Array,
  o: number,
  most: number,
  depths: readonly [Float64Array, Float64Array] | null = null,
): void {
  out.arms.fill(Number.POSITIVE_INFINITY);
  out.gaps.fill(Number.POSITIVE_INFINITY);
  out.parts.fill(-1);
  for (let hand = 0; hand < 2; hand++) {
    const arm = shape.arms[hand];
    if (!arm) continue;
    const a = o + armAt(shape, hand);
    for (let i = 0; i < 9; i++) joints[hand]![i] = row[a + i]!;
    placeProbes(probes[hand]!, arm, row, a, joints[hand]!);
    ballOfProbes(hands, BALL_NUMBERS * hand, probes[hand]!, PALM_PROBES, probeCount(arm));
    const { ball } = arm.palm;
    for (let c = 0; c < 3; c++)
      out.palms[3 * hand + c] =
        row[a + 6 + c]! +
        row[a + PALM_AXES + c]! * ball[0]! +
        row[a + PALM_AXES + 3 + c]! * ball[1]! +
        row[a + PALM_AXES + 6 + c]! * ball[2]!;
  }
  balls = readBalls(balls, shape.parts, row, o);
  for (let hand = 0; hand < 2; hand++) {
    const arm = shape.arms[hand];
    if (!arm) continue;
    const first = arm.points.length > 0 ? PALM_PROBES : PALM_PROBES - 1;
    const count = probeCount(arm);
    for (let n = 0; n < shape.parts.length; n++) {
      const part = shape.parts[n]!;
      const g = TOUCHED.length * hand + part.touched;
      const last = areNear(balls, BALL_NUMBERS * n, hands, BALL_NUMBERS * hand, most) ? count : PALM_PROBES;
      for (let p = depths ? 0 : first; p < last; p++) {
        if (!areNear(balls, BALL_NUMBERS * n, probes[hand]!, 4 * p, p < first ? 0 : most)) continue;
        const radius = probes[hand]![4 * p + 3]!;
        const gap = gapToPart(part, row, o + PART_NUMBERS * n, probes[hand]!, 4 * p, most + radius) - radius;
        if (p < first) {
          const beyond = gap + depths![hand]![shape.parts.length * p + n]!;
          if (beyond < out.arms[g]!) out.arms[g] = beyond;
          continue;
        }
        if (!(gap < out.gaps[g]!) || gap > most) continue;
        out.gaps[g] = gap;
        out.parts[g] = n;
      }
    }
    const other = shape.arms[1 - hand];
    if (other) readOther(out, shape, hand, row, o, most);
  }
  const between = Math.min(out.gaps[OTHER_HAND]!, out.gaps[TOUCHED.length + OTHER_HAND]!);
  out.gaps[OTHER_HAND] = between;
  out.gaps[TOUCHED.length + OTHER_HAND] = between;
}

/** Gaps to the other hand and arm. */
function readOther(
  out: HandGaps,
  shape: BodyShape,
  hand: number,
  row: Float64Array,
  o: number,
  most: number,
): void {
  const arm = shape.arms[hand]!;
  const first = arm.points.length > 0 ? PALM_PROBES : PALM_PROBES - 1;
  const count = probeCount(arm);
  const other = shape.arms[1 - hand]!;
  const [own, at] = [probes[hand]!, joints[1 - hand]!];
  const a = o + armAt(shape, 1 - hand);
  for (let c = 0; c < 9; c++) palm[c] = row[a + PALM_AXES + c]!;
  for (let c = 0; c < 3; c++) palm[9 + c] = at[6 + c]!;
  const g = TOUCHED.length * hand;
  const { fingers } = other;
  // A hand that is far from the other arm as a whole, and from its hand, is far from all of it.
  const thickest = Math.max(other.thick[0], other.thick[1], other.thick[2]);
  const ball = BALL_NUMBERS * hand;
  const away = Math.min(toLine(hands, ball, at, 0, at, 3), toLine(hands, ball, at, 3, at, 6));
  if (
    away - thickest - hands[ball + 3]! > most &&
    !areNear(hands, ball, hands, BALL_NUMBERS * (1 - hand), most)
  )
    return;
  for (let p = first; p < count; p++) {
    const radius = own[4 * p + 3]!;
    let gap = gapToPart(other.palm, palm, 0, own, 4 * p, most + radius) - radius;
    for (let f = 1; f < fingers.length; f++)
      gap = Math.min(
        gap,
        toLine(own, 4 * p, row, a + FINGERS + 3 * f - 3, row, a + FINGERS + 3 * f) -
          other.fingerThick -
          radius,
      );
    if (gap < most && gap < out.gaps[g + OTHER_HAND]!) out.gaps[g + OTHER_HAND] = gap;
    gap =
      Math.min(
        toLine(own, 4 * p, at, 3, at, 6) - (other.thick[1] + other.thick[2]) / 2,
        toLine(own, 4 * p, at, 0, at, 3) - other.thick[0],
      ) - radius;
    if (gap < most && gap < out.gaps[g + OTHER_ARM]!) out.gaps[g + OTHER_ARM] = gap;
  }
}

/** How far a point is from a line between two others. */
export function toLine(
  point: Float64Array,
  p: number,
  from: Float64Array,
  i: number,
  to: Float64Array,
  j: number,
): number {
  const ux = to[j]! - from[i]!;
  const uy = to[j + 1]! - from[i + 1]!;
  const uz = to[j + 2]! - from[i + 2]!;
  const wx = point[p]! - from[i]!;
  const wy = point[p + 1]! - from[i + 1]!;
  const wz = point[p + 2]! - from[i + 2]!;
  const square = ux * ux + uy * uy + uz * uz;
  const along = square > 0 ? (wx * ux + wy * uy + wz * uz) / square : 0;
  const s = along < 0 ? 0 : along > 1 ? 1 : along;
  const x = wx - s * ux;
  const y = wy - s * uy;
  const z = wz - s * uz;
  return Math.sqrt(x * x + y * y + z * z);
}
