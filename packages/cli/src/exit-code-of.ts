import { UsageError } from '@stuntdouble/core';
import { EXIT_CODES } from './exit-codes.js';

/** The exit code that an error thrown by a command leads to. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? EXIT_CODES.wrongUse : EXIT_CODES.failed;
}
