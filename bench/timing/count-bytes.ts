/** Bytes are counted over so many updates: more might be collected on the way, and not be seen. */
const COUNTED = 4000;
/** So often, and the least counts: the heap grows by whole pages, whoever needed one. */
const TRIES = 5;

/** Bytes that an update leaves on the heap. */
export function countBytes(update: (k: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < TRIES; n++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < COUNTED; k++) update(k);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / COUNTED);
  }
  return Math.max(0, least);
}
