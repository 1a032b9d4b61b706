/*
 * The engine's functions against exact arithmetic: how far each is from the true value, in units in the last place.
 */
import { acos, asin, atan2, cbrt, cos, exp, hypot, log, sin } from '@stuntdouble/core/engine';
import {
  exactAcos,
  exactAsin,
  exactAtan2,
  exactCbrt,
  exactCos,
  exactExp,
  exactLog,
  exactSin,
  exactSqrt,
  toDouble,
  toFixedPoint,
} from './exact.js';

/** One function: ours, the true one in fixed point, and arguments to try it on. */
type Judged = {
  readonly own: (...x: number[]) => number;
  readonly exact: (x: readonly bigint[], bits: number) => bigint;
  /** Random arguments of all the kinds that matter. */
  readonly draw: (random: () => number) => number[];
  /** Arguments that are hard: where pieces meet, where results vanish, at the ends of the range. */
  readonly hard: readonly (readonly number[])[];
};

/** What was found of one function. */
export type Judgement = {
  readonly name: string;
  readonly count: number;
  readonly worst: number;
  readonly at: readonly number[];
};

const between = (random: () => number, from: number, to: number) => from + (to - from) * random();
/** Of any size, both signs. */
const anySize = (random: () => number, from: number, to: number) =>
  2 ** between(random, from, to) * (random() < 0.5 ? -1 : 1);

const neighbours = (x: number): number[][] => {
  const ulp = 2 ** (Math.floor(Math.log2(Math.abs(x) || 1)) - 52);
  return [-2, -1, 0, 1, 2].map((k) => [x + k * ulp]);
};

/** Doubles next to multiples of π/2, among them the nearest of all of their size, by continued fractions of π/2. */
function nearQuarters(): number[][] {
  const found: number[][] = [];
  for (let n = 1; n <= 40; n++)
    found.push(...neighbours((n * Math.PI) / 2), ...neighbours((-n * Math.PI) / 4));
  for (const n of [355, 710, 8191, 8192, 103993, 208341, 1e6, 1e9])
    found.push(...neighbours((n * Math.PI) / 2));
  // 6381956970095103 · 2⁷⁹⁷ is the double nearest to a multiple of π/2 of all.
  found.push(
    [6381956970095103 * 2 ** 797],
    [1e22],
    [2 ** 1023],
    [1e300],
    [22],
    [11],
    [0.785398],
    [-0.785398],
    [12866.9],
    [12867.1],
  );
  return found;
}

