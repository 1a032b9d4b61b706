import { didWork } from '@stuntdouble/core/engine';
import { isTextAt } from '../../shared/is-text-at.js';
import {
  ARRAY_SIZES,
  type FbxArray,
  type FbxBlock,
  type FbxNode,
  type FbxValue,
  fbxError,
  type RecordStore,
} from './fbx-node.js';
import { LETTERS, readText } from './packed-text.js';

/*
 * The records of a binary file, read where they stand. A record is: where it ends, how many values it has, how
 * many bytes these take, its name, the values, and the records inside it, of which an empty one is the last. Most
 * records of a file are never asked for: a body of a hundred joints has ten thousand.
 */

/** Records in records: real files have 7 levels. */
const MAX_DEPTH = 64;

/** Where the parts of a record begin, in bytes of the file. */
export type RecordHead = {
  name: number;
  values: number;
  valueCount: number;
  /** Where the values end and the records inside begin. */
  block: number;
  end: number;
};

/** A head to be read into. */
export function createHead(): RecordHead {
  return { name: 0, values: 0, valueCount: 0, block: 0, end: 0 };
}

/** Bytes before a record's name; as many zeros are the empty record that ends a block. */
export function headSizeOf({ isWide }: Pick<RecordStore, 'isWide'>): number {
  return isWide ? 25 : 13;
}

function offsetAt(view: DataView, place: number, isWide: boolean): number {
  const low = view.getUint32(place, true);
  if (!isWide) return low;
  const high = view.getUint32(place + 4, true);
  return high === 0 ? low : low + high * 2 ** 32;
}

function need(at: number, size: number, end: number): void {
  if (!(at + size <= end)) throw fbxError(`byte ${at}`, 'the end of its record', `${size} more bytes`);
}

/**
 * Reads where the parts of the record at a byte begin.
 * @param limit where the block it stands in ends.
 * @returns false for the empty record that ends a block.
 * @throws FormatError where the record leaves its block, or its parts do not fit into it.
 */
export function readHead(out: RecordHead, store: RecordStore, at: number, limit: number): boolean {
  const { bytes, view, isWide } = store;
  const step = isWide ? 8 : 4;
  const name = at + 3 * step + 1;
  if (name > limit) need(at, 3 * step + 1, limit);
  const end = offsetAt(view, at, isWide);
  if (end === 0) return false;
  if (end > limit || end < name)
    throw fbxError(
      `byte ${at}`,
      `a record that ends at byte ${end}`,
      end > bytes.length ? `an end within ${bytes.length} bytes; the file is cut off` : `at most ${limit}`,
    );
  const valueCount = offsetAt(view, at + step, isWide);
  const length = offsetAt(view, at + 2 * step, isWide);
  const values = name + bytes[name - 1]!;
  const block = values + length;
  if (!(block <= end)) need(name, block - name, end);
  // Every value takes two bytes at least.
  if (2 * valueCount > length)
    throw fbxError(`byte ${at}`, `${valueCount} values in ${length} bytes`, 'values that fit');
  // Places are below 2³¹ (see parseBinary). Said so, none of them becomes a number object of its own.
  out.name = name | 0;
  out.values = values | 0;
  out.valueCount = valueCount | 0;
  out.block = block | 0;
  out.end = end | 0;
  return true;
}

/** Bytes of a value by its type letter; 0 for those that say it themselves, and for no type at all. */
const SIZES = new Uint8Array(256);
for (const [letter, size] of Object.entries({ C: 1, B: 1, Z: 1, Y: 2, I: 4, F: 4, D: 8, L: 8 }))
  SIZES[letter.charCodeAt(0)] = size;

/** Bytes of a number by the type letter of its array; 0 for what is no array. */
const NUMBER_SIZES = new Uint8Array(256);
for (const [letter, size] of Object.entries(ARRAY_SIZES)) NUMBER_SIZES[letter.charCodeAt(0)] = size;

const S = 83;
const R = 82;

