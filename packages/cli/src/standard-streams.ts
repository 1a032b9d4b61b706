import { readSync } from 'node:fs';
import { type Scene, UsageError } from '@stuntdouble/core';
import { DEFAULT_LIMITS, type ReadOptions } from '@stuntdouble/formats';
import { readScene } from '@stuntdouble/jobs';

/** What stands for standard input among files to read, and for standard output among those to write. */
export const STREAM = '-';

/** Whether a file to write is standard output: `-`, or `-.bvh` where another format than the target's is meant. */
export function isStandardOutput(output: string | undefined): output is string {
  return output !== undefined && /^-(\.\w+)?$/.test(output);
}

/** How much is asked for at once. */
const PIECE = 2 ** 16;

/**
 * All bytes that come in by standard input.
 * @param read Puts what comes next into a piece and says how much that was; 0 at the end.
 * @param most A stream may go on without end: more than this is refused.
 * @throws UsageError where nothing comes, or more than there may.
 */
export function readStandardInput(read = readPiece, most = DEFAULT_LIMITS.bytes): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const piece = new Uint8Array(PIECE);
    let count: number;
    try {
      count = read(piece);
    } catch (cause) {
      throw new UsageError('cannot read standard input', { cause });
    }
    if (count === 0) break;
    pieces.push(piece.subarray(0, count));
    length += count;
    if (length > most)
      throw new UsageError(
        `standard input holds more than ${most} bytes, which is the most that is read from there`,
      );
  }
  if (length === 0) throw new UsageError('standard input is empty; "-" reads a file from there');
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function readPiece(piece: Uint8Array): number {
  try {
    return readSync(0, piece);
  } catch (error) {
    // How Windows says that a pipe has ended.
    if ((error as NodeJS.ErrnoException).code === 'EOF') return 0;
    throw error;
  }
}

/** What standard input is called where it is spoken of as a file. */
const INPUT_NAME = 'standard-input';

/** What is read for a file that was typed: the path itself, or the bytes of standard input. */
export function contentOf(typed: string): { name: string; content: string | Uint8Array } {
  return typed === STREAM
    ? { name: INPUT_NAME, content: readStandardInput() }
    : { name: typed, content: typed };
}

/** Reads a file that was typed, or standard input. */
export function readTyped(typed: string, options: ReadOptions): Promise<Scene> {
  const { name, content } = contentOf(typed);
  return readScene(name, options, content);
}

/**
 * Makes sure that two files can be read.
 * @throws UsageError where both are standard input, which holds one.
 */
export function checkInputs(a: [name: string, typed: string], b: [name: string, typed: string]): void {
  if (a[1] === STREAM && b[1] === STREAM)
    throw new UsageError(`${a[0]} and ${b[0]} are both "-"; standard input holds one file`);
}

/**
 * Standard output with the format that it gets.
 * @throws UsageError where none is said.
 */
export function streamOf(format: string | undefined): string {
  if (format === undefined) throw new UsageError('OUT is "-", which says no format; --to glb does');
  return `${STREAM}.${format.replace(/^\./, '')}`;
}
