import type { BodyPoint } from './body-points.js';
import {
  CARRIES,
  CARRYING_HANDS,
  type ContactOptions,
  HAND_TIME,
  LIVE_GAP,
  LIVE_LONG_WINDOW,
  LIVE_WINDOW,
  LONGER_BY_HEIGHT,
  NEAR_SUPPORT_TIME,
  RESTING_PARTS,
  SLOWING,
  SLOWS,
  STANDING_CONTACTS,
  STEADY_HEIGHT,
  SUPPORT_TIME,
  TREMBLES,
} from './contact-rules.js';
import { restsByFlesh } from './find-resting.js';
import { createMovingGround, type MovingGround } from './moving-ground.js';
import { createStandingHeights, type StandingHeights } from './standing-heights.js';

/** Finds contacts while a motion is played, without looking ahead. */
export type ContactTracker = {
  readonly points: readonly BodyPoint[];
  /** Per point 1 while it is in contact; overwritten by every update. */
  readonly inContact: Uint8Array;
  /** Per point seconds since its contact began, or since it ended. */
  readonly seconds: Float64Array;
  /** Per point how high it is over where it was found to stand on the floor, in hip heights. */
  readonly heights: Float64Array;
  /** Per point the height of what carries it over the floor, in hip heights; 0 on the floor. Kept after a contact. */
  readonly supports: Float64Array;
  /** Per point how far it was found to stand from where it is expected, in hip heights; see `standingOffsets`. */
  readonly offsets: Float64Array;
  /** How far the floor was found from where it is expected, in hip heights: one number. */
  readonly ground: Float64Array;
  /**
   * xyz per point: where it was when its contact began, model space, metres; carried along where the ground moves.
   * Kept after a contact.
   */
  readonly anchors: Float64Array;
  /** How far the ground has moved since the update before, x and z, metres: under a body that walks on the spot. */
  readonly moved: Float64Array;
  /**
   * Takes the places of all points, xyz each in model space (see `placePoints`), and the seconds since the
   * update before. Allocates nothing. The first update after a reset finds points that are low enough in
   * contact: it cannot know speeds.
   */
  update(positions: Float64Array, seconds: number): Uint8Array;
  /** Forgets what was before, as after a cut. */
  reset(): void;
};

/** Updates that are remembered: enough for the long window at 480 updates a second. */
const REMEMBERED = 33;
/*
 * Windows and limits that were tried, as the slide of live results in %/s and how well their contacts agree (F1), over the steps and the
 * other motions of `npm run bench:quality`, all else being equal; as it is: 0.86 and 0.974, 0.84 and 0.935.
 * - one limit of 0.4 for speeds over a frame: 1.00 and 0.974;
 * - 0.5, and 0.7 for letting go: 0.81 and 0.971, but others 1.68 and 0.916: what moves slowly all the time is held;
 * - heights of 0.043, and 0.047 for letting go, instead of 0.04: 1 % less slide, and 0.001 less agreement.
 * How well flags agree with contacts that are measured in the same clips, on two halves of 160 clips, was less with
 * speeds over 33 ms instead of a frame, with speeds led by how they changed over the window before, and with standing
 * heights that follow the mean of slow ones instead of their 5th percentile.
 */

