/*
 * Stuntdouble in three.js, live alone: for a page that has one motion and takes any avatar. It brings none of what
 * whole clips need.
 */
export type { AnimatedObject, BonesLike, GltfLike, VrmLike } from './animated-object.js';
export { createLiveRetargeter, type LiveRetargeter, type LiveRetargeterOptions } from './live-retargeter.js';
