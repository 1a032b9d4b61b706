import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Interpolation } from '@stuntdouble/core';

/**
 * The keys of an `Animation` in flat arrays: a key of Babylon's is at least two objects, and making them costs
 * ten times what computing their numbers does. The arrays may be shared and are never written.
 */
export type FlatKeys = {
  /** Rising. */
  frames: Float64Array;
  /** `size` numbers a key; where cubic three times as many: in-tangent, value, out-tangent. */
  values: Float32Array | Float64Array;
  /** 4 for quaternions, 3 for vectors. */
  size: 3 | 4;
  interpolation: Interpolation;
  /** What tangents are divided by to be per frame, as Babylon's are: those of the engine are per second. */
  frameRate: number;
};

const STEP = 1;

/** Makes the value of a key: an object of its own, which the caller may keep and change. */
export function createValue(flat: FlatKeys, k: number): Quaternion | Vector3 {
  const { size, values } = flat;
  const i = flat.interpolation === 'cubic' ? (3 * k + 1) * size : k * size;
  return size === 4
    ? new Quaternion(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!)
    : new Vector3(values[i]!, values[i + 1]!, values[i + 2]!);
}

/** Makes every key as the object that Babylon.js knows. */
export function createKeys(flat: FlatKeys): IAnimationKey[] {
  const { frames, interpolation } = flat;
  const keys: IAnimationKey[] = new Array(frames.length);
  for (let k = 0; k < frames.length; k++) {
    const frame = frames[k]!;
    const value = createValue(flat, k);
    if (interpolation === 'linear') keys[k] = { frame, value };
    else if (interpolation === 'step') keys[k] = { frame, value, interpolation: STEP };
    else keys[k] = { frame, inTangent: tangentOf(flat, k, 0), value, outTangent: tangentOf(flat, k, 2) };
  }
  return keys;
}

/** The tangent of a key per frame; `part` is 0 for the one before the key, 2 for the one behind it. */
function tangentOf({ values, size, frameRate }: FlatKeys, k: number, part: 0 | 2): Quaternion | Vector3 {
  const i = (3 * k + part) * size;
  const by = 1 / frameRate;
  return size === 4
    ? new Quaternion(by * values[i]!, by * values[i + 1]!, by * values[i + 2]!, by * values[i + 3]!)
    : new Vector3(by * values[i]!, by * values[i + 1]!, by * values[i + 2]!);
}

/**
 * The last key at or before a frame, −1 before the first: where Babylon's own search ends, without walking there
 * from `hint` when that is far.
 */
export function findFrame(frames: Float64Array, frame: number, hint: number): number {
  const last = frames.length - 1;
  const from = Math.max(-1, Math.min(hint, last));
  if (from < 0 || frames[from]! <= frame)
    // A few steps forward is what playing needs.
    for (let k = from; k < from + 4; k++) if (k >= last || !(frames[k + 1]! <= frame)) return k;
  let low = -1;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (frames[middle]! <= frame) low = middle;
    else high = middle - 1;
  }
  return low;
}
