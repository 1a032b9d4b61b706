/*
 * Stuntdouble in three.js, live alone: for a page that has one motion and takes any avatar. A page loads what a first
 * frame needs; what only some bodies or options need is fetched when it is, so that whoever makes a retargeter waits.
 */
import { type FetchedFollower, followLive } from '../shared/follow-live.js';
import type { AnimatedObject } from './animated-object.js';
import {
  bindObjects,
  type LiveRetargeterOptions,
  type ReadObjects,
  readObjects,
  type LiveRetargeter as WholeRetargeter,
} from './live-retargeter.js';

export type { AnimatedObject, BonesLike, GltfLike, VrmLike } from './animated-object.js';
export type { LiveRetargeterOptions } from './live-retargeter.js';

/** Options that say what is read, and nothing of how it is moved. */
const READING: readonly string[] = ['clips', 'vrmBones', 'sourceVrmBones', 'morphs'];

/** Makes one object move as another does, frame by frame. */
export type LiveRetargeter = FetchedFollower<WholeRetargeter>;

/**
 * Binds a target to a source that plays, as `createLiveRetargeter` of the whole adapter does, feet and hands held;
 * what it needs besides is fetched first.
 * @throws RetargetError where the two have nothing in common; UsageError where an argument is none.
 */
export function createLiveRetargeter(
  target: AnimatedObject,
  source: AnimatedObject,
  given: LiveRetargeterOptions | null = {},
): Promise<LiveRetargeter> {
  const { onWarning, ...told } = given ?? {};
  // Names that leave nothing open need no shape to agree: live, nobody asks how sure they are.
  const how = { weighsShape: false };
  let read: ReadObjects | undefined;
  return followLive(
    (copies) => {
      // Once: when the rest has come, the source plays, and stands as nobody can tell.
      read ??= readObjects(target, source, given);
      return bindObjects(read, copies ? { ...told, corrections: 'none' } : given, how);
    },
    Object.keys(told).every((name) => READING.includes(name)),
  );
}
