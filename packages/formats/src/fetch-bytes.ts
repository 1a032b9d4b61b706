import { UsageError } from '@stuntdouble/core';
import { type ByteRoom, createByteRoom, requireRoom } from './byte-room.js';
import { FormatError } from './format-error.js';
import { readWholeFile, reasonOf } from './read-whole-file.js';

/** How often a server may send on to another of its addresses. */
const MOST_REDIRECTS = 5;

/** Whether a string is an address rather than a path. A single letter before the colon is a drive. */
export function isUrl(source: string): boolean {
  return /^(https?|file|data|blob):/i.test(source);
}

/** Whether this runs in Node rather than on a page or in a worker of one. */
export function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}

/**
 * The bytes of a path or address. A server may send on to other addresses of its own, and from `http:` to
 * `https:`, but not to another host.
 * @throws UsageError where it is not there, is no file or may not be read.
 * @throws FormatError where it is larger than there is room.
 */
export async function fetchBytes(source: string, room: ByteRoom = createByteRoom()): Promise<Uint8Array> {
  if (!isUrl(source)) return readWholeFile(source, room);
  if (/^file:/i.test(source)) return readWholeFile(new URL(source), room);
  const shown = source.length > 100 ? `${source.slice(0, 97)}...` : source;
  try {
    const response = await fetchOnHost(source);
    if (!response.ok) throw new UsageError(`cannot read ${shown}: the server answered ${response.status}`);
    return await readBody(response, room, shown);
  } catch (cause) {
    if (cause instanceof UsageError || cause instanceof FormatError) throw cause;
    throw new UsageError(`cannot read ${shown}: ${reasonOf(cause)}`, { cause });
  }
}

/** Follows redirects as far as they stay on the host. */
async function fetchOnHost(source: string): Promise<Response> {
  let address = source;
  for (let count = 0; ; count++) {
    // A page is never told where it is sent on to, only where it came out.
    const response = await fetch(address, { redirect: isNode() ? 'manual' : 'follow' });
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    const next = location === null ? response.url || address : new URL(location, address).href;
    if (!staysOnHost(new URL(address), new URL(next))) {
      await response.body?.cancel();
      throw new Error(`the server sends on to another host, ${next.slice(0, 100)}; read that if it is meant`);
    }
    if (location === null) return response;
    await response.body?.cancel();
    if (count >= MOST_REDIRECTS) throw new Error(`the server sends on more than ${MOST_REDIRECTS} times`);
    address = next;
  }
}

/** Whether a redirect stays on the host: the same one and port, or from `http:` to the usual port of `https:`. */
function staysOnHost(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false;
  if (from.protocol === to.protocol) return from.host === to.host;
  return (
    from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname && to.port === ''
  );
}

/** Reads what a server sends, up to where the room ends, whatever length it announced. */
async function readBody(response: Response, room: ByteRoom, shown: string): Promise<Uint8Array> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > 0) {
    try {
      requireRoom(room, announced, shown);
    } catch (error) {
      await response.body?.cancel();
      throw error;
    }
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (room.used + length > room.most) {
      await reader.cancel();
      requireRoom(room, length, shown);
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  room.used += length;
  return bytes;
}
