/*
 * Stuntdouble in Babylon.js: animation groups for an avatar as it stands, and live retargeting.
 */
export { NAMING_SCHEMES, type NamingScheme, renameJoints } from '@stuntdouble/core/engine';
export * from './animator-avatar.js';
export * from './live-retargeter.js';
export * from './options.js';
export type { Avatar } from './read/avatar.js';
export { rememberRest } from './read/rest-memory.js';
export * from './retarget-animation-group.js';
export * from './warnings.js';
export * from './write/rest-pose-update.js';
