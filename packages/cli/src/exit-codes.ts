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
  /** Done, but the verdict is broken, or a limit was not kept. */
  notKept: 4,
} as const;
