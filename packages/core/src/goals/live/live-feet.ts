import type { RootScales } from '../../align/root-scales.js';
import { DEGREE } from '../../base/math/angles.js';
import { exp } from '../../base/math/functions.js';
import { rotateVector, shortestArc } from '../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import { fadeEach } from '../../base/math/smooth-curves.js';
import { springToZero } from '../../base/math/spring.js';
import { SOLE_POINTS } from '../../contacts/body-points.js';
import { type ContactTracker, createContactTracker } from '../../contacts/contact-tracker.js';
import { offFloor } from '../../contacts/off-floor.js';
import { HIGH_FEET, LARGEST_FOOT_TURN, LET_GO, LONGEST_HOLD, RAISED, RESTS } from '../goal-rules.js';
import type { GoalSetup, LimbGoal } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { readLean } from '../parts/lean.js';
import { lowestWhenTurned } from '../parts/skin-points.js';
import { bendLiveHand, createLiveHandBend, type LiveHandBend } from './bend-live-hand.js';

/** How fast differences of held feet fade, per second: gone in about 0.25 s, as a quintic of 0.2 s is. */
const FADE_RATE = 24;
/** How fast heights fade: sooner, so that feet leave the floor when the source's do. */
const FADE_UP = 40;
/**
 * A foot that comes to lie flat, or no longer does, turns faster or slower by about this in a frame of 60 Hz, radians: a larger
 * turn goes slower, at least so fast, per second.
 */
const TURN_LEAP = 2 * DEGREE;
const SLOWEST_TURN = 8;
/** A foot in the air comes away from the hips by at most this share in a frame of 60 Hz as it comes down. */
const COMES_AWAY = 0.08;
/**
 * How fast feet come to where they are newly found to stand, per second: a floor that is learnt in an instant, after
 * 0.05 and 0.2 s of a motion, is no step that they take.
 */
const LEARN_RATE = 16;

/** One limb, as it is remembered from frame to frame. */
type LimbState = {
  /** The shift of the goal, and how fast it changes. */
  shift: Float64Array;
  speed: Float64Array;
  /** The end's turn as a rotation vector, and how fast it changes. */
  turn: Float64Array;
  turnSpeed: Float64Array;
  /** Points seen from the end, turned as held, in the frame before: xyz each. */
  arms: Float64Array;
  /** The goal of the frame before, and how fast it rose. */
  place: Float64Array;
  rise: Float64Array;
  /** How far the goal has followed a source that slides while it stands. */
  slid: Float64Array;
  /** Direction that a flat foot keeps, along the ground. */
  ahead: Float64Array;
  /** The rest of the way from where the limb was let down to where it stands: of the turn, and of the height. */
  left: Float64Array;
  leftSpeed: Float64Array;
  /** How much a hand is held to the ground, and how far it is bent back for its fingers. */
  hold: Float64Array;
  /** How much a foot in the air comes along with the hips. */
  follow: Float64Array;
  handBend: LiveHandBend;
  /** Bits of the points in contact in the frame before, and of those that bore the limb. */
  touching: number;
  bearing: number;
};

/** Holding goals while a motion is played, without looking ahead. */
export type LiveFeet = {
  /** Moves the goals of a frame, `seconds` after the one before. Allocates nothing. */
  update(goals: Goals, seconds: number): void;
  /** Forgets what was before. */
  reset(): void;
};

/** The state that the loops of live feet read. */
type FeetState = {
  setup: GoalSetup;
  tracker: ContactTracker;
  /** Per point 1 for those of soles, whose heights are known; see `offFloor`. */
  isSole: Uint8Array;
  /** The source's metres over the ground as the target's, and its hip height as the target's metres. */
  horizontal: number;
  unit: number;
  states: LimbState[];
  /**
   * Heights at which points were found to stand, and last the floor, as they are gone by, in hip heights: what each comes
   * to, itself, and how fast it changes.
   */
  learnt: Float64Array;
  learning: Float64Array;
  learningSpeed: Float64Array;
  /** Seconds since the frame before: one number. */
  seconds: Float64Array;
  isFirst: boolean;
};

