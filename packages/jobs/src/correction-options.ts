import {
  correctionOptions,
  leavesCorrectionsOut,
  type RetargetOptions,
  UsageError,
} from '@stuntdouble/core/engine';
import { flagOf } from './flag-of.js';

/** Whether what was asked for says by itself whether feet and hands are corrected. */
export function decidesCorrections(asked: RetargetOptions): boolean {
  return (
    asked.keys === 'keep' || asked.passes !== undefined || correctionOptions().some((name) => asked[name])
  );
}

/**
 * Refuses what says how goals are reached where there are none.
 * @throws UsageError that names both.
 */
export function refuseUncorrected(asked: RetargetOptions): void {
  const name = correctionOptions().find((each) => asked[each] !== undefined);
  const against = [
    asked.corrections === 'none' && '--corrections none',
    asked.keys === 'keep' && '--keys',
    leavesCorrectionsOut(asked) && '--passes without placeGoals and solveLimbs',
  ].find((words) => words !== false);
  if (name && against)
    throw new UsageError(
      `${flagOf(name)} says how feet and hands are corrected, and with ${against} they are not; leave out one of the two`,
    );
}
