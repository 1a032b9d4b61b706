import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { type DeferredTurns, type Interpolation, mendTurns, UNIT_SQUARE } from '@stuntdouble/core/engine';
import { isPlain, type KeyReading, mayBeFrames, readPlainTurns, STEP, type Turn } from '../read/read-keys.js';
import { flatKeysOf } from './flat-animation.js';

/** Thrown where keys turn out to be other than they looked: then all of them are to be read first. */
export class KeysDiffer extends Error {}

/** Rotation keys of an animation that look plain and move, to be read when they are needed. */
export type DeferredKeys = { frames: Float64Array; interpolation: Interpolation; turns: DeferredTurns };

/**
 * Puts off the reading of rotation keys that seem to stand on the frames of keys that were read before, by their number,
 * the first and the last; null where that is not so, or where they may stand still. Whether all of them are what they
 * seem is seen while they are read.
 */
export function deferKeys(animation: Animation, reading: KeyReading): DeferredKeys | null {
  if (animation.getEasingFunction() || flatKeysOf(animation)) return null;
  const keys = animation.getKeys();
  const [first, second] = keys;
  if (!first?.value || !second?.value || first.value.equals(second.value)) return null;
  const isStep = first.interpolation === STEP;
  for (const frames of reading.shared)
    if (mayBeFrames(frames, keys)) {
      const interpolation = isStep ? 'step' : 'linear';
      return { frames, interpolation, turns: createTurns(animation, keys, frames, isStep, reading) };
    }
  return null;
}

function createTurns(
  animation: Animation,
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  isStep: boolean,
  { scratch, simplified }: KeyReading,
): DeferredTurns {
  return {
    read() {
      const values = scratch.room(4 * keys.length);
      const lost = orDiffer(() => readPlainTurns(values, keys, frames, isStep));
      if (!Number.isFinite(lost)) throw new KeysDiffer();
      if (lost !== 0) simplified.add(animation);
      return values;
    },
    readKey(out, o, k) {
      const key = keys[k];
      if (!key?.value || key.frame !== frames[k] || !isPlain(key, isStep)) throw new KeysDiffer();
      const { x, y, z, w }: Turn = key.value;
      out[o] = x;
      out[o + 1] = y;
      out[o + 2] = z;
      out[o + 3] = w;
    },
    map: (out, matrix) => orDiffer(() => mapKeys(out, matrix, keys, frames, isStep)),
  };
}

/** A key without a value is put into words where all keys are read first. */
function orDiffer<T>(work: () => T): T {
  try {
    return work();
  } catch {
    throw new KeysDiffer();
  }
}

/** @returns false where a key is not what it seemed. */
function mapKeys(
  out: Float32Array,
  matrix: Float64Array,
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  isStep: boolean,
): boolean {
  const m0 = matrix[0]!;
  const m1 = matrix[1]!;
  const m2 = matrix[2]!;
  const m3 = matrix[3]!;
  const m4 = matrix[4]!;
  const m5 = matrix[5]!;
  const m6 = matrix[6]!;
  const m7 = matrix[7]!;
  const m8 = matrix[8]!;
  const m9 = matrix[9]!;
  const m10 = matrix[10]!;
  const m11 = matrix[11]!;
  const m12 = matrix[12]!;
  const m13 = matrix[13]!;
  const m14 = matrix[14]!;
  const m15 = matrix[15]!;
  let sign = 1;
  let areUnit = true;
  let px = 0;
  let py = 0;
  let pz = 0;
  let pw = 0;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (key.frame !== frames[k] || !isPlain(key, isStep)) return false;
    const { x, y, z, w }: Turn = key.value;
    // The map keeps dot products, so the source's own neighbours tell whether the sign must change.
    const dot = x * px + y * py + z * pz + w * pw;
    if (dot < 0) sign = -sign;
    px = x;
    py = y;
    pz = z;
    pw = w;
    const i = 4 * k;
    const a = m0 * x + m4 * y + m8 * z + m12 * w;
    const b = m1 * x + m5 * y + m9 * z + m13 * w;
    const c = m2 * x + m6 * y + m10 * z + m14 * w;
    const d = m3 * x + m7 * y + m11 * z + m15 * w;
    if (!(Math.abs(a * a + b * b + c * c + d * d - 1) < UNIT_SQUARE)) areUnit = false;
    out[i] = sign * a;
    out[i + 1] = sign * b;
    out[i + 2] = sign * c;
    out[i + 3] = sign * d;
  }
  return areUnit || mendTurns(out);
}
