import {
  type Clip,
  type Mesh,
  modelPoseOf,
  multiplyMatrices,
  poseAt,
  type Skeleton,
} from '@stuntdouble/core/engine';

/**
 * Where every so-many-th vertex of some meshes is at a time of a clip, xyz each, in the space of the skeleton's
 * container: skinned, or carried by a joint.
 * @param most About how many vertices of each mesh are looked at.
 */
export function skinMeshes(
  skeleton: Skeleton,
  meshes: readonly Mesh[],
  clip: Clip,
  time: number,
  most = 400,
): Float64Array {
  const { matrices } = modelPoseOf(skeleton, poseAt(skeleton, clip, time));
  const out: number[] = [];
  const joined = new Float64Array(matrices.length);
  for (const { positions, skin, joint } of meshes) {
    const step = Math.max(1, Math.floor(positions.length / 3 / most));
    if (skin)
      for (let m = 0; m < matrices.length; m += 16)
        multiplyMatrices(joined, m, matrices, m, skin.inverseBinds, m);
    for (let v = 0; v < positions.length / 3; v += step) {
      const sum = [0, 0, 0];
      const add = (store: Float64Array, m: number, weight: number) => {
        for (let r = 0; r < 3; r++)
          sum[r] =
            sum[r]! +
            weight *
              (store[m + r]! * positions[3 * v]! +
                store[m + 4 + r]! * positions[3 * v + 1]! +
                store[m + 8 + r]! * positions[3 * v + 2]! +
                store[m + 12 + r]!);
      };
      if (skin) for (let k = 4 * v; k < 4 * v + 4; k++) add(joined, 16 * skin.joints[k]!, skin.weights[k]!);
      else add(matrices, 16 * joint!, 1);
      out.push(...sum);
    }
  }
  return Float64Array.from(out);
}

/** The largest distance between points at the same place of two lists, xyz each. */
export function farthestApart(a: Float64Array, b: Float64Array): number {
  let most = a.length === b.length ? 0 : Number.POSITIVE_INFINITY;
  for (let i = 0; i < a.length; i += 3)
    most = Math.max(most, Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!));
  return most;
}
