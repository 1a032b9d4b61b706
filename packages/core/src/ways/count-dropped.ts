import { moveJoints } from '../passes/move-joints.js';
import { compiledOf, type Setup } from '../passes/pass.js';
import type { PassName } from '../passes/pipeline.js';
import type { Clip } from '../scene/clip.js';
import { channelOf } from './finish-tracks.js';

/** Tracks that moved or scaled a joint and show nowhere in the result. */
export type DroppedTracks = {
  /** Those of joints that drive another: the target's body parts keep their own lengths. */
  lengths: number;
  /** Those of joints that have no counterpart. */
  lost: number;
};

/** How many tracks moved or scaled a joint by more than a percent and show nowhere in the result. */
export function countDropped(setup: Setup, clip: Clip, passes: readonly PassName[]): DroppedTracks {
  const { travel, source, map } = setup;
  const driving = new Set(map.joints.flatMap(({ sources }) => sources));
  const { moves, scalings } = compiledOf(setup, moveJoints) ?? { moves: [], scalings: [] };
  const carried = { translation: new Set<number>(), scale: new Set<number>() };
  for (let at = travel?.source ?? -1; at >= 0; at = source.skeleton.parents[at]!) carried.translation.add(at);
  if (passes.includes(moveJoints.name)) {
    for (const { path } of moves) for (const joint of path) carried.translation.add(joint);
    for (const { path } of scalings) for (const joint of path) carried.scale.add(joint);
  }
  const dropped = clip.tracks.filter((track) => {
    const { channel, joint, times, interpolation } = track;
    if (channel === 'rotation' || times.length === 0 || carried[channel].has(joint)) return false;
    const { values } = track;
    const still = channelOf(source.skeleton.rest, channel);
    const stride = interpolation === 'cubic' ? 9 : 3;
    const at = interpolation === 'cubic' ? 3 : 0;
    const x = still[3 * joint]!;
    const y = still[3 * joint + 1]!;
    const z = still[3 * joint + 2]!;
    // A percent of the bone: less is an exporter's rounding.
    const least = 0.01 * Math.max(1e-6, Math.abs(x), Math.abs(y), Math.abs(z));
    for (let i = at; i < values.length; i += stride)
      if (
        Math.abs(values[i]! - x) > least ||
        Math.abs(values[i + 1]! - y) > least ||
        Math.abs(values[i + 2]! - z) > least
      )
        return true;
    return false;
  });
  const lengths = dropped.filter(({ joint }) => driving.has(joint)).length;
  return { lengths, lost: dropped.length - lengths };
}
