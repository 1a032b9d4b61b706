import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import type { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { createKeys, createValue, type FlatKeys } from './flat-keys.js';

/** Keys that are made when somebody looks into them. */
export type LazyKeys = {
  /**
   * A list of all keys, to be handed out. Asking it for its length, for its first or last key, and these for their
   * frame makes nothing, nor does putting a key in front that has the first one's value: that is all that Babylon.js
   * does when an animation joins a group, starts or jumps. Whatever else is done with it or with them makes all
   * keys first. A list that nobody has looked into cannot be sent to a worker, being a proxy; a copy of it can.
   */
  readonly view: IAnimationKey[];
  /** Makes the keys, once, and gives the plain list that `view` shows. */
  make(): IAnimationKey[];
  /** The frame of a key in front of the flat ones, with the value of the first; null where there is none. */
  lead(): number | null;
  /** The value of the first key, where it was handed out; who has it may change it. */
  firstValue(): Quaternion | Vector3 | null;
};

/**
 * Makes a list of keys whose objects come into being at the first look. Views are proxies: a plain array cannot know
 * that it is read, and a key that was handed out may be edited in place, which the flat numbers would not learn.
 * @param ahead The frame of a key in front of the flat ones, with the value of the first; null for none.
 * @param onMade Called with the plain list when the keys are made, before anyone can have changed them.
 */
export function createLazyKeys(
  flat: FlatKeys,
  ahead: number | null,
  onMade: (keys: IAnimationKey[]) => void,
): LazyKeys {
  const { frames } = flat;
  const last = frames.length - 1;
  const keys: IAnimationKey[] = [];
  /** Keys that were handed out, by their place among the flat ones; −1 is the one in front. */
  const ends = new Map<number, { key: IAnimationKey; view: IAnimationKey }>();
  let lead = ahead;
  let firstValue: Quaternion | Vector3 | null = null;
  let isMade = false;
  const make = () => {
    if (isMade) return keys;
    isMade = true;
    const made = createKeys(flat);
    if (firstValue) made[0]!.value = firstValue;
    // Who holds the view of an end holds the key itself.
    const itself = (k: number, key: IAnimationKey): IAnimationKey => {
      const held = ends.get(k)?.key;
      return held ? Object.assign(held, key) : key;
    };
    if (lead !== null) keys.push(itself(-1, { frame: lead, value: made[0]!.value }));
    for (let k = 0; k <= last; k++) keys.push(itself(k, made[k]!));
    onMade(keys);
    return keys;
  };
  const endAt = (k: number): IAnimationKey => {
    const known = ends.get(k);
    if (known) return known.view;
    const key: IAnimationKey = { frame: 0, value: undefined };
    const handler = new LazyHandler<IAnimationKey>(make, (property) => {
      if (isMade) return undefined;
      if (property === 'frame') return k < 0 ? lead : frames[k];
      // To put a key in front, its value is asked for.
      if (property !== 'value' || k > 0) return undefined;
      firstValue ??= createValue(flat, 0);
      return firstValue;
    });
    const view = new Proxy(key, handler);
    ends.set(k, { key, view });
    return view;
  };
  const splice = (...args: Parameters<IAnimationKey[]['splice']>) => {
    const [start, count, item] = args as [number, number, IAnimationKey | undefined];
    const isLead =
      !isMade &&
      lead === null &&
      args.length === 3 &&
      start === 0 &&
      count === 0 &&
      item !== undefined &&
      item.value === firstValue &&
      item.frame < frames[0]! &&
      Object.keys(item).length === 2;
    if (!isLead) return make().splice(...args);
    lead = item.frame;
    return [];
  };
  const handler = new LazyHandler<IAnimationKey[]>(make, (property) => {
    if (isMade) return undefined;
    const front = lead === null ? 0 : 1;
    if (property === 'length') return frames.length + front;
    if (property === '0') return endAt(-front);
    if (property === 'splice') return splice;
    return property === String(last + front) ? endAt(last) : undefined;
  });
  return {
    view: new Proxy(keys, handler),
    make,
    lead: () => lead,
    firstValue: () => firstValue,
  };
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
