import type { Setup } from '../passes/pass.js';
import { type Clip, channelSize, type Track } from '../scene/clip.js';
import { isStill } from '../scene/still-track.js';
import { factsOfSetup } from '../setup/setup-facts.js';
import type { MovedJoints } from './find-moved.js';
import { channelOf, isValueOf } from './pose-channels.js';

/**
 * Tracks that never change become two keys, which hold the value over the whole clip; those that hold the rest are
 * left out, but for turns of joints that the clip moves, and for travel that it has a track for (W25): who stands keeps
 * his legs and his place. A clip in which nothing changes keeps all of them, since its frames are all it has.
 */
export function shortenStillTracks(setup: Setup, clip: Clip, { turned, travels }: MovedJoints): void {
  const ends = clip.duration > 0 ? Float32Array.of(0, clip.duration) : Float32Array.of(0);
  // A clip that stands still is as long, and has as many frames, as one that moves.
  const standsStill = clip.tracks.every(isStill);
  clip.tracks = clip.tracks.filter((track) => {
    if (!isStill(track) || (standsStill && track.times.length > 1)) return true;
    const { joint, channel, interpolation, values } = track;
    const size = channelSize(channel);
    const first = interpolation === 'cubic' ? size : 0;
    if (values.length < first + size) return false;
    const isMoved =
      channel === 'rotation'
        ? turned.has(joint)
        : travels && joint === setup.travel?.target && channel === 'translation';
    const rest = channelOf(setup.target.skeleton.rest, channel);
    if (!isMoved && isValueOf(rest, size * joint, values, first, size)) return false;
    track.interpolation = 'linear';
    track.times = ends;
    track.values = new Float32Array(size * ends.length);
    for (let i = 0; i < track.values.length; i++) track.values[i] = values[first + (i % size)]!;
    return true;
  });
}

/** A number for each channel of each joint. */
export function channelKey({ joint, channel }: Pick<Track, 'joint' | 'channel'>): number {
  return 3 * joint + (channel === 'rotation' ? 0 : channel === 'translation' ? 1 : 2);
}

/**
 * Joints that nothing drives but whose aligned reference is not their rest get a key that holds the reference.
 * @param written What the passes wrote, be it still: a joint that was driven to its rest shall stay there.
 * @param only The joints that may get one; all where it is null.
 */
export function holdReference(
  setup: Setup,
  clip: Clip,
  written: ReadonlySet<number>,
  only: ReadonlySet<number> | null,
): void {
  const times = clip.duration > 0 ? Float32Array.of(0, clip.duration) : Float32Array.of(0);
  for (const { joint, channel, values: once } of factsOfSetup(setup).held) {
    if (written.has(channelKey({ joint, channel })) || only?.has(joint) === false) continue;
    const values = new Float32Array(once.length * times.length);
    for (let i = 0; i < values.length; i += once.length) values.set(once, i);
    clip.tracks.push({ joint, channel, interpolation: 'linear', times, values });
  }
}
