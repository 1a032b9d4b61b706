import { oneLine, type Scene, UsageError } from '@stuntdouble/core/engine';
import { type ByteRoom, createByteRoom, requireRoom } from './byte-room.js';
import { detectFormat } from './detect.js';
import { fetchBytes, isUrl } from './fetch-bytes.js';
import type { ReadOptions } from './format.js';
import { FormatError } from './format-error.js';
import { heedSignal } from './heed-signal.js';
import { completeLimits } from './limits.js';
import { onPage, plainBytes } from './resolve.js';

/**
 * What can be read: a path, an address (`file:`, `http:`, `https:`, `data:`, `blob:`), bytes, or a `File`. On a page
 * paths are addresses beside it.
 */
export type Source = string | URL | Uint8Array | ArrayBuffer | Blob;

/**
 * Reads a character or a motion, whatever its format: that is found by looking at the bytes.
 * @throws FormatError where the file is broken, beyond a limit or of a kind that is not read.
 * @throws UsageError where there is no such file, or it is no file but a folder, a pipe or a device.
 */
export async function read(source: Source, options: ReadOptions = {}): Promise<Scene> {
  options.signal?.throwIfAborted();
  const { bytes, base, name } = await open(source, createByteRoom(completeLimits(options.limits).bytes));
  options.signal?.throwIfAborted();
  const format = detectFormat(bytes);
  try {
    const scene = await heedSignal(options.signal, () =>
      format.read(bytes, {
        ...options,
        name: options.name ?? name,
        ...(options.base === undefined && base !== null ? { base } : {}),
      }),
    );
    options.signal?.throwIfAborted();
    // Names of files are in them.
    scene.warnings = scene.warnings.map((each) => ({ ...each, message: oneLine(each.message) }));
    return scene;
  } catch (cause) {
    // What lists, strings or memory cannot hold: each reader refuses it by number where it can tell before.
    if (!(cause instanceof RangeError)) throw cause;
    throw new FormatError(
      {
        format: format.name,
        at: 'the file',
        found: `more than can be held (${cause.message})`,
        expected: 'a smaller file',
      },
      { cause },
    );
  }
}

type Opened = { bytes: Uint8Array; base: string | null; name: string };

async function open(source: Source, room: ByteRoom): Promise<Opened> {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) {
    requireRoom(room, source.byteLength, 'bytes');
    const bytes = source instanceof Uint8Array ? plainBytes(source) : new Uint8Array(source);
    return { bytes, base: null, name: 'untitled' };
  }
  if (source instanceof Blob) {
    requireRoom(room, source.size, 'bytes');
    const name = 'name' in source && typeof source.name === 'string' ? baseName(source.name) : 'untitled';
    return { bytes: new Uint8Array(await source.arrayBuffer()), base: null, name };
  }
  const path = source instanceof URL ? source.href : source;
  if (typeof path !== 'string' || path === '')
    throw new UsageError(`source is ${JSON.stringify(source)}; pass a path, a URL, bytes or a File`);
  const address = onPage(path);
  const bytes = await fetchBytes(address, room);
  // What is in an address has nothing beside it.
  const isAlone = /^(data|blob):/i.test(address);
  return { bytes, base: isAlone ? null : address, name: isAlone ? 'untitled' : baseName(address) };
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
