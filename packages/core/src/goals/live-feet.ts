import { type ContactTracker, createContactTracker } from '../contacts/contact-tracker.js';
import { rotateVector, shortestArc } from '../quaternion.js';
import { springToZero } from './damp.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import type { Goals } from './goals.js';
import { offFloor } from './plan-feet.js';
import { quaternionOfVector, vectorOfQuaternion } from './rotation-vectors.js';

/** How fast differences of held feet fade, per second: gone in about 0.25 s, as a quintic of 0.2 s is. */
const FADE = 24;
/** How fast heights fade: sooner, so that feet leave the floor when the source's do. */
const FADE_UP = 40;
/** How fast hands follow what they touch, per second. */
const TOUCH = 25;
/** How far, in hip heights, a held foot or hand may be from where the source's is, before it follows. */
const LONGEST_HOLD = 0.15;
/** How far a flat foot may be turned from where it is copied: radians. */
const LARGEST_TURN = 0.35;
/** Seconds in which the height that a capture's feet stand at is learnt. */
const LEARNING = 0.4;

/** What is remembered of one limb from frame to frame. */
type LimbState = {
  /** What the goal is moved by, and how fast that changes. */
  shift: Float64Array;
  speed: Float64Array;
  /** The end's turn as a rotation vector, and how fast it changes. */
  turn: Float64Array;
  turnSpeed: Float64Array;
  /** Points seen from the end, turned as held, in the frame before: xyz each. */
  arms: Float64Array;
  /** The goal of the frame before. */
  place: Float64Array;
  /** Direction that a flat foot keeps, along the ground. */
  ahead: Float64Array;
  /** What is left from where the limb was let down to where it stands: of the height, and of the turn. */
  left: Float64Array;
  leftSpeed: Float64Array;
  /** How much a hand is held to the ground. */
  hold: Float64Array;
  /** Bits of the points in contact in the frame before, and of those that bore the limb. */
  touching: number;
  bearing: number;
  /** How far goals as placed are usually off the height that feet stand at. */
  usual: number;
};

/** Holding goals while a motion is played, without looking ahead. */
export type LiveFeet = {
  /** Moves the goals of a frame, `seconds` after the one before. Allocates nothing. */
  update(goals: Goals, seconds: number): void;
  /** Forgets what was before. */
  reset(): void;
};

/**
 * The live form of `planFeet` and `planHands`: feet and hands in contact stand where they came down, rolled about
 * what touches; heights come to the ground's, and when they are let go what is left fades as a critically damped
 * spring comes to rest, with the speed that it has.
 */
export function createLiveFeet(setup: GoalSetup, vertical: number): LiveFeet {
  const tracker = createContactTracker(
    setup.points.map((pair) => pair.source),
    setup.sourceHipHeight,
    setup.sourceFloor,
  );
  const states = setup.limbs.map(
    ({ points }): LimbState => ({
      shift: new Float64Array(3),
      speed: new Float64Array(3),
      turn: new Float64Array(3),
      turnSpeed: new Float64Array(3),
      arms: new Float64Array(3 * points.length),
      place: new Float64Array(3),
      ahead: new Float64Array(3),
      left: new Float64Array(4),
      leftSpeed: new Float64Array(4),
      hold: new Float64Array(1),
      touching: 0,
      bearing: 0,
      usual: 0,
    }),
  );
  const touches = new Float64Array(6);
  const touchSpeeds = new Float64Array(6);
  let isFirst = true;
  return {
    update(goals, seconds) {
      tracker.update(goals.raw, seconds);
      for (let n = 0; n < setup.points.length; n++) {
        goals.touching[n] = tracker.inContact[n]!;
        goals.supports[n] = vertical * setup.sourceHipHeight * offFloor(tracker.supports[n]!);
      }
      followTouches(goals, setup, touches, touchSpeeds, isFirst ? 0 : seconds);
      for (let n = 0; n < states.length; n++)
        holdLimb(goals, setup, setup.limbs[n]!, n, states[n]!, tracker, seconds, isFirst);
      isFirst = false;
    },
    reset() {
      tracker.reset();
      isFirst = true;
    },
  };
}

