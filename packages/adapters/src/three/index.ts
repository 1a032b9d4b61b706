/*
 * Stuntdouble in three.js: clips for an object as it stands, and live retargeting.
 */
export type { AnimatedObject, BonesLike, GltfLike, VrmLike } from './animated-object.js';
export { createLiveRetargeter, type LiveRetargeter, type LiveRetargeterOptions } from './live-retargeter.js';
export { type ObjectCharacter, type ReadCharacterOptions, readCharacter } from './read-character.js';
export {
  type RetargetClipOptions,
  retargetClip,
  retargetClips,
  type ThreeSetupOptions,
} from './retarget-clip.js';
export type { SkeletonUtilsOptions } from './skeleton-utils-options.js';
