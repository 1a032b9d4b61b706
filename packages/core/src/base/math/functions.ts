/*
 * Sine, cosine, arcs, exponential, logarithm and cube root, as our own, so that every engine gives the same bits: the
 * language leaves those of `Math` to each of them, and they differ in the last bit for one argument in twenty. Here
 * stands nothing but + − × ÷, square roots, rounding to a float and views of bits, all of which are exactly specified;
 * scripts/check-dependencies.mjs keeps the others out of what makes results.
 *
 * Each is within one unit in the last place of the true value. Polynomials and constants are computed by
 * bench/functions/coefficients.ts, results are held against 100 digits by bench/functions/prove-functions.ts.
 *
 * Two means are used throughout. A sum a + b with |a| ≥ |b| is s = a + b and what rounding took from it, (a − s) + b,
 * exactly (Dekker 1971). A number of 53 bits is a float of 24 and a rest of 29, so that products of floats, and of a
 * float with such a rest, are exact: that gives what a division or a square root left over.
 */

/** Adding it and taking it away again rounds to a whole number, for what is smaller than 2⁵¹. */
const TO_WHOLE = 6755399441055744;

/** π/2 in three parts; the first two have 40 bits each, so that they are exact times a whole number below 2¹³. */
const QUARTER_1 = 1.5707963267941523;
const QUARTER_2 = 7.443547480488527e-13;
const QUARTER_3 = -1.9034889620193266e-25;

/** Beyond so many radians, 2¹³ quarter turns, the three parts are not enough. */
const FAR_ANGLE = 12867;

/**
 * Arguments and results of what follows. A number that is handed to a function, or given back, is an object of its own
 * wherever the engine chooses not to copy the function's lines into its caller, and a live update makes no objects. So the
 * functions that are called have so few lines that they are always copied (V8: 27 bytes of its code, with all that was
 * copied into them), and the long ones, which never are (460 bytes), find and leave their numbers here. A result in the
 * place of an argument would make the processor wait for it before the next argument is read: sines took twice as long.
 * No constant: that is asked at every use whether it is there yet, which takes 2 bytes too many.
 */
export var io = {
  first: 0.5,
  second: 0.5,
  result: 0.5,
  other: 0.5,
  sine: 0.5,
  cosine: 0.5,
  known: Number.NaN,
};

/** sin x. */
export function sin(x: number): number {
  io.first = x;
  return findSines().sine;
}

/** cos x; it costs nothing beside the sine of the same angle. */
export function cos(x: number): number {
  io.first = x;
  return findSines().cosine;
}

/**
 * sin x and cos x, or those of the last time. With n quarter turns taken off, r = x − n π/2 lies within ±π/4, and the
 * results are ±sin r and ±cos r, which change places by n.
 *
 * r comes out in two parts, r and `low`: n times the first part of π/2 is exact and so is x less that, as both are
 * multiples of 2⁻⁵³ and the difference is below 1; what n times the second part rounds off is found as said above. The
 * third part leaves an error of 2⁻¹²⁰, and no double below 12867 is nearer to a multiple of π/2 than 2⁻⁶².
 *
 * With z = r², sin(r + low) = r + r z g(z) + low cos r, where cos r is 1 − z/2 nearly; cos(r + low) = 1 − z/2 + z² g(z) −
 * low sin r, where 1 − z/2 is a sum with its rounding, and sin r is r nearly.
 */
function findSines(): typeof io {
  const x = io.first;
  if (x === io.known) return io;
  const size = Math.abs(x);
  if (!(size > 1e-8 && size < Number.POSITIVE_INFINITY)) {
    // Next to zero the sine is the angle itself. Zero is minus zero by comparison, so it is not remembered.
    io.known = Number.NaN;
    io.sine = size < 1 ? x : Number.NaN;
    io.cosine = size < 1 ? 1 : Number.NaN;
    return io;
  }
  let n = x * 0.6366197723675814 + TO_WHOLE - TO_WHOLE;
  const first = x - n * QUARTER_1;
  const second = n * QUARTER_2;
  let r = first - second;
  let low = first - r - second - n * QUARTER_3;
  if (size > FAR_ANGLE) {
    reduceFar();
    n = io.result;
    r = io.other;
    low = io.second;
  }
  const z = r * r;
  const w = z * z;
  const half = 0.5 * z;
  const g =
    -0.16666666666666666 +
    w * (-0.0001984126983675849 + w * -2.5051131835894976e-8) +
    z * (0.008333333333330948 + w * (0.0000027557316102508736 + w * 1.5918128638625855e-10));
  const sine = r + (r * z * g + low * (1 - half));
  const h =
    0.041666666666666664 +
    w * (0.000024801587298765635 + w * 2.0876146262704946e-9) +
    z * (-0.0013888888888887398 + w * (-2.755731727170245e-7 + w * -1.1382632014983239e-11));
  const most = 1 - half;
  const cosine = most + (1 - most - half + (w * h - r * low));
  const isSwapped = (n & 1) === 1;
  const up = isSwapped ? cosine : sine;
  const along = isSwapped ? sine : cosine;
  io.known = x;
  io.sine = (n & 2) === 0 ? up : -up;
  io.cosine = ((n + 1) & 2) === 0 ? along : -along;
  return io;
}

