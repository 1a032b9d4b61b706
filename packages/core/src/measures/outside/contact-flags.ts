import { didWork } from '../../base/watch-work.js';
import type { BodyPoint } from '../../contacts/body-points.js';
import { contactsOfTracks } from '../../contacts/find-contacts.js';
import { CONTACT_RATE, type PointTracks } from '../../contacts/track-points.js';
import type { Contact } from '../../options/contact.js';
import { MEASURED_CONTACTS } from '../measured-contacts.js';
import type { ComparedSide } from '../sampled-motion.js';

/** What of contacts is looked up by instant, see `ComparedSide`. */
export function flagsOf(
  contacts: readonly Contact[],
  points: readonly BodyPoint[],
  count: number,
): Pick<ComparedSide, 'inContact' | 'supports'> {
  const inContact = new Uint8Array(points.length * count);
  const supports = new Float64Array(points.length * count);
  for (const { point, start, end, height } of contacts) {
    const n = points.findIndex(({ name }) => name === point);
    for (let k = Math.round(start * CONTACT_RATE); k <= Math.round(end * CONTACT_RATE); k++) {
      inContact[points.length * k + n] = 1;
      supports[points.length * k + n] = height;
    }
  }
  return { inContact, supports };
}

/** The same of points with the heights of their outsides, see `placesByOutside`. */
export function contactsByOutside(tracks: PointTracks): ComparedSide['outside'] {
  const { points, count } = tracks;
  didWork(20 * count);
  return { tracks, inContact: flagsOf(contactsOfTracks(tracks, MEASURED_CONTACTS), points, count).inContact };
}