/**
 * The live form of `planFeet` and `planHands`: feet and hands in contact stand where they came down, rolled about
 * what touches; heights come to the ground's, and when they are let go what is left fades as a critically damped
 * spring comes to rest, with the speed that it has. Feet in the air are as high over the floor as the source's over
 * the one that it was found to stand on, so that they come down when those do; and so are those that stand, whose heels
 * rise within their contacts: pressed down, they pulled the hips with them in every step.
 */
export function createLiveFeet(
  setup: GoalSetup,
  { horizontal, vertical }: Pick<RootScales, 'horizontal' | 'vertical'>,
): LiveFeet {
  const live: FeetState = {
    setup,
    tracker: createContactTracker(
      setup.points.map((pair) => pair.source),
      setup.sourceHipHeight,
      setup.sourceFloor,
    ),
    isSole: Uint8Array.from(setup.points, ({ name }) => (SOLE_POINTS.includes(name) ? 1 : 0)),
    horizontal,
    unit: vertical * setup.sourceHipHeight,
    states: setup.limbs.map(({ points }) => createLimbState(points.length)),
    learnt: new Float64Array(setup.points.length + 1),
    learning: new Float64Array(setup.points.length + 1),
    learningSpeed: new Float64Array(setup.points.length + 1),
    seconds: new Float64Array(1),
    isFirst: true,
  };
  return {
    update(goals, seconds) {
      // Numbers travel in what is remembered: as an argument each would be made anew on the heap.
      live.seconds[0] = seconds;
      updateFeet(live, goals);
    },
    reset() {
      live.tracker.reset();
      live.isFirst = true;
    },
  };
}

function createLimbState(points: number): LimbState {
  return {
    shift: new Float64Array(3),
    speed: new Float64Array(3),
    turn: new Float64Array(3),
    turnSpeed: new Float64Array(3),
    arms: new Float64Array(3 * points),
    place: new Float64Array(3),
    rise: new Float64Array(1),
    slid: new Float64Array(3),
    ahead: new Float64Array(3),
    left: new Float64Array(4),
    leftSpeed: new Float64Array(4),
    hold: new Float64Array(1),
    follow: new Float64Array(1),
    handBend: createLiveHandBend(),
    touching: 0,
    bearing: 0,
  };
}

function forgetLimb(state: LimbState): void {
  state.shift.fill(0);
  state.speed.fill(0);
  state.turn.fill(0);
  state.turnSpeed.fill(0);
  state.rise.fill(0);
  state.slid.fill(0);
  state.left.fill(0);
  state.leftSpeed.fill(0);
  state.hold.fill(0);
  state.follow.fill(0);
  state.handBend.bend.fill(0);
  state.handBend.speed.fill(0);
  state.touching = 0;
  state.bearing = 0;
}

/** Tells how much the parts of the body rest on the floor: the live form of `restsOf`. */
export function restParts(
  { setup, seconds, isFirst }: Pick<FeetState, 'setup' | 'seconds' | 'isFirst'>,
  { rests, touching, supports }: Pick<Goals, 'rests' | 'touching' | 'supports'>,
): void {
  const stays = isFirst ? 0 : exp(-RESTS * seconds[0]!);
  for (let n = 0; n < rests.length; n++) {
    const { point } = setup.surfaces[n]!;
    const isOn = touching[point] === 1 && !(supports[point]! > RAISED * setup.hipHeight);
    rests[n] = (isOn ? 1 : 0) + (rests[n]! - (isOn ? 1 : 0)) * stays;
    if (!isOn && rests[n]! < 1e-3) rests[n] = 0;
  }
}

/** Goes softly by what the tracker has found of where points and the floor are. */
function learnHeights(live: FeetState): void {
  const { tracker, learnt, learning, learningSpeed, seconds, isFirst } = live;
  const points = tracker.offsets.length;
  const stays = isFirst ? 0 : exp(-LEARN_RATE * seconds[0]!);
  for (let n = 0; n <= points; n++) {
    const found = n < points ? tracker.offsets[n]! : tracker.ground[0]!;
    // Twice, as it changes from one frame to the next: the first softens that, the second follows.
    learnt[n] = found + (learnt[n]! - found) * stays;
    if (isFirst) {
      learning[n] = found;
      learningSpeed[n] = 0;
    }
    learning[n] = learning[n]! - learnt[n]!;
    springToZero(learning, learningSpeed, n, LEARN_RATE, seconds);
    learning[n] = learning[n]! + learnt[n]!;
  }
}

