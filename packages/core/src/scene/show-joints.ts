import type { Clip } from './clip.js';
import { peekClip } from './deferred-turns.js';
import { forwardJoints, withAncestors } from './forward-joints.js';
import { copyPose, createModelPose, type ModelPose, type Pose } from './pose.js';
import type { Skeleton } from './skeleton.js';

/**
 * Shows the places of some joints at instants of a clip, and looks at no others than those that they hang on.
 * @param stands The pose of what the clip does not move.
 * @returns a function that shows an instant, in a store that the next call writes over.
 */
export function showJoints(
  skeleton: Skeleton,
  clip: Clip,
  joints: Iterable<number>,
  stands: Pose,
): (time: number) => ModelPose {
  const shown = withAncestors(skeleton, joints);
  const matters = new Set(shown);
  const part = { ...clip, tracks: clip.tracks.filter(({ joint }) => matters.has(joint)) };
  const pose = copyPose(stands);
  const model = createModelPose(skeleton.names.length);
  return (time) => {
    peekClip(pose, part, time);
    forwardJoints(model, skeleton, pose, shown, false);
    return model;
  };
}
