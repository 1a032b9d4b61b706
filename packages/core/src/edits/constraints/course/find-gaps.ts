import { type Correction, changeBetween, furthestOf } from './correction.js';
import type { ChosenFrame } from './follow-branches.js';

/** A place between two frames where what constraints change jumps. */
export type Gap = {
  /** Seconds, half way between the frames; and how long before and after it there is room to lead over. */
  time: number;
  before: number;
  after: number;
  /** The jump: per joint a rotation vector in its own axes, then the hips' way in heights. */
  change: Float64Array;
  /** Per task by how much what is wrong with it jumps, three numbers. */
  errors: Float64Array;
};

/** A change of the velocity that is larger, in heights a second, is a jump. */
const JUMPING = 0.7;
/** That holds of frames no farther apart than this, seconds: what is smooth changes its velocity by more in a longer step. */
export const USUAL_STEP = 1 / 60;
/** Frames to either side that tell how fast a joint is on its way there. */
const SEEN = 3;
/** Seconds to either side of a gap in which the body is led over it. */
const LEADING = 0.25;

/** What happens from one frame to the next. */
type Move = { change: Float64Array; spots: Float32Array; errors: Float32Array; far: number };

function moveBetween(a: Correction, b: Correction): Move {
  const change = changeBetween(a, b);
  const spots = b.spots.map((x, c) => x - a.spots[c]!);
  const errors = b.errors.map((x, c) => {
    const task = Math.floor(c / 3);
    return a.counts[task] && b.counts[task] ? x - a.errors[c]! : 0;
  });
  return { change, spots, errors, far: furthestOf(spots, change) };
}

/**
 * Finds where corrections of frames, one after another without a break, jump: where a joint goes elsewhere in one frame
 * than it did in those before and after. The jump is what goes beyond the median of seven moves, which a single one of
 * them does not change, so that what is merely fast is none; and beyond what no eye sees.
 * @param isBroken Whether a jump between two times was asked for.
 */
export function findGaps(
  frames: readonly ChosenFrame[],
  isBroken: (from: number, to: number) => boolean,
): Gap[] {
  const gaps: Gap[] = [];
  const moves = frames.slice(1).map(({ correction }, k) => moveBetween(frames[k]!.correction, correction));
  const list = new Float64Array(2 * SEEN + 1);
  moves.forEach((move, k) => {
    const [from, to] = [frames[k]!.time, frames[k + 1]!.time];
    const limit = JUMPING * (to - from) * Math.max(1, (to - from) / USUAL_STEP);
    const near = moves.slice(Math.max(0, k - SEEN), k + SEEN + 1);
    if (!near.some(({ far }) => far > limit / 2) || isBroken(from, to)) return;
    const beyond = (pick: (move: Move) => Float64Array | Float32Array): Float64Array =>
      Float64Array.from(pick(move), (x, c) => {
        for (let d = -SEEN; d <= SEEN; d++)
          list[d + SEEN] = pick(moves[Math.min(moves.length - 1, Math.max(0, k + d))]!)[c]!;
        return x - list.sort()[SEEN]!;
      });
    const change = beyond(({ change }) => change);
    const far = furthestOf(
      beyond(({ spots }) => spots),
      change,
    );
    if (!(far > limit)) return;
    const share = 1 - limit / far;
    const errors = beyond(({ errors }) => errors);
    gaps.push({
      time: (from + to) / 2,
      before: roomFrom(frames, k, -1, isBroken) + (to - from) / 2,
      after: roomFrom(frames, k + 1, 1, isBroken) + (to - from) / 2,
      change: change.map((x) => share * x),
      errors: errors.map((x) => share * x),
    });
  });
  return gaps;
}

/** Seconds from a frame to the end of the room there is: where constraints begin or end to count, or a jump was asked for. */
function roomFrom(
  frames: readonly ChosenFrame[],
  first: number,
  way: -1 | 1,
  isBroken: (from: number, to: number) => boolean,
): number {
  const { time } = frames[first]!;
  let room = 0;
  for (let k = first + way; k >= 0 && k < frames.length && room < LEADING; k += way) {
    const [from, to] = way < 0 ? [k, k - way] : [k - way, k];
    if (isBroken(frames[from]!.time, frames[to]!.time)) break;
    room = Math.abs(frames[k]!.time - time);
  }
  return room;
}
