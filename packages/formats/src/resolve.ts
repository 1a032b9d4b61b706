import { UsageError } from '@stuntdouble/core';
import type { Resolve } from './format.js';
import { FormatError } from './format-error.js';

/**
 * Whether a URI in a file may be followed: it must stay in the folder of the file that names it (or below),
 * so that a file from elsewhere cannot make this program read what it should not.
 */
export function isBeside(uri: string): boolean {
  const path = decodeUri(uri);
  // A scheme, a drive letter, a root, or a backslash that one system takes for a separator.
  if (path === '' || /^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]/.test(path)) return false;
  if (path.includes('\\') || path.includes('\0')) return false;
  return !path.split('/').includes('..');
}

/**
 * Fetches the files that stand beside another one.
 * @param base the path or URL of the file that names them; null gives a function that refuses everything.
 */
export function resolveBeside(base: string | null): Resolve {
  return async (uri) => {
    if (base === null)
      throw new UsageError(`the file needs "${uri}", and bytes alone do not say where that is: pass resolve`);
    if (!isBeside(uri))
      throw new FormatError({
        format: 'glTF',
        at: 'uri',
        found: uri.slice(0, 80),
        expected: 'a file in the same folder or below; pass resolve to allow others',
      });
    return fetchBytes(isUrl(base) ? new URL(uri, base).href : joinPath(base, decodeUri(uri)));
  };
}

/** Whether a string is an address rather than a path. A single letter before the colon is a drive. */
export function isUrl(source: string): boolean {
  return /^(https?|file|data|blob):/i.test(source);
}

/** What paths are relative to in a page or a worker; null in Node, where they are files. */
export function pageAddress(): string | null {
  const { process, document, location } = globalThis as {
    process?: { versions?: { node?: string } };
    document?: { baseURI?: string };
    location?: { href?: string };
  };
  if (process?.versions?.node !== undefined) return null;
  return document?.baseURI ?? location?.href ?? null;
}

/**
 * The bytes of a path or address.
 * @throws UsageError where it is not there or may not be read.
 */
export async function fetchBytes(source: string): Promise<Uint8Array> {
  if (isUrl(source) && !/^file:/i.test(source)) {
    const shown = source.length > 100 ? `${source.slice(0, 97)}...` : source;
    let response: Response;
    try {
      response = await fetch(source);
    } catch (cause) {
      throw new UsageError(`cannot read ${shown}: ${reasonOf(cause)}`, { cause });
    }
    if (!response.ok) throw new UsageError(`cannot read ${shown}: the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  // Only here, so that browsers never look for it.
  const { readFile } = await import('node:fs/promises');
  try {
    return plainBytes(await readFile(/^file:/i.test(source) ? new URL(source) : source));
  } catch (cause) {
    throw new UsageError(`cannot read "${source}": ${reasonOf(cause)}`, { cause });
  }
}

/** The same memory without Node's own methods, some of which mean other things than those of typed arrays. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What went wrong with a file, in words. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const words: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is no folder',
    EACCES: 'it may not be opened',
    EPERM: 'it may not be opened',
    ENOSPC: 'the disk is full',
  };
  return words[code] ?? (cause instanceof Error ? cause.message : String(cause));
}

/** A URI with its percent codes undone; one that has none, but a percent sign in its name, as it is. */
function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function joinPath(base: string, uri: string): string {
  const slash = Math.max(base.lastIndexOf('/'), base.lastIndexOf('\\'));
  return slash < 0 ? uri : base.slice(0, slash + 1) + uri;
}
