import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';

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
    for (const { values, out } of tracks) multiplyKeys(out, values, pre, post);
  };
}

function multiplyKeys(out: Float32Array, values: Float64Array, pre: Float64Array, post: Float64Array): void {
  const [ax, ay, az, aw] = [pre[0]!, pre[1]!, pre[2]!, pre[3]!];
  const [bx, by, bz, bw] = [post[0]!, post[1]!, post[2]!, post[3]!];
  for (let i = 0; i < values.length; i += 4) {
    const x = values[i]!;
    const y = values[i + 1]!;
    const z = values[i + 2]!;
    const w = values[i + 3]!;
    const cx = aw * x + ax * w + ay * z - az * y;
    const cy = aw * y - ax * z + ay * w + az * x;
    const cz = aw * z + ax * y - ay * x + az * w;
    const cw = aw * w - ax * x - ay * y - az * z;
    out[i] = cw * bx + cx * bw + cy * bz - cz * by;
    out[i + 1] = cw * by - cx * bz + cy * bw + cz * bx;
    out[i + 2] = cw * bz + cx * by - cy * bx + cz * bw;
    out[i + 3] = cw * bw - cx * bx - cy * by - cz * bz;
  }
}
