import { hypot } from '../../base/math/functions.js';
import type { Contact } from '../../options/contact.js';
import type { Stretch } from './ease-stretches.js';
import { type Planning, slotOf } from './planning.js';

/** A contact that was moved by less than this, in hip heights, was not: rounding, or another end. */
const LEAST_MOVED = 0.005;

/**
 * Says how far whoever edited a contact moved it from where the source has its point, on the target's stage; null where
 * nobody did.
 * @param point The number of the contact's point.
 */
export function movedContact(
  { goals: { points, hipHeight }, record: { source, ground, rate }, scales: { horizontal } }: Planning,
  { position }: Contact,
  point: number,
  { first, last }: Stretch,
): { x: number; z: number } | null {
  if (!position || last < first) return null;
  // Where the source has the point on the mean, seen from its ground.
  let [x, z] = [0, 0];
  for (let k = first; k <= last; k++) {
    const o = 3 * slotOf(points.length, k, point);
    x += source[o]! - (ground[0] * k) / rate;
    z += source[o + 2]! - (ground[1] * k) / rate;
  }
  const count = last - first + 1;
  const move = { x: horizontal * (position[0] - x / count), z: horizontal * (position[2] - z / count) };
  return hypot(move.x, move.z) > LEAST_MOVED * hipHeight ? move : null;
}
