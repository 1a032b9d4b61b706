import pc from 'picocolors';

/** Paint for text: every function gives its text back unchanged where colours are off. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Where a command speaks: two streams, what they can show, and nothing of the process behind them. */
export type Terminal = {
  /** Writes to standard output: the answer of the command. */
  out(text: string): void;
  /** Writes to standard error: errors, and progress on a terminal. */
  err(text: string): void;
  /** Paint for standard output. */
  colors: Colors;
  /** Paint for standard error. */
  errorColors: Colors;
  /** How many characters fit a line of standard output; infinite in a pipe. */
  columns: number;
  /** The stream on which progress may be drawn, or null where nobody watches. */
  progress: NodeJS.WriteStream | null;
};

/** The part of a process that {@link createTerminal} looks at. */
export type TerminalProcess = {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Record<string, string | undefined>;
};

/**
 * Whether a stream gets colours: only a terminal does, and only where the user has not said otherwise by
 * `NO_COLOR` (any value, https://no-color.org) or `TERM=dumb`. `FORCE_COLOR` turns them on everywhere.
 */
export function hasColors(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** The terminal of a process. */
export function createTerminal({ stdout, stderr, env }: TerminalProcess): Terminal {
  // Whoever reads may have read enough (`| head`): that is no failure, and nothing is left to say.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    colors: pc.createColors(hasColors(stdout, env)),
    errorColors: pc.createColors(hasColors(stderr, env)),
    columns: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    progress: stderr.isTTY && env.TERM !== 'dumb' ? stderr : null,
  };
}
