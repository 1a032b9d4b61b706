import { exp } from '../base/math/functions.js';
import { type BodyPoint, SOLE_POINTS } from './body-points.js';
import {
  GROUND_ALIKE,
  GROUND_BELIEVED,
  GROUND_SHOWN,
  GROUND_SHOWN_ALONE,
  GROUND_SMOOTHING,
  GROUND_SPEED,
  HIPS_SMOOTHING,
  HIPS_TRAVEL,
  ON_GROUND,
  SLOW_GROUND_SHOWN,
  SLOWEST_ALONE,
  SLOWEST_GROUND,
  STEADY_GROUND,
  STEADY_TIME,
  STILL_ALONE,
} from './contact-rules.js';

/** Finds ground that moves under a body that walks on the spot, while its motion is played; see `findTreadmill`. */
export type MovingGround = {
  /** x and z, in metres a second; both 0 where the ground stands still. Overwritten by every update. */
  readonly velocity: Float64Array;
  /**
   * Takes the places of all points now and before, and their heights over the floor in hip heights. Allocates nothing.
   * @param span Seconds between now and before.
   */
  update(
    positions: Float64Array,
    before: Float64Array,
    first: number,
    heights: Float64Array,
    span: number,
    seconds: number,
  ): void;
  /** Forgets what was found. */
  reset(): void;
};

type GroundState = {
  soles: Int32Array;
  hips: number;
  hipHeight: number;
  velocity: Float64Array;
  /** Seconds between now and before, and since the update before. */
  span: number;
  step: number;
  /** How the lowest foot moves, what feet have shown, and how the hips travel: x and z, metres a second. */
  heard: Float64Array;
  shown: Float64Array;
  /** Speeds that feet showed lately, softened; and seconds of steady feet that what was shown stands on. */
  recent: Float64Array;
  known: number;
  travel: Float64Array;
  /** Per sole which side it is of; per side seconds for which its foot has shown the same, and has stood still. */
  sides: Uint8Array;
  agreed: Float64Array;
  still: Float64Array;
  /** Seconds for which hips have been watched. */
  watched: number;
};

/** Makes room for finding moving ground. */
export function createMovingGround(points: readonly BodyPoint[], hipHeight: number): MovingGround {
  const state: GroundState = {
    soles: Int32Array.from(points.flatMap(({ name }, n) => (SOLE_POINTS.includes(name) ? [n] : []))),
    hips: points.findIndex(({ name }) => name === 'hips'),
    hipHeight,
    velocity: new Float64Array(2),
    span: 0,
    step: 0,
    heard: new Float64Array(2),
    shown: new Float64Array(2),
    recent: new Float64Array(2),
    known: 0,
    travel: new Float64Array(2),
    sides: Uint8Array.from(points, ({ name }) => (/left/i.test(name) ? 0 : 1)),
    agreed: new Float64Array(2),
    still: new Float64Array(2),
    watched: 0,
  };
  return {
    velocity: state.velocity,
    update(positions, before, first, heights, span, seconds) {
      state.span = span;
      state.step = seconds;
      findGround(state, positions, before, first, heights);
    },
    reset() {
      state.velocity.fill(0);
      state.shown.fill(0);
      state.recent.fill(0);
      state.known = 0;
      state.travel.fill(0);
      state.agreed.fill(0);
      state.still.fill(0);
      state.watched = 0;
    },
  };
}