/**
 * Makes a tracker for a body's points. Where nobody looks ahead a contact that begins later than it would be measured
 * has slid already, and one that ends sooner slides; so the limits are those of the measure itself, and what trembles
 * about them is held.
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
  const standing = createStandingHeights(points);
  const moving = createMovingGround(points, hipHeight);
  const state: TrackerState = {
    rules: { ...STANDING_CONTACTS, ...options },
    hipHeight,
    floor,
    count,
    expected: Float64Array.from(points, (point) => point.standing),
    standing,
    moving,
    moved: new Float64Array(2),
    speeds: new Float64Array(count),
    means: new Float64Array(count),
    heights: new Float64Array(count),
    history: new Float64Array(3 * count * REMEMBERED),
    times: new Float64Array(REMEMBERED),
    remembered: 0,
    now: 0,
    step: 0,
    lowest: 0,
    carrying: new Float64Array(count),
    levels: new Float64Array(count),
    hands: Uint8Array.from(points, ({ name }) => (name.endsWith('Hand') ? 1 : 0)),
    flesh: Uint8Array.from(points, ({ name }) => (restsByFlesh(name) ? 1 : 0)),
    lost: new Float64Array(count),
    resting: new Float64Array(count),
    inContact: new Uint8Array(count),
    seconds: new Float64Array(count),
    supports: new Float64Array(count),
    anchors: new Float64Array(3 * count),
  };
  return {
    points,
    inContact: state.inContact,
    seconds: state.seconds,
    heights: state.heights,
    supports: state.supports,
    offsets: standing.offsets,
    ground: standing.ground,
    anchors: state.anchors,
    moved: state.moved,
    update(positions, seconds) {
      // Numbers travel in the state: as an argument each would be made anew on the heap.
      state.step = seconds > 0 ? seconds : 0;
      updateTracker(state, positions);
      return state.inContact;
    },
    reset() {
      state.remembered = 0;
      state.now = 0;
      standing.reset();
      moving.reset();
      for (const store of [
        state.carrying,
        state.resting,
        state.seconds,
        state.supports,
        state.anchors,
        state.moved,
      ])
        store.fill(0);
      state.inContact.fill(0);
    },
  };
}

type TrackerState = {
  rules: typeof STANDING_CONTACTS;
  hipHeight: number;
  floor: number;
  count: number;
  /** Per point how high it is expected to stand, in hip heights. */
  expected: Float64Array;
  standing: StandingHeights;
  moving: MovingGround;
  moved: Float64Array;
  /** Per point its speed over the window, and over the long one. */
  speeds: Float64Array;
  means: Float64Array;
  heights: Float64Array;
  /** A ring of places with their times. */
  history: Float64Array;
  times: Float64Array;
  remembered: number;
  now: number;
  /** Seconds since the update before. */
  step: number;
  /** The least of the heights. */
  lowest: number;
  /** Per point seconds for which it has been slow, off the floor and the lowest; and how high it was then. */
  carrying: Float64Array;
  levels: Float64Array;
  /** Per point 1 where it rests by flesh, and seconds for which it has not been seen to. */
  flesh: Uint8Array;
  lost: Float64Array;
  /** Per point 1 for hands, and seconds for which the body has rested on it. */
  hands: Uint8Array;
  resting: Float64Array;
  inContact: Uint8Array;
  seconds: Float64Array;
  supports: Float64Array;
  anchors: Float64Array;
};

