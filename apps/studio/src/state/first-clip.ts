import type { Clip } from '@stuntdouble/core';
import { isStill } from '@stuntdouble/core/engine';

/** A clip that is shorter than this, in seconds, is a pose. */
const SHORTEST = 0.4;

const known = new WeakMap<readonly Clip[], Clip | null>();

/**
 * The clip that is played first: the first that moves. Libraries of motions often begin with the pose that they are
 * made for, a T of a few frames, and who drops one wants to see something move. Null where there are no clips.
 */
export function firstClip(clips: readonly Clip[]): Clip | null {
  let first = known.get(clips);
  if (first !== undefined) return first;
  first =
    clips.find(
      ({ duration, tracks }) =>
        duration >= SHORTEST && tracks.some((track) => track.times.length > 0 && !isStill(track)),
    ) ??
    clips[0] ??
    null;
  known.set(clips, first);
  return first;
}
