import { isSameData } from '../base/copy-data.js';
import { createMemory, remember } from '../base/remember.js';
import { moveJoints } from '../passes/move-joints.js';
import { compiledOf, type Setup } from '../passes/pass.js';
import type { PassName } from '../passes/pipeline.js';
import type { Clip, Track } from '../scene/clip.js';
import { channelOf } from './pose-channels.js';

/** Tracks that moved or scaled a joint and show nowhere in the result. */
export type DroppedTracks = {
  /** Those of joints that drive another: the target's body parts keep their own lengths. */
  lengths: number;
  /** Those of joints that have no counterpart. */
  lost: number;
};

/** What shows in the result of a source joint's tracks, as bits. */
const DRIVES = 1;
const PLACES = 2;
const SCALES = 4;

/** By setup, and the passes that run: per source joint, what shows of it. */
const known = createMemory<readonly PassName[], Uint8Array>(isSameData, 2);

function findShown(passes: readonly PassName[], setup: Setup): Uint8Array {
  const { travel, source, map } = setup;
  const { parents } = source.skeleton;
  const shown = new Uint8Array(parents.length);
  const mark = (joint: number, bit: number) => {
    shown[joint] = shown[joint]! | bit;
  };
  for (const { sources } of map.joints) for (const joint of sources) mark(joint, DRIVES);
  for (let at = travel?.source ?? -1; at >= 0; at = parents[at]!) mark(at, PLACES);
  if (passes.includes(moveJoints.name)) {
    const { moves, scalings } = compiledOf(setup, moveJoints) ?? { moves: [], scalings: [] };
    for (const { path } of moves) for (const joint of path) mark(joint, PLACES);
    for (const { path } of scalings) for (const joint of path) mark(joint, SCALES);
  }
  return shown;
}

/** How many tracks moved or scaled a joint by more than a percent and show nowhere in the result. */
export function countDropped(setup: Setup, clip: Clip, passes: readonly PassName[]): DroppedTracks {
  const shown = remember(known, setup, passes, findShown, (list) => [...list]);
  const dropped: DroppedTracks = { lengths: 0, lost: 0 };
  for (const track of clip.tracks) {
    const { channel, joint, times } = track;
    if (channel === 'rotation' || times.length === 0) continue;
    if (shown[joint]! & (channel === 'scale' ? SCALES : PLACES) || !leavesRest(setup, track)) continue;
    if (shown[joint]! & DRIVES) dropped.lengths++;
    else dropped.lost++;
  }
  return dropped;
}

/** Whether a track moves or scales its joint away from the rest by more than a percent. */
function leavesRest({ source }: Setup, { channel, joint, values, interpolation }: Track): boolean {
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
}
