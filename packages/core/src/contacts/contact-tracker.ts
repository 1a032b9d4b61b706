import { type BodyPoint, SOLE_POINTS } from './body-points.js';
import { type ContactOptions, HELD_CONTACTS, MEASURED_CONTACTS } from './find-contacts.js';

/** Finds contacts while a motion is played, without looking ahead. */
export type ContactTracker = {
  readonly points: readonly BodyPoint[];
  /** Per point 1 while it is in contact; overwritten by every update. */
  readonly inContact: Uint8Array;
  /** Per point seconds since its contact began, or since it ended. */
  readonly seconds: Float64Array;
  /** Per point the height of what carries it over the floor, in hip heights; 0 on the floor. Kept after a contact. */
  readonly supports: Float64Array;
  /** Per point how far it was found to stand from where it is expected, in hip heights; see `standingOffsets`. */
  readonly offsets: Float64Array;
  /** xyz per point: where it was when its contact began, model space, metres. Kept after a contact. */
  readonly anchors: Float64Array;
  /**
   * Takes the places of all points, xyz each in model space (see `placePoints`), and the seconds since the
   * update before. Allocates nothing. The first update after a reset finds points that are low enough in
   * contact: it cannot know speeds.
   */
  update(positions: Float64Array, seconds: number): Uint8Array;
  /** Forgets what was before, as after a cut. */
  reset(): void;
};

/** Seconds over which live speeds are taken: half of what looking ahead affords, since they lag by half of it. */
const WINDOW = 0.033;
/** Updates that are remembered: enough for the window at 240 updates a second. */
const REMEMBERED = 10;
/** Seconds in which the standing height of a single point that was guessed wrong is mended. */
const SETTLING = 0.5;
/** Seconds for which the lowest foot must be slow to show where the floor is; lower is believed at once, higher slowly. */
const FLOOR_TIME = 0.06;
const FLOOR_SETTLING = 2;
const FLOOR_SLACK = 0.15;
const POINT_SLACK = 0.04;
/** Seconds for which a point must be the lowest of the body and slow to be taken to stand on something off the floor. */
const SUPPORT_TIME = 0.15;
const CARRIES = 0.02;

/**
 * Makes a tracker for a body's points.
 * @param hipHeight Metres; see `hipHeightOf`.
 * @param floor Height of the floor in model space, metres.
 */
export function createContactTracker(
  points: readonly BodyPoint[],
  hipHeight: number,
  floor: number,
  options: ContactOptions = {},
): ContactTracker {
  const count = points.length;
  const state: TrackerState = {
    rules: { ...HELD_CONTACTS, ...options },
    hipHeight,
    floor,
    count,
    standing: Float64Array.from(points, (point) => point.standing),
    soles: Int32Array.from(points.flatMap(({ name }, n) => (SOLE_POINTS.includes(name) ? [n] : []))),
    ground: 0,
    isGroundKnown: false,
    standingStill: 0,
    shifts: new Float64Array(count),
    offsets: new Float64Array(count),
    speeds: new Float64Array(count),
    heights: new Float64Array(count),
    history: new Float64Array(3 * count * REMEMBERED),
    times: new Float64Array(REMEMBERED),
    remembered: 0,
    now: 0,
    carrying: new Float64Array(count),
    inContact: new Uint8Array(count),
    seconds: new Float64Array(count),
    supports: new Float64Array(count),
    anchors: new Float64Array(3 * count),
  };
  return {
    points,
    inContact: state.inContact,
    seconds: state.seconds,
    supports: state.supports,
    offsets: state.offsets,
    anchors: state.anchors,
    update(positions, seconds) {
      updateTracker(state, positions, seconds > 0 ? seconds : 0);
      return state.inContact;
    },
    reset() {
      state.remembered = 0;
      state.now = 0;
      state.ground = 0;
      state.isGroundKnown = false;
      state.standingStill = 0;
      for (const store of [
        state.shifts,
        state.offsets,
        state.carrying,
        state.seconds,
        state.supports,
        state.anchors,
      ])
        store.fill(0);
      state.inContact.fill(0);
    },
  };
}

