import { type Scene, UsageError } from '@stuntdouble/core';
import { detectFormat } from './detect.js';
import type { ReadOptions } from './format.js';
import { fetchBytes, isUrl, pageAddress, plainBytes } from './resolve.js';

/**
 * What can be read: a path, an address (`file:`, `http:`, `https:`, `data:`, `blob:`), bytes, or a `File`. On a page
 * paths are addresses beside it.
 */
export type Source = string | URL | Uint8Array | ArrayBuffer | Blob;

/**
 * Reads a character or a motion, whatever its format: that is found by looking at the bytes.
 * @throws FormatError where the file is broken or of a kind that is not read.
 * @throws UsageError where there is no such file.
 */
export async function read(source: Source, options: ReadOptions = {}): Promise<Scene> {
  const { bytes, base, name } = await open(source);
  const format = detectFormat(bytes);
  return format.read(bytes, {
    ...options,
    name: options.name ?? name,
    ...(options.base === undefined && base !== null ? { base } : {}),
  });
}

async function open(source: Source): Promise<{ bytes: Uint8Array; base: string | null; name: string }> {
  if (source instanceof Uint8Array) return { bytes: plainBytes(source), base: null, name: 'untitled' };
  if (source instanceof ArrayBuffer) return { bytes: new Uint8Array(source), base: null, name: 'untitled' };
  if (source instanceof Blob) {
    const name = 'name' in source && typeof source.name === 'string' ? baseName(source.name) : 'untitled';
    return { bytes: new Uint8Array(await source.arrayBuffer()), base: null, name };
  }
  const path = source instanceof URL ? source.href : source;
  if (typeof path !== 'string' || path === '')
    throw new UsageError(`source is ${JSON.stringify(source)}; pass a path, a URL, bytes or a File`);
  return openAddress(onPage(path));
}

/** A path on a page is an address beside it. */
function onPage(path: string): string {
  const page = isUrl(path) ? null : pageAddress();
  if (page === null) return path;
  try {
    return new URL(path, page).href;
  } catch {
    return path;
  }
}

async function openAddress(path: string): Promise<{ bytes: Uint8Array; base: string | null; name: string }> {
  const bytes = await fetchBytes(path);
  const isData = /^data:/i.test(path);
  return { bytes, base: isData ? null : path, name: isData ? 'untitled' : baseName(path) };
}

/** The name of a file without folder and extension. */
function baseName(path: string): string {
  const clean = isUrl(path) ? decode(path.replace(/[?#].*$/s, '')) : path;
  const last =
    clean
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .pop() ?? '';
  return last.replace(/(?<=.)\.[^.]*$/, '') || 'untitled';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
