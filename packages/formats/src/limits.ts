import { UsageError } from '@stuntdouble/core';
import { FormatError } from './format-error.js';

/** What a file may ask for. Each is looked at before room is made for what is beyond it. */
export type Limits = {
  /** Bytes of a file and of all files that it names, together. */
  bytes: number;
  /** Bytes that are decoded as one text: the JSON of a glTF, an ASCII FBX, a BVH in UTF-16. At most 2²⁹ − 24. */
  text: number;
  /** Joints of a file; of glTF and FBX all nodes count, as each may be one. At most 32,768. */
  joints: number;
  /** Keys of all clips, added up over their tracks. */
  keys: number;
  /** Seconds from 0 to the last key of a clip. */
  seconds: number;
};

/** The limits that hold where a caller sets none. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  // Five times the largest character that is known to be sold.
  bytes: 2 ** 30,
  // The longest string of V8; decoding a longer one ends the process.
  text: 2 ** 29 - 24,
  // Ten times the largest character that is known. One costs a tenth of a millisecond and ten kilobytes to understand.
  joints: 10_000,
  // Two and a half hours of a whole body at 120 frames a second.
  keys: 2 ** 26,
  // Eleven days: time alone costs nothing, and files whose times are not in seconds can still be read.
  seconds: 1_000_000,
};

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
