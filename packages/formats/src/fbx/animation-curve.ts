import { findKey } from '@stuntdouble/core';
import { childOf, fbxError } from './fbx-node.js';
import type { FbxObject } from './objects.js';
import { TICKS_PER_SECOND } from './settings.js';
import { type UnpackBudget, unpackArray } from './unpack-array.js';

/** Keys of one number over time. */
export type AnimationCurve = {
  /** Seconds, rising. */
  times: Float64Array;
  values: Float64Array;
  /** Per key how the curve goes on from it: {@link STEP}, {@link STEP_NEXT}, {@link LINEAR}, {@link CUBIC}. */
  modes: Uint8Array;
  /** Per key the slope (per second) and the weight of its tangent, then those with which the next key is met. */
  tangents: Float64Array | null;
};

/** The value holds until the next key. */
export const STEP = 0;
/** The next key's value holds from here on. */
export const STEP_NEXT = 1;
/** A straight line to the next key. */
export const LINEAR = 2;
/** A cubic (weighted: Bézier) to the next key. */
export const CUBIC = 3;

/** A third: the weight of tangents that makes a Bézier curve a Hermite one, and the one files leave unsaid. */
const THIRD = 1 / 3;

/* The bits of KeyAttrFlags that matter here, as FBX SDK's fbxanimcurve.h names them. */
const CONSTANT_BIT = 0x2;
const LINEAR_BIT = 0x4;
const CONSTANT_NEXT_BIT = 0x100;
const TANGENT_AUTO = 0x100;
const TANGENT_TCB = 0x200;
const TANGENT_USER = 0x400;
const CLAMP = 0x1000;
const CLAMP_PROGRESSIVE = 0x4000;
const WEIGHTED_RIGHT = 0x1000000;
const WEIGHTED_NEXT_LEFT = 0x2000000;

/**
 * Reads a curve. Keys whose time does not rise are left out.
 * @returns null where it has no keys.
 * @throws FormatError where its arrays do not fit each other.
 */
export function readCurve(object: FbxObject, budget: UnpackBudget): AnimationCurve | null {
  const at = `AnimationCurve ${object.id}`;
  const { node } = object;
  if (!childOf(node, 'KeyTime')) return null;
  const ticks = unpackArray(childOf(node, 'KeyTime')?.values[0], budget, `${at}.KeyTime`);
  const values = unpackArray(childOf(node, 'KeyValueFloat')?.values[0], budget, `${at}.KeyValueFloat`);
  const count = ticks.length;
  if (values.length !== count)
    throw fbxError(at, `${count} times and ${values.length} values`, 'as many of both');
  if (count === 0) return null;
  const flagsValue = childOf(node, 'KeyAttrFlags')?.values[0];
  const runs =
    flagsValue === undefined ? new Float64Array(0) : unpackArray(flagsValue, budget, `${at}.KeyAttrFlags`);
  const dataValue = childOf(node, 'KeyAttrDataFloat')?.values[0];
  const data =
    dataValue === undefined ? new Float64Array(0) : unpackArray(dataValue, budget, `${at}.KeyAttrDataFloat`);
  const refValue = childOf(node, 'KeyAttrRefCount')?.values[0];
  const refs =
    refValue === undefined ? new Float64Array(0) : unpackArray(refValue, budget, `${at}.KeyAttrRefCount`);

  const times = new Float64Array(count);
  const modes = new Uint8Array(count);
  const attributes = new Uint32Array(count);
  let run = 0;
  let left = refs[0] ?? count;
  let kept = 0;
  let hasCubic = false;
  for (let k = 0; k < count; k++) {
    while (left <= 0 && run + 1 < runs.length) left = refs[++run] ?? 0;
    left--;
    const time = ticks[k]! / TICKS_PER_SECOND;
    const value = values[k]!;
    if (!Number.isFinite(time) || !Number.isFinite(value) || (kept > 0 && time <= times[kept - 1]!)) continue;
    const flags = runs[run] ?? LINEAR_BIT;
    modes[kept] =
      flags & CONSTANT_BIT
        ? flags & CONSTANT_NEXT_BIT
          ? STEP_NEXT
          : STEP
        : flags & LINEAR_BIT
          ? LINEAR
          : CUBIC;
    if (modes[kept] === CUBIC) hasCubic = true;
    times[kept] = time;
    values[kept] = value;
    attributes[kept] = run;
    kept++;
  }
  if (kept === 0) return null;
  const curve: AnimationCurve = {
    times: kept === count ? times : times.slice(0, kept),
    values: kept === count ? values : values.slice(0, kept),
    modes: kept === count ? modes : modes.slice(0, kept),
    tangents: null,
  };
  if (hasCubic) curve.tangents = readTangents(curve, attributes, runs, data);
  return curve;
}

