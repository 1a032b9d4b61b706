import type { Clip } from './clip.js';
import { peekTrack } from './deferred-turns.js';
import { forwardJoints, withAncestors } from './forward-joints.js';
import { createModelPose, createPose, type Hierarchy, type ModelPose, type Pose } from './pose.js';
import type { Skeleton } from './skeleton.js';

/** Some joints of a skeleton and all that they hang on, as a small skeleton by themselves. */
export type SkeletonPart = {
  /** The joints, parents first. */
  joints: Int32Array;
  /** Per joint of the whole skeleton its place in the part; −1 where it is no part of it. */
  places: Int32Array;
  /** Who hangs on whom, by places. */
  hierarchy: Hierarchy;
  /** All places. */
  all: Int32Array;
  /** Room for an instant of it: stores made anew for each clip would take as long as looking at it. */
  pose: Pose;
  model: ModelPose;
};

/** The part of a skeleton that some joints need. */
export function partOfSkeleton(skeleton: Skeleton, shown: Iterable<number>): SkeletonPart {
  const joints = withAncestors(skeleton, shown);
  const places = new Int32Array(skeleton.names.length).fill(-1);
  joints.forEach((joint, n) => {
    places[joint] = n;
  });
  const parents = joints.map((joint) => places[skeleton.parents[joint]!] ?? -1);
  return {
    joints,
    places,
    hierarchy: { parents, container: skeleton.container },
    all: joints.map((_, n) => n),
    pose: createPose(joints.length),
    model: createModelPose(joints.length),
  };
}

/** Puts some joints of a part, by their places, into a pose of the whole skeleton. */
export function standPart({ joints, pose }: SkeletonPart, whole: Pose, places: ArrayLike<number>): void {
  for (let k = 0; k < places.length; k++) {
    const n = places[k]!;
    const joint = joints[n]!;
    for (let c = 0; c < 4; c++) pose.rotations[4 * n + c] = whole.rotations[4 * joint + c]!;
    for (let c = 0; c < 3; c++) {
      pose.translations[3 * n + c] = whole.translations[3 * joint + c]!;
      pose.scales[3 * n + c] = whole.scales[3 * joint + c]!;
    }
  }
}

/**
 * Shows where the joints of a part are at instants of a clip, and looks at no others. One clip at a time, over the pose
 * that {@link standPart} gave the part.
 * @returns a function that shows an instant, by places in the part, in a store that the next call writes over.
 */
export function showPart(
  { places, hierarchy, all, pose, model }: SkeletonPart,
  { tracks }: Clip,
): (time: number) => ModelPose {
  const shown = tracks.filter(({ joint }) => places[joint]! >= 0);
  return (time) => {
    for (const track of shown) peekTrack(pose, places[track.joint]!, track, time);
    forwardJoints(model, hierarchy, pose, all, false);
    return model;
  };
}
