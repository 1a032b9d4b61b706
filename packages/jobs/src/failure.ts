import { oneLine } from '@stuntdouble/core/engine';

/** A job that could not be done because of its files, said in one sentence. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** One sentence for a person: one line without anything hidden in it, however the error was made. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const folded = oneLine(message);
  return folded === '' ? 'something went wrong, and nothing says what' : folded;
}