/** Four numbers a key: slope and weight on its right, slope and weight on the left of the next. */
function readTangents(
  { times, values, modes }: AnimationCurve,
  attributes: Uint32Array,
  runs: Float64Array,
  data: Float64Array,
): Float64Array {
  const count = times.length;
  const tangents = new Float64Array(4 * count);
  // The third number of four holds two weights in the bits of a float, in ten-thousandths.
  const bits = new DataView(new ArrayBuffer(4));
  for (let k = 0; k < count; k++) {
    const run = attributes[k]!;
    const flags = runs[run] ?? 0;
    bits.setFloat32(0, data[4 * run + 2] ?? 0);
    const packed = bits.getUint32(0);
    const finite = (value: number | undefined) => (Number.isFinite(value) ? value! : 0);
    tangents[4 * k] = finite(data[4 * run]);
    tangents[4 * k + 1] = flags & WEIGHTED_RIGHT ? (packed & 0xffff) / 10000 : THIRD;
    tangents[4 * k + 2] = finite(data[4 * run + 1]);
    tangents[4 * k + 3] = flags & WEIGHTED_NEXT_LEFT ? (packed >>> 16) / 10000 : THIRD;
  }
  // Slopes that their program works out itself on loading are not in the file.
  for (let k = 0; k < count; k++) {
    const flags = runs[attributes[k]!] ?? 0;
    if (modes[k] !== CUBIC || flags & (TANGENT_USER | TANGENT_TCB) || !(flags & TANGENT_AUTO)) continue;
    const slope = autoSlope(times, values, k, flags);
    tangents[4 * k] = slope;
    if (k > 0) tangents[4 * k - 2] = slope;
  }
  return tangents;
}

/**
 * The slope of an automatic tangent: from the key before to the key after, and none at the ends. Clamped
 * ones are level at a key that equals a neighbour; progressively clamped ones never lead beyond either.
 */
function autoSlope(times: Float64Array, values: Float64Array, k: number, flags: number): number {
  if (k === 0 || k === times.length - 1) return 0;
  const before = values[k]! - values[k - 1]!;
  const after = values[k + 1]! - values[k]!;
  const slope = (before + after) / (times[k + 1]! - times[k - 1]!);
  if (flags & CLAMP_PROGRESSIVE) {
    if (before * after <= 0) return 0;
    // A third of the way along the tangent is the Bézier handle, which must not pass the neighbour's value.
    const limit = Math.min(
      (3 * Math.abs(before)) / (times[k]! - times[k - 1]!),
      (3 * Math.abs(after)) / (times[k + 1]! - times[k]!),
    );
    return Math.sign(slope) * Math.min(Math.abs(slope), limit);
  }
  if (flags & CLAMP && (before === 0 || after === 0)) return 0;
  return slope;
}

/** The value of a curve at a time; before its first and after its last key it stands still. */
export function sampleCurve(curve: AnimationCurve, time: number, hint = 0): number {
  const { times, values, modes, tangents } = curve;
  const k = findKey(times, time, hint);
  const value = values[k]!;
  if (k >= times.length - 1 || time <= times[k]!) return value;
  const next = values[k + 1]!;
  const mode = modes[k]!;
  if (mode === STEP) return value;
  if (mode === STEP_NEXT) return next;
  const span = times[k + 1]! - times[k]!;
  const u = (time - times[k]!) / span;
  if (mode === LINEAR || !tangents) return value + (next - value) * u;
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
