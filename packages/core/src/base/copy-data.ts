/** A typed array of numbers. */
type CopiedNumbers = Float64Array | Float32Array | Int32Array | Uint8Array;

function isNumbers(value: unknown): value is CopiedNumbers {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** A copy of plain data (lists, objects, typed arrays, values) that shares nothing that may change with the original. */
export function copyData<T>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (isNumbers(value)) return value.slice();
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) copy[name] = copyOf(value[name as keyof typeof value]);
  return copy;
}

/** Whether two pieces of plain data hold the same, to the last bit of every number. Functions are the same where they are one. */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isNumbers(a)) return isNumbers(b) && isSameNumbers(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSameData(a[i], b[i])) return false;
    return true;
  }
  // A map and a set have no names, whatever they hold.
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names)
    if (!Object.hasOwn(b, name) || !isSameData(a[name as keyof typeof a], b[name as keyof typeof b]))
      return false;
  return true;
}

function isSameNumbers(a: CopiedNumbers, b: CopiedNumbers): boolean {
  if (a.length !== b.length || a.constructor !== b.constructor) return false;
  // Loops of their own for what there is most of: one that meets several kinds of arrays is several times as slow.
  if (a instanceof Float64Array && b instanceof Float64Array) {
    for (let i = 0; i < a.length; i++) if (isOther(a[i]!, b[i]!)) return false;
  } else if (a instanceof Float32Array && b instanceof Float32Array) {
    for (let i = 0; i < a.length; i++) if (isOther(a[i]!, b[i]!)) return false;
  } else for (let i = 0; i < a.length; i++) if (isOther(a[i]!, b[i]!)) return false;
  return true;
}

/** What `Object.is` denies of numbers, in half the time. */
function isOther(a: number, b: number): boolean {
  if (a !== b) return !Number.isNaN(a) || !Number.isNaN(b);
  return a === 0 && 1 / a !== 1 / b;
}

/** Whether a value is plain data all through: what {@link copyData} copies whole and {@link isSameData} compares. */
export function isPlainData(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null || isNumbers(value)) return true;
  if (Array.isArray(value)) return value.every(isPlainData);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isPlainData);
}
