import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { createValue, type FlatKeys, findFrame } from './flat-keys.js';
import { createLazyKeys, type LazyKeys } from './lazy-keys.js';

type AnimationState = Parameters<Animation['_interpolate']>[1];

const startTurn = new Quaternion();
const endTurn = new Quaternion();
const outTurn = new Quaternion();
const inTurn = new Quaternion();
const startPlace = new Vector3();
const endPlace = new Vector3();
const outPlace = new Vector3();
const inPlace = new Vector3();

/**
 * Makes an `Animation` of flat keys. It plays from them, and makes key objects when somebody asks for more than their
 * number and the frames of the first and the last (`getKeys`, `serialize`, `createKeyForFrame`, an editor …); from
 * then on it is an ordinary animation, so that keys can be edited in place. Everything else of it is Babylon's.
 */
export function createFlatAnimation(
  name: string,
  property: string,
  frameRate: number,
  keys: FlatKeys,
  loopMode: number,
  enableBlending: boolean,
): Animation {
  const type = keys.size === 4 ? Animation.ANIMATIONTYPE_QUATERNION : Animation.ANIMATIONTYPE_VECTOR3;
  return new FlatAnimation(name, property, frameRate, type, loopMode, enableBlending, keys);
}

/** The animation that is joining a group now, and what it shows of its keys meanwhile. */
let joining: Animation | null = null;
const ends: [IAnimationKey, IAnimationKey] = [
  { frame: 0, value: undefined },
  { frame: 0, value: undefined },
];

/**
 * Adds an animation to a group. That asks it for the frames of its first and its last key, and forgets the list: one for
 * all will do, where a list that may be kept is three proxies and what they need.
 */
export function joinGroup(group: AnimationGroup, animation: Animation, target: unknown): void {
  joining = animation;
  try {
    group.addTargetedAnimation(animation, target);
  } finally {
    joining = null;
  }
}

/** The flat keys of an animation that nobody has looked into; null where they are objects, or might be edited. */
export function flatKeysOf(animation: Animation): FlatKeys | null {
  return animation instanceof FlatAnimation && animation.isUntouched() ? animation.flat : null;
}

class FlatAnimation extends Animation {
  /** What it plays from; null when it has become an ordinary one. */
  flat: FlatKeys | null;
  private lazy: LazyKeys | null = null;

  constructor(
    name: string,
    property: string,
    frameRate: number,
    type: number,
    loopMode: number | undefined,
    enableBlending: boolean | undefined,
    flat: FlatKeys,
  ) {
    super(name, property, frameRate, type, loopMode, enableBlending);
    this.flat = flat;
  }

  override getKeys(): IAnimationKey[] {
    const { flat } = this;
    if (!flat) return super.getKeys();
    if (joining !== this || this.lazy) return this.lazyKeys(flat).view;
    ends[0].frame = flat.frames[0]!;
    ends[1].frame = flat.frames[flat.frames.length - 1]!;
    return ends;
  }

  override getHighestFrame(): number {
    return this.flat ? Math.max(0, this.flat.frames.at(-1)!) : super.getHighestFrame();
  }

  override clone(cloneKeys = false): Animation {
    // Without `cloneKeys` both animations have the very same keys, which must be objects then.
    if (!this.flat || !cloneKeys || !this.isUntouched()) return super.clone(cloneKeys);
    const { name, framePerSecond, dataType, loopMode, enableBlending, flat } = this;
    const property = this.targetPropertyPath.join('.');
    const copy = new FlatAnimation(name, property, framePerSecond, dataType, loopMode, enableBlending, flat);
    copy.blendingSpeed = this.blendingSpeed;
    const lead = this.lazy?.lead() ?? null;
    if (lead !== null) copy.lazyKeys(flat, lead);
    const ranges: unknown = Reflect.get(this, '_ranges');
    for (const range of Object.values(ranges ?? {}))
      if (range) copy.createRange(range.name, range.from, range.to);
    return copy;
  }

  override _interpolate(frame: number, state: AnimationState, searchClosestKeyOnly = false): unknown {
    const { flat } = this;
    const holds = state.loopMode === Animation.ANIMATIONLOOPMODE_CONSTANT && state.repeatCount > 0;
    if (!flat || holds || searchClosestKeyOnly) return super._interpolate(frame, state, searchClosestKeyOnly);
    const { frames } = flat;
    const last = frames.length - 1;
    const lead = this.lazy?.lead() ?? null;
    /** Keys that come before the flat ones, as others count them. */
    const before = lead === null ? 0 : 1;
    let key: number;
    let isLed = false;
    if (this._coreAnimation) {
      key = this._coreAnimation._key - before;
      isLed = before > 0 && key < 0;
    } else {
      key = findFrame(frames, frame, state.key - before);
      isLed = lead !== null && key < 0 && frame >= lead;
      state.key = key < 0 && !isLed ? -1 : key + before;
      if (isLed || (key >= 0 && key < last)) this._key = state.key;
    }
    if (key < 0 && !isLed) return this.createValue(flat, 0);
    if (key >= last) return this.createValue(flat, last);
    if (flat.interpolation === 'step' && !isLed) return this.createValue(flat, key);
    const start = isLed ? lead! : frames[key]!;
    const span = frames[key + 1]! - start;
    let part = (frame - start) / span;
    const easing = this.getEasingFunction();
    if (easing) part = easing.ease(part);
    // From the key in front of all to the first the value stands still.
    const from = isLed ? 0 : key;
    const tangents = flat.interpolation === 'cubic' && !isLed ? span / flat.frameRate : 0;
    const value =
      flat.size === 4
        ? this.turnBetween(flat, from, key + 1, part, tangents)
        : this.placeBetween(flat, from, key + 1, part, tangents);
    // Every round of a relative loop begins where the last one ended.
    if (isRelative(state.loopMode) && state.offsetValue)
      value.addInPlace(state.offsetValue.scale(state.repeatCount));
    return value;
  }