function findGround(
  state: GroundState,
  positions: Float64Array,
  before: Float64Array,
  first: number,
  heights: Float64Array,
): void {
  const { soles, hips, hipHeight, velocity, shown, travel, heard, span, step } = state;
  if (hips < 0 || soles.length === 0 || !(span > 0)) return;
  // A mean of all there is at the beginning, and of the latest later on.
  state.watched += step;
  const share = Math.min(1, step / Math.min(state.watched, HIPS_SMOOTHING));
  for (let c = 0; c < 2; c++) {
    const v = (positions[3 * hips + 2 * c]! - before[first + 3 * hips + 2 * c]!) / span;
    if (Number.isFinite(v)) travel[c] = travel[c]! + share * (v - travel[c]!);
  }
  let lowest = soles[0]!;
  for (let i = 1; i < soles.length; i++) if (heights[soles[i]!]! < heights[lowest]!) lowest = soles[i]!;
  if (heights[lowest]! <= ON_GROUND) {
    for (let c = 0; c < 2; c++)
      heard[c] = (positions[3 * lowest + 2 * c]! - before[first + 3 * lowest + 2 * c]!) / span;
    if (Number.isFinite(heard[0]!) && Number.isFinite(heard[1]!)) hear(state, state.sides[lowest]!);
  }
  watchFeet(state, positions, before, first, heights);
  const squared = shown[0]! * shown[0]! + shown[1]! * shown[1]!;
  const left = state.agreed[0]!;
  const right = state.agreed[1]!;
  const alone =
    (left >= GROUND_SHOWN_ALONE && state.still[1]! < STILL_ALONE) ||
    (right >= GROUND_SHOWN_ALONE && state.still[0]! < STILL_ALONE);
  const both = Math.min(left, right);
  const slowest =
    both >= SLOW_GROUND_SHOWN
      ? SLOWEST_GROUND
      : both >= GROUND_SHOWN
        ? GROUND_SPEED
        : alone
          ? SLOWEST_ALONE
          : Number.POSITIVE_INFINITY;
  const moves =
    squared > slowest * slowest * hipHeight * hipHeight &&
    travel[0]! * travel[0]! + travel[1]! * travel[1]! <= HIPS_TRAVEL * HIPS_TRAVEL * squared;
  velocity[0] = moves ? shown[0]! : 0;
  velocity[1] = moves ? shown[1]! : 0;
}

/** Counts for how long the feet of either side have stood still. */
function watchFeet(
  { soles, sides, still, hipHeight, span, step }: GroundState,
  positions: Float64Array,
  before: Float64Array,
  first: number,
  heights: Float64Array,
): void {
  for (let side = 0; side < 2; side++) {
    let stands = false;
    for (let i = 0; i < soles.length; i++) {
      const n = soles[i]!;
      if (sides[n] !== side || !(heights[n]! <= ON_GROUND)) continue;
      const x = positions[3 * n]! - before[first + 3 * n]!;
      const y = positions[3 * n + 1]! - before[first + 3 * n + 1]!;
      const z = positions[3 * n + 2]! - before[first + 3 * n + 2]!;
      if (x * x + y * y + z * z <= GROUND_SPEED * GROUND_SPEED * hipHeight * hipHeight * span * span)
        stands = true;
    }
    still[side] = stands ? still[side]! + step : 0;
  }
}

/** Takes what a foot of a side shows of the ground's velocity. */
function hear(state: GroundState, side: number): void {
  const { shown, heard, recent, agreed, step } = state;
  const x = heard[0]! - shown[0]!;
  const z = heard[1]! - shown[1]!;
  const squared = shown[0]! * shown[0]! + shown[1]! * shown[1]!;
  const alike = x * x + z * z < GROUND_ALIKE * GROUND_ALIKE * squared;
  let off = 0;
  for (let c = 0; c < 2; c++) {
    recent[c] = heard[c]! + (recent[c]! - heard[c]!) * exp(-step / STEADY_TIME);
    off += (heard[c]! - recent[c]!) * (heard[c]! - recent[c]!);
  }
  if (alike) {
    agreed[side] = Math.min(GROUND_BELIEVED, agreed[side]! + step);
    const weight = step / (1 + off / (STEADY_GROUND * STEADY_GROUND * squared));
    state.known = Math.min(GROUND_SMOOTHING, state.known + weight);
    const share = state.known > 0 ? weight / state.known : 0;
    shown[0] = shown[0]! + share * x;
    shown[1] = shown[1]! + share * z;
    return;
  }
  for (let s = 0; s < 2; s++) agreed[s] = Math.max(0, agreed[s]! - step);
  if (agreed[0]! + agreed[1]! > 0) return;
  state.known = 0;
  shown[0] = heard[0]!;
  shown[1] = heard[1]!;
}
