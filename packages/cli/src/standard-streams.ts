import { readSync } from 'node:fs';
import { UsageError } from '@stuntdouble/core';
import { DEFAULT_LIMITS } from '@stuntdouble/formats';

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