  /** The value of a key, for the caller to keep. */
  private createValue(flat: FlatKeys, k: number): Quaternion | Vector3 {
    const first = k === 0 ? this.lazy?.firstValue() : null;
    return first ? first.clone() : createValue(flat, k);
  }

  /** Between two keys; `tangents` is what they are multiplied with, 0 where there are none. */
  private turnBetween(flat: FlatKeys, a: number, b: number, part: number, tangents: number): Quaternion {
    loadTurn(startTurn, flat, a, VALUE, 1);
    loadTurn(endTurn, flat, b, VALUE, 1);
    const first = a === 0 ? this.lazy?.firstValue() : null;
    if (first) startTurn.copyFrom(first as Quaternion);
    if (first && b === 0) endTurn.copyFrom(first as Quaternion);
    let value: Quaternion;
    if (tangents === 0) value = this.quaternionInterpolateFunction(startTurn, endTurn, part);
    else {
      loadTurn(outTurn, flat, a, OUT, tangents);
      loadTurn(inTurn, flat, b, IN, tangents);
      value = this.quaternionInterpolateFunctionWithTangents(startTurn, outTurn, endTurn, inTurn, part);
    }
    // A function of the user's may give back what it was given.
    return value === startTurn || value === endTurn ? value.clone() : value;
  }

  private placeBetween(flat: FlatKeys, a: number, b: number, part: number, tangents: number): Vector3 {
    loadPlace(startPlace, flat, a, VALUE, 1);
    loadPlace(endPlace, flat, b, VALUE, 1);
    const first = a === 0 ? this.lazy?.firstValue() : null;
    if (first) startPlace.copyFrom(first as Vector3);
    if (first && b === 0) endPlace.copyFrom(first as Vector3);
    let value: Vector3;
    if (tangents === 0) value = this.vector3InterpolateFunction(startPlace, endPlace, part);
    else {
      loadPlace(outPlace, flat, a, OUT, tangents);
      loadPlace(inPlace, flat, b, IN, tangents);
      value = this.vector3InterpolateFunctionWithTangents(startPlace, outPlace, endPlace, inPlace, part);
    }
    return value === startPlace || value === endPlace ? value.clone() : value;
  }

  /** Whether it plays from its flat keys, and no value that was handed out was changed. */
  isUntouched(): boolean {
    if (!this.flat) return false;
    const first = this.lazy?.firstValue();
    return !first || isEqual(first, createValue(this.flat, 0));
  }

  private lazyKeys(flat: FlatKeys, lead: number | null = null): LazyKeys {
    this.lazy ??= createLazyKeys(flat, lead, (keys) => {
      // Keys that were replaced in the meantime are nobody's but the holder's of the list.
      if (this.flat === flat) this.takeKeys(keys);
    });
    return this.lazy;
  }

  /** From now on an ordinary animation with these keys. */
  takeKeys(keys: IAnimationKey[]): void {
    this.flat = null;
    this.lazy = null;
    Object.defineProperty(this, '_keys', {
      value: keys,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }

  /** What Babylon's own methods work on: made when the first of them asks. */
  makeKeys(): IAnimationKey[] | undefined {
    return this.flat ? this.lazyKeys(this.flat).make() : undefined;
  }
}

// Babylon.js declares the field private and never initialises it: an accessor in its place is asked by every method of
// the class that is not overridden above, and stands back when there are keys.
Object.defineProperty(FlatAnimation.prototype, '_keys', {
  get(this: FlatAnimation) {
    return this.makeKeys();
  },
  set(this: FlatAnimation, keys: IAnimationKey[]) {
    this.takeKeys(keys);
  },
  configurable: true,
});

/** Which of the three values of a cubic key. */
const IN = 0;
const VALUE = 1;
const OUT = 2;

function placeOf({ size, interpolation }: FlatKeys, k: number, which: number): number {
  return interpolation === 'cubic' ? (3 * k + which) * size : k * size;
}

function loadTurn(out: Quaternion, flat: FlatKeys, k: number, which: number, by: number): void {
  const { values } = flat;
  const i = placeOf(flat, k, which);
  out.copyFromFloats(by * values[i]!, by * values[i + 1]!, by * values[i + 2]!, by * values[i + 3]!);
}

function loadPlace(out: Vector3, flat: FlatKeys, k: number, which: number, by: number): void {
  const { values } = flat;
  const i = placeOf(flat, k, which);
  out.copyFromFloats(by * values[i]!, by * values[i + 1]!, by * values[i + 2]!);
}

function isEqual(a: Quaternion | Vector3, b: Quaternion | Vector3): boolean {
  const numbers = b.asArray();
  return a.asArray().every((value, c) => value === numbers[c]);
}

function isRelative(loopMode: number | undefined): boolean {
  return (
    loopMode === Animation.ANIMATIONLOOPMODE_RELATIVE ||
    loopMode === Animation.ANIMATIONLOOPMODE_RELATIVE_FROM_CURRENT
  );
}