/** n, r and low of {@link findSines} far out, with whole numbers of any length: slow, and as exact. */
function reduceFar(): void {
  const x = io.first;
  // The largest double is below 2¹⁰²⁴, so 1224 bits after the point leave 200 of them right when n π/2 is taken off.
  FAR_QUARTER ||= quarterTurn(1224n);
  // A double beyond FAR_ANGLE is a whole number of 2⁻³⁹.
  let whole = x;
  let shift = 1224n;
  if (x < TO_WHOLE && x > -TO_WHOLE) {
    whole = x * 549755813888;
    shift -= 39n;
  }
  const scaled = BigInt(whole) << shift;
  const half = scaled < 0n ? -(FAR_QUARTER >> 1n) : FAR_QUARTER >> 1n;
  const n = (scaled + half) / FAR_QUARTER;
  const rest = (scaled - n * FAR_QUARTER) >> 1024n;
  const high = Number(rest);
  // 2⁻²⁰⁰
  const unit = 6.223015277861142e-61;
  io.result = Number(n & 3n);
  io.other = high * unit;
  io.second = Number(rest - BigInt(high)) * unit;
}

let FAR_QUARTER = 0n;

/** π/2 = 8 atan(1/5) − 2 atan(1/239) (Machin 1706), times 2^bits. */
function quarterTurn(bits: bigint): bigint {
  let sum = 0n;
  for (const [times, n] of [
    [8n, 5n],
    [-2n, 239n],
  ] as const) {
    let power = (times << (bits + 16n)) / n;
    for (let k = 1n; power !== 0n; k += 2n) {
      sum += (k & 2n) === 0n ? power / k : -power / k;
      power /= n * n;
    }
  }
  return sum >> 16n;
}

/**
 * Where arcs begin, in two parts: the angle of 0, of ½ and of 1, in each half of the right angle, for x above zero and
 * below. Three to a row: 0, atan ½, π/4; then π/2 less those; π less those; π/2 and those.
 */
const ARC_HIGH = Float64Array.of(
  ...[0, 0.4636476090008061, 0.7853981633974483],
  ...[1.5707963267948966, 1.1071487177940904, 0.7853981633974483],
  ...[Math.PI, 2.677945044588987, 2.356194490192345],
  ...[1.5707963267948966, 2.0344439357957027, 2.356194490192345],
);
const ARC_LOW = Float64Array.of(
  ...[0, 2.2698777452961687e-17, 3.061616997868383e-17],
  ...[6.123233995736766e-17, 9.40447137356638e-17, 3.061616997868383e-17],
  ...[1.2246467991473532e-16, 1.5527705369303147e-16, 9.184850993605148e-17],
  ...[6.123233995736766e-17, 2.841996617907152e-17, 9.184850993605148e-17],
);

/**
 * The angle of (x, y), from −π to π. Of |x| and |y| the smaller over the larger is t, at most 1. The arc begins at the
 * nearest c of 0, ½, 1: atan t = atan c + atan u with u = (t − c) / (1 + c t), which is (small − c large) / (large +
 * c small), within ±¼. The numerator is exact. The denominator and the quotient are taken in two parts, u = q + rest with
 * q a float. Then atan u = u + u z g(z), z = u².
 */
export function atan2(y: number, x: number): number {
  io.first = y;
  io.second = x;
  return findArc().result;
}

/**
 * What {@link atan2} finds, as `result`, of what stands in {@link io}: y as `first`, x as `second`. For what is done to
 * every joint of every frame: numbers that are given and taken are made on the heap where the compiler does not write
 * a call out.
 */
