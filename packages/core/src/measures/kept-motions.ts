import type { Setup } from '../passes/pass.js';
import type { Track } from '../scene/clip.js';
import type { ComparedSide, SampledMotion } from './sampled-motion.js';

/**
 * What one measurement leaves to the next of the same clip: while somebody tunes, only the result changes. The source
 * in model space with its contacts and the plain copy are used again where they are of the same setup and the same
 * tracks, and the result goes into the same room, so that a minute does not fill 30 MB anew each time. To be held by
 * who measures again and again, and let go with what is measured; tracks must not be changed in place meanwhile.
 */
export type KeptMotions = {
  /** What the motions below are of. */
  of: MotionKey | null;
  source: ComparedSide | null;
  copied: SampledMotion | null;
  /** Room for the result; whatever was read from it before is gone with the next measurement. */
  room: SampledMotion | null;
};

/** What a sampled source and its plain copy depend on. */
export type MotionKey = {
  setup: Setup;
  tracks: readonly Track[];
  duration: number;
  count: number;
  every: number;
};

/** Nothing kept yet. */
export function createKeptMotions(): KeptMotions {
  return { of: null, source: null, copied: null, room: null };
}

/** Whether what is kept was made of just this. */
export function isKept({ of }: KeptMotions, { setup, tracks, duration, count, every }: MotionKey): boolean {
  return (
    of !== null &&
    of.setup === setup &&
    of.tracks === tracks &&
    of.duration === duration &&
    of.count === count &&
    of.every === every
  );
}
