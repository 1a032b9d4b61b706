import { oneLine, UsageError } from '@stuntdouble/core';
import { EXIT_CODES } from './exit-codes.js';

export { EXIT_CODES } from './exit-codes.js';
export { systemReasonOf } from './system-reason.js';

/** A command that could not be done because of its files, said in one sentence. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** One sentence for a person: one line without anything hidden in it, however the error was made. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const folded = oneLine(message);
  return folded === '' ? 'something went wrong, and nothing says what' : folded;
}

/** The exit code that an error thrown by a command leads to. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? EXIT_CODES.wrongUse : EXIT_CODES.failed;
}
