import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import type { Interpolation } from '@stuntdouble/core';
import { flatKeysOf } from '../fast/flat-animation.js';
import type { FlatKeys } from '../fast/flat-keys.js';
import type { KeyScratch } from '../fast/key-scratch.js';

/** Babylon's `AnimationKeyInterpolation.STEP`. */
export const STEP = 1;

/** What was read of animations whose keys are trusted, of which list of keys, and how many it had. */
const trusted = new WeakMap<
  Animation,
  { flat: FlatKeys; isWhole: boolean; keys: readonly IAnimationKey[]; count: number }
>();

/** How keys are read. */
export type KeyReading = {
  /** Frames that were read before: keys that stand on the same ones get the same array. */
  shared: Set<Float64Array>;
  /** Whether keys that were read before in this way are taken for what they were; else all are read again. */
  trust: boolean;
  /** Whether keys may be read when they are needed; see {@link deferKeys}. */
  defer: boolean;
  /** Where keys are read into that nobody remembers. */
  scratch: Pick<KeyScratch, 'room'>;
  /** The animations that hold more than was read of them: every key of what stands still, or more digits. */
  simplified: Set<Animation>;
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
  const { trust, shared, simplified } = reading;
  const { framePerSecond: frameRate } = animation;
  const own = flatKeysOf(animation);
  if (own && own.size === size && own.frameRate === frameRate) return own;
  const keys = animation.getKeys();
  const known = trust ? trusted.get(animation) : undefined;
  const isKnown = known && known.keys === keys && known.count === keys.length;
  if (isKnown && known.flat.size === size && known.flat.frameRate === frameRate) {
    shared.add(known.flat.frames);
    if (!known.isWhole) simplified.add(animation);
    return known.flat;
  }
  const read =
    readStillKeys(keys, size, frameRate, shared) ??
    readPlainKeys(keys, size, frameRate, reading) ??
    readAnyKeys(keys, size, frameRate);
  if (!read) return null;
  const { flat, isWhole } = read;
  if (!isWhole) simplified.add(animation);
  flat.frames = shareFrames(flat.frames, shared);
  if (trust) trusted.set(animation, { flat, isWhole, keys, count: keys.length });
  return flat;
}

/** What was read, and whether it is all that there is. */
type Read = { flat: FlatKeys; isWhole: boolean };

/** The one value that all keys have, as a key; null where they differ. However keys go on, it is the same. */
function readStillKeys(
  keys: readonly IAnimationKey[],
  size: 3 | 4,
  frameRate: number,
  shared: ReadonlySet<Float64Array>,
): Read | null {
  const first = keys[0];
  if (!first || !(size === 4 ? areHeldTurns(keys, first.value) : areHeldPlaces(keys, first.value)))
    return null;
  const values = new Float64Array(size);
  putValue(values, 0, first.value, size, 1);
  const frames = oneFrame(first.frame, shared);
  const flat: FlatKeys = { frames, values, size, interpolation: 'linear', frameRate };
  return { flat, isWhole: keys.length === 1 };
}

/** A list of one frame; that of others where they have it. */
function oneFrame(frame: number, shared: ReadonlySet<Float64Array>): Float64Array {
  for (const known of shared) if (known.length === 1 && known[0] === frame) return known;
  return Float64Array.of(frame);
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

/** The numbers of a quaternion. */
export type Turn = { x: number; y: number; z: number; w: number };
type Place = Omit<Turn, 'w'>;

/**
 * Reads keys that have neither tangents nor easing and all go on as the first does, in one walk; null where some do
 * not. Turns are rounded to float32, in which files have them and results are made: a hundred-thousandth of a degree.
 * Places are not, as some are far from where they are wanted: null where float32 does not hold one.
 */
function readPlainKeys(
  keys: readonly IAnimationKey[],
  size: 3 | 4,
  frameRate: number,
  { shared, trust, scratch }: KeyReading,
): Read | null {
  const length = size * keys.length;
  const values = trust ? new Float32Array(length) : scratch.room(length);
  const isStep = keys[0]?.interpolation === STEP;
  const read = (frames: Float64Array): Read | null => {
    const lost =
      size === 4
        ? readPlainTurns(values, keys, frames, isStep)
        : readPlainPlaces(values, keys, frames, isStep);
    const isWhole = lost === 0;
    if (size === 3 ? !isWhole : !Number.isFinite(lost)) return null;
    return { flat: { frames, values, size, interpolation: isStep ? 'step' : 'linear', frameRate }, isWhole };
  };
  // Most animations of a group have their keys on the same frames: no new ones are made to find that out.
  for (const known of shared)
    if (mayBeFrames(known, keys)) {
      const found = read(known);
      if (found) return found;
    }
  return read(framesOf(keys));
}

/** Whether keys seem to stand on frames: by their number, the first and the last. */
export function mayBeFrames(frames: Float64Array, keys: readonly IAnimationKey[]): boolean {
  const last = keys.length - 1;
  return frames.length === keys.length && frames[0] === keys[0]?.frame && frames[last] === keys[last]?.frame;
}

function framesOf(keys: readonly IAnimationKey[]): Float64Array {
  const frames = new Float64Array(keys.length);
  for (let k = 0; k < keys.length; k++) frames[k] = keys[k]!.frame;
  return frames;
}

// One loop for each type of value, here and above: a loop over both would ask each value what it is.

/**
 * Reads plain rotation keys that stand on known frames.
 * @returns what float32 loses of them all; no number where some key is not plain or holds none.
 */
export function readPlainTurns(
  values: Float32Array,
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  isStep: boolean,
): number {
  let lost = 0;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (key.frame !== frames[k] || !isPlain(key, isStep)) return Number.NaN;
    const { x, y, z, w }: Turn = key.value;
    values[4 * k] = x;
    values[4 * k + 1] = y;
    values[4 * k + 2] = z;
    values[4 * k + 3] = w;
    lost += lostOf(x) + lostOf(y) + lostOf(z) + lostOf(w);
  }
  return lost;
}

function readPlainPlaces(
  values: Float32Array,
  keys: readonly IAnimationKey[],
  frames: Float64Array,
  isStep: boolean,
): number {
  let lost = 0;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (key.frame !== frames[k] || !isPlain(key, isStep)) return Number.NaN;
    const { x, y, z }: Place = key.value;
    values[3 * k] = x;
    values[3 * k + 1] = y;
    values[3 * k + 2] = z;
    lost += lostOf(x) + lostOf(y) + lostOf(z);
  }
  return lost;
}

/** What float32 loses of a number; no number where that is none. */
function lostOf(x: number): number {
  return Math.abs(x - Math.fround(x));
}

/** Reads keys of any one kind; null where they are of several, or eased. */
function readAnyKeys(keys: readonly IAnimationKey[], size: 3 | 4, frameRate: number): Read | null {
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
  return { flat: { frames: framesOf(keys), values, size, interpolation, frameRate }, isWhole: true };
}

function putValue(out: Float64Array, o: number, value: Turn, size: 3 | 4, by: number): void {
  out[o] = by * value.x;
  out[o + 1] = by * value.y;
  out[o + 2] = by * value.z;
  if (size === 4) out[o + 3] = by * value.w;
}

/** Whether a key has no tangents or easing and goes on as told. */
export function isPlain(key: IAnimationKey, isStep: boolean): boolean {
  return (
    (key.interpolation === STEP) === isStep &&
    key.inTangent === undefined &&
    key.outTangent === undefined &&
    !key.easingFunction
  );
}
