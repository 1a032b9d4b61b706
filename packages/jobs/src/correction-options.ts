import { leavesCorrectionsOut, type RetargetOptions, UsageError } from '@stuntdouble/core';

/** Whether what was typed says by itself whether feet and hands are corrected. */
export function decidesCorrections(typed: RetargetOptions): boolean {
  return (
    typed.keys === 'keep' || typed.passes !== undefined || CORRECTION_FLAGS.some(([, name]) => typed[name])
  );
}

/** Flags that say how hands and feet are corrected. */
const CORRECTION_FLAGS = [
  ['--contacts', 'contacts'],
  ['--solver', 'solvers'],
  ['--reach', 'reach'],
  ['--limb-scale', 'limbScalings'],
] as const;

/**
 * Refuses what says how goals are reached where there are none.
 * @throws UsageError that names both.
 */
export function refuseUncorrected(typed: RetargetOptions): void {
  const flag = CORRECTION_FLAGS.find(([, name]) => typed[name] !== undefined)?.[0];
  const against = [
    typed.corrections === 'none' && '--corrections none',
    typed.keys === 'keep' && '--keys',
    leavesCorrectionsOut(typed) && '--passes without placeGoals and solveLimbs',
  ].find((words) => words !== false);
  if (flag && against)
    throw new UsageError(
      `${flag} says how feet and hands are corrected, and with ${against} they are not; leave out one of the two`,
    );
}
