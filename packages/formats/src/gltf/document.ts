import type { Warning } from '@stuntdouble/core';
import { didWork } from '@stuntdouble/core/engine';
import type { ByteRoom } from '../byte-room.js';
import type { ReadOptions, Resolve } from '../format.js';
import { FormatError } from '../format-error.js';
import { decodedBytes, requireHeap } from '../heap-room.js';
import { type Limits, refuseBeyond } from '../limits.js';
import { resolveBeside } from '../resolve.js';
import { decodeDataUri } from '../shared/base64.js';
import { isTextAt } from '../shared/is-text-at.js';
import { countBytes, fetchOnce, nullUnlessLimit, type Whereabouts } from '../shared/resolve-pictures.js';
import { type GlbParts, isGlb, readGlb } from './glb.js';
import { checkGltfJson, type GltfJson, gltfError, isIndex, isObject, show } from './gltf-json.js';
import { parseInPieces } from './parse-in-pieces.js';

/**
 * A glTF file in memory: its JSON exactly as it stands, and the bytes of its buffers. Plain data, so it can
 * go to a worker. Nothing here is ever changed; writing works on copies.
 */
export type GltfDocument = Whereabouts & {
  /** Tells this document from those of other formats. */
  kind: 'gltf';
  json: GltfJson;
  /** One per buffer of the JSON; null for the placeholders that meshopt compression leaves without bytes. */
  buffers: (Uint8Array | null)[];
  /** Chunks of unknown types, kept for writing. */
  otherChunks: GlbParts['others'];
  /** Buffer views that were compressed, decoded on first use; null where that failed. */
  decodedViews: Map<number, Uint8Array | null>;
};

/** The names under which meshopt compression stands in files; both share one schema. */
const MESHOPT_EXTENSIONS = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/**
 * What all compressed views of a file may be unpacked to: so many bytes, and so many times the file's own.
 * Real files grow three- to sixfold; a file that claims more is made to cost memory.
 */
const DECODED_BYTES = 2 ** 24;
const DECODED_RATIO = 8;

/** Whether a scene's document is one of glTF's. */
export function isGltfDocument(document: unknown): document is GltfDocument {
  return isObject(document) && document.kind === 'gltf';
}

/** What {@link loadDocument} takes besides the bytes. */
export type LoadOptions = Pick<ReadOptions, 'resolve' | 'followLinks'> & {
  /** The path or URL of the file, or null. */
  base: string | null;
  limits: Limits;
  warnings: Warning[];
};

/** Reads a glTF or GLB file into a document: parses the JSON, fetches the buffers. */
export async function loadDocument(bytes: Uint8Array, options: LoadOptions): Promise<GltfDocument> {
  const parts: GlbParts = isGlb(bytes) ? readGlb(bytes) : { json: bytes, bin: null, others: [] };
  const { base, followLinks = false, limits } = options;
  const json = checkGltfJson(parseJson(parts.json, limits, options.warnings), limits);
  const room: ByteRoom = { most: limits.bytes, used: bytes.length };
  const resolve = fetchOnce(
    options.resolve ? countBytes(options.resolve, room) : resolveBeside(base, { followLinks, room }),
  );
  const buffers: (Uint8Array | null)[] = [];
  for (const [i, buffer] of (json.buffers ?? []).entries()) {
    const at = `buffers[${i}]`;
    const { uri, byteLength } = buffer;
    if (!Number.isSafeInteger(byteLength) || byteLength < 0)
      throw gltfError(`${at}.byteLength`, show(byteLength), 'a number of bytes');
    const isFallback = MESHOPT_EXTENSIONS.some((name) => {
      const extension = buffer.extensions?.[name];
      return isObject(extension) && extension.fallback === true;
    });
    let data: Uint8Array | null = null;
    if (uri === undefined) data = i === 0 && !isFallback ? parts.bin : null;
    else if (typeof uri !== 'string') throw gltfError(`${at}.uri`, show(uri), 'a text');
    else if (/^data:/i.test(uri)) {
      data = decodeDataUri(uri);
      if (!data) throw gltfError(`${at}.uri`, show(uri), 'a data URI in base64');
    } else if (isFallback) data = await resolve(uri).catch(nullUnlessLimit);
    else data = await resolveBuffer(resolve, uri, at);
    if (!data && !isFallback)
      throw gltfError(at, 'neither a uri nor a binary chunk', 'the bytes of the buffer');
    if (data && data.length < byteLength && isTextAt(data, 0, 'version https://git-lfs'))
      throw gltfError(at, 'a Git LFS pointer', 'the bytes of the buffer; run git lfs pull');
    if (data && data.length < byteLength)
      throw gltfError(at, `${data.length} bytes`, `${byteLength}; the file is cut off`);
    // The binary chunk may be padded beyond the buffer it holds.
    buffers.push(data && data.length > byteLength ? data.subarray(0, byteLength) : data);
  }
  const document: GltfDocument = {
    kind: 'gltf',
    json,
    buffers,
    otherChunks: parts.others,
    base,
    ...(followLinks ? { followLinks } : {}),
    mostBytes: limits.bytes,
    decodedViews: new Map(),
  };
  return document;
}

