import { readFileSync } from 'node:fs';
import { UsageError } from '@stuntdouble/core';

/** What stands for standard input among files to read, and for standard output among those to write. */
export const STREAM = '-';

/** Whether a file to write is standard output: `-`, or `-.bvh` where another format than the target's is meant. */
export function isStandardOutput(output: string | undefined): output is string {
  return output !== undefined && /^-(\.\w+)?$/.test(output);
}

/**
 * All bytes that come in by standard input.
 * @throws UsageError where nothing does.
 */
export function readStandardInput(read: () => Uint8Array = () => readFileSync(0)): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = read();
  } catch (cause) {
    throw new UsageError('cannot read standard input', { cause });
  }
  if (bytes.length === 0) throw new UsageError('standard input is empty; "-" reads a file from there');
  return new Uint8Array(bytes);
}
