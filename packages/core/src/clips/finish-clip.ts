import type { ListedOptions } from '../options/retarget-options.js';
import type { Clip } from '../scene/clip.js';
import type { Skeleton } from '../scene/skeleton.js';
import { closeLoop } from './close-loop.js';
import { pingPong } from './ping-pong.js';
import { reduceKeys } from './reduce-keys.js';

/**
 * What is done to a clip when it is the target's: plays it there and back or closes its loop, then leaves out what keys
 * interpolation gives anyway.
 * @param travel The joint that carries the body over the ground; null where nothing travels.
 * @param height The body's, in metres; 0 where it is not known.
 */
export function finishClip(
  skeleton: Skeleton,
  clip: Clip,
  { loop, pingPong: returns, reduce }: Pick<ListedOptions, 'loop' | 'pingPong' | 'reduce'>,
  { travel, height }: { travel: number | null; height: number },
): { clip: Clip; reduced: { before: number; after: number } | null } {
  const closed = returns
    ? pingPong(clip)
    : loop
      ? closeLoop(skeleton, clip, {
          ...(travel !== null && { travel }),
          ...(height > 0 && { height }),
          ...(loop !== true && loop),
        })
      : clip;
  if (!reduce) return { clip: closed, reduced: null };
  const { clip: left, before, after } = reduceKeys(skeleton, closed, reduce === true ? {} : reduce);
  return { clip: left, reduced: { before, after } };
}
