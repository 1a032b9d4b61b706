import { UsageError } from '@stuntdouble/core';

/** Whether an option was given; null counts as left out, as in JavaScript it often is. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value is an object of options, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Makes sure that options are an object.
 * @throws UsageError that says what they are.
 */
export function checkIsObject(options: unknown): asserts options is Record<string, unknown> {
  if (!isObject(options)) throw new UsageError(`options is ${String(options)}; give an object`);
}

/** A value that cannot be meant, for a sentence. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a plain object' : String(value);
}