/** Moves the goals of hands that touch the body, as a critically damped spring follows; at once in no time. */
function followTouches(
  goals: Goals,
  { touch }: GoalSetup,
  touches: Float64Array,
  speeds: Float64Array,
  seconds: number,
): void {
  if (!touch) return;
  for (let i = 0; i < 6; i++) {
    const n = touch.limbs[i < 3 ? 0 : 1];
    if (n < 0) continue;
    const wanted = goals.touches[i]!;
    if (seconds === 0) {
      touches[i] = wanted;
      speeds[i] = 0;
    } else {
      touches[i] = touches[i]! - wanted;
      springToZero(touches, speeds, i, TOUCH, seconds);
      touches[i] = touches[i]! + wanted;
    }
    goals.places[3 * n + (i % 3)] = goals.places[3 * n + (i % 3)]! + touches[i]!;
  }
}

const arc = new Float64Array(4);
const along = new Float64Array(3);
const held = new Float64Array(3);

function holdLimb(
  goals: Goals,
  setup: GoalSetup,
  limb: LimbGoal,
  n: number,
  state: LimbState,
  tracker: ContactTracker,
  seconds: number,
  isFirst: boolean,
): void {
  const { points, kind } = limb;
  const { shift, speed, turn, turnSpeed, arms, place } = state;
  if (isFirst) {
    for (let c = 0; c < 3; c++) {
      shift[c] = 0;
      speed[c] = 0;
      turn[c] = 0;
      turnSpeed[c] = 0;
    }
    state.left.fill(0);
    state.leftSpeed.fill(0);
    state.hold[0] = 0;
    state.usual = 0;
    state.touching = 0;
    state.bearing = 0;
  }
  let touching = 0;
  for (let e = 0; e < points.length; e++) if (tracker.inContact[points[e]!] === 1) touching |= 1 << e;
  if (kind === 'leg') turnFoot(goals, setup, limb, state, touching, seconds, isFirst);
  quaternionOfVector(arc, 0, turn, 0);
  for (let c = 0; c < 4; c++) goals.turns[4 * n + c] = arc[c]!;
  goals.carried[n] = touching === 0 ? 0 : 1;
  if (kind === 'arm') {
    // A hand that is planted stays while the hips give way; let go it comes along again, softly.
    state.hold[0] = touching === 0 ? state.hold[0]! * Math.exp(-FADE * seconds) : 1;
    goals.follows[n] = goals.follows[n]! * (1 - state.hold[0]!);
  }
  const end = 16 * limb.target.end + 12;
  // Shares of the points in carrying: those that touched before and still do, else those that do.
  const both = touching & state.touching;
  const bearing = both !== 0 ? both : touching;
  let share = 0;
  for (let e = 0; e < points.length; e++) share += (bearing >> e) & 1;
  const wasHeld = state.touching !== 0 && !isFirst;
  let level = 0;
  held[0] = 0;
  held[2] = 0;
  for (let e = 0; e < points.length; e++) {
    const point = points[e]!;
    for (let c = 0; c < 3; c++) along[c] = goals.copied[3 * point + c]! - goals.target.matrices[end + c]!;
    rotateVector(along, 0, arc, 0, along, 0);
    if (((bearing >> e) & 1) === 1) {
      held[0] = held[0]! + (along[0]! - arms[3 * e]!) / share;
      held[2] = held[2]! + (along[2]! - arms[3 * e + 2]!) / share;
      const standing = setup.hipHeight * setup.points[point]!.target.standing;
      level += (setup.floor + goals.supports[point]! + standing - along[1]!) / share;
    }
    for (let c = 0; c < 3; c++) arms[3 * e + c] = along[c]!;
  }
  const o = 3 * n;
  if (touching !== 0) {
    for (let c = 0; c < 3; c += 2) {
      const before = shift[c]!;
      if (wasHeld) shift[c] = place[c]! - held[c]! - goals.places[o + c]!;
      speed[c] = wasHeld && seconds > 0 ? (shift[c]! - before) / seconds : 0;
    }
    clampShift(shift, LONGEST_HOLD * setup.hipHeight);
    const wanted = level - goals.places[o + 1]!;
    const before = shift[1]!;
    if (isFirst) state.usual = wanted;
    else {
      // What is left to the ground fades; the ground itself is followed at once.
      if (bearing !== state.bearing) {
        state.left[3] = before - wanted;
        state.leftSpeed[3] = state.touching === 0 ? speed[1]! : 0;
      }
      springToZero(state.left, state.leftSpeed, 3, FADE_UP, seconds);
      // A foot is highest over its usual height at the ends of a contact: the floor is learnt from below.
      const step = Math.min(1, seconds / LEARNING) * (wanted > state.usual ? 1 : 0.1);
      state.usual += step * (wanted - state.usual);
    }
    shift[1] = wanted + state.left[3]!;
    speed[1] = wasHeld && seconds > 0 ? (shift[1]! - before) / seconds : 0;
  } else {
    springToZero(shift, speed, 0, FADE, seconds);
    springToZero(shift, speed, 2, FADE, seconds);
    const usual = kind === 'leg' ? state.usual : 0;
    shift[1] = shift[1]! - usual;
    springToZero(shift, speed, 1, FADE_UP, seconds);
    shift[1] = shift[1]! + usual;
  }
  for (let c = 0; c < 3; c++) {
    goals.places[o + c] = goals.places[o + c]! + shift[c]!;
    place[c] = goals.places[o + c]!;
  }
  state.touching = touching;
  state.bearing = bearing;
}

