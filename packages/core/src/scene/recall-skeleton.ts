import { isSameData } from '../base/copy-data.js';
import { createMemory, isRemembering, remember } from '../base/remember.js';
import type { Skeleton } from './skeleton.js';

/** So many skeletons of one owner are remembered: a scene may hold several bodies. */
const MOST_SKELETONS = 8;

/** The skeletons that were read from each owner. */
const read = createMemory<Skeleton, Skeleton>(isSameData, MOST_SKELETONS);

/** Skeletons that nobody changes. */
const settled = new WeakSet<Skeleton>();

/**
 * Gives the skeleton object that was read from an owner before, where the one that was read now holds the same to the last
 * bit; else the new one. For adapters, which read a character anew each time: what is understood of a skeleton is
 * remembered with the object. Skeletons are forgotten with their owner.
 *
 * Nobody may change what this gives, nor hand it to somebody who might (a copy will do): it is never looked at again to
 * see whether it has changed.
 * @param owner What the skeleton was read from and whose life it shares: the root of a character.
 */
export function recallSkeleton(owner: object, skeleton: Skeleton): Skeleton {
  return remember(read, owner, skeleton, settle);
}

function settle(skeleton: Skeleton): Skeleton {
  if (isRemembering()) settled.add(skeleton);
  return skeleton;
}

/** Whether a skeleton is one of {@link recallSkeleton}, which nobody changes. */
export function isSettled(skeleton: Skeleton): boolean {
  return settled.has(skeleton);
}
