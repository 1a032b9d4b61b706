import { TOUCHED } from './body-shape.js';

/** A stretch of frames in which a hand touches something of its own body. */
export type FoundTouch = {
  /** 0 the left, 1 the right hand. */
  hand: number;
  /** Number of what is touched in `TOUCHED`. */
  touched: number;
  first: number;
  last: number;
  /** How far skin shall be from skin, in metres of the source, where somebody has told. */
  apart?: number;
};

/** How far hands are from what they can touch over a clip: per frame, hand and one of `TOUCHED`, in arm lengths. */
export type GapCourse = {
  count: number;
  /** Frames a second. */
  rate: number;
  gaps: Float32Array;
  /** How fast a hand goes along what it is nearest to, arm lengths a second. */
  speeds: Float32Array;
};

/** Room for the course of a clip. */
export function createGapCourse(count: number, rate: number): GapCourse {
  const size = 2 * TOUCHED.length * count;
  return {
    count,
    rate,
    gaps: new Float32Array(size).fill(Number.POSITIVE_INFINITY),
    speeds: new Float32Array(size),
  };
}

/** Surfaces touch that are nearer than this, in arm lengths. */
export const TOUCHING = 0.04;
/** A touch that has begun ends where they are farther than this. */
export const TOUCH_ENDS = 0.06;
/** Seconds that a touch lasts at least, and gaps between two that are none. */
const SHORTEST_TOUCH = 0.1;
const SHORTEST_GAP = 0.12;
/** Mean speeds of a touch at most, in arm lengths a second: what passes by does not touch. Hands may clap at any. */
export const TOUCH_SPEEDS = {
  trunk: 0.5,
  head: 1.5,
  leftLeg: 0.5,
  rightLeg: 0.5,
  otherHand: Number.POSITIVE_INFINITY,
  otherArm: 1.5,
};

/** Finds when hands touch: surfaces nearer than 4 % of an arm for a tenth of a second. */
export function findTouches(course: GapCourse): FoundTouch[] {
  const found: FoundTouch[] = [];
  for (let hand = 0; hand < 2; hand++)
    for (let touched = 0; touched < TOUCHED.length; touched++)
      for (const { first, last } of stretchesOf(course, hand, touched))
        if (
          last - first + 1 >= SHORTEST_TOUCH * course.rate - 1e-9 &&
          meanSpeed(course, hand, touched, first, last) <= TOUCH_SPEEDS[TOUCHED[touched]!]
        )
          found.push({ hand, touched, first, last });
  return found;
}

function stretchesOf({ count, rate, gaps }: GapCourse, hand: number, touched: number) {
  const width = 2 * TOUCHED.length;
  const at = TOUCHED.length * hand + touched;
  const stretches: { first: number; last: number }[] = [];
  let begun = -1;
  for (let k = 0; k <= count; k++) {
    const gap = k < count ? gaps[width * k + at]! : Number.POSITIVE_INFINITY;
    if (begun < 0 && gap < TOUCHING) {
      begun = k;
    } else if (begun >= 0 && !(gap < TOUCH_ENDS)) {
      const before = stretches.at(-1);
      if (before && begun - before.last <= SHORTEST_GAP * rate) before.last = k - 1;
      else stretches.push({ first: begun, last: k - 1 });
      begun = -1;
    }
  }
  return stretches;
}

function meanSpeed(
  { speeds }: GapCourse,
  hand: number,
  touched: number,
  first: number,
  last: number,
): number {
  const width = 2 * TOUCHED.length;
  let sum = 0;
  for (let k = first + 1; k <= last; k++) sum += speeds[width * k + TOUCHED.length * hand + touched]!;
  return last > first ? sum / (last - first) : 0;
}
