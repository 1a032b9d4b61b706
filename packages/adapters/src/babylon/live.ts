/*
 * Stuntdouble in Babylon.js, live alone: for a page that has one motion and takes any avatar. It brings none of what
 * whole animation groups need.
 */
export * from './live-retargeter.js';
export type { Avatar } from './read/avatar.js';
export { rememberRest } from './read/rest-memory.js';
