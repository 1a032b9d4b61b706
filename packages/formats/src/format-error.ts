import { oneLine } from '@stuntdouble/core/engine';
import type { Limits } from './default-limits.js';

/** A file that cannot be read: what format it was taken for, where, what stood there and what was expected. The message is one line. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  /** The format the bytes were read as. */
  readonly format: string;
  /** Where in the file: a byte offset, a line, or a path such as `accessors[3]`. */
  readonly at: string;
  /** What stood there. */
  readonly found: string;
  /** What should have stood there, or what to do. */
  readonly expected: string;
  /** The limit that the file is beyond; left out where it is broken. */
  readonly limit?: keyof Limits;

  constructor(
    details: { format: string; at: string; found: string; expected: string; limit?: keyof Limits },
    options?: ErrorOptions,
  ) {
    const { format, at, found, expected } = details;
    super(oneLine(`${format}, ${at}: found ${found}; expected ${expected}`), options);
    this.format = details.format;
    this.at = details.at;
    this.found = details.found;
    this.expected = details.expected;
    if (details.limit) this.limit = details.limit;
  }
}

/** Whether the part of a file that an error speaks of can be left out. A file beyond a limit is refused whole. */
export function isMendable(error: unknown): error is FormatError {
  return error instanceof FormatError && error.limit === undefined;
}
