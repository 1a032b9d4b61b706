import { type Clip, createSkeleton, type Pose, type Skeleton } from '@stuntdouble/core';
import { seededRandom } from '../cases/solver-cases.js';

/**
 * The same skeleton with nothing left that a name, an order or a humanoid block could tell: joints in random
 * order, called `joint_0` and so on. Clips move the same joints.
 * @returns the skeleton, its clips, and for each joint of the original its new index.
 */
export function scrambleSkeleton(
  skeleton: Skeleton,
  clips: readonly Clip[],
  seed: number,
): { skeleton: Skeleton; clips: Clip[]; order: Int32Array } {
  const random = seededRandom(seed);
  const count = skeleton.names.length;
  const from = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [from[i], from[j]] = [from[j]!, from[i]!];
  }
  const place = new Int32Array(count);
  from.forEach((joint, i) => {
    place[joint] = i;
  });
  const { rest } = skeleton;
  const created = createSkeleton(
    'scrambled',
    from.map((joint, i) => ({
      name: `joint_${i}`,
      parent: skeleton.parents[joint]! < 0 ? -1 : place[skeleton.parents[joint]!]!,
      translation: rest.translations.subarray(3 * joint, 3 * joint + 3),
      rotation: rest.rotations.subarray(4 * joint, 4 * joint + 4),
      scale: rest.scales.subarray(3 * joint, 3 * joint + 3),
      flags: skeleton.flags[joint]!,
    })),
    { container: skeleton.container, declared: skeleton.declared },
  );
  const order = Int32Array.from(skeleton.names, (_, joint) => created.order[place[joint]!]!);
  const scrambled = created.skeleton;
  if (skeleton.bind) scrambled.bind = permutePose(skeleton.bind, order);
  if (skeleton.hulls) {
    const hulls: (Float32Array | null)[] = new Array(count).fill(null);
    skeleton.hulls.forEach((hull, joint) => {
      hulls[order[joint]!] = hull;
    });
    scrambled.hulls = hulls;
  }
  return {
    skeleton: scrambled,
    clips: clips.map((clip, n) => ({
      ...clip,
      name: `clip_${n}`,
      tracks: clip.tracks.map((track) => ({ ...track, joint: order[track.joint]! })),
    })),
    order,
  };
}

function permutePose(pose: Pose, order: Int32Array): Pose {
  const permute = (values: Float64Array, size: number) => {
    const out = new Float64Array(values.length);
    order.forEach((to, from) => {
      out.set(values.subarray(size * from, size * from + size), size * to);
    });
    return out;
  };
  return {
    translations: permute(pose.translations, 3),
    rotations: permute(pose.rotations, 4),
    scales: permute(pose.scales, 3),
  };
}
