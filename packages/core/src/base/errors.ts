import { oneLine } from './printable.js';

/**
 * Thrown at the public edge when a call cannot be meant as it stands: names the argument and the value found.
 * Imperfect bodies and motions never throw; they give warnings in the report. The message is one line; see
 * {@link oneLine}.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
  }
}

/**
 * Thrown where the files are well-formed and the call is meant, but nothing can be made of them: no
 * skeleton, no clips, nothing in common. The message is one line; see {@link oneLine}.
 */
export class RetargetError extends Error {
  override readonly name = 'RetargetError';

  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
  }
}
