import { ARRAY_SIZES, type FbxArray, type FbxNode, type FbxValue, fbxError } from './fbx-node.js';

/** How binary files begin: 21 letters and two bytes; a version follows. */
export const BINARY_MAGIC = 'Kaydara FBX Binary  \x00';

/** From here on offsets have 64 bits. */
export const WIDE_VERSION = 7500;

/** Records in records: real files have 7 levels. */
const MAX_DEPTH = 64;

/** One letter a byte, made once. */
const LETTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** Types of so many values are remembered, since most records have the same few. */
const KEYED = 8;

/** How many of them, by a hash: a power of two. */
const KNOWN_TYPES = 256;

const NO_VALUES: readonly FbxValue[] = [];
const NO_CHILDREN: readonly FbxNode[] = [];

/** The version of a binary file, such as 7400; 0 where the file is too short to say. */
export function binaryVersion(bytes: Uint8Array): number {
  return bytes.length < 27 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(23, true);
}

/**
 * Reads the records of a binary file. Arrays stay packed.
 * @returns the records, and what follows them.
 */
export function parseBinary(bytes: Uint8Array): { nodes: FbxNode[]; footer: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWide = binaryVersion(bytes) >= WIDE_VERSION;
  const headSize = isWide ? 25 : 13;
  const known: (string | undefined)[] = new Array(KNOWN_TEXTS).fill(undefined);
  let at = 27;

  const need = (size: number, end: number) => {
    if (!(at + size <= end)) throw fbxError(`byte ${at}`, 'the end of its record', `${size} more bytes`);
  };
  const offset = (place: number): number => {
    if (!isWide) return view.getUint32(place, true);
    const value = view.getUint32(place, true) + view.getUint32(place + 4, true) * 2 ** 32;
    return value;
  };

  const readName = (length: number): string => {
    at += length;
    return decodeText(bytes, at - length, at, known);
  };

  const readArray = (type: string, end: number): FbxArray => {
    need(12, end);
    const place = at;
    const count = view.getUint32(at, true);
    const encoding = view.getUint32(at + 4, true);
    const announced = view.getUint32(at + 8, true);
    at += 12;
    const size = count * ARRAY_SIZES[type]!;
    if (encoding > 1)
      throw fbxError(`byte ${place}`, `array encoding ${encoding}`, '0 (plain) or 1 (deflated)');
    // Some writers leave the length of plain arrays unset.
    const length = encoding === 0 ? size : announced;
    need(length, end);
    at += length;
    // Deflate shrinks 1032 times at most.
    if (size > 1040 * length + 64)
      throw fbxError(`byte ${place}`, `${count} numbers in ${length} bytes`, 'a whole array');
    return {
      kind: 'array',
      type,
      count,
      encoding: encoding as 0 | 1,
      store: view,
      start: at - length,
      length,
      at: place,
    };
  };

  const readValue = (code: number, end: number): FbxValue => {
    switch (code) {
      case 67: // C
      case 66: // B
      case 90: {
        // Z
        need(1, end);
        return bytes[at++]!;
      }
      case 89: {
        // Y
        need(2, end);
        at += 2;
        return view.getInt16(at - 2, true);
      }
      case 73: {
        // I
        need(4, end);
        at += 4;
        return view.getInt32(at - 4, true);
      }
      case 70: {
        // F
        need(4, end);
        at += 4;
        return view.getFloat32(at - 4, true);
      }
      case 68: {
        // D
        need(8, end);
        at += 8;
        return view.getFloat64(at - 8, true);
      }
      case 76: {
        // L
        need(8, end);
        at += 8;
        const high = view.getInt32(at - 4, true);
        if (high >= -(2 ** 20) && high < 2 ** 20) return high * 2 ** 32 + view.getUint32(at - 8, true);
        return view.getBigInt64(at - 8, true);
      }
      case 83: // S
      case 82: {
        // R
        need(4, end);
        const length = view.getUint32(at, true);
        at += 4;
        need(length, end);
        at += length;
        return code === 82 ? bytes.subarray(at - length, at) : decodeText(bytes, at - length, at, known);
      }
      default: {
        const type = LETTERS[code]!;
        if (ARRAY_SIZES[type]) return readArray(type, end);
        throw fbxError(`byte ${at - 1}`, `a value of type ${JSON.stringify(type)}`, 'one of CYIFDLSRfdilb');
      }
    }
  };

  const knownTypes: (string | undefined)[] = new Array(KNOWN_TYPES).fill(undefined);
  const codes = new Uint8Array(KEYED);
  /** The letters of the first `count` codes, the same text for the same letters. */
  const typesOf = (count: number): string => {
    let hash = count;
    for (let i = 0; i < count; i++) hash = (Math.imul(hash, 31) + codes[i]!) | 0;
    const place = (hash ^ (hash >>> 8)) & (KNOWN_TYPES - 1);
    const found = knownTypes[place];
    if (found !== undefined && found.length === count) {
      let i = 0;
      while (i < count && found.charCodeAt(i) === codes[i]) i++;
      if (i === count) return found;
    }
    let text = '';
    for (let i = 0; i < count; i++) text += LETTERS[codes[i]!];
    knownTypes[place] = text;
    return text;
  };

  /** The children of the records that are being read, outermost first: how many there are is known at the end. */
  const pending: FbxNode[] = [];

  /** Reads the record at `at`; null for the empty one that ends a list. */
  const readNode = (end: number, depth: number): FbxNode | null => {
    const start = at;
    need(headSize, end);
    const nodeEnd = offset(at);
    if (nodeEnd === 0) {
      at += headSize;
      return null;
    }
    const step = isWide ? 8 : 4;
    const valueCount = offset(at + step);
    const valuesLength = offset(at + 2 * step);
    const nameLength = bytes[at + 3 * step]!;
    at += headSize;
    if (nodeEnd > end || nodeEnd < at)
      throw fbxError(
        `byte ${start}`,
        `a record that ends at byte ${nodeEnd}`,
        nodeEnd > bytes.length
          ? `an end within ${bytes.length} bytes; the file is cut off`
          : `at most ${end}`,
      );
    if (depth > MAX_DEPTH) throw fbxError(`byte ${start}`, `${depth} records in each other`, `${MAX_DEPTH}`);
    need(nameLength, nodeEnd);
    const name = readName(nameLength);
    need(valuesLength, nodeEnd);
    const valuesEnd = at + valuesLength;
    // Every value takes two bytes at least.
    if (2 * valueCount > valuesLength)
      throw fbxError(`byte ${start}`, `${valueCount} values in ${valuesLength} bytes`, 'values that fit');
    let types = '';
    let values = NO_VALUES;
    if (valueCount > 0) {
      // Of the right size at once: lists that grow take room for seventeen.
      const list = new Array<FbxValue>(valueCount);
      const isKeyed = valueCount <= KEYED;
      for (let i = 0; i < valueCount; i++) {
        need(1, valuesEnd);
        const code = bytes[at++]!;
        if (isKeyed) codes[i] = code;
        else types += LETTERS[code];
        list[i] = readValue(code, valuesEnd);
      }
      if (isKeyed) types = typesOf(valueCount);
      values = list;
    }
    at = valuesEnd;
    let children = NO_CHILDREN;
    const hasBlock = at < nodeEnd;
    if (hasBlock) {
      const base = pending.length;
      while (at < nodeEnd) {
        const child = readNode(nodeEnd, depth + 1);
        if (!child) break;
        pending.push(child);
      }
      if (pending.length > base) {
        children = pending.slice(base);
        pending.length = base;
      }
    }
    at = nodeEnd;
    return { name, types, values, children, hasBlock };
  };

  const nodes: FbxNode[] = [];
  while (at < bytes.length) {
    // A file may end without the empty record, or with less than one.
    if (bytes.length - at < headSize) break;
    const node = readNode(bytes.length, 0);
    if (!node) break;
    nodes.push(node);
  }
  return { nodes, footer: bytes.subarray(at) };
}

const decoder = new TextDecoder();

/** Texts this short are worth remembering: files repeat the names of their properties thousands of times. */
const SHORT = 32;

/** How many texts are remembered, by a hash: a power of two. One that falls on another's place takes it. */
const KNOWN_TEXTS = 4096;

function decodeText(bytes: Uint8Array, from: number, to: number, known: (string | undefined)[]): string {
  const length = to - from;
  if (length === 0) return '';
  if (length > SHORT) return decoder.decode(bytes.subarray(from, to));
  let hash = length;
  let high = 0;
  for (let i = from; i < to; i++) {
    hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
    high |= bytes[i]!;
  }
  if (high > 127) return decoder.decode(bytes.subarray(from, to));
  const place = (hash ^ (hash >>> 12)) & (KNOWN_TEXTS - 1);
  const candidate = known[place];
  if (candidate !== undefined && candidate.length === length) {
    let i = 0;
    while (i < length && candidate.charCodeAt(i) === bytes[from + i]) i++;
    if (i === length) return candidate;
  }
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]!);
  known[place] = text;
  return text;
}
