import { UsageError } from './errors.js';

/** What JSON can hold. */
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };

/** Where a value stands in a document: `recipe.map.joints[3]`. */
export type DataPath = string;

/** Nested deeper than this, data is taken for a circle. */
const DEEPEST_DATA = 64;

/**
 * A copy of a value that JSON can hold. Entries that are undefined are left out.
 * @throws UsageError that names the place of what it cannot hold: functions, numbers that are none, circles.
 */
export function plainAt(value: unknown, at: DataPath, depth = 0): Plain {
  if (depth > DEEPEST_DATA) throw new UsageError(`${at.slice(0, 80)}: is nested too deep`);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return numberAt(value, at);
  if (Array.isArray(value)) return value.map((each, i) => plainAt(each, `${at}[${i}]`, depth + 1));
  if (ArrayBuffer.isView(value) && Symbol.iterator in value)
    return Array.from(value as Float64Array, (each, i) => numberAt(each, `${at}[${i}]`));
  if (typeof value !== 'object') throw new UsageError(`${at}: must be plain data, and is a ${typeof value}`);
  const copy: { [name: string]: Plain } = {};
  for (const [name, each] of Object.entries(value))
    if (each !== undefined) set(copy, name, plainAt(each, `${at}.${name}`, depth + 1));
  return copy;
}

/** Sets an entry of its own, whatever its name. */
function set(object: { [name: string]: Plain }, name: string, value: Plain): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The entries of an object. @throws UsageError where it is none. */
export function fieldsOf(value: unknown, at: DataPath): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${at}: must be an object, and is ${describeValue(value)}`);
  return value as Record<string, unknown>;
}

/**
 * The entries of an object that has none but those that are known.
 * @param has What has them, for the sentence: `a layer has`.
 * @throws UsageError that names the first that is not.
 */
export function knownFieldsOf(
  value: unknown,
  known: readonly string[],
  at: DataPath,
  has: string,
): Record<string, unknown> {
  const fields = fieldsOf(value, at);
  for (const name of Object.keys(fields))
    if (!known.includes(name))
      throw new UsageError(`${at}.${name}: is not known here; ${has} ${known.join(', ')}`);
  return fields;
}

/** True or false. @throws UsageError where it is neither. */
export function switchAt(value: unknown, at: DataPath): boolean {
  if (typeof value !== 'boolean')
    throw new UsageError(`${at}: must be true or false, and is ${describeValue(value)}`);
  return value;
}

/** A list. @throws UsageError where it is none. */
export function listAt(value: unknown, at: DataPath): unknown[] {
  if (!Array.isArray(value)) throw new UsageError(`${at}: must be a list, and is ${describeValue(value)}`);
  return value;
}

/** A text. @throws UsageError where it is none. */
export function textAt(value: unknown, at: DataPath): string {
  if (typeof value !== 'string')
    throw new UsageError(`${at}: must be a text, and is ${describeValue(value)}`);
  return value;
}

/** A finite number. @throws UsageError where it is none. */
export function numberAt(value: unknown, at: DataPath): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new UsageError(`${at}: must be a number, and is ${describeValue(value)}`);
  return value;
}

/** A list of finite numbers, of a length where one is given. @throws UsageError where it is none. */
export function numbersAt(value: unknown, at: DataPath, length?: number): number[] {
  const list = listAt(value, at).map((each, i) => numberAt(each, `${at}[${i}]`));
  if (length !== undefined && list.length !== length)
    throw new UsageError(`${at}: must be ${length} numbers, and is ${list.length}`);
  return list;
}

/** One of several words. @throws UsageError that lists them where it is none of them. */
export function oneOf<T extends string>(value: unknown, words: readonly T[], at: DataPath): T {
  const found = words.find((word) => word === value);
  if (found === undefined)
    throw new UsageError(`${at}: must be one of ${words.join(', ')}, and is ${describeValue(value)}`);
  return found;
}

/** What a value is, in words that follow "and is". */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'left out';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `"${value.slice(0, 40)}"`;
  return typeof value === 'object' ? 'an object' : String(value);
}
