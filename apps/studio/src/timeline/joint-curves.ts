import {
  type Clip,
  copyPose,
  createModelPose,
  localToModel,
  type Skeleton,
  sampleClip,
} from '@stuntdouble/core';

/** What is drawn of a joint over time. */
export type CurveKind = 'x' | 'y' | 'z' | 'bend';

/** Instants a second, and at most in all. */
const RATE = 60;
const MOST = 2400;

/**
 * One figure of a joint over a clip: its place in model space, in metres, or how far it has turned in its parent
 * since the first instant, in degrees.
 */
export function jointCurve(
  skeleton: Skeleton,
  clip: Clip,
  joint: number,
  kind: CurveKind,
  {
    offset = 0,
    rate = 1,
    duration = clip.duration,
  }: { offset?: number; rate?: number; duration?: number } = {},
): Float64Array {
  const count = Math.max(2, Math.min(MOST, Math.ceil(duration * RATE) + 1));
  const values = new Float64Array(count);
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  const first = new Float64Array(4);
  for (let k = 0; k < count; k++) {
    sampleClip(pose, clip, offset + (k / (count - 1)) * duration * rate, hints);
    if (kind === 'bend') {
      const q = pose.rotations.subarray(4 * joint, 4 * joint + 4);
      if (k === 0) first.set(q);
      const dot = Math.abs(q[0]! * first[0]! + q[1]! * first[1]! + q[2]! * first[2]! + q[3]! * first[3]!);
      values[k] = (360 / Math.PI) * Math.acos(Math.min(1, dot));
      continue;
    }
    localToModel(model, skeleton, pose);
    values[k] = model.matrices[16 * joint + 12 + ['x', 'y', 'z'].indexOf(kind)]!;
  }
  return values;
}
