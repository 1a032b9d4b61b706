import { CONTACT_RATE } from '../../contacts/track-points.js';
import type { Contact } from '../../options/told-contacts.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';

/** A contact that was moved by less than this, in hip heights, was not: rounding, or another end. */
const MOVED = 0.005;

/**
 * Says how far whoever edited a contact moved it from where the source has its point, on the target's stage; null where
 * nobody did.
 * @param point The number of the contact's point.
 * @param first The first and the last frame of the contact.
 * @param horizontal The source's metres over the ground as the target's.
 */
export function movedContact(
  { position }: Contact,
  { points, hipHeight }: GoalSetup,
  { source, ground }: GoalRecord,
  point: number,
  first: number,
  last: number,
  horizontal: number,
): { x: number; z: number } | null {
  if (!position || last < first) return null;
  // Where the source has the point on the mean, seen from its ground.
  let [x, z] = [0, 0];
  for (let k = first; k <= last; k++) {
    const o = 3 * (points.length * k + point);
    x += source[o]! - (ground[0] * k) / CONTACT_RATE;
    z += source[o + 2]! - (ground[1] * k) / CONTACT_RATE;
  }
  const count = last - first + 1;
  const move = { x: horizontal * (position[0] - x / count), z: horizontal * (position[2] - z / count) };
  return Math.hypot(move.x, move.z) > MOVED * hipHeight ? move : null;
}
