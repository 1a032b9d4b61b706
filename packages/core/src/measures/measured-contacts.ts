import type { ContactOptions } from '../contacts/contact-rules.js';

/**
 * What counts as a contact where results are measured: within 4 % of the standing height and slower than 40 %/s, for a
 * tenth of a second. A yardstick: no motion is made by it, since no room before this one can read it.
 */
export const MEASURED_CONTACTS: Required<Omit<ContactOptions, 'points'>> = {
  height: 0.04,
  speed: 0.4,
  releaseHeight: 0.04,
  releaseSpeed: 0.4,
  shortest: 0.1,
  mergeGap: 0,
};
