/*
 * The coefficients of the polynomials in packages/core/src/base/math/functions.ts, from nothing but the power series.
 *
 * Each function is brought to a small interval there, on which it is a known part and the rest times a function g that
 * is smooth: sin r = r + r·z·g(z) with z = r². g is interpolated at the zeros of a Chebyshev polynomial, which no
 * polynomial of the same degree betters by more than a factor of about 2 (Powell 1967), in 400 bits, and its
 * coefficients are rounded to doubles at last. The degree is the least whose error is a small part of a rounding.
 */
import { exactCos, exactPi, toDouble, toFixedPoint } from './exact.js';

const BITS = 400;
const one = 1n << BigInt(BITS);
const times = (a: bigint, b: bigint) => (a * b) >> BigInt(BITS);
const over = (a: bigint, b: bigint) => (a << BigInt(BITS)) / b;

/** A polynomial and what it stands for. */
export type Fit = {
  /** From the constant upward. */
  readonly coefficients: readonly number[];
  /** The largest |polynomial − g| on the interval, its coefficients rounded, times the largest `weight`. */
  readonly error: number;
};

/** g as a power series: its k-th coefficient as a fraction, and the interval. */
type Part = {
  readonly term: (k: number) => readonly [bigint, bigint];
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** What the result suffers from an error of g of one, at the worst place, as a part of the result. */
  readonly weight: number;
};

function factorial(n: number): bigint {
  let product = 1n;
  for (let k = 2; k <= n; k++) product *= BigInt(k);
  return product;
}

const sign = (k: number) => (k % 2 === 0 ? 1n : -1n);
const EIGHTH = 0.7854 ** 2;
const HALF_LN2 = 0.3466;
const ROOT_OF_2 = (Math.SQRT2 - 1) / (Math.SQRT2 + 1) + 1e-6;

/** What functions.ts is made of, by the names it has there. */
const PARTS: Record<string, Part> = {
  // sin r = r + r z g, z = r²: g = −1/3! + z/5! − …
  sine: {
    ...{ term: (k) => [-sign(k), factorial(2 * k + 3)], from: 0, to: EIGHTH, count: 6 },
    weight: EIGHTH,
  },
  // cos r = 1 − z/2 + z² g: g = 1/4! − z/6! + …
  cosine: {
    ...{ term: (k) => [sign(k), factorial(2 * k + 4)], from: 0, to: EIGHTH, count: 6 },
    weight: EIGHTH ** 2 * Math.SQRT2,
  },
  // eʳ = 1 + r + r² g: g = 1/2! + r/3! + …
  exponential: {
    ...{ term: (k) => [1n, factorial(k + 2)], from: -HALF_LN2, to: HALF_LN2, count: 11 },
    weight: HALF_LN2 ** 2 * Math.SQRT2,
  },
  // log((1 + s) / (1 − s)) = 2s + s z g, z = s²: g = 2/3 + 2z/5 + …
  logarithm: {
    ...{ term: (k) => [2n, BigInt(2 * k + 3)], from: 0, to: ROOT_OF_2 ** 2, count: 8 },
    weight: ROOT_OF_2 ** 2 / 2,
  },
  // atan u = u + u z g, z = u²: g = −1/3 + z/5 − …
  arcTangent: {
    ...{ term: (k) => [-sign(k), BigInt(2 * k + 3)], from: 0, to: 0.25 ** 2, count: 11 },
    weight: 0.25 ** 2,
  },
  // asin s = s + s z g, z = s²: g = 1/6 + 3z/40 + …, (2n)! / (4ⁿ n!² (2n + 1)) with n = k + 1
  arcSine: {
    ...{ from: 0, to: 0.25, count: 14, weight: 0.25 },
    term: (k) => [factorial(2 * k + 2), 4n ** BigInt(k + 1) * factorial(k + 1) ** 2n * BigInt(2 * k + 3)],
  },
};

