import { hypot } from '../../../base/math/functions.js';
import { USUAL_STEP } from './find-gaps.js';
import { jerkOf } from './jerk-of.js';
import type { SettledFrame } from './settled-frame.js';

/*
 * A body may jerk without any jump. A straight arm that is to be a little shorter bends nowhere at first, so that least
 * strain moves the hips aside instead; where the arm then swings past the body, so does the trunk, within a few frames, and
 * each of them changes its velocity by less than would be called a jump. Limbs can take that up as well.
 */

/** Constraints that make a stretch jerk less than so many times as much as it did are left alone. */
const RESTLESS = 1.2;
/** A frame is restless where what constraints change jerks by more than this share of what the motion does on average. */
const RESTLESS_SHARE = 0.5;
/** What a joint may jerk anyway, in heights from frame to frame: a change of the velocity by a hundredth of the height a second. */
const UNSEEN_JERK = 2e-4;

/** Per frame of a stretch whether what constraints change there jerks; null where the whole of it hardly does. */
export function findUnrest(frames: readonly SettledFrame[]): boolean[] | null {
  const count = frames.length;
  if (count < 4) return null;
  const step = (frames[count - 1]!.time - frames[0]!.time) / (count - 1);
  const joints = frames[0]!.attraction.length / 3;
  const pace = Math.max(1, step / USUAL_STEP);
  const unseen = UNSEEN_JERK * joints * pace * pace * pace;
  const own = Math.max(unseen, jerkOf(frames, null, 0, count) / (count - 3));
  const corrections = frames.map(({ correction }) => correction);
  if (!(jerkOf(frames, corrections, 0, count) > RESTLESS * own * (count - 3))) return null;
  const changed = frames.map((_, k) => addedJerk(frames, k));
  return frames.map(
    ({ isSettled }, k) =>
      !isSettled && Math.max(changed[k + 1] ?? 0, changed[k + 2] ?? 0) > RESTLESS_SHARE * own,
  );
}

/** How much what constraints change jerks up to a frame, as `jerkAt` has it. */
function addedJerk(frames: readonly SettledFrame[], k: number): number {
  if (k < 3 || frames[k]!.isBroken || frames[k - 1]!.isBroken || frames[k - 2]!.isBroken) return 0;
  const [a, b, c, d] = [k - 3, k - 2, k - 1, k].map((n) => frames[n]!.correction.spots);
  const part = (i: number): number => d![i]! - 3 * c![i]! + 3 * b![i]! - a![i]!;
  let sum = 0;
  for (let i = 0; i < d!.length; i += 3) sum += hypot(part(i), part(i + 1), part(i + 2));
  return sum;
}
