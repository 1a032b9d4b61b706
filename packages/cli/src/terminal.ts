import { fstatSync, writeFileSync } from 'node:fs';
import pc from 'picocolors';
import type { Progress } from './progress.js';

/** Paint for text: every function gives its text back unchanged where colours are off. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Where a command speaks: two streams, what they can show, and nothing of the process behind them. */
export type Terminal = {
  /** Writes to standard output: the answer of the command. */
  out(text: string): void;
  /** Writes a file to standard output, byte by byte. */
  outBytes(bytes: Uint8Array): void;
  /** Writes to standard error: errors. */
  err(text: string): void;
  /** Paint for standard output. */
  colors: Colors;
  /** Paint for standard error. */
  errorColors: Colors;
  /** How many characters fit a line of standard output; infinite in a pipe. */
  columns: number;
  /** Told how far work has come; silent where nobody watches. */
  progress: Progress;
  /** Writes a line to standard error while the work goes on; where it cannot be told at once, nothing. */
  tellNow?(line: string): void;
  /** Writes a line of the answer to standard output while the command goes on; else all of it comes at its end. */
  outNow?(line: string): void;
  /** Calls a listener when the work shall come to an end by itself; where nobody can ask for that, never. */
  onStop?(listener: () => void): void;
};

/** The part of a process that {@link describeStreams} looks at. */
export type TerminalProcess = {
  stdout: { isTTY?: boolean; columns?: number };
  stderr: { isTTY?: boolean };
  env: Record<string, string | undefined>;
};

/** What the streams of a process can show. */
export type StreamFacts = {
  hasColors: boolean;
  hasErrorColors: boolean;
  /** How many characters fit a line of standard output; infinite in a pipe. */
  columns: number;
  /** Whether somebody watches standard error, so that progress may be drawn there. */
  isWatched: boolean;
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

/** What the streams of a process can show. */
export function describeStreams({ stdout, stderr, env }: TerminalProcess): StreamFacts {
  return {
    hasColors: hasColors(stdout, env),
    hasErrorColors: hasColors(stderr, env),
    columns: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    isWatched: stderr.isTTY === true && env.TERM !== 'dumb',
  };
}

/** A terminal that streams with these facts make, speaking through functions. */
export function createTerminal(
  facts: StreamFacts,
  speak: Pick<Terminal, 'out' | 'outBytes' | 'err' | 'progress' | 'tellNow' | 'outNow' | 'onStop'>,
): Terminal {
  return {
    ...speak,
    colors: pc.createColors(facts.hasColors),
    errorColors: pc.createColors(facts.hasErrorColors),
    columns: facts.columns,
  };
}

/** Codes for: whoever reads has closed the pipe, and what was written after that. */
const READ_ENOUGH = ['EPIPE', 'ERR_STREAM_DESTROYED'];

const heard = new WeakSet<NodeJS.WriteStream>();

/**
 * Writes to standard output or standard error.
 * @returns why it could not be written, in words, or null where it was, or where whoever reads has read enough
 * (`| head`), which is no failure.
 */
export function writeToStream(
  stream: NodeJS.WriteStream & { fd: number },
  text: string | Uint8Array,
): Promise<string | null> {
  const reasonOf = async (error: unknown) => {
    if (READ_ENOUGH.includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    // Loaded only now, as it brings the engine with it, which the thread that prints has no use for.
    const { systemReasonOf } = await import('@stuntdouble/jobs');
    return systemReasonOf(error) ?? 'it is closed';
  };
  // A file takes as much as fits and says how much that was, which the stream does not look at.
  if (isFile(stream.fd))
    try {
      writeFileSync(stream.fd, text);
      return Promise.resolve(null);
    } catch (error) {
      return reasonOf(error);
    }
  // What the callback tells is told by event, too, which would end the process if nobody heard it.
  if (!heard.has(stream)) stream.on('error', () => {});
  heard.add(stream);
  return new Promise((settle) => {
    stream.write(text, (error) => settle(error ? reasonOf(error) : null));
  });
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}