function updateFeet(live: FeetState, goals: Goals): void {
  const { setup, tracker, unit, states, learning } = live;
  tracker.update(goals.raw, live.seconds[0]!);
  learnHeights(live);
  for (let n = 0; n < setup.points.length; n++) {
    goals.touching[n] = tracker.inContact[n]!;
    const support = tracker.supports[n]!;
    const height = tracker.heights[n]! + tracker.offsets[n]! - learning[n]!;
    const over = tracker.inContact[n] === 1 ? Math.max(0, height - support) : 0;
    goals.supports[n] = unit * ((live.isSole[n] === 1 ? support : offFloor(support)) + over);
  }
  goals.ground[0] = unit * learning[setup.points.length]!;
  restParts(live, goals);
  if (live.isFirst) goals.drawn.fill(0);
  for (let n = 0; n < states.length; n++) {
    if (live.isFirst) forgetLimb(states[n]!);
    holdLimb(live, goals, n);
  }
  live.isFirst = false;
}

const arc = new Float64Array(4);
const along = new Float64Array(3);
const held = new Float64Array(3);
const rolled = new Float64Array(1);
const drift = new Float64Array(3);
const lean = new Float64Array(1);
const shares = new Float64Array(2);

function holdLimb(live: FeetState, goals: Goals, n: number): void {
  const { setup, tracker, seconds } = live;
  const limb = setup.limbs[n]!;
  const state = live.states[n]!;
  const { points, kind } = limb;
  let touching = 0;
  for (let e = 0; e < points.length; e++) if (tracker.inContact[points[e]!] === 1) touching |= 1 << e;
  if (kind === 'leg') turnFoot(live, goals, limb, state, touching);
  else turnHand(live, goals, limb, state, touching);
  quaternionOfVector(arc, 0, state.turn, 0);
  for (let c = 0; c < 4; c++) goals.turns[4 * n + c] = arc[c]!;
  goals.carried[n] = touching === 0 ? 0 : 1;
  goals.free[n] = touching === 0 && !live.isFirst ? goals.free[n]! + seconds[0]! : 0;
  if (kind === 'leg') {
    shares[0] = (goals.places[3 * n + 1]! - setup.floor) / (HIGH_FEET * setup.hipHeight) - 1;
    shares[1] = goals.free[n]! / LET_GO;
    fadeEach(shares);
    // One that comes down fast would come all the way that hips have given within a few frames.
    const least = touching === 0 ? state.follow[0]! - COMES_AWAY * 60 * seconds[0]! : 0;
    state.follow[0] = Math.max(least, (1 - shares[0]!) * (1 - shares[1]!));
    goals.follows[n] = state.follow[0]!;
  } else {
    // A hand that is planted stays while the hips give way; let go it comes along again, softly.
    state.hold[0] = touching === 0 ? state.hold[0]! * exp(-FADE_RATE * seconds[0]!) : 1;
    goals.follows[n] = goals.follows[n]! * (1 - state.hold[0]!);
  }
  // Points that carry: those that touched before and still do, else those that do.
  const both = touching & state.touching;
  const bearing = both !== 0 ? both : touching;
  rollLimb(live, goals, limb, state, bearing);
  if (kind === 'arm' && bearing !== 0) standOnSkin(live, goals, limb, n);
  if (touching !== 0) {
    slideLimb(live, goals, limb, state, bearing);
    standLimb(live, goals, n, bearing);
  } else letGo(live, limb, state);
  const before = state.place[1]!;
  for (let c = 0; c < 3; c++) {
    goals.places[3 * n + c] = goals.places[3 * n + c]! + state.shift[c]!;
    state.place[c] = goals.places[3 * n + c]!;
  }
  state.rise[0] = live.isFirst || !(seconds[0]! > 0) ? 0 : (state.place[1]! - before) / seconds[0]!;
  state.touching = touching;
  state.bearing = bearing;
}

