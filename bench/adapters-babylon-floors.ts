import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { multiplyKeys } from './timing/floors.js';

/**
 * Reads every number of every key of some groups once and does nothing else with them: what any retargeting of keys
 * that nobody has read before costs at least.
 * @returns their sum, so that reading cannot be left out.
 */
export function sumKeys(groups: readonly AnimationGroup[]): number {
  let sum = 0;
  for (const { targetedAnimations } of groups)
    for (const { animation } of targetedAnimations) {
      const keys = animation.getKeys();
      if (animation.dataType === Animation.ANIMATIONTYPE_QUATERNION) sum += sumTurns(keys);
      else if (animation.dataType === Animation.ANIMATIONTYPE_VECTOR3) sum += sumPlaces(keys);
    }
  return sum;
}

// One loop for each type of value: a loop over both would ask each value what it is.
function sumTurns(keys: readonly IAnimationKey[]): number {
  let sum = 0;
  for (let k = 0; k < keys.length; k++) {
    const value: { x: number; y: number; z: number; w: number } = keys[k]!.value;
    sum += value.x + value.y + value.z + value.w;
  }
  return sum;
}

function sumPlaces(keys: readonly IAnimationKey[]): number {
  let sum = 0;
  for (let k = 0; k < keys.length; k++) {
    const value: { x: number; y: number; z: number } = keys[k]!.value;
    sum += value.x + value.y + value.z;
  }
  return sum;
}

/**
 * Makes the key floor of a group: two quaternion products for each of its rotation keys, from flat arrays that were
 * read before into flat arrays that are there already.
 */
export function createGroupFloor({ targetedAnimations }: AnimationGroup): () => void {
  const tracks = targetedAnimations
    .filter(({ animation }) => animation.dataType === Animation.ANIMATIONTYPE_QUATERNION)
    .map(({ animation }) => {
      const keys = animation.getKeys();
      const values = new Float64Array(4 * keys.length);
      keys.forEach(({ value }, k) => {
        values.set([value.x, value.y, value.z, value.w], 4 * k);
      });
      return { values, out: new Float32Array(values.length) };
    });
  const pre = Float64Array.of(0.5, 0.5, -0.5, 0.5);
  const post = Float64Array.of(0, 0.6, 0, 0.8);
  return () => {
    for (const { values, out } of tracks) multiplyKeys(out, values, 0, values.length, pre, post, 0);
  };
}
