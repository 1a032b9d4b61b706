import { hypot } from '../../../base/math/functions.js';
import type { Correction } from './correction.js';
import type { ChangedFrame } from './draw-over.js';
import { jerkOf } from './jerk-of.js';
import { frameAt } from './known-frames.js';
import type { SettledFrame } from './settled-frame.js';

/** What is wrong by more than this, in heights, is missed. */
const STILL_MET = 1e-4;
/** A window that jerks less may jump more than it did, by up to so many times what the motion does: it is on fewer joints. */
const MORE_JUMP = 2;

/**
 * Looks at frames that were led over gaps or drawn anew and gives those back what they had that are no better for it: windows that
 * nobody would have called a jump, and that jerk as much as before, jump more, or miss what they met.
 * @returns the places in the list of those frames.
 */
export function restoreWorse(frames: readonly SettledFrame[], changed: readonly ChangedFrame[]): number[] {
  const restored: number[] = [];
  const found = frames.map(({ time }) => frameAt(changed, time));
  for (let from = 0; from < frames.length; from++) {
    if (!found[from]) continue;
    let to = from;
    while (found[to + 1]) to++;
    const window = found.slice(from, to + 1) as ChangedFrame[];
    if (!window.some(({ jumps }) => jumps) && isWorse(frames, window, from))
      window.forEach(({ was }, n) => {
        const frame = frames[from + n]!;
        frame.correction = was;
        frame.isSettled = true;
        restored.push(from + n);
      });
    from = to;
  }
  return restored;
}

function isWorse(frames: readonly SettledFrame[], window: readonly ChangedFrame[], from: number): boolean {
  const now = frames.map(({ correction }) => correction);
  if (window.some(({ was }, n) => missesMore(was, now[from + n]!))) return true;
  const before = now.slice();
  window.forEach(({ was }, n) => {
    before[from + n] = was;
  });
  const to = Math.min(frames.length, from + window.length + 3);
  const values = frames[0]!.attraction.length;
  const joints = (3 * now[0]!.turns.length) / 4;
  // A hand that turns less is no reason to throw the body about.
  return [joints, values].some(
    (count) =>
      !(jerkOf(frames, now, from, to, count) < jerkOf(frames, before, from, to, count)) ||
      jumpIn(frames, now, from, to, count) >
        Math.max(
          jumpIn(frames, before, from, to, count),
          MORE_JUMP * jumpIn(frames, null, 0, frames.length, count),
        ),
  );
}

/** The largest change of a joint's velocity in some frames, with corrections or as it was: heights from frame to frame. */
function jumpIn(
  frames: readonly SettledFrame[],
  corrections: readonly Correction[] | null,
  from: number,
  to: number,
  values: number,
): number {
  const place = (n: number, i: number): number =>
    frames[n]!.attraction[i]! + (corrections ? corrections[n]!.spots[i]! : 0);
  let most = 0;
  for (let k = Math.max(2, from); k < to; k++) {
    const part = (i: number): number => place(k, i) - 2 * place(k - 1, i) + place(k - 2, i);
    for (let i = 0; i < values; i += 3) most = Math.max(most, hypot(part(i), part(i + 1), part(i + 2)));
  }
  return most;
}

/** Whether a task that counts in full was met and is not any more. */
function missesMore(was: Correction, now: Correction): boolean {
  return was.counts.some(
    (counts, t) => counts === 2 && wrongIn(was, 3 * t) <= STILL_MET && wrongIn(now, 3 * t) > STILL_MET,
  );
}

function wrongIn({ errors }: Correction, t: number): number {
  return hypot(errors[t]!, errors[t + 1]!, errors[t + 2]!);
}
