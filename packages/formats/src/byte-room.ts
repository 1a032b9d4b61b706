import { FormatError } from './format-error.js';
import { DEFAULT_LIMITS } from './limits.js';

/** How many bytes may be read, and how many were: a file shares it with the files that it names. */
export type ByteRoom = { readonly most: number; used: number };

/** Room for the bytes of one file and of those that it names. */
export function createByteRoom(most: number = DEFAULT_LIMITS.bytes): ByteRoom {
  return { most, used: 0 };
}

/**
 * Refuses bytes for which there is no room. What was read is to be added to `used` afterwards.
 * @param count how many more there are, or are to come.
 * @param at the file that has them.
 * @throws FormatError that names the limit.
 */
export function requireRoom({ most, used }: ByteRoom, count: number, at: string): void {
  if (used + count <= most) return;
  const others = used > 0 ? ` with the ${used} of the files read before` : '';
  throw new FormatError({
    format: 'file',
    at,
    found: `${count} bytes or more${others}`,
    expected: `at most ${most} (limits.bytes)`,
    limit: 'bytes',
  });
}
