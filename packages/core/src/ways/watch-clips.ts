import { LONGEST_PLANNED } from '../goals/plan/plan-goals.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import type { Setup } from '../passes/pass.js';
import type { Clip } from '../scene/clip.js';
import type { Scene } from '../scene/scene.js';

/** How far a clip is on its way when its part was taken … */
export const SHARE_BEGUN = 0.05;
/** … when it was moved … */
export const SHARE_MOVED = 0.7;
/** … and when its loop was closed and its keys were reduced. */
export const FINISHED = 0.8;
/** Frames a second that a clip is taken to have, for how long it will take. */
const COUNTED_RATE = 60;

/** Joints times frames: what one walk over a clip takes. */
export function expectedWork({ source, target }: Setup, { duration }: Clip): number {
  const joints = source.skeleton.names.length + target.skeleton.names.length;
  return joints * COUNTED_RATE * Math.min(LONGEST_PLANNED, duration);
}

/** Whom to ask whether to go on, and to tell how far work is; and how many clips there are at most. */
export function watchOf(source: Scene, { signal, onProgress, clips }: RetargetOptions) {
  let furthest = 0;
  const tell = (done: number, total: number, clip: string) => {
    signal?.throwIfAborted();
    furthest = Math.max(furthest, done);
    onProgress?.(furthest, total, clip);
  };
  const most = source.characters.reduce((count, character) => Math.max(count, character.clips.length), 1);
  return { tell: signal || onProgress ? tell : null, clipCount: clips?.length ?? most };
}
