import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import type { Interpolation } from '@stuntdouble/core';
import { flatKeysOf } from './flat-animation.js';
import type { FlatKeys } from './flat-keys.js';

const STEP = 1;

/** What was read of animations whose keys are trusted, of which list of keys, and how many it had. */
const trusted = new WeakMap<Animation, { flat: FlatKeys; keys: readonly IAnimationKey[]; count: number }>();

/** How keys are read. */
export type KeyReading = {
  /** Frames that were read before: keys that stand on the same ones get the same array. */
  shared: Set<Float64Array>;
  /** Whether keys that were read before in this way are taken for what they were; else all are read again. */
  trust: boolean;
};

/**
 * The keys of an animation of vectors or quaternions in flat arrays, which nobody may write; one key where all are the
 * same, as in most animations of files. Null where keys go on in different ways or are eased: then only Babylon.js
 * can say what is between them.
 *
 * Keys may be edited in place, and nothing short of looking at all of them tells: a fingerprint of some would miss the
 * edit of another. Looking is bound by memory and costs as much as reading, so nothing is remembered, unless somebody
 * who does not edit keys in place says so (`trust`).
 */
export function readKeys(animation: Animation, size: 3 | 4, reading: KeyReading): FlatKeys | null {
  if (animation.getEasingFunction()) return null;
  const { framePerSecond: frameRate } = animation;
  const own = flatKeysOf(animation);
  if (own && own.size === size && own.frameRate === frameRate) return own;
  const keys = animation.getKeys();
  const known = reading.trust ? trusted.get(animation) : undefined;
  if (known && known.keys === keys && known.count === keys.length) {
    const { flat } = known;
    if (flat.size === size && flat.frameRate === frameRate) {
      reading.shared.add(flat.frames);
      return flat;
    }
  }
  const flat =
    readStillKeys(keys, size, frameRate) ??
    readPlainKeys(keys, size, frameRate, reading.shared) ??
    readAnyKeys(keys, size, frameRate);
  if (!flat) return null;
  flat.frames = shareFrames(flat.frames, reading.shared);
  if (reading.trust) trusted.set(animation, { flat, keys, count: keys.length });
  return flat;
}

/** The one value that all keys have, as a key; null where they differ. However keys go on, it is the same. */
function readStillKeys(keys: readonly IAnimationKey[], size: 3 | 4, frameRate: number): FlatKeys | null {
  const first = keys[0];
  if (!first || !(size === 4 ? areHeldTurns(keys, first.value) : areHeldPlaces(keys, first.value)))
    return null;
  const values = new Float64Array(size);
  putValue(values, 0, first.value, size, 1);
  return { frames: Float64Array.of(first.frame), values, size, interpolation: 'linear', frameRate };
}

/** Whether every key has one value and no tangents; false for what is no number, which equals nothing. */
function areHeldTurns(keys: readonly IAnimationKey[], { x, y, z, w }: Turn): boolean {
  for (let k = 0; k < keys.length; k++) {
    const { value, inTangent, outTangent } = keys[k]!;
    const turn: Turn = value;
    if (turn.x !== x || turn.y !== y || turn.z !== z || turn.w !== w) return false;
    if (inTangent !== undefined || outTangent !== undefined) return false;
  }
  return Number.isFinite(x + y + z + w);
}

function areHeldPlaces(keys: readonly IAnimationKey[], { x, y, z }: Place): boolean {
  for (let k = 0; k < keys.length; k++) {
    const { value, inTangent, outTangent } = keys[k]!;
    const place: Place = value;
    if (place.x !== x || place.y !== y || place.z !== z) return false;
    if (inTangent !== undefined || outTangent !== undefined) return false;
  }
  return Number.isFinite(x + y + z);
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
  if (shared.has(frames)) return frames;
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

/**
 * Reads keys that have neither tangents nor easing and all go on as the first does, in one walk; null where some do
 * not, or have values that float32 does not hold, as those of files are.
 */
function readPlainKeys(
  keys: readonly IAnimationKey[],
  size: 3 | 4,
  frameRate: number,
  shared: ReadonlySet<Float64Array>,
): FlatKeys | null {
  const values = new Float32Array(size * keys.length);
  const isStep = keys[0]?.interpolation === STEP;
  const read = (frames: Float64Array): FlatKeys | null => {
    const arePlain =
      size === 4
        ? readPlainTurns(values, keys, frames, isStep)
        : readPlainPlaces(values, keys, frames, isStep);
    return arePlain ? { frames, values, size, interpolation: isStep ? 'step' : 'linear', frameRate } : null;
  };
  // Most animations of a group have their keys on the same frames: no new ones are made to find that out.
  for (const known of shared)
    if (mayBeFrames(known, keys)) {
      const flat = read(known);
      if (flat) return flat;
    }
  return read(framesOf(keys));
}

function mayBeFrames(frames: Float64Array, keys: readonly IAnimationKey[]): boolean {
  const last = keys.length - 1;
  return frames.length === keys.length && frames[0] === keys[0]?.frame && frames[last] === keys[last]?.frame;
}

function framesOf(keys: readonly IAnimationKey[]): Float64Array {
  const frames = new Float64Array(keys.length);
  for (let k = 0; k < keys.length; k++) frames[k] = keys[k]!.frame;
  return frames;
}

// One loop for each type of value, here and above: a loop over both would ask each value what it is.
function readPlainTurns(
  values: Float32Array,
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  isStep: boolean,
): boolean {
  let lost = 0;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (key.frame !== frames[k] || !isPlain(key, isStep)) return false;
    const { x, y, z, w }: Turn = key.value;
    values[4 * k] = x;
    values[4 * k + 1] = y;
    values[4 * k + 2] = z;
    values[4 * k + 3] = w;
    lost += lostOf(x) + lostOf(y) + lostOf(z) + lostOf(w);
  }
  return lost === 0;
}

function readPlainPlaces(
  values: Float32Array,
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  isStep: boolean,
): boolean {
  let lost = 0;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (key.frame !== frames[k] || !isPlain(key, isStep)) return false;
    const { x, y, z }: Place = key.value;
    values[3 * k] = x;
    values[3 * k + 1] = y;
    values[3 * k + 2] = z;
    lost += lostOf(x) + lostOf(y) + lostOf(z);
  }
  return lost === 0;
}

/** What float32 loses of a number; no number where that is none. */
function lostOf(x: number): number {
  return Math.abs(x - Math.fround(x));
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
  return { frames: framesOf(keys), values, size, interpolation, frameRate };
}

function putValue(out: Float64Array, o: number, value: Turn, size: 3 | 4, by: number): void {
  out[o] = by * value.x;
  out[o + 1] = by * value.y;
  out[o + 2] = by * value.z;
  if (size === 4) out[o + 3] = by * value.w;
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