function sumSeries({ term }: Part, z: bigint): bigint {
  let [power, sum] = [one, 0n];
  for (let k = 0; k < 400; k++) {
    const [numerator, denominator] = term(k);
    const value = (power * numerator) / denominator;
    sum += value;
    power = times(power, z);
    if (power === 0n || power === -1n) break;
  }
  return sum;
}

/** Newton's divided differences at the Chebyshev nodes, multiplied out. */
function interpolate(part: Part): bigint[] {
  const { count } = part;
  const from = toFixedPoint(part.from, BITS);
  const to = toFixedPoint(part.to, BITS);
  const nodes = Array.from({ length: count }, (_, k) => {
    const angle = (exactPi(BITS) * BigInt(2 * k + 1)) / BigInt(2 * count);
    return (from + to) / 2n + times((to - from) / 2n, exactCos(angle, BITS));
  });
  const differences = nodes.map((z) => sumSeries(part, z));
  for (let level = 1; level < count; level++)
    for (let k = count - 1; k >= level; k--)
      differences[k] = over(differences[k]! - differences[k - 1]!, nodes[k]! - nodes[k - level]!);
  let polynomial: bigint[] = [];
  for (let k = count - 1; k >= 0; k--) {
    const next = [differences[k]!, ...polynomial];
    for (let c = 0; c < polynomial.length; c++) next[c] = next[c]! - times(polynomial[c]!, nodes[k]!);
    polynomial = next;
  }
  return polynomial;
}

function fitPart(part: Part): Fit {
  const coefficients = interpolate(part).map((value) => toDouble(value, BITS));
  const rounded = coefficients.map((value) => toFixedPoint(value, BITS));
  let worst = 0;
  const places = 400;
  for (let k = 0; k <= places; k++) {
    const z = toFixedPoint(part.from + ((part.to - part.from) * k) / places, BITS);
    const value = rounded.reduceRight((sum, coefficient) => times(sum, z) + coefficient, 0n);
    worst = Math.max(worst, Math.abs(toDouble(value - sumSeries(part, z), BITS)));
  }
  return { coefficients, error: worst * part.weight };
}

/** The polynomials by name. */
export function fitPolynomials(): Record<string, Fit> {
  return Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, fitPart(part)]));
}

/** A number as a sum of doubles, of which all but the last have at most `bits` bits: products with small whole numbers are exact. */
function split(value: bigint, bits: readonly number[]): number[] {
  let rest = value;
  return bits.map((count) => {
    const size = (rest < 0n ? -rest : rest).toString(2).length;
    const cut = BigInt(Math.max(0, size - count));
    // To the nearest, so that what is left is half as large.
    const head = ((rest + (1n << cut) / 2n) >> cut) << cut;
    rest -= head;
    return toDouble(head, BITS);
  });
}

/** The constants in several parts, by name. */
export function splitConstants(): Record<string, number[]> {
  const pi = exactPi(BITS);
  const half = one / 2n;
  const arc = arcOf(half);
  const ln2 = logOfTwo();
  return {
    'π/2': split(pi / 2n, [40, 40, 53]),
    'ln 2': split(ln2, [42, 53]),
    π: split(pi, [53, 53]),
    'π/2 in two': split(pi / 2n, [53, 53]),
    'π/4': split(pi / 4n, [53, 53]),
    '3π/4': split((3n * pi) / 4n, [53, 53]),
    'atan ½': split(arc, [53, 53]),
    'π/2 − atan ½': split(pi / 2n - arc, [53, 53]),
    'π/2 + atan ½': split(pi / 2n + arc, [53, 53]),
    'π − atan ½': split(pi - arc, [53, 53]),
    '2/π': split(over(2n * one, pi), [53]),
    '1/ln 2': split(over(one, ln2), [53]),
  };
}

function arcOf(t: bigint): bigint {
  return t + times(times(t, times(t, t)), sumSeries(PARTS.arcTangent!, times(t, t)));
}

/** 2 atanh(1/3). */
function logOfTwo(): bigint {
  const third = one / 3n;
  const square = times(third, third);
  return 2n * third + times(times(third, square), sumSeries(PARTS.logarithm!, square));
}
