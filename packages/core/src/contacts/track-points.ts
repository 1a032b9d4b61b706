import { transformPoint } from '../base/math/matrix.js';
import { didWork } from '../base/watch-work.js';
import type { Rig } from '../body/rig.js';
import { type Clip, sampleClip } from '../scene/clip.js';
import { copyPose, createModelPose, localToModel, type ModelPose } from '../scene/pose.js';
import { type BodyPoint, bodyPoints, hipHeightOf } from './body-points.js';

/** Instants a second at which contacts are looked for, and everything about them is measured. */
export const CONTACT_RATE = 60;

/** Five minutes: of longer clips the beginning is looked at, so that no duration can ask for endless memory. */
export const MOST_INSTANTS = 5 * 60 * CONTACT_RATE + 1;

/** Where points of a body are over a clip, at {@link CONTACT_RATE}. */
export type PointTracks = {
  points: BodyPoint[];
  /** Number of instants. */
  count: number;
  /** xyz per point per instant, model space, metres. */
  positions: Float64Array;
  /** Metres; see {@link hipHeightOf}. */
  hipHeight: number;
  /** Model space, metres. */
  floor: number;
};

/** How many instants a clip of a duration has at {@link CONTACT_RATE}: at least 1, at most {@link MOST_INSTANTS}. */
export function instantsOf(duration: number): number {
  // On the grid's own frames: a capture of 2 s at 60 Hz has 121 of them in spite of rounding.
  const count = Math.floor(duration * CONTACT_RATE + 1e-3) + 1;
  return count >= 1 ? Math.min(count, MOST_INSTANTS) : 1;
}

/** Writes the places of points in a pose, xyz each, model space; allocates nothing. */
export function placePoints(
  out: Float64Array,
  o: number,
  points: readonly BodyPoint[],
  offsets: Float64Array,
  model: ModelPose,
): void {
  for (let n = 0; n < points.length; n++)
    transformPoint(out, o + 3 * n, model.matrices, 16 * points[n]!.joint, offsets, 3 * n);
}

/** The offsets of points behind one another, for {@link placePoints}. */
export function offsetsOf(points: readonly BodyPoint[]): Float64Array {
  return Float64Array.from(points.flatMap(({ offset }) => offset));
}

/** Follows points of a body over a clip. */
export function trackPoints(rig: Rig, clip: Clip, points: BodyPoint[] = bodyPoints(rig)): PointTracks {
  const { skeleton } = rig;
  const count = instantsOf(clip.duration);
  const positions = new Float64Array(3 * points.length * count);
  const offsets = offsetsOf(points);
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  for (let k = 0; k < count; k++) {
    sampleClip(pose, clip, k / CONTACT_RATE, hints);
    localToModel(model, skeleton, pose);
    placePoints(positions, 3 * points.length * k, points, offsets, model);
    didWork(skeleton.names.length);
  }
  return { points, count, positions, hipHeight: hipHeightOf(rig), floor: rig.floor.height };
}