/**
 * The bytes of a buffer view, decompressed where it is compressed, without copying where it is not.
 * {@link prepareViews} must have run.
 */
export function readView(document: GltfDocument, index: unknown, at: string): Uint8Array {
  const { json, decodedViews } = document;
  const views = json.bufferViews ?? [];
  if (!isIndex(index, views.length))
    throw gltfError(at, `buffer view ${show(index)}`, `one of ${views.length} buffer views`);
  const view = views[index]!;
  if (meshoptOf(view.extensions)) {
    const decoded = decodedViews.get(index);
    if (decoded) return decoded;
    if (decoded === null)
      throw gltfError(`bufferViews[${index}]`, 'bytes that could not be unpacked', 'meshopt');
    decodedViews.set(index, null);
    const bytes = decodeMeshopt(document, index);
    decodedViews.set(index, bytes);
    return bytes;
  }
  return sliceBuffer(document, view, `bufferViews[${index}]`);
}

let decoder: typeof import('meshoptimizer/decoder').MeshoptDecoder | null = null;

/** Loads the decoder where a file is compressed, so that {@link readView} need not wait. */
export async function prepareViews(document: GltfDocument): Promise<void> {
  if (decoder || !document.json.bufferViews?.some((view) => meshoptOf(view.extensions))) return;
  const { MeshoptDecoder } = await import('meshoptimizer/decoder');
  await MeshoptDecoder.ready;
  decoder = MeshoptDecoder;
}

/** The meshopt extension of a buffer view, under either of its names. */
export function meshoptOf(extensions: unknown): Record<string, unknown> | null {
  if (!isObject(extensions)) return null;
  for (const name of MESHOPT_EXTENSIONS) {
    const extension = extensions[name];
    if (isObject(extension)) return extension;
  }
  return null;
}

function decodeMeshopt(document: GltfDocument, index: number): Uint8Array {
  const at = `bufferViews[${index}]`;
  const { byteStride, count, mode, filter, ...range } = meshoptOf(
    document.json.bufferViews![index]!.extensions,
  )!;
  if (!decoder) throw gltfError(at, 'meshopt compression', 'a loaded decoder');
  const stride = typeof byteStride === 'number' ? byteStride : -1;
  const elements = typeof count === 'number' && Number.isInteger(count) ? count : -1;
  const fits: Record<string, boolean> = {
    ATTRIBUTES: stride % 4 === 0 && stride > 0 && stride <= 256,
    TRIANGLES: (stride === 2 || stride === 4) && elements % 3 === 0,
    INDICES: stride === 2 || stride === 4,
  };
  const filterFits: Record<string, boolean> = {
    NONE: true,
    OCTAHEDRAL: stride === 4 || stride === 8,
    QUATERNION: stride === 8,
    EXPONENTIAL: stride % 4 === 0,
    COLOR: stride === 4 || stride === 8,
  };
  const kind = String(mode);
  const filterName = filter === undefined ? 'NONE' : String(filter);
  if (!fits[kind] || elements < 0 || !filterFits[filterName])
    throw gltfError(
      at,
      show({ mode, filter, byteStride, count }),
      'a mode, filter, stride and count of meshopt',
    );
  let most = DECODED_BYTES;
  for (const data of document.buffers) most += DECODED_RATIO * (data?.length ?? 0);
  for (const bytes of document.decodedViews.values()) most -= bytes?.length ?? 0;
  if (elements * stride > most)
    throw gltfError(at, `${elements * stride} unpacked bytes`, `at most ${Math.max(0, most)} in this file`);
  const source = sliceBuffer(document, range, at);
  const target = new Uint8Array(elements * stride);
  try {
    decoder.decodeGltfBuffer(target, elements, stride, source, kind, filterName);
  } catch {
    throw gltfError(at, 'bytes that meshopt cannot unpack', 'a whole compressed view');
  }
  return target;
}