export function findArc(): typeof io {
  const y = io.first;
  const x = io.second;
  const up = Math.abs(y);
  const along = Math.abs(x);
  const isSteep = up > along;
  const large = isSteep ? up : along;
  const small = isSteep ? along : up;
  // In these bounds nothing leaves the range of floats, and no quotient vanishes.
  if (!(large < 1e30 && small > 1e-9 * large && large > 1e-30)) {
    // An angle as small as that, or none at all, is its tangent to 60 bits.
    if (x > 1e-30 && x < 1e300 && up <= 1e-9 * x) {
      io.result = y / x;
      return io;
    }
    return findFarArc();
  }
  const piece = small > 0.71 * large ? 2 : small > 0.25 * large ? 1 : 0;
  const c = 0.5 * piece;
  const numerator = small - c * large;
  const denominator = large + c * small;
  const inverse = 1 / denominator;
  const u = numerator * inverse;
  const q = Math.fround(u);
  const head = Math.fround(denominator);
  const tail = denominator - head + (large - denominator + c * small);
  const rest = (numerator - q * head - q * tail) * inverse;
  const z = u * u;
  const w = z * z;
  const g =
    -0.3333333333333333 +
    w *
      (-0.14285714285714088 +
        w *
          (-0.09090909084575911 +
            w * (-0.06666644375366367 + w * (-0.05249994408333161 + w * -0.03191135784094857)))) +
    z *
      (0.19999999999999998 +
        w *
          (0.11111111111061807 +
            w * (0.07692307216978925 + w * (0.05881679178322121 + w * 0.04600230362712806))));
  // Past the steep diagonal and past the vertical an arc runs backward.
  const way = isSteep === x < 0 ? 1 : -1;
  const row = piece + (isSteep ? 3 : 0) + (x < 0 ? 6 : 0);
  const from = ARC_HIGH[row]!;
  const sum = from + way * q;
  const angle = sum + (from - sum + way * q + (ARC_LOW[row]! + way * (rest + u * z * g)));
  io.result = y < 0 ? -angle : angle;
  return io;
}

/** {@link atan2} where one side is nothing beside the other, both are huge or tiny, or either is no number. */
function findFarArc(): typeof io {
  const y = io.first;
  const x = io.second;
  let up = Math.abs(y);
  let along = Math.abs(x);
  const isBelow = y < 0 || (y === 0 && 1 / y < 0);
  const isBehind = x < 0 || (x === 0 && 1 / x < 0);
  let angle = Number.NaN;
  if (up === along) {
    // On a diagonal, at the origin or at both infinities.
    const diagonal = isBehind ? 2.356194490192345 : 0.7853981633974483;
    angle = up > 0 ? diagonal : isBehind ? Math.PI : 0;
  } else if (up <= 1e-9 * along || (along === Number.POSITIVE_INFINITY && up < along)) {
    // atan t = t to 60 bits
    const t = up / along;
    angle = isBehind ? Math.PI - (t - 1.2246467991473532e-16) : t;
  } else if (along <= 1e-9 * up || (up === Number.POSITIVE_INFINITY && along < up)) {
    angle = 1.5707963267948966 - (x / up - 6.123233995736766e-17);
  } else if (up < along || along < up) {
    // 2⁻¹⁰⁰ and 2¹⁰⁰, by which nothing is rounded as the two are of like size
    const scale = up > 1 ? 7.888609052210118e-31 : 1.2676506002282294e30;
    while (up >= 1e25 || along >= 1e25 || (up < 1e-15 && along < 1e-15)) {
      up *= scale;
      along *= scale;
    }
    angle = atan2(up, isBehind ? -along : along);
  }
  io.result = isBelow ? -angle : angle;
  return io;
}

/** asin x, from −π/2 to π/2; no number beyond ±1. */
export function asin(x: number): number {
  io.first = x;
  return findArcSines().result;
}

/** acos x = π/2 − asin x, from 0 to π; no number beyond ±1. */
export function acos(x: number): number {
  io.first = x;
  return findArcSines().other;
}

/**
 * asin x and acos x. For |s| ≤ ½, asin s = s + s z g(z) with z = s². Beyond, asin x = π/2 − 2 asin √((1 − x)/2), as
 * 1 − cos θ = 2 sin²(θ/2); there z = (1 − x)/2 is exact and its root s = q + rest with q a float, as z − q² =
 * (s − q)(s + q).
 */
