import { createHash, type Hash } from 'node:crypto';

/** How many hexadecimal digits of a hash are kept: 64 bits, so that no two of some thousand are equal by chance. */
const DIGITS = 16;

/**
 * The hash of plain data: every bit of every number counts, zero's sign and an array's type too, and the order of
 * lists; the order of an object's entries does not, nor entries that are undefined. All that is no number is one NaN,
 * whose bits are not the language's to say.
 * @throws TypeError where something is not plain: a function, a symbol, an object of a class.
 */
export function digest(value: unknown): string {
  const hash = createHash('sha256');
  feed(hash, value, '');
  return hash.digest('hex').slice(0, DIGITS);
}

/** Lengths stand before contents, so that no two values have the same bytes. */
function feed(hash: Hash, value: unknown, at: string): void {
  if (value === null || value === undefined || typeof value === 'boolean') hash.update(`${value};`);
  else if (typeof value === 'number') feedNumbers(hash.update('number '), Float64Array.of(value));
  else if (typeof value === 'string') hash.update(`text ${Buffer.byteLength(value)} ${value}`);
  else if (ArrayBuffer.isView(value)) feedNumbers(hash, value);
  else if (Array.isArray(value)) {
    hash.update(`list ${value.length} `);
    value.forEach((entry, n) => {
      feed(hash, entry, `${at}[${n}]`);
    });
  } else if (isPlainObject(value)) {
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    hash.update(`object ${entries.length} `);
    for (const [name, entry] of entries) {
      feed(hash, name, at);
      feed(hash, entry, `${at}.${name}`);
    }
  } else throw new TypeError(`${at || 'the value'} is ${String(value)}, which is no plain data`);
}

function feedNumbers(hash: Hash, given: ArrayBufferView): void {
  let view = given;
  if ((given instanceof Float32Array || given instanceof Float64Array) && given.some(Number.isNaN))
    view = given.map((number) => (Number.isNaN(number) ? Number.NaN : number));
  hash.update(`${given.constructor.name} ${view.byteLength} `);
  hash.update(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
