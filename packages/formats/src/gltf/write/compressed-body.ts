import {
  type Channel,
  createModelPose,
  didWork,
  hypot,
  localToModel,
  modelPoseOf,
  poseAt,
  type Skeleton,
  type Track,
} from '@stuntdouble/core/engine';

/**
 * How far a joint of a compressed clip may be from where it was, as a part of the body's size: a millimetre of one whose
 * joints stand within 2 m of each other. A person whose arms are stretched out at rest is up to a fifth wider than tall, and
 * no joint of one of 1.65 m is off by a millimetre.
 */
export const COMPRESSED_PLACE = 1 / 2000;

/** What a joint without others below it moves besides, as a part of the body's size: the skin of a hand, a foot, a head. */
const TIP = 1 / 15;

/** Instants of a clip that are looked at, at most. */
const MOST_INSTANTS = 2000;

/** A body whose clips are compressed: how far each joint reaches, by which an error of its turn moves what hangs on it. */
export type CompressedBody = {
  skeleton: Skeleton;
  /** The longest side of the box around all joints at rest, in model space. */
  size: number;
  /** By joint how far from it the farthest joint below is at rest, and no less than its skin. */
  reaches: Float64Array;
  /** By joint how long a unit of its parent's space is in model space. */
  units: Float64Array;
};

/** Looks at a body at rest. */
export function lookAtCompressed(skeleton: Skeleton): CompressedBody {
  const { parents } = skeleton;
  const count = parents.length;
  const { matrices } = modelPoseOf(skeleton, skeleton.rest);
  const place = (joint: number, axis: number) => matrices[16 * joint + 12 + axis]!;
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let joint = 0; joint < count; joint++) {
      low = Math.min(low, place(joint, axis));
      high = Math.max(high, place(joint, axis));
    }
    size = Math.max(size, high - low);
  }
  const reaches = new Float64Array(count).fill(TIP * size);
  const units = new Float64Array(count);
  const { container } = skeleton;
  for (let joint = 0; joint < count; joint++) {
    const parent = parents[joint]!;
    const [axes, at] = parent < 0 ? [container, 0] : [matrices, 16 * parent];
    units[joint] = hypot(axes[at]!, axes[at + 1]!, axes[at + 2]!) || 1;
    for (let above = parent; above >= 0; above = parents[above]!) {
      const way = [0, 1, 2].map((axis) => place(joint, axis) - place(above, axis));
      reaches[above] = Math.max(reaches[above]!, hypot(way[0]!, way[1]!, way[2]!));
    }
  }
  return { skeleton, size, reaches, units };
}

/** How far a value of a track may be off for what hangs on its joint to be off by `tolerance`: radians, or its own units. */
export function toleranceOf(
  { reaches, units }: CompressedBody,
  joint: number,
  channel: Channel,
  tolerance: number,
): number {
  if (channel === 'translation') return tolerance / units[joint]!;
  return tolerance / reaches[joint]!;
}

/** How far joints of two clips are apart at most at the same instants, in model space. */
export function placesApart(
  skeleton: Skeleton,
  before: readonly Track[],
  after: readonly Track[],
  duration: number,
): number {
  const count = skeleton.names.length;
  const models = [createModelPose(count), createModelPose(count)] as const;
  const times = instantsOf(before);
  let worst = 0;
  for (const time of times) {
    didWork(4 * count);
    for (const [n, tracks] of [before, after].entries())
      localToModel(
        models[n]!,
        skeleton,
        poseAt(skeleton, { name: '', duration, tracks: [...tracks], morphs: [] }, time),
      );
    const [a, b] = [models[0].matrices, models[1].matrices];
    for (let i = 12; i < 16 * count; i += 16)
      worst = Math.max(worst, hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!));
  }
  return worst;
}

/** Times of keys, evenly chosen where there are many. */
function instantsOf(tracks: readonly Track[]): number[] {
  const all = [...new Set(tracks.flatMap(({ times }) => [...new Set(times)]))];
  const step = Math.max(1, Math.ceil(all.length / MOST_INSTANTS));
  return all.filter((_, n) => n % step === 0 || n === all.length - 1);
}