type TrackerState = {
  rules: typeof HELD_CONTACTS;
  hipHeight: number;
  floor: number;
  count: number;
  standing: Float64Array;
  /** The points of the feet. */
  soles: Int32Array;
  /** How far the floor was found from where it was expected, in hip heights, and whether it was yet. */
  ground: number;
  isGroundKnown: boolean;
  /** Seconds for which the lowest foot has been slow. */
  standingStill: number;
  /** Per point what is left of that. */
  shifts: Float64Array;
  /** Both together. */
  offsets: Float64Array;
  speeds: Float64Array;
  heights: Float64Array;
  /** A ring of places with their times. */
  history: Float64Array;
  times: Float64Array;
  remembered: number;
  now: number;
  /** Per point seconds for which it has been slow and the lowest. */
  carrying: Float64Array;
  inContact: Uint8Array;
  seconds: Float64Array;
  supports: Float64Array;
  anchors: Float64Array;
};

function updateTracker(state: TrackerState, positions: Float64Array, seconds: number): void {
  const { rules, hipHeight, floor, count, standing, shifts, heights, speeds, history, times } = state;
  const { inContact, supports, anchors, carrying } = state;
  state.now += seconds;
  const back = rememberedAt(state);
  const span = back < 0 ? 0 : state.now - times[back]!;
  for (let n = 0; n < count; n++) {
    heights[n] = (positions[3 * n + 1]! - floor) / hipHeight - standing[n]!;
    speeds[n] =
      span > 0 ? distance(positions, 3 * n, history, 3 * (back * count + n)) / (span * hipHeight) : 0;
  }
  if (span > 0) findGround(state, seconds);
  let lowest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < count; n++) {
    state.offsets[n] = state.ground + shifts[n]!;
    heights[n]! -= state.offsets[n]!;
    if (heights[n]! < lowest) lowest = heights[n]!;
  }
  for (let n = 0; n < count; n++) {
    const speed = speeds[n]!;
    const height = heights[n]!;
    const slow = speed <= rules.speed;
    if (slow && span > 0 && Math.abs(height) < POINT_SLACK)
      shifts[n]! += height * Math.min(1, seconds / SETTLING);
    carrying[n] = slow && height - lowest <= CARRIES ? carrying[n]! + seconds : 0;
    const stays =
      inContact[n] === 1 &&
      Math.abs(height - supports[n]!) <= rules.releaseHeight &&
      speed <= rules.releaseSpeed;
    const onFloor = slow && Math.abs(height) <= rules.height;
    const begins = onFloor || (carrying[n]! >= SUPPORT_TIME && height < 10);
    if (stays || begins) {
      if (!stays) {
        supports[n] = onFloor ? 0 : height;
        for (let c = 0; c < 3; c++) anchors[3 * n + c] = positions[3 * n + c]!;
      }
      state.seconds[n] = inContact[n] === 1 && stays ? state.seconds[n]! + seconds : 0;
      inContact[n] = 1;
    } else {
      state.seconds[n] = inContact[n] === 1 ? 0 : state.seconds[n]! + seconds;
      inContact[n] = 0;
    }
  }
  remember(state, positions);
}

/** Learns where the floor is from the lowest foot, while that is slow. Heights are over the floor as expected here. */
function findGround(state: TrackerState, seconds: number): void {
  const { soles, heights, speeds } = state;
  let lowest = -1;
  for (let i = 0; i < soles.length; i++)
    if (lowest < 0 || heights[soles[i]!]! < heights[lowest]!) lowest = soles[i]!;
  const height = lowest < 0 ? Number.NaN : heights[lowest]!;
  if (!(speeds[lowest]! < MEASURED_CONTACTS.speed && Math.abs(height) < FLOOR_SLACK)) {
    state.standingStill = 0;
    return;
  }
  state.standingStill += seconds;
  if (state.standingStill < FLOOR_TIME) return;
  if (!state.isGroundKnown || height < state.ground) state.ground = height;
  else state.ground += (height - state.ground) * Math.min(1, seconds / FLOOR_SETTLING);
  state.isGroundKnown = true;
}

/** The place in the ring of the latest update at least a window ago, else the oldest; −1 where there is none. */
function rememberedAt({ times, remembered, now }: TrackerState): number {
  const oldest = Math.max(0, remembered - REMEMBERED);
  for (let m = remembered - 1; m >= oldest; m--)
    if (now - times[m % REMEMBERED]! >= WINDOW - 1e-6) return m % REMEMBERED;
  return remembered > 0 ? oldest % REMEMBERED : -1;
}

function remember(state: TrackerState, positions: Float64Array): void {
  const at = state.remembered % REMEMBERED;
  const o = 3 * state.count * at;
  for (let i = 0; i < 3 * state.count; i++) state.history[o + i] = positions[i]!;
  state.times[at] = state.now;
  state.remembered++;
}

function distance(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i]! - b[j]!;
  const y = a[i + 1]! - b[j + 1]!;
  const z = a[i + 2]! - b[j + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}
