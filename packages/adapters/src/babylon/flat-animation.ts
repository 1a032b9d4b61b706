import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { createKeys, createValue, type FlatKeys, findFrame, strideOf } from './flat-keys.js';
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

/** So few keys cost no more as objects. */
const FEW = 8;

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
  if (keys.frames.length > FEW)
    return new FlatAnimation(name, property, frameRate, type, loopMode, enableBlending, keys);
  const animation = new Animation(name, property, frameRate, type, loopMode, enableBlending);
  animation.setKeys(createKeys(keys), true);
  return animation;
}

/** The flat keys of an animation that has never been looked into; null where they are objects. */
export function flatKeysOf(animation: Animation): FlatKeys | null {
  return animation instanceof FlatAnimation ? animation.flat : null;
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
    return this.flat ? this.lazyKeys(this.flat).view : super.getKeys();
  }

  override getHighestFrame(): number {
    return this.flat ? Math.max(0, this.flat.frames.at(-1)!) : super.getHighestFrame();
  }

  override clone(cloneKeys = false): Animation {
    // Without `cloneKeys` both animations have the very same keys, which must be objects then.
    if (!this.flat || !cloneKeys) return super.clone(cloneKeys);
    const { name, framePerSecond, dataType, loopMode, enableBlending } = this;
    const property = this.targetPropertyPath.join('.');
    const copy = new FlatAnimation(
      name,
      property,
      framePerSecond,
      dataType,
      loopMode,
      enableBlending,
      this.flat,
    );
    copy.blendingSpeed = this.blendingSpeed;
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
    let key: number;
    if (this._coreAnimation) key = this._coreAnimation._key;
    else {
      key = findFrame(frames, frame, state.key);
      state.key = key;
      if (key >= 0 && key < last) this._key = key;
    }
    if (key < 0) return createValue(flat, 0);
    if (key >= last) return createValue(flat, last);
    if (flat.interpolation === 'step') return createValue(flat, key);
    const span = frames[key + 1]! - frames[key]!;
    let part = (frame - frames[key]!) / span;
    const easing = this.getEasingFunction();
    if (easing) part = easing.ease(part);
    const value = flat.size === 4 ? this.turnAt(flat, key, span, part) : this.placeAt(flat, key, span, part);
    // Every round of a relative loop begins where the last one ended.
    if (isRelative(state.loopMode) && state.offsetValue)
      value.addInPlace(state.offsetValue.scale(state.repeatCount));
    return value;
  }

  private turnAt(flat: FlatKeys, key: number, span: number, part: number): Quaternion {
    const { values } = flat;
    const stride = strideOf(flat);
    const isCubic = flat.interpolation === 'cubic';
    const a = key * stride + (isCubic ? 4 : 0);
    const b = a + stride;
    startTurn.copyFromFloats(values[a]!, values[a + 1]!, values[a + 2]!, values[a + 3]!);
    endTurn.copyFromFloats(values[b]!, values[b + 1]!, values[b + 2]!, values[b + 3]!);
    let value: Quaternion;
    if (isCubic) {
      const by = span / flat.frameRate;
      const o = a + 4;
      const i = b - 4;
      outTurn.copyFromFloats(by * values[o]!, by * values[o + 1]!, by * values[o + 2]!, by * values[o + 3]!);
      inTurn.copyFromFloats(by * values[i]!, by * values[i + 1]!, by * values[i + 2]!, by * values[i + 3]!);
      value = this.quaternionInterpolateFunctionWithTangents(startTurn, outTurn, endTurn, inTurn, part);
    } else value = this.quaternionInterpolateFunction(startTurn, endTurn, part);
    // A function of the user's may give back what it was given.
    return value === startTurn || value === endTurn ? value.clone() : value;
  }

  private placeAt(flat: FlatKeys, key: number, span: number, part: number): Vector3 {
    const { values } = flat;
    const stride = strideOf(flat);
    const isCubic = flat.interpolation === 'cubic';
    const a = key * stride + (isCubic ? 3 : 0);
    const b = a + stride;
    startPlace.copyFromFloats(values[a]!, values[a + 1]!, values[a + 2]!);
    endPlace.copyFromFloats(values[b]!, values[b + 1]!, values[b + 2]!);
    let value: Vector3;
    if (isCubic) {
      const by = span / flat.frameRate;
      const o = a + 3;
      const i = b - 3;
      outPlace.copyFromFloats(by * values[o]!, by * values[o + 1]!, by * values[o + 2]!);
      inPlace.copyFromFloats(by * values[i]!, by * values[i + 1]!, by * values[i + 2]!);
      value = this.vector3InterpolateFunctionWithTangents(startPlace, outPlace, endPlace, inPlace, part);
    } else value = this.vector3InterpolateFunction(startPlace, endPlace, part);
    return value === startPlace || value === endPlace ? value.clone() : value;
  }

  private lazyKeys(flat: FlatKeys): LazyKeys {
    this.lazy ??= createLazyKeys(flat, (keys) => {
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

function isRelative(loopMode: number | undefined): boolean {
  return (
    loopMode === Animation.ANIMATIONLOOPMODE_RELATIVE ||
    loopMode === Animation.ANIMATIONLOOPMODE_RELATIVE_FROM_CURRENT
  );
}