function updateTracker(state: TrackerState, positions: Float64Array): void {
  const seconds = state.step;
  const { rules, count, standing, heights, inContact, supports, anchors } = state;
  state.now += seconds;
  readPoints(state, positions);
  let lowest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < count; n++) {
    heights[n] = heights[n]! - standing.offsets[n]!;
    if (heights[n]! < lowest) lowest = heights[n]!;
  }
  state.lowest = lowest;
  for (let n = 0; n < count; n++) {
    const speed = state.speeds[n]!;
    const mean = state.means[n]!;
    const height = heights[n]!;
    const carries = state.hands[n] === 1 && handCarries(state, n);
    const rests = state.flesh[n] === 1 && restsOn(state, n);
    const stays =
      inContact[n] === 1 &&
      (carries ||
        rests ||
        (Math.abs(height - supports[n]!) <= rules.releaseHeight &&
          (speed <= rules.releaseSpeed ||
            (speed <= TREMBLES * rules.releaseSpeed && mean <= rules.releaseSpeed))));
    const isSlow = speed <= rules.speed || (speed <= SLOWS * rules.speed && speed <= SLOWING * mean);
    const onFloor = carries || rests || (isSlow && Math.abs(height) <= rules.height);
    const begins = isCarrying(state, n) || onFloor;
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

/** Finds speeds, and heights over where points are expected to stand; and learns from them. */
function readPoints(state: TrackerState, positions: Float64Array): void {
  const { hipHeight, floor, count, expected, heights, speeds, history, standing, moving } = state;
  const back = rememberedAt(state, LIVE_WINDOW);
  const long = rememberedAt(state, LIVE_LONG_WINDOW);
  const span = back < 0 ? 0 : state.now - state.times[back]!;
  const longSpan = long < 0 ? 0 : state.now - state.times[long]!;
  for (let n = 0; n < count; n++) {
    heights[n] = (positions[3 * n + 1]! - floor) / hipHeight - expected[n]! - standing.offsets[n]!;
  }
  moving.update(positions, history, 3 * back * count, heights, span, state.step);
  const { velocity } = moving;
  for (let n = 0; n < count; n++) {
    heights[n] = heights[n]! + standing.offsets[n]!;
    speeds[n] =
      span > 0 ? speedOn(velocity, positions, 3 * n, history, 3 * (back * count + n), span) / hipHeight : 0;
    state.means[n] =
      longSpan > 0
        ? speedOn(velocity, positions, 3 * n, history, 3 * (long * count + n), longSpan) / hipHeight
        : 0;
  }
  if (span > 0) standing.update(heights, speeds, state.step);
  for (let c = 0; c < 2; c++) {
    state.moved[c] = state.step * velocity[c]!;
    for (let n = 0; n < count; n++)
      state.anchors[3 * n + 2 * c] = state.anchors[3 * n + 2 * c]! + state.moved[c]!;
  }
}

/**
 * Whether a point has been the lowest of the body, slow and at one height off the floor for a while, so that it stands
 * on something there. A heel that slowly leaves the floor does not.
 */
function isCarrying(state: TrackerState, n: number): boolean {
  const { rules, carrying, levels, heights, speeds } = state;
  const height = heights[n]!;
  const carries =
    speeds[n]! <= rules.speed &&
    height - state.lowest <= CARRIES &&
    Math.abs(height) > rules.releaseHeight &&
    height < 10;
  if (!carries || (carrying[n]! > 0 && Math.abs(height - levels[n]!) > STEADY_HEIGHT)) carrying[n] = 0;
  if (!carries) return false;
  if (carrying[n] === 0) levels[n] = height;
  carrying[n] = carrying[n]! + state.step;
  return (
    carrying[n]! >=
    Math.min(SUPPORT_TIME, NEAR_SUPPORT_TIME + LONGER_BY_HEIGHT * (Math.abs(height) - rules.releaseHeight))
  );
}

/**
 * Whether a knee, elbow, seat, back or head lies on the floor: low and slow, whatever its height; see
 * `restingStretches`. One that drops out for an instant rests on.
 */
function restsOn(state: TrackerState, n: number): boolean {
  const { heights, means, inContact, supports, lost } = state;
  const height = heights[n]!;
  const was = inContact[n] === 1 && supports[n] === 0;
  const isLow =
    height >= -RESTING_PARTS.deepest &&
    height <= (was ? RESTING_PARTS.releaseHeight : RESTING_PARTS.height) &&
    means[n]! <= (was ? RESTING_PARTS.releaseSpeed : RESTING_PARTS.speed);
  lost[n] = isLow ? 0 : lost[n]! + state.step;
  return isLow || (was && height <= RESTING_PARTS.lifted && lost[n]! < LIVE_GAP);
}

/**
 * Whether the body rests on a hand, as in a cartwheel: the hand has been the lowest of it for a moment, near the floor;
 * see `addCarryingHands`.
 */
function handCarries(state: TrackerState, n: number): boolean {
  const { resting, heights, speeds } = state;
  const over = heights[n]! - state.lowest;
  const { height, slack, releaseSlack, speed, releaseSpeed } = CARRYING_HANDS;
  const rests = resting[n]! >= HAND_TIME;
  const isLow = heights[n]! <= height && over <= (rests ? releaseSlack : slack);
  if (!isLow || !(speeds[n]! <= (rests ? releaseSpeed : speed))) resting[n] = 0;
  else resting[n] = resting[n]! + state.step;
  return resting[n]! >= HAND_TIME;
}

/** The place in the ring of the latest update at least so many seconds ago, else the oldest; −1 where there is none. */
function rememberedAt({ times, remembered, now }: TrackerState, seconds: number): number {
  const oldest = Math.max(0, remembered - REMEMBERED);
  for (let m = remembered - 1; m >= oldest; m--)
    if (now - times[m % REMEMBERED]! >= seconds - 1e-4) return m % REMEMBERED;
  return remembered > 0 ? oldest % REMEMBERED : -1;
}

function remember(state: TrackerState, positions: Float64Array): void {
  const at = state.remembered % REMEMBERED;
  const o = 3 * state.count * at;
  for (let i = 0; i < 3 * state.count; i++) state.history[o + i] = positions[i]!;
  state.times[at] = state.now;
  state.remembered++;
}

/** How fast a point moves from b to a over ground that moves, in metres a second. */
function speedOn(
  velocity: Float64Array,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  span: number,
): number {
  const x = (a[i]! - b[j]!) / span - velocity[0]!;
  const y = (a[i + 1]! - b[j + 1]!) / span;
  const z = (a[i + 2]! - b[j + 2]!) / span - velocity[1]!;
  return Math.sqrt(x * x + y * y + z * z);
}