function findArcSines(): typeof io {
  const x = io.first;
  const size = Math.abs(x);
  const isFar = size > 0.5;
  const z = isFar ? 0.5 * (1 - size) : x * x;
  const s = isFar ? Math.sqrt(z) : x;
  const w = z * z;
  const g =
    0.16666666666666666 +
    w *
      (0.044642857142551895 +
        w *
          (0.02237215744350722 +
            w *
              (0.01396378001220357 +
                w * (0.009621842970100282 + w * (0.0030448799094556773 + w * -0.01924167174674304))))) +
    z *
      (0.07500000000000118 +
        w *
          (0.03038194447553234 +
            w *
              (0.017352816540325496 +
                w *
                  (0.011566459612121669 +
                    w * (0.009319560794767446 + w * (0.019554513336123378 + w * 0.02961201126495512))))));
  const bend = s * z * g;
  if (!isFar) {
    const sum = 1.5707963267948966 - x;
    // A zero keeps its sign where nothing is added to it.
    io.result = size > 1e-8 ? x + bend : x;
    io.other = sum + (1.5707963267948966 - sum - x + (6.123233995736766e-17 - bend));
    return io;
  }
  const q = Math.fround(s);
  const rest = bend + (s > 0 ? (z - q * q) / (s + q) : 0);
  // From π/2 for the one; for the other from π where x is below zero, and from nothing where it is above.
  const sum = 1.5707963267948966 - 2 * q;
  const angle = sum + (1.5707963267948966 - sum - 2 * q + (6.123233995736766e-17 - 2 * rest));
  const back = Math.PI - 2 * q;
  io.result = x < 0 ? -angle : angle;
  io.other = x < 0 ? back + (Math.PI - back - 2 * q + (1.2246467991473532e-16 - 2 * rest)) : 2 * (q + rest);
  return io;
}

/** ln 2 in two parts; the first has 42 bits, so that it is exact times any exponent of a double. */
const LN2_1 = 0.6931471805598903;
const LN2_2 = 5.497923018708371e-14;

/** One double and its two halves; HIGH is that with the sign and the exponent. */
const double = Float64Array.of(1);
const halves = new Uint32Array(double.buffer);
const HIGH = halves[0] === 0 ? 1 : 0;

/** 2ᵏ, −1022 ≤ k ≤ 1023. */
function powerOfTwo(k: number): number {
  halves[1 - HIGH] = 0;
  halves[HIGH] = (k + 1023) << 20;
  return double[0]!;
}

/** 2ᵏ for the small k that occur, from k = −32: quicker than by bits, which wait for each other. */
const POWERS = /* @__PURE__ */ Float64Array.from({ length: 64 }, (_, k) => powerOfTwo(k - 32));

/** eˣ = 2ᵏ eʳ with r = x − k ln 2 within ± ln 2 / 2, in two parts, and eʳ = 1 + r + r² g(r). */
export function exp(x: number): number {
  io.first = x;
  return findPower().result;
}

function findPower(): typeof io {
  const x = io.first;
  if (x >= 709.782712893384) {
    io.result = Number.POSITIVE_INFINITY;
    return io;
  }
  if (x <= -745.1332191019412) {
    io.result = 0;
    return io;
  }
  if (Number.isNaN(x)) {
    io.result = Number.NaN;
    return io;
  }
  const k = x * Math.LOG2E + TO_WHOLE - TO_WHOLE;
  const first = x - k * LN2_1;
  const second = k * LN2_2;
  const r = first - second;
  const low = first - r - second;
  const w = r * r;
  const g =
    0.5 +
    w *
      (0.04166666666666667 +
        w *
          (0.001388888888888375 +
            w * (0.00002480158732554432 + w * (2.7557273647451087e-7 + w * 2.0914685161418067e-9)))) +
    r *
      (0.1666666666666667 +
        w *
          (0.008333333333326136 +
            w * (0.00019841269874815834 + w * (0.0000027557255406285044 + w * 2.5105214474751413e-8))));
  const sum = 1 + r;
  const value = sum + (1 - sum + r + (low + w * g));
  if (k > -33 && k < 32) {
    io.result = value * POWERS[k + 32]!;
    return io;
  }
  halves[1 - HIGH] = 0;
  if (k > -1023 && k < 1024) {
    halves[HIGH] = (k + 1023) << 20;
    io.result = value * double[0]!;
    return io;
  }
  // In two steps, as at the ends of the range 2ᵏ itself is beyond it.
  const part = k >> 1;
  halves[HIGH] = (part + 1023) << 20;
  const most = value * double[0]!;
  halves[HIGH] = (k - part + 1023) << 20;
  io.result = most * double[0]!;
  return io;
}

