import { createModelPose, localToModel, type Pose, type Skeleton } from '@stuntdouble/core/engine';
import { RATE } from './constraint-cases.js';

/** Where joints are in each of some poses: xyz each, metres. */
export function track(skeleton: Skeleton, poses: readonly Pose[], joints: Int32Array): Float64Array[] {
  const model = createModelPose(skeleton.names.length);
  return poses.map((pose) => {
    localToModel(model, skeleton, pose);
    return Float64Array.from(
      { length: 3 * joints.length },
      (_, i) => model.matrices[16 * joints[Math.floor(i / 3)]! + 12 + (i % 3)]!,
    );
  });
}

/** The largest change of a joint's velocity from one frame to the next, metres a second. */
export function jumpOf(places: readonly Float64Array[]): number {
  let most = 0;
  for (let k = 2; k < places.length; k++)
    for (let i = 0; i < places[k]!.length; i += 3)
      most = Math.max(
        most,
        Math.hypot(
          ...[i, i + 1, i + 2].map(
            (c) => (places[k]![c]! - 2 * places[k - 1]![c]! + places[k - 2]![c]!) * RATE,
          ),
        ),
      );
  return most;
}
