import { findKey } from '@stuntdouble/core/engine';
import { readFirstValues } from '../parse/child-records.js';
import { type FbxArray, type FbxValue, fbxError, isFbxArray } from '../parse/fbx-node.js';
import { CUBIC, LINEAR, modeOf, STEP, STEP_NEXT } from '../parse/key-flags.js';
import type { FbxObject } from '../parse/objects.js';
import type { FbxDocument } from '../parse/parse-fbx.js';
import { type FiniteCheck, type UnpackBudget, unpackArray } from '../parse/unpack-array.js';
import type { AnimationCurve } from './curve.js';
import { readTangents, THIRD } from './key-tangents.js';

export type { AnimationCurve } from './curve.js';

/** The modes of curves whose keys are all alike. */
const ALL_OF_ONE = [STEP, STEP_NEXT, LINEAR, CUBIC].map((mode) => Uint8Array.of(mode));

/** The arrays of the curves read last: most curves of a take have the same times and attributes. */
export type CurveMemory = { time: Remembered | null; flags: Remembered | null; counts: Remembered | null };

type Remembered = { array: FbxArray; numbers: Float64Array; isRising: boolean };

/** An array of a curve, the one read before if its bytes are the same. */
function readAlike(
  memory: CurveMemory,
  key: keyof CurveMemory,
  value: FbxValue | undefined,
  budget: UnpackBudget,
  at: string,
  scale: number,
): Float64Array {
  const before = memory[key];
  if (before && isFbxArray(value) && isSameArray(value, before.array)) return before.numbers;
  const numbers = unpackArray(value, budget, at);
  if (scale !== 1) for (let i = 0; i < numbers.length; i++) numbers[i]! /= scale;
  if (isFbxArray(value)) memory[key] = { array: value, numbers, isRising: isRising(numbers) };
  return numbers;
}

function isSameArray(a: FbxArray, b: FbxArray): boolean {
  if (a.type !== b.type || a.count !== b.count || a.encoding !== b.encoding || a.length !== b.length)
    return false;
  const { store, start } = a;
  const other = b.store;
  const from = b.start;
  // From the end: takes of another length differ there.
  let i = a.length;
  for (; i >= 16; i -= 16) {
    const p = start + i;
    const q = from + i;
    const differs =
      (store.getInt32(p - 4, true) ^ other.getInt32(q - 4, true)) |
      (store.getInt32(p - 8, true) ^ other.getInt32(q - 8, true)) |
      (store.getInt32(p - 12, true) ^ other.getInt32(q - 12, true)) |
      (store.getInt32(p - 16, true) ^ other.getInt32(q - 16, true));
    if (differs !== 0) return false;
  }
  for (; i > 0; i--) if (store.getUint8(start + i - 1) !== other.getUint8(from + i - 1)) return false;
  return true;
}

const NONE = new Float64Array(0);
const ONE_RUN = new Uint32Array(0);

/** The records of a curve that are read. */
const PARTS = ['KeyTime', 'KeyValueFloat', 'KeyAttrFlags', 'KeyAttrRefCount', 'KeyAttrDataFloat'];
const parts: (FbxValue | undefined)[] = [];
const check: FiniteCheck = { isFinite: true };

/**
 * Reads a curve. Keys whose time does not rise are left out.
 * @returns null where it has no keys.
 * @throws FormatError where its arrays do not fit each other.
 */
export function readCurve(
  object: FbxObject,
  { budget, ticksPerSecond }: Pick<FbxDocument, 'budget' | 'ticksPerSecond'>,
  memory: CurveMemory = { time: null, flags: null, counts: null },
): AnimationCurve | null {
  readFirstValues(parts, object, PARTS);
  const ticks = parts[0];
  const flagsValue = parts[2];
  const countsValue = parts[3];
  if (ticks === undefined) return null;
  const times = readAlike(memory, 'time', ticks, budget, 'AnimationCurve.KeyTime', ticksPerSecond);
  const values = unpackArray(parts[1], budget, 'AnimationCurve.KeyValueFloat', check);
  const count = times.length;
  if (values.length !== count)
    throw fbxError(
      `AnimationCurve ${object.id}`,
      `${count} times and ${values.length} values`,
      'as many of both',
    );
  if (count === 0) return null;
  const flags =
    flagsValue === undefined
      ? NONE
      : readAlike(memory, 'flags', flagsValue, budget, 'AnimationCurve.KeyAttrFlags', 1);
  const counts =
    countsValue === undefined
      ? NONE
      : readAlike(memory, 'counts', countsValue, budget, 'AnimationCurve.KeyAttrRefCount', 1);
  const data = parts[4];

  // Which run of attributes each key belongs to.
  let runs: Uint32Array = ONE_RUN;
  let modes: Uint8Array;
  if (flags.length <= 1) modes = ALL_OF_ONE[modeOf(flags[0])]!;
  else {
    runs = new Uint32Array(count);
    modes = new Uint8Array(count);
    let run = 0;
    let left = counts[0] ?? count;
    for (let k = 0; k < count; k++) {
      while (left <= 0 && run + 1 < flags.length) left = counts[++run] ?? 0;
      left--;
      runs[k] = run;
      modes[k] = modeOf(flags[run]);
    }
  }
  const curve: AnimationCurve = {
    times,
    values,
    modes,
    attributes: { flags, data, runs, budget },
    tangents: null,
  };
  const isInOrder = memory.time?.numbers === times ? memory.time.isRising : isRising(times);
  return isInOrder && check.isFinite ? curve : keepRising(curve);
}

