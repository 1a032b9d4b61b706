/*
 * Stuntdouble in three.js for a page that moves clips: the same results as of the whole adapter, of which a page loads
 * what the body and the options at hand need. So whoever asks for a clip waits for it.
 */
import type { AnimationClip } from 'three';
import { wholeWhenMissing } from '../shared/whole-when-missing.js';
import type { AnimatedObject } from './animated-object.js';
import { type RetargetClipOptions, retargetClips as retargetHere } from './retarget-clip.js';

export type { AnimatedObject, BonesLike, GltfLike, VrmLike } from './animated-object.js';
export type { RetargetClipOptions } from './retarget-clip.js';

const retargetThere = wholeWhenMissing(
  retargetHere,
  async () => (await import('./retarget-clip.js')).retargetClips,
);

/** Moves a clip onto another object, as `retargetClip` of the whole adapter does; what it needs besides is fetched first. */
export async function retargetClip(
  target: AnimatedObject,
  source: AnimatedObject,
  clip: AnimationClip,
  options: RetargetClipOptions | null = {},
): Promise<AnimationClip> {
  return (await retargetClips(target, source, [clip], options)).clips[0]!;
}

/** Moves several clips at once, as `retargetClips` of the whole adapter does; what it needs besides is fetched first. */
export async function retargetClips(
  target: AnimatedObject,
  source: AnimatedObject,
  clips: readonly AnimationClip[],
  options: RetargetClipOptions | null = {},
): Promise<ReturnType<typeof retargetHere>> {
  const { onWarning, ...others } = options ?? {};
  if (typeof onWarning !== 'function') return retargetThere(target, source, clips, options);
  // Told once, though the work may be begun twice.
  const result = await retargetThere(target, source, clips, others);
  for (const warning of result.report.warnings) onWarning(warning);
  return result;
}
