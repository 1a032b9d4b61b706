import { conjugateQuaternion, multiplyQuaternions } from '../base/math/quaternion.js';
import type { RoleJoints } from '../body/body.js';
import type { Rig } from '../body/rig.js';
import type { Clip, GazeTrack, Track } from '../scene/clip.js';
import { modelPoseOf, type Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';

/**
 * Turns the eyes of a character by a gaze: tracks for the joints that play them, none where there are none.
 *
 * In the reference pose the eyes look straight ahead. With E and P the model rotations of an eye and of the
 * joint it hangs on there, and g the gaze in the head's space, the eye's local rotation is P⁻¹ · g · E: what
 * it rests in, with the gaze in between. Products with constants keep keys and tangents as they are.
 * @param skeleton With a container that leads to model space.
 * @param reference Local transforms in which the body faces forward.
 */
export function gazeToEyes(
  skeleton: Skeleton,
  reference: Pose,
  joints: RoleJoints,
  gaze: GazeTrack,
): Track[] {
  const eyes = [joints.leftEye, joints.rightEye].filter((eye) => eye !== undefined);
  if (eyes.length === 0) return [];
  const { rotations } = modelPoseOf(skeleton, reference);
  return eyes.map((joint): Track => {
    const before = Float64Array.of(0, 0, 0, 1);
    const parent = skeleton.parents[joint]!;
    if (parent >= 0) conjugateQuaternion(before, 0, rotations, 4 * parent);
    const source = Float64Array.from(gaze.values);
    const values = new Float64Array(source.length);
    for (let i = 0; i < source.length; i += 4) {
      multiplyQuaternions(values, i, before, 0, source, i);
      multiplyQuaternions(values, i, values, i, rotations, 4 * joint);
    }
    return { joint, channel: 'rotation', interpolation: gaze.interpolation, times: gaze.times, values };
  });
}

/** A clip that keeps a gaze, and turns the target's eyes by it where nothing else does. */
export function addGaze(clip: Clip, gaze: GazeTrack, { skeleton, reference, joints }: Rig): Clip {
  const turned = new Set(clip.tracks.map(({ joint, channel }) => (channel === 'rotation' ? joint : -1)));
  const eyes = gazeToEyes(skeleton, reference.pose, joints, gaze);
  return { ...clip, tracks: [...clip.tracks, ...eyes.filter(({ joint }) => !turned.has(joint))], gaze };
}