/** Where a value ends whose type letter stands at a byte. */
function endOfValue(store: RecordStore, at: number, limit: number): number {
  const start = at + 1;
  need(at, 1, limit);
  const code = store.bytes[at]!;
  const size = SIZES[code]!;
  if (size > 0) {
    need(start, size, limit);
    return start + size;
  }
  if (code === S || code === R) {
    need(start, 4, limit);
    const length = store.view.getUint32(start, true);
    need(start + 4, length, limit);
    return (start + 4 + length) | 0;
  }
  return (start + 12 + arrayLength(store, code, start, limit)) | 0;
}

/** The packed bytes of an array whose head stands at a byte. */
function arrayLength({ view }: RecordStore, code: number, at: number, limit: number): number {
  const numberSize = NUMBER_SIZES[code]!;
  if (numberSize === 0)
    throw fbxError(
      `byte ${at - 1}`,
      `a value of type ${JSON.stringify(LETTERS[code]!)}`,
      'one of CYIFDLSRfdilb',
    );
  need(at, 12, limit);
  const count = view.getUint32(at, true);
  const encoding = view.getUint32(at + 4, true);
  const size = count * numberSize;
  if (encoding > 1) throw fbxError(`byte ${at}`, `array encoding ${encoding}`, '0 (plain) or 1 (deflated)');
  // Some writers leave the length of plain arrays unset.
  const length = encoding === 0 ? size : view.getUint32(at + 8, true);
  need(at + 12, length, limit);
  // Deflate shrinks 1032 times at most.
  if (size > 1040 * length + 64)
    throw fbxError(`byte ${at}`, `${count} numbers in ${length} bytes`, 'a whole array');
  return length;
}

/**
 * Looks at all records of a block: a file is refused for what is broken in it when it is read, not when someone
 * asks for the part that is.
 * @throws FormatError where a record or a value is broken, or records are nested too deeply.
 */
export function checkRecords(store: RecordStore, start: number, end: number, depth: number): void {
  const head = createHead();
  let at = start;
  while (at < end) {
    if (!readHead(head, store, at, end)) return;
    if (depth > MAX_DEPTH) throw fbxError(`byte ${at}`, `${depth} records in each other`, `${MAX_DEPTH}`);
    const { block, end: next } = head;
    let value = head.values;
    didWork(1 + 0.05 * head.valueCount);
    for (let n = head.valueCount; n > 0; n--) value = endOfValue(store, value, block);
    if (block < next) checkRecords(store, block, next, depth + 1);
    at = next;
  }
}

/** Where the value ends that was read last. */
let valueEnd = 0;

/** Reads the value at a byte, which must be a whole one: see {@link checkRecords}. */
export function readValue(store: RecordStore, at: number): FbxValue {
  const { bytes, view } = store;
  const code = bytes[at]!;
  const start = at + 1;
  valueEnd = start + SIZES[code]!;
  switch (code) {
    case S:
      valueEnd = (start + 4 + view.getUint32(start, true)) | 0;
      return readText(bytes, start + 4, valueEnd);
    case 68: // D
      return view.getFloat64(start, true);
    case 76: // L
      return readInteger(view, start);
    case 73: // I
      return view.getInt32(start, true);
    case 70: // F
      return view.getFloat32(start, true);
    case 89: // Y
      return view.getInt16(start, true);
    case 67: // C
    case 66: // B
    case 90: // Z
      return bytes[start]!;
    case R:
      valueEnd = start + 4 + view.getUint32(start, true);
      return bytes.subarray(start + 4, valueEnd);
    default:
      return readArray(store, code, start);
  }
}

/** A 64-bit integer: a number where a double holds it. */
function readInteger(view: DataView, at: number): number | bigint {
  const high = view.getInt32(at + 4, true);
  if (high >= -(2 ** 20) && high < 2 ** 20) return high * 2 ** 32 + view.getUint32(at, true);
  return view.getBigInt64(at, true);
}

