import type { Channel, Track } from '../scene/clip.js';
import type { Pose } from '../scene/pose.js';

/** The numbers of a channel in a pose. */
export function channelOf(pose: Pose, channel: Channel): Float64Array {
  return channel === 'rotation'
    ? pose.rotations
    : channel === 'translation'
      ? pose.translations
      : pose.scales;
}

/** Whether values are what a pose has at a place, but for rounding. */
export function isValueOf(
  pose: Float64Array,
  at: number,
  values: Track['values'],
  first: number,
  size: number,
): boolean {
  for (let c = 0; c < size; c++) {
    const value = values[first + c]!;
    if (!(Math.abs(value - pose[at + c]!) <= 1e-7 * Math.max(1, Math.abs(value)))) return false;
  }
  return true;
}
