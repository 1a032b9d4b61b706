import { UsageError } from '@stuntdouble/core';
import { type ByteRoom, createByteRoom } from './byte-room.js';
import { fetchBytes, isNode, isUrl } from './fetch-bytes.js';
import type { Resolve } from './format.js';
import { FormatError } from './format-error.js';
import { nodeBuiltin } from './node-builtin.js';
import { readWholeFile } from './read-whole-file.js';

/** How files beside another one are fetched. */
export type ResolveOptions = {
  /** Whether links are followed out of the folder; false if left out. */
  followLinks?: boolean;
  /** How many bytes there may be; what was read is added to it. */
  room?: ByteRoom;
};

/**
 * Fetches the files that stand beside another one, in its folder or below, and no others: a file from elsewhere
 * cannot make this program read what it should not. What counts is where an address leads once it is resolved.
 * @param base the path or URL of the file that names them; null gives a function that refuses everything.
 */
export function resolveBeside(base: string | null, options: ResolveOptions = {}): Resolve {
  const { followLinks = false, room = createByteRoom() } = options;
  return async (uri) => {
    const from = base === null ? null : onPage(base);
    if (from === null || /^(data|blob):/i.test(from))
      throw new UsageError(
        `the file needs ${JSON.stringify(uri.slice(0, 80))}, and bytes alone do not say where that is: pass resolve`,
      );
    if (/^https?:/i.test(from)) return fetchBytes(besideAddress(from, uri) ?? refuse(uri), room);
    const { dirname } = nodeBuiltin('node:path');
    const folder = dirname(await pathOf(from));
    const path = (await besidePath(folder, uri)) ?? refuse(uri);
    return readWholeFile(path, room, followLinks ? null : folder);
  };
}

function refuse(uri: string): never {
  throw new FormatError({
    format: 'glTF',
    at: 'uri',
    found: JSON.stringify(uri.slice(0, 80)),
    expected: 'a file in the same folder or below; pass resolve to allow others',
  });
}

async function pathOf(base: string): Promise<string> {
  if (!isUrl(base)) return base;
  const { fileURLToPath } = nodeBuiltin('node:url');
  return fileURLToPath(base);
}

/**
 * The address of a file that another one names, if it lies in the other's folder or below: the same scheme and
 * host, no name or password, a path that begins as the folder's and holds no separators in disguise. It is not the
 * other file itself.
 * @returns null where it does not.
 */
export function besideAddress(base: string, uri: string): string | null {
  let folder: URL;
  let url: URL;
  try {
    folder = new URL('.', base);
    url = new URL(uri, base);
  } catch {
    return null;
  }
  if (url.protocol !== folder.protocol || url.host !== folder.host) return null;
  if (url.username !== '' || url.password !== '') return null;
  if (!url.pathname.startsWith(folder.pathname) || url.pathname === new URL(base).pathname) return null;
  const way = decodeUri(url.pathname.slice(folder.pathname.length));
  return isWayDown(way) && isWayDown(decodeUri(way)) ? url.href : null;
}

/**
 * The path of a file that another one names, if it lies in a folder or below it by its name. Links are another
 * matter.
 * @returns null where it does not.
 */
export async function besidePath(folder: string, uri: string): Promise<string | null> {
  // First as an address, which sees schemes, hosts and what is written around; then as the path that it is read by.
  if (besideAddress('file:///folder/file', uri) === null) return null;
  const way = decodeUri(uri);
  if (!isWayDown(way)) return null;
  const { isAbsolute, join, relative } = nodeBuiltin('node:path');
  const path = join(folder, way);
  const back = relative(folder, path);
  return back === '' || isAbsolute(back) || /^\.\.([/\\]|$)/.test(back) ? null : path;
}

/** Whether a path without percent codes leads downwards, on whatever system it is understood. */
function isWayDown(way: string): boolean {
  if (way === '' || /^\//.test(way) || /[\\\0]/.test(way)) return false;
  return !way.split('/').includes('..');
}

/** What paths are relative to in a page or a worker; null in Node, where they are files. */
export function pageAddress(): string | null {
  if (isNode()) return null;
  const { document, location } = globalThis as {
    document?: { baseURI?: string };
    location?: { href?: string };
  };
  return document?.baseURI ?? location?.href ?? null;
}

/** A path on a page is an address beside it. */
export function onPage(path: string): string {
  const page = isUrl(path) ? null : pageAddress();
  if (page === null) return path;
  try {
    return new URL(path, page).href;
  } catch {
    return path;
  }
}

/** The same memory without Node's own methods, some of which mean other things than those of typed arrays. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A URI with its percent codes undone; one that has none, but a percent sign in its name, as it is. */
function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
