import { easeAt } from '../../../base/math/easing.js';
import { quaternionOfVector } from '../../../base/math/rotation-vectors.js';
import { type Correction, changeBetween, furthestOf } from './correction.js';
import { type DrawnFrame, MOST_SECONDS, readVectors, roughLimit, type StretchEnds } from './draw-over.js';
import type { SettledFrame } from './settled-frame.js';

/*
 * Where constraints begin to count nothing is changed in one frame, and in the next it is what answers, bridges and means
 * have there: they look at what lies inside the stretch, and lead to its first frame, not out of it. Where that is a jump,
 * what is changed is faded: times s(u), u from 0 in the last frame that is not changed to 1 some frames on. Constraints
 * hardly count there, on their ramps, so that little is missed for it.
 */

/** Frames that are faded over, at first. */
const FEWEST_FADED = 4;
/** And by how many times more while it still jumps. */
const MORE_FADED = 1.4;

/** What is changed in a stretch, faded where it begins or ends at a jump that nobody asked for. */
export function fadeEnds(frames: readonly SettledFrame[], { fadesIn, fadesOut }: StretchEnds): DrawnFrame[] {
  const count = frames.length;
  if (count < 2) return [];
  const limit = roughLimit(frames);
  const faded = new Float64Array(count).fill(1);
  if (fadesIn) fadeFrom(faded, frames, limit, (n) => n);
  if (fadesOut) fadeFrom(faded, frames, limit, (n) => count - 1 - n);
  if (faded.every((share) => share === 1)) return [];
  const vectors = readVectors(frames);
  return frames.flatMap(({ time, correction }, k): DrawnFrame[] => {
    if (faded[k] === 1) return [];
    const joints = correction.turns.length / 4;
    const turns = new Float64Array(4 * joints);
    const values = vectors[k]!.map((x) => x * faded[k]!);
    for (let i = 0; i < joints; i++) quaternionOfVector(turns, 4 * i, values, 3 * i);
    return [
      {
        time,
        turns: Float32Array.from(turns),
        place: Float32Array.from(values.subarray(3 * joints)),
        errors: correction.errors,
        way: 'drawn',
        was: correction,
        jumps: true,
      },
    ];
  });
}

/**
 * Finds the shares of the frames at one end of a stretch.
 * @param at The place in the list of the n-th frame from that end.
 */
function fadeFrom(
  faded: Float64Array,
  frames: readonly SettledFrame[],
  limit: number,
  at: (n: number) => number,
): void {
  const step = Math.abs(frames[at(1)]!.time - frames[at(0)]!.time);
  const most = Math.min(frames.length, Math.floor(MOST_SECONDS / step));
  const rest = restLike(frames[at(0)]!.correction);
  const ways = Array.from({ length: Math.min(frames.length, most + 2) }, (_, n) => {
    const { correction } = frames[at(n)]!;
    return { spots: correction.spots, turns: changeBetween(rest, correction) };
  });
  const jumpOver = (seconds: number): number => {
    const share = (n: number): number => (n < 0 ? 0 : shareAt(n, step, seconds));
    let jump = 0;
    for (let n = -1; n + 1 < ways.length; n++) {
      const bend = (pick: (way: (typeof ways)[number]) => ArrayLike<number>): Float64Array =>
        Float64Array.from(pick(ways[0]!), (_, c) =>
          [n - 1, n, n, n + 1].reduce(
            (sum, m, i) =>
              m < 0 ? sum : sum + (i === 1 || i === 2 ? -1 : 1) * share(m) * pick(ways[m]!)[c]!,
            0,
          ),
        );
      jump = Math.max(
        jump,
        furthestOf(
          bend(({ spots }) => spots),
          bend(({ turns }) => turns),
        ) / step,
      );
      // Unfaded, what counts is the end itself: all else was looked at before.
      if (seconds === 0 && n >= 0) break;
    }
    return jump;
  };
  if (!(jumpOver(0) > limit)) return;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let frameCount = FEWEST_FADED; frameCount <= most; frameCount *= MORE_FADED) {
    const jump = jumpOver(frameCount * step);
    if (jump < least) {
      least = jump;
      best = frameCount * step;
    }
    if (jump < limit) break;
  }
  for (let n = 0; n < ways.length; n++) faded[at(n)] = Math.min(faded[at(n)]!, shareAt(n, step, best));
}

/** The share of the n-th frame; all of it where nothing is faded. */
function shareAt(n: number, step: number, seconds: number): number {
  return seconds > 0 ? easeAt('smoother', Math.min(1, ((n + 1) * step) / seconds)) : 1;
}

/** What is changed where nothing is. */
function restLike({ turns, place, spots, errors, counts }: Correction): Correction {
  return {
    turns: turns.map((_, c) => (c % 4 === 3 ? 1 : 0)),
    place: place.map(() => 0),
    spots: spots.map(() => 0),
    errors: errors.map(() => 0),
    counts: counts.map(() => 0),
    cost: 0,
  };
}
