import type { RetargetOptions } from './retarget.js';

/** What says whether feet and hands are corrected: by name, or by asking for what goes only with it or without it. */
export type CorrectionsChoice = Pick<RetargetOptions, 'corrections' | 'contacts' | 'keys' | 'passes'>;

/**
 * Tells whether options ask for corrected feet and hands, as everything that retargets understands them: by name if
 * `corrections` is given; else contacts that are told are there to be held, keys that are kept and passes that
 * leave the corrections out are the caller's word against them, and all else is corrected.
 */
export function chooseCorrections(options: CorrectionsChoice): 'none' | 'auto' {
  const { corrections, contacts, keys, passes } = options;
  if (corrections !== undefined) return corrections;
  if (contacts !== undefined) return 'auto';
  // Corrections are made frame by frame, and goals are no use that are not both placed and reached.
  const isLeftOut = passes && !(passes.includes('placeGoals') && passes.includes('solveLimbs'));
  return keys === 'keep' || isLeftOut ? 'none' : 'auto';
}
