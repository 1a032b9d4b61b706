/*
 * Stuntdouble in Babylon.js, live alone: for a page that has one motion and takes any avatar. A page loads what a first
 * frame needs; what only some bodies or options need is fetched when it is, so that whoever makes a retargeter waits.
 */
import { type FetchedFollower, followLive } from '../shared/follow-live.js';
import {
  bindAvatar,
  type ReadAvatars,
  readAvatars,
  type LiveRetargeter as WholeRetargeter,
} from './live-retargeter.js';
import type { LiveRetargeterOptions } from './options.js';
import type { Avatar } from './read/avatar.js';

export type { LiveRetargeterOptions } from './options.js';
export type { Avatar } from './read/avatar.js';
export { rememberRest } from './read/rest-memory.js';

/** An avatar that follows another body, frame by frame. */
export type LiveRetargeter = FetchedFollower<WholeRetargeter>;

/**
 * Makes an avatar follow a body that something else moves, as `createLiveRetargeter` of the whole adapter does, feet and
 * hands held; what it needs besides is fetched first.
 * @throws UsageError where an argument cannot be meant; RetargetError where the two have nothing in common.
 */
export function createLiveRetargeter(
  avatar: Avatar,
  source: Avatar,
  given: LiveRetargeterOptions | null = {},
): Promise<LiveRetargeter> {
  const { showWarnings, onWarning, ...told } = given ?? {};
  // Names that leave nothing open need no shape to agree: live, nobody asks how sure they are.
  const how = { weighsShape: false };
  const copied = { ...told, showWarnings: false, stuntdouble: { corrections: 'none' } } as const;
  let read: ReadAvatars | undefined;
  return followLive(
    (copies) => {
      // Once: when the rest has come, the source plays, and stands as nobody can tell.
      read ??= readAvatars(avatar, source, given);
      return bindAvatar(read, copies ? copied : given, how);
    },
    Object.keys(told).every((name) => name === 'copyMorphs'),
  );
}
