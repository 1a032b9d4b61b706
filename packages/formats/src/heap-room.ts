import { FormatError } from './format-error.js';
import { findBuiltin } from './node-builtin.js';

/** What V8 keeps for new objects out of the limit it names: three halves of 16 MB. */
const YOUNG_BYTES = 3 * 2 ** 24;

/** How much of the rest one file may need: the program has other things in memory. */
const SHARE = 0.75;

/**
 * Refuses what the heap of this process or thread cannot hold. Text and objects live there, numbers of typed
 * arrays do not. Where a heap runs out the process ends, and a thread's heap ends the process as well if one
 * string alone is too long for it: that must be known before it is made. On a page nothing is known of it.
 * @param bytes the least that will be needed.
 * @throws FormatError that says how much there is.
 */
export function requireHeap(bytes: number, { format, at }: { format: string; at: string }): void {
  const most = heapBytes();
  if (bytes <= most) return;
  throw new FormatError({
    format,
    at,
    found: `text that takes ${Math.ceil(bytes / 1e6)} MB of memory`,
    expected: `at most ${Math.floor(most / 1e6)} MB, which this process or thread has room for`,
  });
}

/** What the heap may still hold for one file; without an end where that is not known. */
function heapBytes(): number {
  const v8 = findBuiltin('node:v8');
  if (!v8) return Number.POSITIVE_INFINITY;
  return SHARE * Math.max(2 ** 22, v8.getHeapStatistics().heap_size_limit - YOUNG_BYTES);
}

/**
 * Bytes of memory that a text takes once it is decoded: one a letter where all are Latin, else two.
 * @param bytes UTF-8. Only long ones are looked through.
 */
export function decodedBytes(bytes: Uint8Array): number {
  if (bytes.length < 2 ** 20) return 2 * bytes.length;
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > 127) return 2 * bytes.length;
  return bytes.length;
}
