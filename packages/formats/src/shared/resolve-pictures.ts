import { type ByteRoom, requireRoom } from '../byte-room.js';
import type { Resolve } from '../format.js';
import { FormatError } from '../format-error.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { resolveBeside } from '../resolve.js';

/** Where a file came from, for finding what stands beside it. */
export type Whereabouts = {
  /** Its path or URL; null where only bytes were given. */
  base: string | null;
  /** Whether links beside it are followed out of its folder. */
  followLinks?: boolean;
  /** How many bytes there may be in it and in the files that it names. */
  mostBytes?: number;
};

/**
 * Fetches the pictures that a document names, for writing: as its buffers were fetched, and each file once.
 * @param given a caller's own way to fetch them.
 */
export function resolvePictures(document: Whereabouts, given: Resolve | undefined): Resolve {
  const { base, followLinks = false, mostBytes = DEFAULT_LIMITS.bytes } = document;
  const room: ByteRoom = { most: mostBytes, used: 0 };
  return fetchOnce(given ? countBytes(given, room) : resolveBeside(base, { followLinks, room }));
}

/** Counts what a caller's own function fetches, once it has. */
export function countBytes(resolve: Resolve, room: ByteRoom): Resolve {
  return async (uri) => {
    const bytes = await resolve(uri);
    requireRoom(room, bytes.length, JSON.stringify(uri.slice(0, 80)));
    room.used += bytes.length;
    return bytes;
  };
}

/** A file that is named many times is fetched once and held once. */
export function fetchOnce(resolve: Resolve): Resolve {
  const fetched = new Map<string, Promise<Uint8Array>>();
  return (uri) => {
    const known = fetched.get(uri) ?? resolve(uri);
    fetched.set(uri, known);
    return known;
  };
}

/** What can be done without is none where it is not there; a limit is one all the same. */
export function nullUnlessLimit(cause: unknown): null {
  if (cause instanceof FormatError && cause.limit) throw cause;
  return null;
}
