import { FormatError } from '../../format-error.js';

/**
 * One record of an FBX file: a name, values, and records inside it. Plain data, never changed once read;
 * writing makes new records around the old ones. `childrenOf` gives the records inside.
 */
export type FbxNode = {
  readonly name: string;
  /** The type letter of each value, as binary files have them: `S` text, `L` 64-bit integer, `d` doubles. */
  readonly types: string;
  readonly values: readonly FbxValue[];
  /** The records inside, which may be none: some readers insist on the block. Null where there is no block. */
  readonly block: FbxBlock | null;
};

/** Records inside another. Those of a binary file stay packed until someone asks for all of them. */
export type FbxBlock = {
  /** Null as long as they are packed. */
  nodes: readonly FbxNode[] | null;
  /** The file that has them from byte `start` to `end`; null for records that were made or read from text. */
  readonly store: RecordStore | null;
  readonly start: number;
  readonly end: number;
};

/** A binary file, as its records are read from it. */
export type RecordStore = {
  readonly bytes: Uint8Array;
  /** Of the same bytes. */
  readonly view: DataView;
  /** Whether offsets have 64 bits. */
  readonly isWide: boolean;
};

/** A value of a record. Integers beyond 2⁵³ are bigints; text that is not UTF-8 stays bytes. */
export type FbxValue = number | bigint | boolean | string | Uint8Array | FbxArray;

/** An array of numbers, packed as its file has it until it is asked for. */
export type FbxArray = {
  readonly kind: 'array';
  /** `f`, `d`, `i`, `l`, `b` or `c`. */
  readonly type: string;
  readonly count: number;
  /** 0: plain, 1: deflated (zlib), as in the file; 0 where it was read from text. */
  readonly encoding: 0 | 1;
  /** Where its bytes are: `length` of them from `start` on. A view of its own per array would cost more than the array. */
  readonly store: DataView;
  readonly start: number;
  readonly length: number;
  /** Where the array stands, for error messages: a byte of the file, or a line. */
  readonly at: number | string;
};

/** The bytes of an array as its file has them. */
export function packedBytes({ store, start, length }: FbxArray): Uint8Array {
  return new Uint8Array(store.buffer, store.byteOffset + start, length);
}

/** Bytes per number of an array's type. */
export const ARRAY_SIZES: Readonly<Record<string, number>> = { f: 4, d: 8, i: 4, l: 8, b: 1, c: 1 };

/** An error in an FBX file. */
export function fbxError(at: string, found: string, expected: string): FormatError {
  return new FormatError({ format: 'FBX', at, found, expected });
}

/** Whether a value is an array of numbers. */
export function isFbxArray(value: FbxValue | undefined): value is FbxArray {
  return typeof value === 'object' && 'kind' in value;
}

/** A value as a finite number, or the fallback. */
export function numberOf(value: FbxValue | undefined, fallback = 0): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}

/** A value as text, or the empty text. Bytes that are no UTF-8 are taken for Latin letters, so that names stay apart. */
export function textOf(value: FbxValue | undefined): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? latin.decode(value.subarray(0, LONGEST_NAME)) : '';
}

const latin = new TextDecoder('latin1');

/** How many bytes of a text that is no UTF-8 are looked at. */
const LONGEST_NAME = 2 ** 16;

/** A record of the given values; `types` has one letter a value. */
export function createNode(
  name: string,
  types: string,
  values: readonly FbxValue[],
  children: readonly FbxNode[] | null = null,
): FbxNode {
  return { name, types, values, block: children && createBlock(children) };
}

/** A block of the given records. */
export function createBlock(nodes: readonly FbxNode[]): FbxBlock {
  return { nodes, store: null, start: 0, end: 0 };
}

/** An array value of plain numbers; 64-bit integers are given as numbers below 2⁵³. */
export function createArray(type: 'f' | 'd' | 'i' | 'l', numbers: ArrayLike<number>): FbxArray {
  const count = numbers.length;
  const length = count * ARRAY_SIZES[type]!;
  const view = new DataView(new ArrayBuffer(length));
  for (let i = 0; i < count; i++) {
    const value = numbers[i]!;
    if (type === 'f') view.setFloat32(4 * i, value, true);
    else if (type === 'd') view.setFloat64(8 * i, value, true);
    else if (type === 'i') view.setInt32(4 * i, value, true);
    else {
      const high = Math.floor(value / 2 ** 32);
      view.setUint32(8 * i, value - high * 2 ** 32, true);
      view.setInt32(8 * i + 4, high, true);
    }
  }
  return { kind: 'array', type, count, encoding: 0, store: view, start: 0, length, at: 'a new array' };
}
