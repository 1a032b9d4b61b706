import { hypot } from '../../../base/math/functions.js';
import type { Correction } from './correction.js';
import type { ChangedFrame, SettledFrame } from './draw-over.js';
import { frameAt } from './known-frames.js';

/** What is wrong by more than this, in heights, is missed. */
const STILL_MET = 1e-4;

/**
 * Looks at frames that were led over gaps or drawn anew and gives those back what they had that are no better for it: windows that
 * nobody would have called a jump, and that jerk as much as before, or miss what they met.
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
  return !(jerkOf(frames, now, from, to) < jerkOf(frames, before, from, to));
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

/** How much joints and tips jerk with some corrections in the place of those of the frames: third differences, heights. */
function jerkOf(
  frames: readonly SettledFrame[],
  corrections: readonly Correction[],
  from: number,
  to: number,
): number {
  let sum = 0;
  for (let k = Math.max(3, from); k < to; k++)
    for (let n = 0; n < frames[k]!.attraction.length; n += 3) {
      const part = (c: number): number => at(k, c) - 3 * at(k - 1, c) + 3 * at(k - 2, c) - at(k - 3, c);
      sum += hypot(part(n), part(n + 1), part(n + 2));
    }
  function at(k: number, c: number): number {
    return frames[k]!.attraction[c]! + corrections[k]!.spots[c]!;
  }
  return sum;
}
