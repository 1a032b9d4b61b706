import { isTextAt } from '../../shared/is-text-at.js';

/** One letter a byte, made once. */
export const LETTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** A mark of the byte order is part of a text like any other letter. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Texts this short are worth remembering: files repeat the names of their properties thousands of times. */
const SHORT = 32;

/** How many texts are remembered, by a hash: a power of two. One that falls on another's place takes it. */
const KNOWN_TEXTS = 4096;

const known: (string | undefined)[] = new Array(KNOWN_TEXTS).fill(undefined);

/** A text; its bytes where they are no UTF-8, so that they can be written as they were. */
export function readText(bytes: Uint8Array, from: number, to: number): string | Uint8Array {
  const length = to - from;
  if (length === 0) return '';
  if (length > SHORT) return decode(bytes, from, to);
  // By some of the letters: names of properties differ in these, and all are compared afterwards.
  let hash = length + (bytes[from]! << 5) + (bytes[to - 1]! << 7);
  hash = Math.imul(hash, 31) + (bytes[from + (length >> 1)]! << 3) + bytes[from + (length >> 2)]!;
  hash = Math.imul(hash, 31) + bytes[to - 1 - (length >> 2)]!;
  const place = (hash ^ (hash >>> 12)) & (KNOWN_TEXTS - 1);
  const candidate = known[place];
  if (candidate !== undefined && candidate.length === length && isTextAt(bytes, from, candidate))
    return candidate;
  const text = decode(bytes, from, to);
  // Where it has as many letters as bytes, all of them are plain.
  if (typeof text === 'string' && text.length === length) known[place] = text;
  return text;
}

/** Far beyond any name or note. What is longer stays bytes: a text longer than strings can be ends the process. */
export const LONGEST_TEXT = 2 ** 24;

function decode(bytes: Uint8Array, from: number, to: number): string | Uint8Array {
  const part = bytes.subarray(from, to);
  if (part.length > LONGEST_TEXT) return part;
  try {
    return decoder.decode(part);
  } catch {
    return part;
  }
}
