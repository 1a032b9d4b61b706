import { oneLine } from '@stuntdouble/core';

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

  constructor(details: { format: string; at: string; found: string; expected: string }) {
    super(oneLine(`${details.format}, ${details.at}: found ${details.found}; expected ${details.expected}`));
    this.format = details.format;
    this.at = details.at;
    this.found = details.found;
    this.expected = details.expected;
  }
}
