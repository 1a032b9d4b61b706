import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { createKeys, type FlatKeys } from './flat-keys.js';

/** Keys that are made when somebody looks into them. */
export type LazyKeys = {
  /**
   * A list of all keys, to be handed out. Asking it for its length, for its first or last key, and these for their
   * frame makes nothing: that is all that Babylon.js asks when an animation joins a group, starts or jumps.
   * Whatever else is done with it or with them makes all keys first.
   */
  readonly view: IAnimationKey[];
  /** Makes the keys, once, and gives the plain list that `view` shows. */
  make(): IAnimationKey[];
};

/**
 * Makes a list of keys whose objects come into being at the first look. Views are proxies: a plain array cannot know
 * that it is read, and a key that was handed out may be edited in place, which the flat numbers would not learn.
 * @param onMade Called with the plain list when the keys are made, before anyone can have changed them.
 */
export function createLazyKeys(flat: FlatKeys, onMade: (keys: IAnimationKey[]) => void): LazyKeys {
  const { frames } = flat;
  const last = frames.length - 1;
  const lastIndex = String(last);
  const keys: IAnimationKey[] = [];
  const ends = new Map<number, { key: IAnimationKey; view: IAnimationKey }>();
  let isMade = false;
  const make = () => {
    if (isMade) return keys;
    isMade = true;
    const made = createKeys(flat);
    for (let k = 0; k <= last; k++) keys.push(made[k]!);
    // Who holds the view of an end holds the key itself.
    for (const [k, { key }] of ends) keys[k] = Object.assign(key, made[k]);
    onMade(keys);
    return keys;
  };
  const endAt = (k: number): IAnimationKey => {
    const known = ends.get(k);
    if (known) return known.view;
    const key: IAnimationKey = { frame: frames[k]!, value: undefined };
    const view = new Proxy(
      key,
      new LazyHandler(make, (property) => (isMade || property !== 'frame' ? undefined : frames[k])),
    );
    ends.set(k, { key, view });
    return view;
  };
  const view = new Proxy(
    keys,
    new LazyHandler(make, (property) => {
      if (isMade) return undefined;
      if (property === 'length') return frames.length;
      if (property === '0') return endAt(0);
      return property === lastIndex ? endAt(last) : undefined;
    }),
  );
  return { view, make };
}

/** Shows an object that is made before it is looked at, but for what `peek` knows. */
class LazyHandler<T extends object> implements ProxyHandler<T> {
  private readonly make: () => unknown;
  private readonly peek: (property: PropertyKey) => unknown;

  constructor(make: () => unknown, peek: (property: PropertyKey) => unknown) {
    this.make = make;
    this.peek = peek;
  }

  get(target: T, property: PropertyKey): unknown {
    const known = this.peek(property);
    if (known !== undefined) return known;
    this.make();
    return Reflect.get(target, property);
  }

  set(target: T, property: PropertyKey, value: unknown): boolean {
    this.make();
    return Reflect.set(target, property, value);
  }

  has(target: T, property: PropertyKey): boolean {
    this.make();
    return Reflect.has(target, property);
  }

  deleteProperty(target: T, property: PropertyKey): boolean {
    this.make();
    return Reflect.deleteProperty(target, property);
  }

  defineProperty(target: T, property: PropertyKey, attributes: PropertyDescriptor): boolean {
    this.make();
    return Reflect.defineProperty(target, property, attributes);
  }

  getOwnPropertyDescriptor(target: T, property: PropertyKey): PropertyDescriptor | undefined {
    this.make();
    return Reflect.getOwnPropertyDescriptor(target, property);
  }

  ownKeys(target: T): (string | symbol)[] {
    this.make();
    return Reflect.ownKeys(target);
  }
}