/** Whether all keys of a curve have one value. */
export function isConstant({ values }: AnimationCurve): boolean {
  const first = values[0]!;
  for (let k = 1; k < values.length; k++) if (values[k] !== first) return false;
  return true;
}

/** Seconds beyond which a time means none: FBX has numbers for "always" and "never". Four months. */
const NEVER = 1e7;

/** Whether seconds are a time, and not FBX's "always" or "never". */
export function isTime(seconds: number): boolean {
  return Math.abs(seconds) < NEVER;
}

function isRising(times: Float64Array): boolean {
  if (!isTime(times[0] ?? 0) || !isTime(times[times.length - 1] ?? 0)) return false;
  for (let k = 1; k < times.length; k++) if (!(times[k]! > times[k - 1]!)) return false;
  return true;
}

/** The curve without keys that are not finite, at no time, or do not come after the one before. */
function keepRising(curve: AnimationCurve): AnimationCurve | null {
  const kept: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  curve.times.forEach((time, k) => {
    if (!isTime(time) || !Number.isFinite(curve.values[k]!) || time <= last) return;
    kept.push(k);
    last = time;
  });
  if (kept.length === 0) return null;
  const { attributes } = curve;
  const { runs } = attributes;
  return {
    times: Float64Array.from(kept, (k) => curve.times[k]!),
    values: Float64Array.from(kept, (k) => curve.values[k]!),
    modes: curve.modes.length === 1 ? curve.modes : Uint8Array.from(kept, (k) => curve.modes[k]!),
    attributes: { ...attributes, runs: runs.length === 0 ? runs : Uint32Array.from(kept, (k) => runs[k]!) },
    tangents: null,
  };
}

/** The value of a curve at a time; before its first and after its last key it stands still. */
export function sampleCurve(curve: AnimationCurve, time: number, hint = 0): number {
  const { times, values, modes } = curve;
  const k = findKey(times, time, hint);
  const value = values[k]!;
  if (k >= times.length - 1 || time <= times[k]!) return value;
  const next = values[k + 1]!;
  const mode = modes.length === 1 ? modes[0]! : modes[k]!;
  if (mode === STEP) return value;
  if (mode === STEP_NEXT) return next;
  const span = times[k + 1]! - times[k]!;
  const u = (time - times[k]!) / span;
  if (mode === LINEAR) return value + (next - value) * u;
  curve.tangents ??= readTangents(curve);
  const { tangents } = curve;
  const rightSlope = tangents[4 * k]!;
  const rightWeight = tangents[4 * k + 1]!;
  const leftSlope = tangents[4 * k + 2]!;
  const leftWeight = tangents[4 * k + 3]!;
  // A Bézier curve through time and value, whose handles reach `weight` of the span along the slopes.
  const s = rightWeight === THIRD && leftWeight === THIRD ? u : solveBezier(rightWeight, 1 - leftWeight, u);
  const y1 = value + rightSlope * rightWeight * span;
  const y2 = next - leftSlope * leftWeight * span;
  const t = 1 - s;
  return t * t * t * value + 3 * t * t * s * y1 + 3 * t * s * s * y2 + s * s * s * next;
}

/**
 * out = the slopes of a curve just before and just after a time, per second; level before its first and after
 * its last key. For lines and for cubics without weights.
 */
export function curveSlopes(out: Float64Array, curve: AnimationCurve, time: number): void {
  const { times } = curve;
  const k = findKey(times, time);
  const isKey = time === times[k];
  out[0] = isKey ? (k > 0 ? segmentSlope(curve, k - 1, time) : 0) : segmentSlope(curve, k, time);
  out[1] = segmentSlope(curve, k, time);
}

/** The slope at a time of the piece from key k to the next. */
function segmentSlope(curve: AnimationCurve, k: number, time: number): number {
  const { times, values, modes } = curve;
  if (k >= times.length - 1 || time < times[0]!) return 0;
  const span = times[k + 1]! - times[k]!;
  const way = (values[k + 1]! - values[k]!) / span;
  if ((modes.length === 1 ? modes[0]! : modes[k]!) !== CUBIC) return way;
  curve.tangents ??= readTangents(curve);
  const right = curve.tangents[4 * k]!;
  const left = curve.tangents[4 * k + 2]!;
  const u = (time - times[k]!) / span;
  // The derivative of the Hermite curve: (6u² − 6u) · (p₀ − p₁) / span + (3u² − 4u + 1) · m₀ + (3u² − 2u) · m₁.
  return (6 * u - 6 * u * u) * way + (3 * u * u - 4 * u + 1) * right + (3 * u * u - 2 * u) * left;
}

/** The parameter at which a Bézier curve from 0 to 1 with inner points x1, x2 reaches x. */
function solveBezier(x1: number, x2: number, x: number): number {
  // Bisection: it cannot fail where handles overlap, and 40 halvings are a double's worth.
  let low = 0;
  let high = 1;
  for (let n = 0; n < 40; n++) {
    const s = (low + high) / 2;
    const t = 1 - s;
    if (3 * t * t * s * x1 + 3 * t * s * s * x2 + s * s * s < x) low = s;
    else high = s;
  }
  return (low + high) / 2;
}
