/** Fewer than this many are sorted quicker by the engine's own sort. */
const ENOUGH_TO_COUNT = 8192;
/** A double has 64 bits: six digits of eleven, the lowest first. */
const DIGITS = 6;
const VALUES = 2048;

/**
 * A sorted copy of numbers of which none is negative. Many of them are sorted by their bits, which stand in the order of
 * the numbers, eleven at a time: in less than half the time of `Float64Array.sort`, to the same result.
 */
export function sortPositive(values: readonly number[] | Float64Array): Float64Array {
  const count = values.length;
  let from = new Float64Array(values);
  if (count < ENOUGH_TO_COUNT) return from.sort();
  let to = new Float64Array(count);
  const places = countDigits(new Uint32Array(from.buffer));
  for (let digit = 0; digit < DIGITS; digit++) {
    const starts = places.subarray(VALUES * digit, VALUES * (digit + 1));
    // Where all have the same digit nothing moves.
    if (starts.includes(count)) continue;
    for (let v = 0, sum = 0; v < VALUES; v++) {
      const here = starts[v]!;
      starts[v] = sum;
      sum += here;
    }
    moveByDigit(new Uint32Array(to.buffer), new Uint32Array(from.buffer), starts, digit);
    [from, to] = [to, from];
  }
  return from;
}

/** How often each value of each digit occurs, in one go over all. */
function countDigits(bits: Uint32Array): Uint32Array {
  const counts = new Uint32Array(DIGITS * VALUES);
  for (let i = 0; i < bits.length; i += 2) {
    const low = bits[i]!;
    const high = bits[i + 1]!;
    for (let digit = 0; digit < DIGITS; digit++) counts[VALUES * digit + digitOf(low, high, digit)]!++;
  }
  return counts;
}

function moveByDigit(out: Uint32Array, bits: Uint32Array, starts: Uint32Array, digit: number): void {
  for (let i = 0; i < bits.length; i += 2) {
    const value = digitOf(bits[i]!, bits[i + 1]!, digit);
    const o = 2 * starts[value]!;
    starts[value]!++;
    out[o] = bits[i]!;
    out[o + 1] = bits[i + 1]!;
  }
}

/** Eleven bits of the two halves of a double; the third digit has some of both. */
function digitOf(low: number, high: number, digit: number): number {
  if (digit === 2) return (low >>> 22) | ((high & 1) << 10);
  return (digit < 2 ? low >>> (11 * digit) : high >>> (11 * digit - 32)) & (VALUES - 1);
}
