import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import type { Interpolation } from '@stuntdouble/core';
import { flatKeysOf } from './flat-animation.js';
import type { FlatKeys } from './flat-keys.js';

const STEP = 1;

/** What was read of animations, and of which list of keys. */
const remembered = new WeakMap<Animation, { flat: FlatKeys; keys: readonly IAnimationKey[] }>();

/** How keys are read. */
export type KeyReading = {
  /** Frames that were read before: keys that stand on the same ones get the same array. */
  shared: Set<Float64Array>;
  /** Whether keys that were read before are taken for what they were; else each is looked at again. */
  trust: boolean;
};

/**
 * The keys of an animation of vectors or quaternions in flat arrays, which nobody may write. Null where keys go on in
 * different ways or are eased: then only Babylon.js can say what is between them.
 *
 * What was read is remembered, and used again where every number of every key is still the same: keys may be edited
 * in place, and nothing short of looking at all of them tells. Looking is memory-bound, 30 ns a key, and nearly half of
 * what a retarget of a known group costs; a fingerprint of some keys would miss the edit of another. Who does not
 * edit keys in place may say so (`trust`).
 */
export function readKeys(animation: Animation, size: 3 | 4, reading: KeyReading): FlatKeys | null {
  if (animation.getEasingFunction()) return null;
  const { framePerSecond: frameRate } = animation;
  const own = flatKeysOf(animation);
  if (own && own.size === size && own.frameRate === frameRate) return own;
  const keys = animation.getKeys();
  const known = remembered.get(animation);
  if (known && known.flat.size === size && known.flat.frameRate === frameRate) {
    const { flat } = known;
    const isTrusted = reading.trust && known.keys === keys && keys.length === flat.frames.length;
    if (isTrusted || isStillSo(flat, keys)) {
      reading.shared.add(flat.frames);
      return flat;
    }
  }
  const interpolation = interpolationOf(keys);
  if (!interpolation) return null;
  const flat: FlatKeys = {
    frames: readFrames(keys, reading.shared),
    values: new Float64Array(keys.length * size * (interpolation === 'cubic' ? 3 : 1)),
    size,
    interpolation,
    frameRate,
  };
  readValues(flat, keys);
  remembered.set(animation, { flat, keys });
  return flat;
}

/** The one way in which all keys go on to the next; null where they differ or are eased. */
function interpolationOf(keys: readonly IAnimationKey[]): Interpolation | null {
  let found: Interpolation | null = null;
  for (let k = 0; k + 1 < keys.length; k++) {
    const key = keys[k]!;
    if (key.easingFunction) return null;
    const isCubic = key.outTangent !== undefined && keys[k + 1]!.inTangent !== undefined;
    const kind = key.interpolation === STEP ? 'step' : isCubic ? 'cubic' : 'linear';
    if (found && kind !== found) return null;
    found = kind;
  }
  return found ?? 'linear';
}

/** Frames, or those that are the same and were read before. */
export function shareFrames(frames: Float64Array, shared: Set<Float64Array>): Float64Array {
  for (const known of shared)
    if (known.length === frames.length && known.every((frame, k) => frame === frames[k])) return known;
  shared.add(frames);
  return frames;
}

function readFrames(keys: readonly IAnimationKey[], shared: Set<Float64Array>): Float64Array {
  for (const frames of shared) if (standOn(keys, frames)) return frames;
  const frames = Float64Array.from(keys, ({ frame }) => frame);
  shared.add(frames);
  return frames;
}

function standOn(keys: readonly IAnimationKey[], frames: Float64Array): boolean {
  if (keys.length !== frames.length) return false;
  for (let k = 0; k < frames.length; k++) if (keys[k]!.frame !== frames[k]) return false;
  return true;
}

type Turn = { x: number; y: number; z: number; w: number };

function readValues(
  { values, size, interpolation, frameRate }: FlatKeys,
  keys: readonly IAnimationKey[],
): void {
  const out = values as Float64Array;
  const put = size === 4 ? putTurn : putPlace;
  for (let k = 0; k < keys.length; k++) {
    const { value, inTangent, outTangent } = keys[k]!;
    if (interpolation !== 'cubic') {
      put(out, k * size, value, 1);
      continue;
    }
    // Babylon's tangents are per frame, the engine's per second (BP5).
    const o = 3 * k * size;
    if (inTangent) put(out, o, inTangent, frameRate);
    put(out, o + size, value, 1);
    if (outTangent) put(out, o + 2 * size, outTangent, frameRate);
  }
}

function putTurn(out: Float64Array, o: number, { x, y, z, w }: Turn, by: number): void {
  out[o] = by * x;
  out[o + 1] = by * y;
  out[o + 2] = by * z;
  out[o + 3] = by * (w ?? 0);
}

function putPlace(out: Float64Array, o: number, { x, y, z }: Omit<Turn, 'w'>, by: number): void {
  out[o] = by * x;
  out[o + 1] = by * y;
  out[o + 2] = by * z;
}

/** Whether keys are what they were when they were read; false where that is not quickly said. */
function isStillSo(
  { frames, values, size, interpolation }: FlatKeys,
  keys: readonly IAnimationKey[],
): boolean {
  if (keys.length !== frames.length || interpolation === 'cubic') return false;
  const isStep = interpolation === 'step';
  return size === 4
    ? areSameTurns(keys, frames, values, isStep)
    : areSamePlaces(keys, frames, values, isStep);
}

// One loop for each type of value: a loop over both would ask each value what it is.
function areSameTurns(
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  values: FlatKeys['values'],
  isStep: boolean,
): boolean {
  for (let k = 0; k < frames.length; k++) {
    const key = keys[k]!;
    if (key.frame !== frames[k] || !isPlain(key, isStep)) return false;
    const value: Turn = key.value;
    const i = 4 * k;
    if (
      value.x !== values[i] ||
      value.y !== values[i + 1] ||
      value.z !== values[i + 2] ||
      value.w !== values[i + 3]
    )
      return false;
  }
  return true;
}

function areSamePlaces(
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  values: FlatKeys['values'],
  isStep: boolean,
): boolean {
  for (let k = 0; k < frames.length; k++) {
    const key = keys[k]!;
    if (key.frame !== frames[k] || !isPlain(key, isStep)) return false;
    const value: Omit<Turn, 'w'> = key.value;
    const i = 3 * k;
    if (value.x !== values[i] || value.y !== values[i + 1] || value.z !== values[i + 2]) return false;
  }
  return true;
}

/** Whether a key has no tangents or easing and goes on as told. */
function isPlain(key: IAnimationKey, isStep: boolean): boolean {
  return (
    (key.interpolation === STEP) === isStep &&
    key.inTangent === undefined &&
    key.outTangent === undefined &&
    !key.easingFunction
  );
}