/** Lets what a limb is moved by fade; feet keep what the source's floor is off by. */
function letGo(
  { unit, learning, seconds }: FeetState,
  { kind, points }: LimbGoal,
  { shift, speed }: LimbState,
): void {
  const usual = kind === 'leg' ? (-unit * (learning[points[0]!]! + learning[points[1]!]!)) / 2 : 0;
  shift[1] = shift[1]! - usual;
  springToZero(shift, speed, 0, FADE_RATE, seconds);
  springToZero(shift, speed, 1, FADE_UP, seconds);
  springToZero(shift, speed, 2, FADE_RATE, seconds);
  shift[1] = shift[1]! + usual;
}

/**
 * Writes to `held` how far the points that carry have turned about the end since the frame before, along the ground;
 * and the height of the end at which they stand, model space; and to `rolled` by how much that rose with it.
 */
function rollLimb(
  { setup, tracker }: FeetState,
  goals: Goals,
  { points, target }: LimbGoal,
  { arms }: LimbState,
  bearing: number,
): void {
  const end = 16 * target.end + 12;
  // Of two that bear it, a foot turns about the lower one.
  if (bearing === 3) readLean(lean, 0, tracker.heights, points[0]!, points[1]!);
  const toes = bearing === 3 ? lean[0]! : 0;
  held.fill(0);
  rolled[0] = 0;
  for (let e = 0; e < points.length; e++) {
    const point = points[e]!;
    for (let c = 0; c < 3; c++) along[c] = goals.copied[3 * point + c]! - goals.target.matrices[end + c]!;
    rotateVector(along, 0, arc, 0, along, 0);
    if (((bearing >> e) & 1) === 1) {
      const share = bearing !== 3 ? 1 : e === 0 ? 1 - toes : toes;
      held[0] = held[0]! + share * (along[0]! - arms[3 * e]!);
      held[2] = held[2]! + share * (along[2]! - arms[3 * e + 2]!);
      rolled[0] = rolled[0]! - share * (along[1]! - arms[3 * e + 1]!);
      const standing = setup.hipHeight * setup.points[point]!.target.standing;
      held[1] = held[1]! + share * (setup.floor + goals.supports[point]! + standing - along[1]!);
    }
    for (let c = 0; c < 3; c++) arms[3 * e + c] = along[c]!;
  }
}

/**
 * Takes from `held` that a hand stands on its skin where that is known, bent as it is; else on its knuckles, or on what of it is
 * lower.
 */
function standOnSkin({ setup }: FeetState, goals: Goals, limb: LimbGoal, n: number): void {
  const low = lowestWhenTurned(goals.target.matrices, limb.target.end, limb.skin, goals.turns, 4 * n);
  if (!Number.isFinite(low)) return;
  const bySkin = setup.floor + goals.supports[limb.points[0]!]! - low;
  held[1] = limb.isSkinned ? bySkin : Math.max(held[1]!, bySkin);
}

/**
 * Takes from `held` how far the limb is carried along: by ground that moves under it, and by a source that slides
 * farther than is held against.
 */
function slideLimb(
  { setup, tracker, horizontal, isFirst }: FeetState,
  goals: Goals,
  { points }: LimbGoal,
  { slid, bearing: before }: LimbState,
  bearing: number,
): void {
  drift.fill(0);
  let share = 0;
  for (let e = 0; e < points.length; e++) {
    if (((bearing >> e) & 1) === 0) continue;
    const o = 3 * points[e]!;
    share++;
    for (let c = 0; c < 3; c += 2) drift[c] = drift[c]! + goals.raw[o + c]! - tracker.anchors[o + c]!;
  }
  const away = (horizontal * Math.sqrt(drift[0]! * drift[0]! + drift[2]! * drift[2]!)) / share;
  const over = Math.max(0, 1 - (LONGEST_HOLD * setup.hipHeight) / away);
  for (let c = 0; c < 3; c += 2) {
    const now = (over * horizontal * drift[c]!) / share;
    if (!isFirst && bearing === before) held[c] = held[c]! - (now - slid[c]!);
    held[c] = held[c]! - horizontal * tracker.moved[c / 2]!;
    slid[c] = now;
  }
}

