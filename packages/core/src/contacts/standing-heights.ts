import { exp } from '../base/math/functions.js';
import { type BodyPoint, SOLE_POINTS } from './body-points.js';
import {
  FLOOR_SLACK,
  FLOOR_TIME,
  HEIGHT_MEMORY,
  LOW_PERCENTILE,
  POINT_SLACK,
  POINT_TIME,
  SOLE_SLACK,
  STANDING_CONTACTS,
} from './contact-rules.js';

/** Learns how high points stand while a motion is played: the live form of `standingOffsets`. */
export type StandingHeights = {
  /** Per point how far it stands from where it is expected, in hip heights; overwritten by every update. */
  readonly offsets: Float64Array;
  /** How far the floor is from where it is expected, in hip heights: one number. */
  readonly ground: Float64Array;
  /**
   * Takes the heights of all points over where they are expected to stand, in hip heights, and their speeds in hip
   * heights a second. Allocates nothing.
   */
  update(heights: Float64Array, speeds: Float64Array, seconds: number): void;
  /** Forgets what was learnt. */
  reset(): void;
};

/** Heights are counted in steps of this, in hip heights: a quarter of a percent, 2 mm of an adult. */
const HEIGHT_STEP = 0.0025;
/** The step of height 0, and how many there are. */
const MIDDLE_STEP = Math.round((FLOOR_SLACK + SOLE_SLACK) / HEIGHT_STEP);
const STEPS = 2 * MIDDLE_STEP + 1;
/** How many steps from the floor it is looked for a point, and from where it is expected for the floor. */
const POINT_STEPS = Math.round(POINT_SLACK / HEIGHT_STEP);
const SOLE_STEPS = Math.round(SOLE_SLACK / HEIGHT_STEP);
const FLOOR_STEPS = Math.round(FLOOR_SLACK / HEIGHT_STEP);
/** Newer heights count for more by weighing more; from here on all weights are made smaller. */
const HEAVY = 1e9;

type HeightState = {
  count: number;
  /** The points of the feet. */
  soles: Int32Array;
  /** Per point 1 for those of the feet. */
  isSole: Uint8Array;
  offsets: Float64Array;
  ground: Float64Array;
  /** How long each height has been stood at: of the lowest foot, then of each point, {@link STEPS} each. */
  seen: Float64Array;
  /** Seconds since the update before. */
  step: number;
  /** The weight of a second that is seen now. */
  weight: number;
  /** Seconds for which the lowest foot has been slow: one number. */
  still: Float64Array;
};

/** Makes room for learning how high points stand. */
export function createStandingHeights(points: readonly BodyPoint[]): StandingHeights {
  const count = points.length;
  const state: HeightState = {
    count,
    soles: Int32Array.from(points.flatMap(({ name }, n) => (SOLE_POINTS.includes(name) ? [n] : []))),
    isSole: Uint8Array.from(points, ({ name }) => (SOLE_POINTS.includes(name) ? 1 : 0)),
    offsets: new Float64Array(count),
    ground: new Float64Array(1),
    seen: new Float64Array(STEPS * (count + 1)),
    step: 0,
    weight: 1,
    still: new Float64Array(1),
  };
  return {
    offsets: state.offsets,
    ground: state.ground,
    update(heights, speeds, seconds) {
      state.step = seconds;
      learn(state, heights, speeds);
    },
    reset() {
      forget(state);
    },
  };
}

function forget(state: HeightState): void {
  state.offsets.fill(0);
  state.ground.fill(0);
  state.seen.fill(0);
  state.weight = 1;
  state.still.fill(0);
}

function learn(state: HeightState, heights: Float64Array, speeds: Float64Array): void {
  const { count, offsets, ground, seen, step } = state;
  state.weight *= exp(step / HEIGHT_MEMORY);
  if (state.weight > HEAVY) {
    for (let i = 0; i < seen.length; i++) seen[i] = seen[i]! / state.weight;
    state.weight = 1;
  }
  const before = ground[0]!;
  findFloor(state, heights, speeds);
  const floor = ground[0]!;
  for (let n = 0; n < count; n++) {
    const first = STEPS * (n + 1);
    const height = heights[n]!;
    const isSeen = speeds[n]! < STANDING_CONTACTS.speed && Math.abs(height) < FLOOR_SLACK + SOLE_SLACK;
    if (isSeen) seen[first + stepOf(height)]! += state.weight * step;
    else if (floor === before) continue;
    offsets[n] = floor;
    lowHeight(offsets, n, state, first, stepOf(floor), state.isSole[n] === 1 ? SOLE_STEPS : POINT_STEPS);
  }
}

/** Learns where the floor is from the lowest foot, while that is slow. */
function findFloor(state: HeightState, heights: Float64Array, speeds: Float64Array): void {
  const { soles, seen, step, still } = state;
  let lowest = -1;
  for (let i = 0; i < soles.length; i++)
    if (lowest < 0 || heights[soles[i]!]! < heights[lowest]!) lowest = soles[i]!;
  const height = lowest < 0 ? Number.NaN : heights[lowest]!;
  const isSlow = lowest >= 0 && speeds[lowest]! < STANDING_CONTACTS.speed && Math.abs(height) < FLOOR_SLACK;
  still[0] = isSlow ? still[0]! + step : 0;
  if (!isSlow || still[0]! < FLOOR_TIME) return;
  seen[stepOf(height)]! += state.weight * step;
  lowHeight(state.ground, 0, state, 0, MIDDLE_STEP, FLOOR_STEPS);
}

function stepOf(height: number): number {
  return (MIDDLE_STEP + Math.round(height / HEIGHT_STEP)) | 0;
}

/**
 * out[n] = the 5th percentile of what was seen at most `reach` steps from a middle one; stays where that is too little
 * for a point.
 */
function lowHeight(
  out: Float64Array,
  n: number,
  { seen, weight }: HeightState,
  first: number,
  middle: number,
  reach: number,
): void {
  const a = first + Math.max(0, middle - reach);
  const b = first + Math.min(STEPS - 1, middle + reach);
  let total = 0;
  for (let i = a; i <= b; i++) total += seen[i]!;
  if (first > 0 && !(total > POINT_TIME * weight)) return;
  let below = seen[a]!;
  let i = a;
  while (i < b && !(below > LOW_PERCENTILE * total)) below += seen[++i]!;
  out[n] = (i - first - MIDDLE_STEP) * HEIGHT_STEP;
}
