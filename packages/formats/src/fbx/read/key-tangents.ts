import { isMendable } from '../../format-error.js';
import { isFbxArray } from '../parse/fbx-node.js';
import {
  CLAMP,
  CLAMP_PROGRESSIVE,
  CUBIC,
  TANGENT_AUTO,
  TANGENT_TCB,
  TANGENT_USER,
  WEIGHTED_NEXT_LEFT,
  WEIGHTED_RIGHT,
} from '../parse/key-flags.js';
import { unpackArray } from '../parse/unpack-array.js';
import type { AnimationCurve } from './curve.js';

/** A third: the weight of tangents that makes a Bézier curve a Hermite one, and the one files leave unsaid. */
export const THIRD = 1 / 3;

const NONE = new Float64Array(0);

/** Four numbers a key: slope and weight on its right, slope and weight on the left of the next. */
export function readTangents({ times, values, modes, attributes }: AnimationCurve): Float64Array {
  const { flags: allFlags, runs, budget } = attributes;
  let data: Float64Array = NONE;
  try {
    if (attributes.data !== undefined)
      data = unpackArray(attributes.data, budget, 'AnimationCurve.KeyAttrDataFloat');
    // ASCII files have whole numbers: the bits of the floats.
    if (isFbxArray(attributes.data) && attributes.data.type === 'l')
      data = Float64Array.from(new Float32Array(Int32Array.from(data).buffer));
  } catch (error) {
    if (!isMendable(error)) throw error;
    // Without slopes the curve is level at its keys, which is what zeros say.
  }
  const count = times.length;
  const tangents = new Float64Array(4 * count);
  // The third number of four holds two weights in the bits of a float, in ten-thousandths.
  const bits = new DataView(new ArrayBuffer(4));
  const finite = (value: number | undefined) => (Number.isFinite(value) ? value! : 0);
  for (let k = 0; k < count; k++) {
    const run = runs[k] ?? 0;
    const flags = allFlags[run] ?? 0;
    bits.setFloat32(0, data[4 * run + 2] ?? 0);
    const packed = bits.getUint32(0);
    tangents[4 * k] = finite(data[4 * run]);
    tangents[4 * k + 1] = flags & WEIGHTED_RIGHT ? (packed & 0xffff) / 10000 : THIRD;
    tangents[4 * k + 2] = finite(data[4 * run + 1]);
    tangents[4 * k + 3] = flags & WEIGHTED_NEXT_LEFT ? (packed >>> 16) / 10000 : THIRD;
  }
  // Slopes that their program works out itself on loading are not in the file.
  for (let k = 0; k < count; k++) {
    const run = runs[k] ?? 0;
    const flags = allFlags[run] ?? 0;
    if ((modes[k] ?? modes[0]) !== CUBIC || flags & TANGENT_USER) continue;
    if (flags & TANGENT_TCB) {
      tcbSlopes(
        slopes,
        times,
        values,
        k,
        finite(data[4 * run]),
        finite(data[4 * run + 1]),
        finite(data[4 * run + 2]),
      );
      tangents[4 * k] = slopes[1]!;
      if (k > 0) tangents[4 * k - 2] = slopes[0]!;
    } else if (flags & TANGENT_AUTO) {
      const slope = autoSlope(times, values, k, flags);
      tangents[4 * k] = slope;
      if (k > 0) tangents[4 * k - 2] = slope;
    }
  }
  return tangents;
}

const slopes = new Float64Array(2);

/**
 * out = the slopes before and after a key with tension, continuity and bias (Kochanek and Bartels 1984, eq. 8 and
 * 9): shares of the ways from the key before and to the key after, per second. At an end there is but one of them.
 */
function tcbSlopes(
  out: Float64Array,
  times: Float64Array,
  values: Float64Array,
  k: number,
  tension: number,
  continuity: number,
  bias: number,
): void {
  const wayTo = (n: number) => (values[n + 1]! - values[n]!) / (times[n + 1]! - times[n]!);
  const last = times.length - 1;
  const before = k > 0 ? wayTo(k - 1) : k < last ? wayTo(k) : 0;
  const after = k < last ? wayTo(k) : before;
  const loose = (1 - tension) / 2;
  out[0] = loose * ((1 - continuity) * (1 + bias) * before + (1 + continuity) * (1 - bias) * after);
  out[1] = loose * ((1 + continuity) * (1 + bias) * before + (1 - continuity) * (1 - bias) * after);
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
