import { UsageError } from '../base/errors.js';
import { didWork } from '../base/watch-work.js';
import { bakeFrames } from './bake-frames.js';
import type { ClipJob, MovedClip, Way, WayName } from './clip-way.js';
import { copyWhole } from './copy-whole.js';
import { moveKeys, multiplyKeys } from './move-keys.js';

/**
 * The ways to move a clip, the most faithful first: the first that does not refuse is taken. What is copied whole
 * loses nothing; keys that are moved one by one stay as sparse as they were; products of keys need more of them;
 * frames can do everything, and cost most.
 */
export const WAYS: readonly Way[] = [copyWhole, moveKeys, multiplyKeys, bakeFrames];

/** Why a way was not taken. */
export type Refusal = { way: WayName; reason: string };

/**
 * Moves a clip by the first way that does not refuse.
 * @throws UsageError where keys are to be kept and cannot be.
 */
export function moveClip(job: ClipJob): MovedClip & { way: WayName; refusals: Refusal[] } {
  const refusals: Refusal[] = [];
  for (const way of WAYS) {
    const reason = way.refuses(job);
    didWork(20 * job.clip.tracks.length);
    if (reason === null) return { ...way.move(job), way: way.name, refusals };
    refusals.push({ way: way.name, reason });
  }
  const keys = refusals.find(({ way }) => way === moveKeys.name);
  throw new UsageError(`keys of "${job.clip.name}" cannot be kept exactly: ${keys?.reason}`);
}