function sliceBuffer(
  document: GltfDocument,
  range: { buffer?: unknown; byteOffset?: unknown; byteLength?: unknown },
  at: string,
): Uint8Array {
  const { buffer, byteOffset = 0, byteLength } = range;
  if (!isIndex(buffer, document.buffers.length))
    throw gltfError(`${at}.buffer`, show(buffer), `one of ${document.buffers.length} buffers`);
  const data = document.buffers[buffer];
  if (!data) throw gltfError(`${at}.buffer`, `buffer ${buffer}, which has no bytes`, 'a buffer with bytes');
  if (
    typeof byteOffset !== 'number' ||
    typeof byteLength !== 'number' ||
    !Number.isSafeInteger(byteOffset) ||
    !Number.isSafeInteger(byteLength) ||
    byteOffset < 0 ||
    byteLength < 0 ||
    byteOffset + byteLength > data.length
  )
    throw gltfError(
      at,
      `bytes ${show(byteOffset)} to +${show(byteLength)}`,
      `a range within the ${data.length} bytes of buffer ${buffer}`,
    );
  return data.subarray(byteOffset, byteOffset + byteLength);
}

async function resolveBuffer(resolve: Resolve, uri: string, at: string): Promise<Uint8Array> {
  try {
    return await resolve(uri);
  } catch (cause) {
    if (cause instanceof FormatError) {
      const { found, expected, limit } = cause;
      throw new FormatError({ format: 'glTF', at, found, expected, ...(limit ? { limit } : {}) });
    }
    throw gltfError(at, `a file "${uri.slice(0, 80)}" that could not be read`, messageOf(cause));
  }
}

function messageOf(cause: unknown): string {
  return `the file beside this one (${cause instanceof Error ? cause.message : String(cause)})`;
}

/** Real files nest about twenty levels; whatever walks JSON by calling itself must come to an end. */
const DEEPEST_JSON = 500;

/**
 * A value of JSON takes two bytes of text or more and up to 100 of memory, and where that runs out the process
 * ends. Real files have a value in 10 to 15 bytes of text, beside what stands in data URIs.
 */
const MOST_VALUES = 2 ** 23;

/** The least that a value takes, in bytes of memory. */
const VALUE_BYTES = 16;

/**
 * Counts the values of JSON before it is parsed.
 * @throws FormatError where it is nested deep, or holds more values than there may be memory for.
 */
function countValues(bytes: Uint8Array): number {
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if ((i & 0xfffff) === 0) didWork(20_000);
    if (isText) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth++;
      values++;
      if (depth > DEEPEST_JSON)
        throw gltfError(
          `JSON, byte ${i}`,
          `more than ${DEEPEST_JSON} levels`,
          'JSON that is nested less deep',
        );
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x2c) values++;
  }
  if (values > MOST_VALUES)
    throw gltfError('JSON', `${values} values`, `at most ${MOST_VALUES}; put what is large into buffers`);
  return values;
}

function parseJson(bytes: Uint8Array, limits: Limits, warnings: Warning[]): unknown {
  // Before it is decoded: a text longer than strings can be ends the process.
  refuseBeyond(limits, 'text', bytes.length, { format: 'glTF', at: 'JSON' });
  const values = countValues(bytes);
  requireHeap(decodedBytes(bytes) + VALUE_BYTES * values, { format: 'glTF', at: 'JSON' });
  let end = bytes.length;
  // Zeros are what some writers pad the chunk with, against the specification.
  while (end > 0 && bytes[end - 1] === 0) end--;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    text = new TextDecoder().decode(bytes.subarray(0, end));
    warnings.push({
      code: 'file-repaired',
      message: 'The JSON is not UTF-8; letters of some names are lost.',
    });
  }
  try {
    return parseInPieces(text);
  } catch (cause) {
    // The parser's message quotes the text around the place, whatever stands there.
    const message = cause instanceof Error ? cause.message.replace(/[^\x20-\x7e]+/g, ' ') : 'a syntax error';
    throw gltfError('JSON', message.replace(/^Un/, 'un'), 'whole JSON');
  }
}
