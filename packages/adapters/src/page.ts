/*
 * The engine for a page that moves clips between scenes, without a library that draws: the same results as of
 * `retarget`, of which a page loads what the bodies and the options at hand need. So whoever asks for a result waits.
 */
import {
  type RetargetOptions,
  type RetargetResult,
  retarget as retargetHere,
  type Scene,
} from '@stuntdouble/core/engine';
import { wholeWhenMissing } from './shared/whole-when-missing.js';

const retargetThere = wholeWhenMissing(
  retargetHere,
  async () => (await import('./shared/whole-retarget.js')).retarget,
);

/**
 * Moves the clips of one scene onto the character of another, as `retarget` does; what it needs besides is fetched
 * first, and the work begun again with it, its progress too.
 */
export function retarget(
  source: Scene,
  target: Scene,
  options: RetargetOptions = {},
): Promise<RetargetResult> {
  return retargetThere(source, target, options);
}
