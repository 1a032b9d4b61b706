import { hypot } from '../../base/math/functions.js';
import type { ArmShape, BodyShape } from './body-shape.js';
import { armAt, FINGERS } from './shape-row.js';

/** How far from its wrist a hand without its fingers reaches at most, in metres: its skin, and the ball that holds it. */
export function palmReach({ points, palm, thick }: ArmShape): number {
  const { ball } = palm;
  let most = Math.max(thick[2], hypot(ball[0]!, ball[1]!, ball[2]!) + ball[3]!);
  for (let p = 0; p < points.length; p += 3)
    most = Math.max(most, hypot(points[p]!, points[p + 1]!, points[p + 2]!));
  return most;
}

/** Sums of floats are as wrong as this, as a share. */
const ROUNDING = 1e-9;

/**
 * Whether hands of a pose may be nearer to each other than so far, `most` metres. All that is looked at of a hand lies in
 * a ball about its wrist, of radius R: the palm's own reach, or the farthest joint of its finger and half that one's
 * thickness. Where wrists are farther apart than R + R′ + most, no gap between both hands is found (see `readGaps`).
 * @param reaches Per arm what {@link palmReach} says.
 * @param most One number, in an array: by itself it would be made on the heap with every call.
 */
export function mayHandsMeet(
  shape: BodyShape,
  reaches: Float64Array,
  row: Float64Array,
  o: number,
  most: Float64Array,
): boolean {
  if (!shape.arms[0] || !shape.arms[1]) return false;
  const left = o + armAt(shape, 0) + 6;
  const right = o + armAt(shape, 1) + 6;
  let reach = most[0]!;
  for (let hand = 0; hand < 2; hand++) {
    const { fingers, fingerThick } = shape.arms[hand]!;
    const wrist = hand === 0 ? left : right;
    let own = reaches[hand]!;
    for (let f = 0; f < fingers.length; f++) {
      const i = wrist - 6 + FINGERS + 3 * f;
      const x = row[i]! - row[wrist]!;
      const y = row[i + 1]! - row[wrist + 1]!;
      const z = row[i + 2]! - row[wrist + 2]!;
      const far = Math.sqrt(x * x + y * y + z * z) + fingerThick;
      if (far > own) own = far;
    }
    reach += own;
  }
  const x = row[right]! - row[left]!;
  const y = row[right + 1]! - row[left + 1]!;
  const z = row[right + 2]! - row[left + 2]!;
  return !(x * x + y * y + z * z > reach * reach * (1 + ROUNDING));
}
