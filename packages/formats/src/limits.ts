import { UsageError } from '@stuntdouble/core';
import { DEFAULT_LIMITS, type Limits } from './default-limits.js';
import { FormatError } from './format-error.js';

export { DEFAULT_LIMITS, type Limits } from './default-limits.js';

/** The most that some limits can be: what is beyond cannot be held. */
const FIRM: Readonly<Partial<Limits>> = {
  text: DEFAULT_LIMITS.text,
  // Parents of joints are numbers of 16 bits.
  joints: 2 ** 15,
};

/**
 * The limits of a reader: those given, and the defaults for the others.
 * @throws UsageError where one is no number above 0, or higher than it can be.
 */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  const limits = { ...DEFAULT_LIMITS };
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(DEFAULT_LIMITS, key))
      throw new UsageError(`there is no limit "${key}"; the limits are ${Object.keys(limits).join(', ')}`);
    const name = key as keyof Limits;
    if (typeof value !== 'number' || !(value > 0))
      throw new UsageError(`limits.${name} is ${String(value)}; pass a number above 0`);
    const most = FIRM[name] ?? Number.POSITIVE_INFINITY;
    if (value > most)
      throw new UsageError(`limits.${name} is ${value}; ${most} is the most that can be read`);
    limits[name] = value;
  }
  return limits;
}

/**
 * Refuses what is beyond a limit.
 * @param value how much the file asks for.
 * @throws FormatError that names the limit, its value and what was asked for.
 */
export function refuseBeyond<Name extends keyof Limits>(
  limits: Pick<Limits, Name>,
  limit: Name,
  value: number,
  { format, at }: { format: string; at: string },
): void {
  if (value <= limits[limit]) return;
  const shown = Number.isInteger(value) ? value : value.toPrecision(7);
  throw new FormatError({
    format,
    at,
    found: `${shown} ${limit === 'text' ? 'bytes of text' : limit}`,
    expected: `at most ${limits[limit]} (limits.${limit})`,
    limit,
  });
}
