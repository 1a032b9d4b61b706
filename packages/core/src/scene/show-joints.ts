import type { Clip } from './clip.js';
import { peekClip } from './deferred-turns.js';
import { forwardJoints } from './forward-joints.js';
import { copyPose, createModelPose, type ModelPose, type Pose } from './pose.js';
import type { Skeleton } from './skeleton.js';

/**
 * Shows the places of some joints at instants of a clip, and looks at no others than those that they hang on.
 * @param shown The joints and all that they hang on, as `withAncestors` gives them.
 * @param stands The pose of what the clip does not move.
 * @returns a function that shows an instant, in a store that the next call writes over.
 */
export function showJoints(
  skeleton: Skeleton,
  clip: Clip,
  shown: Int32Array,
  stands: Pose,
): (time: number) => ModelPose {
  const matters = new Uint8Array(skeleton.names.length);
  for (let k = 0; k < shown.length; k++) matters[shown[k]!] = 1;
  const part = { ...clip, tracks: clip.tracks.filter(({ joint }) => matters[joint]) };
  const pose = copyPose(stands);
  const model = createModelPose(skeleton.names.length);
  return (time) => {
    peekClip(pose, part, time);
    forwardJoints(model, skeleton, pose, shown, false);
    return model;
  };
}
