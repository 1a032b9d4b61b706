import { Inflate, unzlibSync } from 'fflate';
import { ARRAY_SIZES, type FbxArray, type FbxValue, fbxError, isFbxArray } from './fbx-node.js';

/**
 * How many bytes the arrays of one file may unpack to, counted down as they do. A deflated array can be a
 * thousand times its size, so a file of a megabyte could ask for a gigabyte.
 */
export type UnpackBudget = { bytes: number };

/** The budget of a file: many times what real files unpack to (at most 8 times among those known). */
export function unpackBudgetFor(byteLength: number): UnpackBudget {
  return { bytes: 16 * byteLength + 2 ** 25 };
}

/** Below this many packed bytes an array is inflated in one go: 64 kB hold 64 MB at most. */
const ONE_GO = 2 ** 16;

/**
 * The numbers of an array, unpacked. Integers of 64 bits become doubles, exact up to 2⁵³ (times of a year
 * in FBX's unit are beyond that; of a day are not).
 * @throws FormatError where the value is no array or cannot be unpacked.
 */
export function unpackArray(value: FbxValue | undefined, budget: UnpackBudget, at: string): Float64Array {
  const bytes = unpackBytes(value, budget, at);
  const { type, count } = value as FbxArray;
  const out = new Float64Array(count);
  if (type === 'b' || type === 'c') return Float64Array.from(bytes);
  if (type === 'd') {
    new Uint8Array(out.buffer).set(bytes);
    return out;
  }
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  if (type === 'f') {
    const floats = new Float32Array(aligned.buffer, aligned.byteOffset, count);
    for (let i = 0; i < count; i++) out[i] = floats[i]!;
  } else if (type === 'i') {
    const integers = new Int32Array(aligned.buffer, aligned.byteOffset, count);
    for (let i = 0; i < count; i++) out[i] = integers[i]!;
  } else {
    const low = new Uint32Array(aligned.buffer, aligned.byteOffset, 2 * count);
    const high = new Int32Array(aligned.buffer, aligned.byteOffset, 2 * count);
    for (let i = 0; i < count; i++) out[i] = high[2 * i + 1]! * 2 ** 32 + low[2 * i]!;
  }
  return out;
}

function unpackBytes(value: FbxValue | undefined, budget: UnpackBudget, at: string): Uint8Array {
  if (!isFbxArray(value)) throw fbxError(at, 'no array', 'an array of numbers');
  const size = value.count * ARRAY_SIZES[value.type]!;
  if (size > budget.bytes)
    throw fbxError(value.at, `${size} bytes once unpacked`, 'a file that unpacks to a sane size');
  budget.bytes -= size;
  if (value.encoding === 0) return value.packed;
  let out: Uint8Array | null = null;
  try {
    out = value.packed.length <= ONE_GO ? inflate(value.packed, size) : inflateBounded(value.packed, size);
  } catch {
    out = null;
  }
  if (out?.length !== size) {
    // What was inflated in vain counts, or a file of many bad arrays could keep a reader busy for minutes.
    budget.bytes -= Math.min(budget.bytes, 1024 * value.packed.length);
    throw fbxError(value.at, 'a deflated array that does not unpack', `${value.count} numbers`);
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
