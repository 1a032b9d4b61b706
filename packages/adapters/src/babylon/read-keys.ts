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
 * in place, and nothing short of looking at all of them tells. Looking is bound by memory: 15 ns a key on an idle
 * machine and 40 on a busy one, a third to a half of what a retarget of a known group costs. A fingerprint of some keys
 * would miss the edit of another. Who does not edit keys in place may say so (`trust`).
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
  const flat = readPlainKeys(keys, size, frameRate) ?? readAnyKeys(keys, size, frameRate);
  if (!flat) return null;
  flat.frames = shareFrames(flat.frames, reading.shared);
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
  for (const known of shared) if (areSame(known, frames)) return known;
  shared.add(frames);
  return frames;
}

function areSame(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

type Turn = { x: number; y: number; z: number; w: number };
type Place = Omit<Turn, 'w'>;

/** Reads keys that have neither tangents nor easing and all go on as the first does, in one walk; null where some do not. */
function readPlainKeys(keys: readonly IAnimationKey[], size: 3 | 4, frameRate: number): FlatKeys | null {
  const frames = new Float64Array(keys.length);
  const values = new Float64Array(size * keys.length);
  const isStep = keys[0]?.interpolation === STEP;
  const arePlain =
    size === 4 ? readPlainTurns(frames, values, keys, isStep) : readPlainPlaces(frames, values, keys, isStep);
  return arePlain ? { frames, values, size, interpolation: isStep ? 'step' : 'linear', frameRate } : null;
}

// One loop for each type of value, here and below: a loop over both would ask each value what it is.
function readPlainTurns(
  frames: Float64Array,
  values: Float64Array,
  keys: readonly IAnimationKey[],
  isStep: boolean,
): boolean {
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (!isPlain(key, isStep)) return false;
    const value: Turn = key.value;
    frames[k] = key.frame;
    values[4 * k] = value.x;
    values[4 * k + 1] = value.y;
    values[4 * k + 2] = value.z;
    values[4 * k + 3] = value.w;
  }
  return true;
}

function readPlainPlaces(
  frames: Float64Array,
  values: Float64Array,
  keys: readonly IAnimationKey[],
  isStep: boolean,
): boolean {
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (!isPlain(key, isStep)) return false;
    const value: Place = key.value;
    frames[k] = key.frame;
    values[3 * k] = value.x;
    values[3 * k + 1] = value.y;
    values[3 * k + 2] = value.z;
  }
  return true;
}

/** Reads keys of any one kind; null where they are of several, or eased. */
function readAnyKeys(keys: readonly IAnimationKey[], size: 3 | 4, frameRate: number): FlatKeys | null {
  const interpolation = interpolationOf(keys);
  if (!interpolation) return null;
  const parts = interpolation === 'cubic' ? 3 : 1;
  const values = new Float64Array(keys.length * size * parts);
  keys.forEach(({ inTangent, value, outTangent }, k) => {
    const o = parts * size * k;
    putValue(values, parts === 3 ? o + size : o, value, size, 1);
    if (parts !== 3) return;
    // Babylon's tangents are per frame, the engine's per second (BP5).
    if (inTangent) putValue(values, o, inTangent, size, frameRate);
    if (outTangent) putValue(values, o + 2 * size, outTangent, size, frameRate);
  });
  const frames = Float64Array.from(keys, ({ frame }) => frame);
  return { frames, values, size, interpolation, frameRate };
}

function putValue(out: Float64Array, o: number, value: Turn, size: 3 | 4, by: number): void {
  out[o] = by * value.x;
  out[o + 1] = by * value.y;
  out[o + 2] = by * value.z;
  if (size === 4) out[o + 3] = by * value.w;
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
    const value: Place = key.value;
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
