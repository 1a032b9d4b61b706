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
    update: (shift, seconds) => follow(state, shift, seconds),
    reset() {
      state.isFirst = true;
    },
  };
}

/** How fast what is behind goes, per second: a whole number, which is not made on the heap. */
const rate = new Int32Array(1);
const change = new Float64Array(3);

function follow(state: CalmState, shift: Float64Array, seconds: Float64Array): void {
  const { shown, steps, behind, speeds, leap } = state;
  const t = seconds[0]!;
  const isFirst = state.isFirst || !(t > 0);
  state.isFirst = false;
  const limit = leap[0]! * (60 * t) * (60 * t);
  const lacks = Math.sqrt(behind[0]! * behind[0]! + behind[1]! * behind[1]! + behind[2]! * behind[2]!);
  rate[0] = Math.min(FASTEST_HIPS, Math.max(SLOWEST_HIPS, Math.sqrt(limit / (2 * lacks + 1e-9 * limit)) / t));
  let square = 0;
  for (let c = 0; c < 3; c++) {
    if (isFirst) {
      shown[c] = shift[c]!;
      steps[c] = 0;
      behind[c] = 0;
      speeds[c] = 0;
    }
    springToZero(behind, speeds, c, rate[0]!, seconds);
    change[c] = shift[c]! + behind[c]! - shown[c]! - steps[c]!;
    square += change[c]! * change[c]!;
  }
  const over = square > limit * limit ? 1 - limit / Math.sqrt(square) : 0;
  for (let c = 0; c < 3; c++) {
    if (over > 0) {
      behind[c] = behind[c]! - over * change[c]!;
      speeds[c] = speeds[c]! - (over * change[c]!) / t;
    }
    shift[c] = shift[c]! + behind[c]!;
    steps[c] = isFirst ? 0 : shift[c]! - shown[c]!;
    shown[c] = shift[c]!;
  }
}
