/*
 * Stuntdouble in Babylon.js: animation groups for an avatar as it stands, and live retargeting.
 */
export * from './animator-avatar.js';
export type { Avatar } from './avatar.js';
export * from './live-retargeter.js';
export { rememberRest } from './rest-memory.js';
export * from './rest-pose-update.js';
export * from './retarget-animation-group.js';
export * from './warnings.js';