/** Keeps a foot whose heel and toe touch in one direction, flat on what they stand on; else lets its turn fade. */
function turnFoot(
  goals: Goals,
  setup: GoalSetup,
  { points }: LimbGoal,
  state: LimbState,
  touching: number,
  seconds: number,
  isFirst: boolean,
): void {
  const { turn, turnSpeed, ahead } = state;
  if (touching !== 3) {
    for (let c = 0; c < 3; c++) springToZero(turn, turnSpeed, c, FADE, seconds);
    return;
  }
  const heel = points[0]!;
  const toe = points[1]!;
  for (let c = 0; c < 3; c++) along[c] = goals.copied[3 * toe + c]! - goals.copied[3 * heel + c]!;
  const length = Math.sqrt(along[0]! * along[0]! + along[1]! * along[1]! + along[2]! * along[2]!);
  if (isFirst || state.touching !== 3) {
    quaternionOfVector(arc, 0, turn, 0);
    rotateVector(ahead, 0, arc, 0, along, 0);
    ahead[1] = 0;
  }
  const level = Math.sqrt(ahead[0]! * ahead[0]! + ahead[2]! * ahead[2]!);
  if (!(level > 1e-9)) return;
  const rise =
    goals.supports[toe]! -
    goals.supports[heel]! +
    setup.hipHeight * (setup.points[toe]!.target.standing - setup.points[heel]!.target.standing);
  const run = Math.sqrt(Math.max(0, length * length - rise * rise));
  held[0] = (ahead[0]! * run) / level;
  held[1] = rise;
  held[2] = (ahead[2]! * run) / level;
  shortestArc(arc, 0, along, 0, held, 0);
  vectorOfQuaternion(held, 0, arc);
  const angle = Math.sqrt(held[0]! * held[0]! + held[1]! * held[1]! + held[2]! * held[2]!);
  const most = angle > LARGEST_TURN ? LARGEST_TURN / angle : 1;
  for (let c = 0; c < 3; c++) {
    const wanted = most * held[c]!;
    const before = turn[c]!;
    if (!isFirst && state.touching !== 3) {
      state.left[c] = before - wanted;
      state.leftSpeed[c] = turnSpeed[c]!;
    }
    springToZero(state.left, state.leftSpeed, c, FADE_UP, seconds);
    turn[c] = wanted + state.left[c]!;
    turnSpeed[c] = state.touching === 3 && seconds > 0 ? (turn[c]! - before) / seconds : 0;
  }
}

function clampShift(shift: Float64Array, most: number): void {
  const away = Math.sqrt(shift[0]! * shift[0]! + shift[2]! * shift[2]!);
  if (!(away > most)) return;
  shift[0] = (shift[0]! * most) / away;
  shift[2] = (shift[2]! * most) / away;
}
