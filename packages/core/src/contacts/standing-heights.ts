import { type BodyPoint, SOLE_POINTS } from './body-points.js';
import { MEASURED_CONTACTS } from './find-contacts.js';

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

/** A floor that a body is found to stand on may differ from the one expected by so much, in hip heights. */
const FLOOR_SLACK = 0.15;
/** What is left of that for a single point. */
const POINT_SLACK = 0.04;
/** Seconds for which the lowest foot must have been slow to show where the floor is. */
const FLOOR_TIME = 0.06;
/** Seconds for which a point must have stood before its own height is believed. */
const POINT_TIME = 0.2;
/** Floor and points stand at the 5th percentile of their slow heights, as where one looks at the whole clip. */
const LOW = 0.05;
/** Seconds after which what was seen counts for 1 / e. */
const MEMORY = 30;
/** Heights are counted in steps of this, in hip heights: a quarter of a percent, 2 mm of an adult. */
const STEP = 0.0025;
/** The step of height 0, and how many there are. */
const MIDDLE = Math.round((FLOOR_SLACK + POINT_SLACK) / STEP);
const STEPS = 2 * MIDDLE + 1;
/** Newer heights count for more by weighing more; from here on all weights are made smaller. */
const HEAVY = 1e9;

type State = {
  count: number;
  /** The points of the feet. */
  soles: Int32Array;
  offsets: Float64Array;
  ground: Float64Array;
  /** How long each height has been stood at: of the lowest foot, then of each point, {@link STEPS} each. */
  seen: Float64Array;
  /** What a second weighs now. */
  weight: number;
  /** Seconds for which the lowest foot has been slow. */
  still: number;
};

/** Makes room for learning how high points stand. */
export function createStandingHeights(points: readonly BodyPoint[]): StandingHeights {
  const count = points.length;
  const state: State = {
    count,
    soles: Int32Array.from(points.flatMap(({ name }, n) => (SOLE_POINTS.includes(name) ? [n] : []))),
    offsets: new Float64Array(count),
    ground: new Float64Array(1),
    seen: new Float64Array(STEPS * (count + 1)),
    weight: 1,
    still: 0,
  };
  return {
    offsets: state.offsets,
    ground: state.ground,
    update(heights, speeds, seconds) {
      learn(state, heights, speeds, seconds);
    },
    reset() {
      state.offsets.fill(0);
      state.ground.fill(0);
      state.seen.fill(0);
      state.weight = 1;
      state.still = 0;
    },
  };
}

function learn(state: State, heights: Float64Array, speeds: Float64Array, seconds: number): void {
  const { count, offsets, ground, seen } = state;
  state.weight *= Math.exp(seconds / MEMORY);
  if (state.weight > HEAVY) {
    for (let i = 0; i < seen.length; i++) seen[i] = seen[i]! / state.weight;
    state.weight = 1;
  }
  const before = ground[0]!;
  findFloor(state, heights, speeds, seconds);
  const floor = ground[0]!;
  for (let n = 0; n < count; n++) {
    const first = STEPS * (n + 1);
    const height = heights[n]!;
    const isSeen = speeds[n]! < MEASURED_CONTACTS.speed && Math.abs(height) < FLOOR_SLACK + POINT_SLACK;
    if (isSeen) seen[first + stepOf(height)]! += state.weight * seconds;
    else if (floor === before) continue;
    offsets[n] = floor;
    lowHeight(offsets, n, seen, first, floor - POINT_SLACK, floor + POINT_SLACK, POINT_TIME * state.weight);
  }
}

/** Learns where the floor is from the lowest foot, while that is slow. */
function findFloor(state: State, heights: Float64Array, speeds: Float64Array, seconds: number): void {
  const { soles, seen } = state;
  let lowest = -1;
  for (let i = 0; i < soles.length; i++)
    if (lowest < 0 || heights[soles[i]!]! < heights[lowest]!) lowest = soles[i]!;
  const height = lowest < 0 ? Number.NaN : heights[lowest]!;
  const isSlow = lowest >= 0 && speeds[lowest]! < MEASURED_CONTACTS.speed && Math.abs(height) < FLOOR_SLACK;
  state.still = isSlow ? state.still + seconds : 0;
  if (!isSlow || state.still < FLOOR_TIME) return;
  seen[stepOf(height)]! += state.weight * seconds;
  lowHeight(state.ground, 0, seen, 0, -FLOOR_SLACK, FLOOR_SLACK, 0);
}

function stepOf(height: number): number {
  return MIDDLE + Math.round(height / STEP);
}

/** out[n] = the 5th percentile of what was seen between two heights; stays where that is not more than `least`. */
function lowHeight(
  out: Float64Array,
  n: number,
  seen: Float64Array,
  first: number,
  from: number,
  to: number,
  least: number,
): void {
  const a = first + Math.max(0, MIDDLE + Math.ceil(from / STEP - 1e-6));
  const b = first + Math.min(STEPS - 1, MIDDLE + Math.floor(to / STEP + 1e-6));
  let total = 0;
  for (let i = a; i <= b; i++) total += seen[i]!;
  if (!(total > least)) return;
  let below = seen[a]!;
  let i = a;
  while (i < b && !(below > LOW * total)) below += seen[++i]!;
  out[n] = (i - first - MIDDLE) * STEP;
}
