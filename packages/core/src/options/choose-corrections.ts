import { namesWhere, type OptionName } from './list.js';
import type { ListedOptions } from './retarget-options.js';
import type { SetupOptions } from './setup-options.js';
import { tellsNothing } from './tells-nothing.js';

/** Options that say how feet and hands are corrected, and nothing else: to give one asks for corrections. */
export function correctionOptions(): readonly OptionName[] {
  names ??= namesWhere(({ corrects }) => corrects);
  return names;
}

let names: readonly OptionName[] | undefined;

/** What says whether feet and hands are corrected: by name, or by asking for what goes only with it or without it. */
export type CorrectionsChoice = SetupOptions & Pick<ListedOptions, 'keys' | 'passes' | 'contacts'>;

/**
 * Tells whether options ask for corrected feet and hands, as everything that retargets understands them: by name if
 * `corrections` is given; else contacts that are told are there to be held, and solvers, reach and limb scalings to be
 * used; keys that are kept and passes that leave the corrections out are the caller's word against them.
 * @param otherwise What holds where the options do not say: corrected, if left out.
 */
export function chooseCorrections(
  options: CorrectionsChoice,
  otherwise: 'none' | 'auto' = 'auto',
): 'none' | 'auto' {
  const { corrections, keys } = options;
  const told: ListedOptions = options;
  if (corrections !== undefined) return corrections;
  if (tellsNothing(options)) return otherwise;
  if (correctionOptions().some((name) => told[name] !== undefined)) return 'auto';
  // Corrections are made frame by frame.
  return keys === 'keep' || leavesCorrectionsOut(options) ? 'none' : otherwise;
}

/** Whether the passes that were chosen cannot correct: goals are no use that are not both placed and reached. */
export function leavesCorrectionsOut({ passes }: Pick<ListedOptions, 'passes'>): boolean {
  return passes !== undefined && !(passes.includes('placeGoals') && passes.includes('solveLimbs'));
}
