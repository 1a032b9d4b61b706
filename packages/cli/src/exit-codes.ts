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
  /** All is done, but a limit was not kept. */
  limitNotKept: 4,
  /** Stopped by Ctrl-C before the end: 128 and the number of the signal. */
  stopped: 130,
} as const;