const FUNCTIONS: Record<string, Judged> = {
  sin: {
    own: sin,
    exact: ([x], bits) => exactSin(x!, bits),
    draw: (random) => [
      random() < 0.7 ? between(random, -8, 8) : anySize(random, -40, random() < 0.9 ? 13 : 90),
    ],
    hard: nearQuarters(),
  },
  cos: {
    own: cos,
    exact: ([x], bits) => exactCos(x!, bits),
    draw: (random) => [
      random() < 0.7 ? between(random, -8, 8) : anySize(random, -40, random() < 0.9 ? 13 : 90),
    ],
    hard: nearQuarters(),
  },
  asin: {
    own: asin,
    exact: ([x], bits) => exactAsin(x!, bits),
    draw: (random) => [random() < 0.8 ? between(random, -1, 1) : anySize(random, -60, 0)],
    hard: [0.5, -0.5, 1 - 2 ** -50, 2 ** -52 - 1, Math.SQRT1_2, 1e-8].flatMap(neighbours),
  },
  acos: {
    own: acos,
    exact: ([x], bits) => exactAcos(x!, bits),
    draw: (random) => [random() < 0.8 ? between(random, -1, 1) : 1 - 2 ** between(random, -52, 0)],
    hard: [0.5, -0.5, 1 - 2 ** -50, 2 ** -50 - 1, Math.SQRT1_2, 1e-8, 1e-300].flatMap(neighbours),
  },
  atan2: {
    own: atan2,
    exact: ([y, x], bits) => exactAtan2(y!, x!, bits),
    draw: (random) => {
      const size = random() < 0.9 ? 1 : 2 ** between(random, -200, 200);
      const x = between(random, -1, 1) * size;
      return random() < 0.6 ? [between(random, -1, 1) * size, x] : [anySize(random, -50, 20) * x, x];
    },
    hard: [0.25, 0.71, 0.5, 1, 1e-9, 2, 4, 1 / 0.71].flatMap((t) =>
      neighbours(t).flatMap(([y]) => [
        [y!, 1],
        [y!, -1],
        [-3 * y!, 3],
        [7 * y!, -7],
      ]),
    ),
  },
  exp: {
    own: exp,
    exact: ([x], bits) => exactExp(x!, bits),
    draw: (random) => [random() < 0.8 ? between(random, -30, 5) : between(random, -700, 709)],
    hard: [...[0.5, 1.5, -0.5, 22.5, -31.5, 31.5].map((k) => k * Math.LN2), 709.78, -700].flatMap(neighbours),
  },
  log: {
    own: log,
    exact: ([x], bits) => exactLog(x!, bits),
    draw: (random) => [random() < 0.6 ? 2 ** between(random, -3, 3) : 2 ** between(random, -1060, 1023)],
    hard: [
      1,
      Math.SQRT2,
      Math.SQRT1_2,
      2,
      0.5,
      1e300,
      1e-300,
      5e-324,
      Number.MAX_VALUE / 2,
      2 ** 33,
      2 ** -33,
    ].flatMap((x) => neighbours(x).filter(([near]) => near! > 0)),
  },
  cbrt: {
    own: cbrt,
    exact: ([x], bits) => exactCbrt(x!, bits),
    draw: (random) => [random() < 0.6 ? between(random, -10, 10) : anySize(random, -1000, 1000)],
    hard: [1, 8, 27, -1000, 0.001, 1e300, 1e-300].flatMap(neighbours),
  },
  hypot: {
    own: hypot,
    exact: (sides, bits) =>
      exactSqrt(
        sides.reduce((sum, side) => sum + ((side * side) >> BigInt(bits)), 0n),
        bits,
      ),
    draw: (random) => {
      const size = random() < 0.8 ? 1 : 2 ** between(random, -900, 900);
      return [size * between(random, -1, 1), size * between(random, -1, 1), size * between(random, -1, 1)];
    },
    hard: [
      [3, 4, 0],
      [1e200, 1e200, 1e200],
      [1e-200, 1e-200, 0],
      [1, 1e-9, 0],
    ],
  },
};

const exponentOf = (x: number) => (x === 0 ? 0 : Math.floor(Math.log2(Math.abs(x))));

/** How far a value is from the true one, in units in the last place of that. */
function distance(judged: Judged, x: readonly number[]): number {
  // Bits for the arguments exactly, and for 100 digits of a result that may be as small as they are.
  const sizes = x.map(exponentOf);
  const least = Math.max(0, ...sizes.map((size) => -size));
  const most = Math.max(0, ...sizes);
  const value = judged.own(...x);
  const bits = 400 + 2 * least + most + Math.max(0, -exponentOf(value));
  const exact = judged.exact(
    x.map((side) => toFixedPoint(side, bits)),
    bits,
  );
  if (exact === 0n) return value === 0 ? 0 : Number.POSITIVE_INFINITY;
  const size = exact.toString(2).replace('-', '').length - 1 - bits;
  const ulp = Math.max(size - 52, -1074);
  // The difference in 2⁻²⁰ of a unit in the last place
  const difference = (toFixedPoint(value, bits) - exact) / (1n << BigInt(bits + ulp - 20));
  return Math.abs(Number(difference)) / 2 ** 20;
}

/** Tries every function on its hard arguments and on `count` random ones. */
export function judgeFunctions(count: number, random: () => number): Judgement[] {
  return Object.entries(FUNCTIONS).map(([name, judged]) => {
    let [worst, at]: [number, readonly number[]] = [0, []];
    const attempt = (x: readonly number[]) => {
      const far = distance(judged, x);
      if (!(far <= worst)) [worst, at] = [far, x];
    };
    for (const x of judged.hard) attempt(x);
    for (let k = 0; k < count; k++) attempt(judged.draw(random));
    return { name, count: count + judged.hard.length, worst, at };
  });
}

/** @returns the nearest double to a true value, for those who look at one. */
export const trueValue = (name: string, x: readonly number[]): number =>
  toDouble(
    FUNCTIONS[name]!.exact(
      x.map((side) => toFixedPoint(side, 1200)),
      1200,
    ),
    1200,
  );
