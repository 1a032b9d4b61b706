import { UsageError } from '@stuntdouble/core';

/** How a command ended, as the shell sees it. */
export const EXIT_CODES = {
  /** Done. */
  done: 0,
  /** A file could not be read, used or written. */
  failed: 1,
  /** The command line cannot be meant as it stands. */
  wrongUse: 2,
  /** Done, but there were warnings and `--strict` was given. */
  doneWithWarnings: 3,
} as const;

/** A command that could not be done because of its files, said in one sentence. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** One sentence for a person: line breaks folded, however the error was made. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const folded = message.replace(/\s+/g, ' ').trim();
  return folded === '' ? 'something went wrong, and nothing says what' : folded;
}

/** The exit code that an error thrown by a command leads to. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? EXIT_CODES.wrongUse : EXIT_CODES.failed;
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links go round in a circle',
  EEXIST: 'it is there already (--force replaces it)',
};

/** Why the operating system refused, in words; null where the error is no such refusal. */
export function systemReasonOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (error.code in REASONS) return REASONS[error.code]!;
  return 'syscall' in error ? `the system says ${error.code}` : null;
}