/** Finds the shift of a limb that stands: where it was in the frame before, less what it is `held` by. */
function standLimb({ states, seconds, isFirst }: FeetState, goals: Goals, n: number, bearing: number): void {
  const state = states[n]!;
  const { shift, speed, place, rise, left, leftSpeed } = state;
  const isTimed = !isFirst && seconds[0]! > 0;
  for (let c = 0; c < 3; c += 2) {
    const before = shift[c]!;
    // From the frame in which it touches on: what is caught a frame later has slid by a frame.
    if (!isFirst) shift[c] = place[c]! + goals.drawn[3 * n + c]! - held[c]! - goals.places[3 * n + c]!;
    speed[c] = isTimed ? (shift[c]! - before) / seconds[0]! : 0;
  }
  const wanted = held[1]! - goals.places[3 * n + 1]!;
  const before = shift[1]! + goals.drawn[3 * n + 1]!;
  if (!isFirst) {
    // The way that is left to the ground fades; the ground itself is followed at once.
    if (bearing !== state.bearing) {
      left[3] = before - wanted;
      // It goes on as fast as it came, but not through where it stands.
      const came = isTimed ? rise[0]! - rolled[0]! / seconds[0]! : 0;
      const most = FADE_UP * Math.abs(left[3]!);
      leftSpeed[3] = left[3]! > 0 ? Math.max(-most, came) : Math.min(most, came);
    }
    springToZero(left, leftSpeed, 3, FADE_UP, seconds);
  }
  shift[1] = wanted + left[3]!;
  speed[1] = isTimed ? (shift[1]! - before) / seconds[0]! : 0;
}

const room = new Float64Array(1);
const step = new Float64Array(1);

/** Bends a hand that stands back at its wrist until its fingers are out of the floor; else lets that fade. */
function turnHand(
  { setup, seconds, isFirst }: FeetState,
  goals: Goals,
  limb: LimbGoal,
  { turn, handBend }: LimbState,
  touching: number,
): void {
  const point = limb.points[0]!;
  const over = goals.copied[3 * point + 1]! - goals.target.matrices[16 * limb.target.end + 13]!;
  const standing = setup.hipHeight * setup.points[point]!.target.standing;
  room[0] = touching === 0 ? -1 : Math.max(0, standing - over);
  step[0] = isFirst ? -1 : seconds[0]!;
  bendLiveHand(turn, handBend, limb, goals, room, step);
}

/** How fast a turn goes, per second: a whole number, which is not made on the heap. */
const turnRate = new Int32Array(1);

/** Finds how fast a turn goes that is left over: as usual, or slower where that would be a leap, since ω² of it is. */
function slowTurn(turn: Float64Array, usual: number): void {
  const angle = Math.sqrt(turn[0]! * turn[0]! + turn[1]! * turn[1]! + turn[2]! * turn[2]!);
  const calm = 60 * Math.sqrt(TURN_LEAP / Math.max(angle, 1e-6));
  turnRate[0] = Math.min(usual, Math.max(SLOWEST_TURN, calm));
}

/** Keeps a foot whose heel and toe touch in one direction, flat on what they stand on; else lets its turn fade. */
function turnFoot(
  { setup, seconds, isFirst }: FeetState,
  goals: Goals,
  { points }: LimbGoal,
  state: LimbState,
  touching: number,
): void {
  const { turn, turnSpeed, ahead } = state;
  if (touching !== 3) {
    slowTurn(turn, FADE_RATE);
    for (let c = 0; c < 3; c++) springToZero(turn, turnSpeed, c, turnRate[0]!, seconds);
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
  const most = angle > LARGEST_FOOT_TURN ? LARGEST_FOOT_TURN / angle : 1;
  for (let c = 0; c < 3; c++) {
    held[c] = most * held[c]!;
    if (isFirst || state.touching === 3) continue;
    state.left[c] = turn[c]! - held[c]!;
    state.leftSpeed[c] = turnSpeed[c]!;
  }
  slowTurn(state.left, FADE_UP);
  for (let c = 0; c < 3; c++) {
    const before = turn[c]!;
    springToZero(state.left, state.leftSpeed, c, turnRate[0]!, seconds);
    turn[c] = held[c]! + state.left[c]!;
    turnSpeed[c] = state.touching === 3 && seconds[0]! > 0 ? (turn[c]! - before) / seconds[0]! : 0;
  }
}
