import { didWork } from '@stuntdouble/core/engine';
import { Inflate, unzlibSync } from 'fflate';
import { ARRAY_SIZES, type FbxArray, type FbxValue, fbxError, isFbxArray, packedBytes } from './fbx-node.js';

/**
 * How many bytes the arrays of one file may unpack to, counted down as they do. A deflated array can be a
 * thousand times its size, so a file of a megabyte could ask for a gigabyte.
 */
export type UnpackBudget = {
  bytes: number;
  /** Where short arrays are put, many to a store: files have thousands, and a store each costs more than they. */
  pool?: { store: Float64Array; used: number };
};

/** Numbers of a pool's store, and the longest array that is put in one. */
const POOL_SIZE = 2 ** 14;
const POOLED = 2 ** 10;

function roomFor(count: number, budget: UnpackBudget): Float64Array {
  if (count > POOLED) return new Float64Array(count);
  let { pool } = budget;
  if (!pool || pool.used + count > POOL_SIZE) {
    pool = { store: new Float64Array(POOL_SIZE), used: 0 };
    budget.pool = pool;
  }
  pool.used += count;
  return pool.store.subarray(pool.used - count, pool.used);
}

/** The budget of a file: many times what real files unpack to (at most 8 times among those known). */
export function unpackBudgetFor(byteLength: number): UnpackBudget {
  return { bytes: 16 * byteLength + 2 ** 25 };
}

/** Below this many packed bytes an array is inflated in one go: 64 kB hold 64 MB at most. */
const ONE_GO = 2 ** 16;

/**
 * The numbers of an array, unpacked. Integers of 64 bits become doubles, exact up to 2⁵³ (times of a year
 * in FBX's unit are beyond that; of a day are not).
 * @param check is told whether all of the numbers are finite.
 * @throws FormatError where the value is no array or cannot be unpacked.
 */
export function unpackArray(
  value: FbxValue | undefined,
  budget: UnpackBudget,
  at: string,
  check?: FiniteCheck,
): Float64Array {
  // An array of one number that text has as the number itself.
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (check) check.isFinite = true;
    return Float64Array.of(value);
  }
  if (!isFbxArray(value)) throw fbxError(at, 'no array', 'an array of numbers');
  const { type, count } = value;
  const size = count * ARRAY_SIZES[type]!;
  // They become doubles, whatever they were.
  if (8 * count > budget.bytes)
    throw fbxError(placeOf(value), `${8 * count} bytes once unpacked`, 'a file that unpacks to a sane size');
  budget.bytes -= 8 * count;
  didWork(0.2 * count);
  let view = value.store;
  let start = value.start;
  if (value.encoding === 1) {
    const bytes = inflateArray(value, size, budget);
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    start = 0;
  }
  const out = roomFor(count, budget);
  let unfinite = 0;
  if (type === 'd') unfinite = fillDoubles(out, view, start);
  else if (type === 'f') unfinite = fillFloats(out, view, start);
  else if (type === 'i') for (let i = 0; i < count; i++) out[i] = view.getInt32(start + 4 * i, true);
  else if (type === 'l')
    for (let i = 0; i < count; i++)
      out[i] = view.getInt32(start + 8 * i + 4, true) * 2 ** 32 + view.getUint32(start + 8 * i, true);
  else for (let i = 0; i < count; i++) out[i] = view.getUint8(start + i);
  if (check) check.isFinite = unfinite === 0;
  return out;
}

/** What unpacking finds out on the way: a walk of its own would take as long again. */
export type FiniteCheck = { isFinite: boolean };

/** Gives 0 as long as all numbers are finite: the difference of what is not is no number. */
function fillFloats(out: Float64Array, view: DataView, start: number): number {
  let unfinite = 0;
  for (let i = 0; i < out.length; i++) {
    const value = view.getFloat32(start + 4 * i, true);
    unfinite += value - value;
    out[i] = value;
  }
  return unfinite;
}

function fillDoubles(out: Float64Array, view: DataView, start: number): number {
  let unfinite = 0;
  for (let i = 0; i < out.length; i++) {
    const value = view.getFloat64(start + 8 * i, true);
    unfinite += value - value;
    out[i] = value;
  }
  return unfinite;
}

function placeOf({ at }: FbxArray): string {
  return typeof at === 'number' ? `byte ${at}` : at;
}

function inflateArray(array: FbxArray, size: number, budget: UnpackBudget): Uint8Array {
  const packed = packedBytes(array);
  let out: Uint8Array | null = null;
  try {
    out = packed.length <= ONE_GO ? inflate(packed, size) : inflateBounded(packed, size);
  } catch {
    out = null;
  }
  if (out?.length !== size) {
    // What was inflated in vain counts, or a file of many bad arrays could keep a reader busy for minutes.
    budget.bytes -= Math.min(budget.bytes, 1024 * packed.length);
    throw fbxError(placeOf(array), 'a deflated array that does not unpack', `${array.count} numbers`);
  }
  return out;
}

function inflate(packed: Uint8Array, size: number): Uint8Array {
  return unzlibSync(packed, { out: new Uint8Array(size) });
}

/** Inflates piece by piece, and stops where there is more than was announced. */
function inflateBounded(packed: Uint8Array, size: number): Uint8Array | null {
  const out = new Uint8Array(size);
  let length = 0;
  const stream = new Inflate((chunk) => {
    if (length + chunk.length <= size) out.set(chunk, length);
    length += chunk.length;
  });
  // Two bytes of zlib header, four of checksum.
  const body = packed.subarray(2, packed.length - 4);
  for (let i = 0; i < body.length && length <= size; i += ONE_GO)
    stream.push(body.subarray(i, i + ONE_GO), i + ONE_GO >= body.length);
  return length === size ? out : null;
}
