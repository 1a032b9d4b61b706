import type { Warning } from '@stuntdouble/core';

/** A number with as many digits as matter to a reader: three. What is nothing but rounding is 0. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) < 1e-6) return '0';
  return String(Number(value.toPrecision(3)));
}

/** Names for a sentence: quoted, and no more than six of them. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const shown = names.slice(0, 6).map((name) => `"${name}"`);
  return names.length > 6 ? `${shown.join(', ')} and ${names.length - 6} more` : shown.join(', ');
}

/** Warnings without those that say the same thing twice, in order. */
export function uniqueWarnings(warnings: readonly Warning[]): Warning[] {
  const seen = new Set<string>();
  return warnings.filter(({ code, message }) => {
    const key = `${code}\n${message}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
