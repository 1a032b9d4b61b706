import { EXIT_CODES } from '../exit-codes.js';
import type { BatchCommandOptions } from './batch-flags.js';
import { isOff } from './batch-junit.js';
import { failedOnes, type RanBatch } from './batch-text.js';

/**
 * What a batch exits with: the worst of what became of its cells, and whether all of them were come to.
 * @param isStopped Whether somebody ended it: cells that failed until then are no answer for the others.
 */
export function batchExitCode(
  { plan, entries, characters }: RanBatch,
  { strict }: BatchCommandOptions,
  isStopped: boolean,
): number {
  if (isStopped && entries.length < plan.cells.length) return EXIT_CODES.stopped;
  if (failedOnes([...entries, ...characters, ...plan.unread]).length > 0) return EXIT_CODES.failed;
  if (entries.length < plan.cells.length) return EXIT_CODES.stopped;
  if (entries.some(isOff)) return EXIT_CODES.limitNotKept;
  if (strict && entries.some(({ warnings }) => warnings.length > 0)) return EXIT_CODES.doneWithWarnings;
  return EXIT_CODES.done;
}
