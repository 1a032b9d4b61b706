/*
 * Sines, logarithms and their like to any number of digits, slowly and by other means than the engine's own, to judge
 * these by. A number is a BigInt: its value times 2^bits. Every series is summed until its terms vanish, so a result is
 * wrong by a few units of its last bits.
 */

/** A double as a fixed-point number, exactly, as long as `bits` reach to its last bit. */
export function toFixedPoint(x: number, bits: number): bigint {
  if (x === 0) return 0n;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const word = view.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  const shift = (exponent === 0 ? 1 : exponent) - 1075 + bits;
  const size = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  return x < 0 ? -size : size;
}

/** The nearest double. */
export function toDouble(value: bigint, bits: number): number {
  const size = value < 0n ? -value : value;
  const spare = BigInt(Math.max(0, size.toString(2).length - 64));
  // 64 bits are left, the last of which is set where any of those cut off was: rounding to 53 then sees that.
  const kept = size >> spare;
  const rest = size - (kept << spare);
  let result = Number(rest > 0n ? kept | 1n : kept);
  let exponent = Number(spare) - bits;
  for (; exponent > 0; exponent--) result *= 2;
  for (; exponent < 0; exponent++) result /= 2;
  return value < 0n ? -result : result;
}

const one = (bits: number) => 1n << BigInt(bits);
const times = (a: bigint, b: bigint, bits: number) => (a * b) >> BigInt(bits);
const over = (a: bigint, b: bigint, bits: number) => (a << BigInt(bits)) / b;

/** The whole part of a root: Newton's method from above. */
function rootOf(value: bigint, power: 2n | 3n): bigint {
  if (value <= 0n) return 0n;
  let x = 1n << BigInt(Math.ceil(value.toString(2).length / Number(power)) + 1);
  for (;;) {
    const next = ((power - 1n) * x + value / x ** (power - 1n)) / power;
    if (next >= x) return x;
    x = next;
  }
}

/** √x. */
export const exactSqrt = (x: bigint, bits: number): bigint => rootOf(x << BigInt(bits), 2n);

/** ∛x. */
export const exactCbrt = (x: bigint, bits: number): bigint =>
  x < 0n ? -exactCbrt(-x, bits) : rootOf(x << BigInt(2 * bits), 3n);

const knownPi = new Map<number, bigint>();

/** π = 16 atan(1/5) − 4 atan(1/239) (Machin 1706). */
export function exactPi(bits: number): bigint {
  const known = knownPi.get(bits);
  if (known !== undefined) return known;
  const more = bits + 32;
  const arc = (n: bigint) => {
    let sum = 0n;
    let term = one(more) / n;
    for (let k = 1n; term !== 0n; k += 2n) {
      sum += (k & 2n) === 0n ? term / k : -(term / k);
      term /= n * n;
    }
    return sum;
  };
  const pi = (16n * arc(5n) - 4n * arc(239n)) >> 32n;
  knownPi.set(bits, pi);
  return pi;
}

/** sin x: whole turns are taken off, then the power series. */
export function exactSin(x: bigint, bits: number): bigint {
  const half = exactPi(bits);
  let r = x % (2n * half);
  if (r > half) r -= 2n * half;
  if (r < -half) r += 2n * half;
  const square = times(r, r, bits);
  let term = r;
  let sum = 0n;
  for (let k = 1n; term !== 0n && term !== -1n; k += 2n) {
    sum += term;
    term = -times(term, square, bits) / ((k + 1n) * (k + 2n));
  }
  return sum;
}

/** cos x = sin(x + π/2). */
export const exactCos = (x: bigint, bits: number): bigint => exactSin(x + exactPi(bits) / 2n, bits);

/** eˣ: the power series of x / 2⁸, squared eight times. */
export function exactExp(x: bigint, bits: number): bigint {
  const halvings = 8 + Math.max(0, x.toString(2).length - bits);
  const more = bits + 2 * halvings + 16;
  const r = (x << BigInt(more - bits)) >> BigInt(halvings);
  let term = one(more);
  let sum = 0n;
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    sum += term;
    term = times(term, r, more) / k;
  }
  for (let k = 0; k < halvings; k++) sum = times(sum, sum, more);
  return sum >> BigInt(more - bits);
}

/** 2 atanh(s) = log((1 + s) / (1 − s)). */
function logOfRatio(s: bigint, bits: number): bigint {
  const square = times(s, s, bits);
  let power = s;
  let sum = 0n;
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = times(power, square, bits);
  }
  return 2n * sum;
}

/** log x of a positive x, brought to between 1 and 2 by halving. */
export function exactLog(x: bigint, bits: number): bigint {
  const k = x.toString(2).length - 1 - bits;
  const m = k >= 0 ? x >> BigInt(k) : x << BigInt(-k);
  const ln2 = logOfRatio(one(bits) / 3n, bits);
  return BigInt(k) * ln2 + logOfRatio(over(m - one(bits), m + one(bits), bits), bits);
}

/** The angle of (x, y): that of half of it, tan(θ/2) = y / (r + x), four times over, then the power series. */
export function exactAtan2(y: bigint, x: bigint, bits: number): bigint {
  let [up, along] = [y, x];
  const halvings = 5;
  for (let k = 0; k < halvings; k++) along += rootOf(up * up + along * along, 2n);
  if (along <= 0n) return y < 0n ? -exactPi(bits) : exactPi(bits);
  const t = over(up, along, bits);
  const square = times(t, t, bits);
  let power = t;
  let sum = 0n;
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += (k & 2n) === 0n ? power / k : -(power / k);
    power = times(power, square, bits);
  }
  return sum << BigInt(halvings);
}

/** acos x = the angle of (x, √(1 − x²)). */
export function exactAcos(x: bigint, bits: number): bigint {
  return exactAtan2(rootOf((one(bits) - x) * (one(bits) + x), 2n), x, bits);
}

/** asin x = the angle of (√(1 − x²), x). */
export function exactAsin(x: bigint, bits: number): bigint {
  return exactAtan2(x, rootOf((one(bits) - x) * (one(bits) + x), 2n), bits);
}
