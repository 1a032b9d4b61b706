/**
 * Text that is put together as bytes: of a long one as strings, the pieces alone take ten times the room of the text, and
 * a heap that other work needs.
 */
export type TextBytes = {
  /** How many bytes there are so far. */
  length: number;
  bytes: Uint8Array;
};

/** A text without a letter. */
export function createTextBytes(): TextBytes {
  return { length: 0, bytes: new Uint8Array(2 ** 10) };
}

/** What was put together. */
export function bytesOf({ bytes, length }: TextBytes): Uint8Array {
  return bytes.subarray(0, length);
}

const encoder = new TextEncoder();

/** Adds any text, as UTF-8. */
export function addText(text: TextBytes, added: string): void {
  // A letter of JavaScript's takes three bytes at most.
  makeRoom(text, 3 * added.length);
  text.length += encoder.encodeInto(added, text.bytes.subarray(text.length)).written;
}

/** Adds one letter of ASCII. */
export function addLetter(text: TextBytes, code: number): void {
  makeRoom(text, 1);
  text.bytes[text.length++] = code;
}

const POWERS_OF_TEN = Float64Array.from({ length: 13 }, (_, n) => Number(`1e${n}`));
/** Whole numbers up to here are multiplied by a power of ten with an error of less than {@link DOUBT}. */
const LARGEST = 2 ** 43;
const DOUBT = 2 ** -8;

const ZERO = 48;
const POINT = 46;
const MINUS = 45;

/**
 * Adds a finite number as `toFixed` has it, in a fifth of its time: without exponent, which not every reader knows. What
 * would be −0 is 0.
 * @param digits after the point, 0 to 12.
 */
export function addFixed(text: TextBytes, value: number, digits: number): void {
  const size = Math.abs(value);
  const power = POWERS_OF_TEN[digits]!;
  const scaled = size * power;
  let whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (!(scaled < LARGEST) || Math.abs(rest - 0.5) < DOUBT) {
    const long = value.toFixed(digits);
    addText(text, long.charCodeAt(0) === MINUS && Number(long) === 0 ? long.slice(1) : long);
    return;
  }
  if (rest > 0.5) whole++;
  makeRoom(text, 32);
  const { bytes } = text;
  if (value < 0 && whole > 0) bytes[text.length++] = MINUS;
  const before = Math.floor(whole / power);
  let count = 1;
  for (let limit = 10; before >= limit; limit *= 10) count++;
  addDigits(text, before, count);
  if (digits === 0) return;
  bytes[text.length++] = POINT;
  addDigits(text, whole - before * power, digits);
}

/** Adds the last digits of a whole number below 10¹³, zeros in front; there must be room for them. */
function addDigits(text: TextBytes, value: number, count: number): void {
  const { bytes, length } = text;
  // Remainders of numbers of 32 bits are quicker than of longer ones.
  let high = value < 1e9 ? 0 : Math.floor(value / 1e9);
  let low = value - high * 1e9;
  for (let i = count - 1, n = 0; i >= 0; i--, n++) {
    if (n === 9) {
      low = high;
      high = 0;
    }
    const next = (low / 10) | 0;
    bytes[length + i] = ZERO + (low - 10 * next);
    low = next;
  }
  text.length += count;
}

function makeRoom(text: TextBytes, more: number): void {
  const needed = text.length + more;
  if (needed <= text.bytes.length) return;
  const larger = new Uint8Array(Math.max(needed, 2 * text.bytes.length));
  larger.set(text.bytes);
  text.bytes = larger;
}