/**
 * log x, the natural one: x = 2ᵏ m with m between √½ and √2, and log m = log((1 + s) / (1 − s)) = 2s + s z g(z) with
 * s = (m − 1) / (m + 1), z = s², where s = q + rest as in {@link atan2}. Not a number below zero.
 */
export function log(x: number): number {
  io.first = x;
  return findLog().result;
}

function findLog(): typeof io {
  const given = io.first;
  if (!(given > 0 && given < Number.POSITIVE_INFINITY)) {
    io.result = given === 0 ? Number.NEGATIVE_INFINITY : given > 0 ? given : Number.NaN;
    return io;
  }
  // By 2⁵⁴ the ends of the range are brought to where an exponent can be taken off.
  let x = given;
  let more = 0;
  if (given < 1e-300) {
    x *= 18014398509481984;
    more = -54;
  } else if (given > 1e300) {
    x *= 5.551115123125783e-17;
    more = 54;
  }
  double[0] = x;
  let k = (halves[HIGH]! >>> 20) - 1023;
  let m = x * (k > -32 && k < 33 ? POWERS[32 - k]! : powerOfTwo(-k));
  if (m > Math.SQRT2) {
    m *= 0.5;
    k += 1;
  }
  k += more;
  const inverse = 1 / (m + 1);
  const head = Math.fround(m + 1);
  const tail = m - (head - 1);
  const s = (m - 1) * inverse;
  const q = Math.fround(s);
  const rest = (m - 1 - q * head - q * tail) * inverse;
  const z = s * s;
  const w = z * z;
  const g =
    0.6666666666666666 +
    w * (0.2857142857080357 + w * (0.1818179563905501 + w * 0.1326877156854111)) +
    z *
      (0.4000000000000088 + w * (0.22222222391724006 + w * (0.15386239761443157 + w * 0.13086642567884757)));
  const whole = k * LN2_1;
  const sum = whole + 2 * q;
  const lost = whole - sum + 2 * q;
  io.result = sum + (lost + (k * LN2_2 + (2 * rest + s * z * g)));
  return io;
}

/**
 * ∛x, by one of Halley's steps from t, which is right to 26 bits and has no more, so that t² is exact:
 * t + t (x/t² − t) / (2t + x/t²).
 */
export function cbrt(x: number): number {
  if (x === 0 || !(Math.abs(x) < Number.POSITIVE_INFINITY)) return x;
  const about = exp(log(Math.abs(x)) / 3);
  const shifted = about * 134217729;
  const t = shifted - (shifted - about);
  const ratio = Math.abs(x) / (t * t);
  const root = t + (t * (ratio - t)) / (2 * t + ratio);
  return x < 0 ? -root : root;
}

/** xʸ of an x that is not below zero, as exp(y log x): within 1 + |y log x| units in the last place. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  return y === 1 ? x : exp(y * log(x));
}

/** The length of a vector, within 2 units in the last place. */
export function hypot(x: number, y: number, z = 0, w = 0): number {
  const square = x * x + y * y + z * z + w * w;
  return square > 1e-280 && square < 1e300 ? Math.sqrt(square) : farLength([x, y, z, w]);
}

/** The length of a vector of as many sides as are given, as {@link hypot}. */
export function lengthOf(sides: ArrayLike<number>): number {
  let square = 0;
  for (let c = 0; c < sides.length; c++) square += sides[c]! * sides[c]!;
  return square > 1e-280 && square < 1e300 ? Math.sqrt(square) : farLength(sides);
}

/** {@link lengthOf} where squares leave the range of doubles, or nearly. */
function farLength(sides: ArrayLike<number>): number {
  let most = 0;
  let isNumber = true;
  for (let c = 0; c < sides.length; c++) {
    most = Math.max(most, Math.abs(sides[c]!) || 0);
    isNumber &&= !Number.isNaN(sides[c]!);
  }
  // What is infinite in one direction is, whatever it is in another.
  if (most === Number.POSITIVE_INFINITY) return most;
  if (!isNumber) return Number.NaN;
  if (most === 0) return 0;
  // 2⁻⁶⁰⁰ and 2⁶⁰⁰
  const scale = most > 1 ? 2.409919865102884e-181 : 4.149515568880993e180;
  let square = 0;
  for (let c = 0; c < sides.length; c++) square += sides[c]! * scale * (sides[c]! * scale);
  return Math.sqrt(square) / scale;
}

/** x²: `x ** 2` is left to the engines too. */
export function squared(x: number): number {
  return x * x;
}
