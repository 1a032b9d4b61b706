import { springToZero } from '../../base/math/spring.js';
import { HIPS_LEAP } from '../goal-rules.js';

/** How fast what hips are behind goes, per second: the less it is the faster, from this … */
const SLOWEST_HIPS = 6;

/** … to this. */
const FASTEST_HIPS = 20;

/** Hips that give way without leaps, frame by frame. */
export type CalmHips = {
  /** Draws a shift back by what it would leap, `seconds` (one number) after the frame before. Allocates nothing. */
  update(shift: Float64Array, seconds: Float64Array): void;
  /** Forgets what was before. */
  reset(): void;
};

/** The shift as it was shown, by how much that changed, what it is behind of what it would be, and how fast that goes: xyz. */
type CalmState = {
  shown: Float64Array;
  steps: Float64Array;
  behind: Float64Array;
  speeds: Float64Array;
  /** How far it may leap in a frame of 60 Hz, metres: one number. */
  leap: Float64Array;
  isFirst: boolean;
};

/**
 * Lets the shift by which hips give way change its speed from one frame to the next by no more than knees take up: what
 * carries changes within a frame, and with it where hips would be. What they lack for that goes as a critically damped
 * spring comes to rest. Nothing here may be behind that keeps limbs in reach: those would be torn off what they stand on.
 * @param hipHeight Metres.
 */
export function createCalmHips(hipHeight: number): CalmHips {
  const state: CalmState = {
    shown: new Float64Array(3),
    steps: new Float64Array(3),
    behind: new Float64Array(3),
    speeds: new Float64Array(3),
    leap: Float64Array.of(HIPS_LEAP * hipHeight),
    isFirst: true,
  };
  return {
    update(shift, seconds) {
      if (state.isFirst || !(seconds[0]! > 0)) begin(state, shift);
      else follow(state, shift, seconds);
      state.isFirst = false;
    },
    reset() {
      state.isFirst = true;
    },
  };
}

function begin({ shown, steps, behind, speeds }: CalmState, shift: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    shown[c] = shift[c]!;
    steps[c] = 0;
    behind[c] = 0;
    speeds[c] = 0;
  }
}

/** How fast what is behind goes, per second: a whole number, which is not made on the heap. */
const rate = new Int32Array(1);

function follow(
  { shown, steps, behind, speeds, leap }: CalmState,
  shift: Float64Array,
  seconds: Float64Array,
): void {
  const t = seconds[0]!;
  const limit = leap[0]! * (60 * t) * (60 * t);
  const lacks = Math.sqrt(behind[0]! * behind[0]! + behind[1]! * behind[1]! + behind[2]! * behind[2]!);
  rate[0] = Math.min(
    FASTEST_HIPS,
    Math.max(SLOWEST_HIPS, Math.sqrt(limit / (2 * Math.max(lacks, 1e-9 * leap[0]!))) / t),
  );
  let square = 0;
  for (let c = 0; c < 3; c++) {
    springToZero(behind, speeds, c, rate[0]!, seconds);
    const change = shift[c]! + behind[c]! - shown[c]! - steps[c]!;
    square += change * change;
  }
  const far = Math.sqrt(square);
  const share = far > limit ? limit / far : 1;
  for (let c = 0; c < 3; c++) {
    const before = behind[c]!;
    if (share < 1) {
      const change = shift[c]! + before - shown[c]! - steps[c]!;
      behind[c] = shown[c]! + steps[c]! + share * change - shift[c]!;
      speeds[c] = speeds[c]! + (behind[c]! - before) / t;
    }
    shift[c] = shift[c]! + behind[c]!;
    steps[c] = shift[c]! - shown[c]!;
    shown[c] = shift[c]!;
  }
}