function readArray({ view }: RecordStore, code: number, at: number): FbxArray {
  const count = view.getUint32(at, true);
  const isPlain = view.getUint32(at + 4, true) === 0;
  const length = isPlain ? count * NUMBER_SIZES[code]! : view.getUint32(at + 8, true);
  valueEnd = (at + 12 + length) | 0;
  return {
    kind: 'array',
    type: LETTERS[code]!,
    count,
    encoding: isPlain ? 0 : 1,
    store: view,
    start: at + 12,
    length,
    at,
  };
}

const NO_VALUES: readonly FbxValue[] = [];

/** Reads the values of the record of a head, from the given one on. */
export function readValues(store: RecordStore, head: RecordHead, from = 0): readonly FbxValue[] {
  const count = head.valueCount - from;
  if (count <= 0) return NO_VALUES;
  // Of the right size at once: lists that grow take room for seventeen.
  const values = new Array<FbxValue>(count);
  readValuesInto(values, store, head, from);
  return values;
}

/** out = the values of the record of a head, from the given one on. */
export function readValuesInto(out: FbxValue[], store: RecordStore, head: RecordHead, from = 0): void {
  const count = Math.max(0, head.valueCount - from);
  let at = head.values;
  for (let i = 0; i < from && i < head.valueCount; i++) at = endOfValue(store, at, head.block);
  if (out.length !== count) out.length = count;
  for (let i = 0; i < count; i++) {
    out[i] = readValue(store, at);
    at = valueEnd;
  }
}

/** Types of so many values are remembered, since most records have the same few. */
const KEYED = 8;

/** How many of them, by a hash: a power of two. */
const KNOWN_TYPES = 256;

const knownTypes: (string | undefined)[] = new Array(KNOWN_TYPES).fill(undefined);
const codes = new Uint8Array(KEYED);

/** The type letters of the values of a head. */
function readTypes(store: RecordStore, { values, valueCount, block }: RecordHead): string {
  let at = values;
  let types = '';
  if (valueCount > KEYED) {
    for (let i = 0; i < valueCount; i++) {
      types += LETTERS[store.bytes[at]!];
      at = endOfValue(store, at, block);
    }
    return types;
  }
  let hash = valueCount;
  for (let i = 0; i < valueCount; i++) {
    const code = store.bytes[at]!;
    codes[i] = code;
    hash = (Math.imul(hash, 31) + code) | 0;
    at = endOfValue(store, at, block);
  }
  const place = (hash ^ (hash >>> 8)) & (KNOWN_TYPES - 1);
  const found = knownTypes[place];
  if (found !== undefined && found.length === valueCount) {
    let i = 0;
    while (i < valueCount && found.charCodeAt(i) === codes[i]) i++;
    if (i === valueCount) return found;
  }
  for (let i = 0; i < valueCount; i++) types += LETTERS[codes[i]!];
  knownTypes[place] = types;
  return types;
}

/** Reads the record of a head; the records inside it stay packed. */
export function readRecord(store: RecordStore, head: RecordHead): FbxNode {
  return {
    name: readName(store, head),
    types: readTypes(store, head),
    values: readValues(store, head),
    block: readBlock(store, head),
  };
}

/** The records inside that of a head, packed; null where it has no block. */
export function readBlock(store: RecordStore, { block, end }: RecordHead): FbxBlock | null {
  return block < end ? { nodes: null, store, start: block, end } : null;
}

/** The first value of the record of a head, where it is a text; else null. */
export function readFirstText(store: RecordStore, { values, valueCount }: RecordHead): string | null {
  if (valueCount === 0 || store.bytes[values] !== S) return null;
  const text = readValue(store, values);
  return typeof text === 'string' ? text : null;
}

/** The name of the record of a head. */
export function readName({ bytes }: RecordStore, { name, values }: RecordHead): string {
  const text = readText(bytes, name, values);
  return typeof text === 'string' ? text : '';
}

/** Whether the record of a head has a name, without reading it. */
export function hasName({ bytes }: RecordStore, { name: start, values }: RecordHead, name: string): boolean {
  return values - start === name.length && isTextAt(bytes, start, name);
}
