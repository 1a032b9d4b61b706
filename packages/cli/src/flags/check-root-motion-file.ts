import { type RetargetOptions, UsageError } from '@stuntdouble/core';

/**
 * Makes sure that what is taken out of clips goes somewhere, and that a file for it is not left empty.
 * @throws UsageError that says what to give.
 */
export function checkRootMotionFile(
  { rootMotion }: RetargetOptions,
  { rootMotionFile, json, dryRun }: { rootMotionFile?: string; json?: boolean; dryRun?: boolean },
): void {
  if (rootMotionFile !== undefined && !/\.json$/i.test(rootMotionFile))
    throw new UsageError(`--root-motion-file ${rootMotionFile}: root motion is written as .json`);
  if (rootMotion === 'apart' && rootMotionFile === undefined && !json && !dryRun)
    throw new UsageError(
      'root motion that is taken out (apart) would be lost: say where it goes with --root-motion-file FILE, or --json prints it',
    );
  if (rootMotion !== 'apart' && rootMotionFile !== undefined)
    throw new UsageError('--root-motion-file writes what is taken out; give --root-motion apart too');
}
