import { exp } from '../../base/math/functions.js';
import { softly } from '../../base/math/smooth-curves.js';
import { springToZero } from '../../base/math/spring.js';
import type { GoalSetup, LimbGoal } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { lowestWhenTurned } from '../parts/skin-points.js';

/** How fast hands follow what they are moved by, per second. */
const HAND_RATE = 40;
/** How fast a hand that stands comes down the rest of its way to the floor, per second: as its elbow can, without a leap. */
const DOWN_RATE = 20;
/** How softly hands are lifted out of the floor, in hip heights, as where one looks ahead. */
const LIVE_SOFTNESS = 0.02;
/** How fast that comes and goes, per second, when a hand comes to stand or leaves: one that stands is on the floor. */
const SOFTNESS_RATE = 40;

/** Hands that follow what they are moved by, frame by frame. */
export type LiveHands = {
  /** Moves the goals of hands, `goals.seconds` after the frame before. Allocates nothing. */
  update(goals: Goals): void;
  /** Forgets what was before. */
  reset(): void;
};

/**
 * Hands as they are remembered, xyz a limb: what goals are moved by and how fast that changes, where the
 * hands were copied to; what is left of the way to where a hand stands, and how fast that changes. And how softly each is lifted, and
 * whether it stood.
 */
type HandsState = {
  offsets: Float64Array;
  speeds: Float64Array;
  ends: Float64Array;
  left: Float64Array;
  leftSpeeds: Float64Array;
  stood: Uint8Array;
  softness: Float64Array;
  isFirst: boolean;
};

/**
 * Lets what the goals of hands are moved by from where they are copied to come and go as a critically damped spring
 * follows: what touches or is let go does so from one frame to the next, and elbows would jerk. A hand that stands is
 * where it stands at once, but for what was left of the way there: one that follows is late by 2 / ω and slides (crawling
 * on the goblin, agreement 0.97 to 0.63). Then lifts hands until no skin of them is under the floor, at once, but softly.
 * It is the last step before arms are solved, whatever it is that moves their goals.
 */
export function createLiveHands(setup: GoalSetup): LiveHands {
  const { limbs } = setup;
  const state: HandsState = {
    offsets: new Float64Array(3 * limbs.length),
    speeds: new Float64Array(3 * limbs.length),
    ends: new Float64Array(3 * limbs.length),
    left: new Float64Array(3 * limbs.length),
    leftSpeeds: new Float64Array(3 * limbs.length),
    stood: new Uint8Array(limbs.length),
    softness: new Float64Array(limbs.length),
    isFirst: true,
  };
  return {
    update(goals) {
      for (let n = 0; n < limbs.length; n++) {
        if (limbs[n]!.kind !== 'arm') continue;
        followGoal(state, goals, limbs[n]!, n);
        liftHand(state, goals, setup, n);
      }
      state.isFirst = false;
    },
    reset() {
      state.isFirst = true;
    },
  };
}

function followGoal(
  { offsets, speeds, ends, left, leftSpeeds, stood, isFirst }: HandsState,
  { places, target, carried, seconds }: Goals,
  { target: joints }: LimbGoal,
  n: number,
): void {
  const end = 16 * joints.end + 12;
  const dt = seconds[0]!;
  const stands = carried[n]! > 0 ? 1 : 0;
  for (let c = 0; c < 3; c++) {
    const i = 3 * n + c;
    const at = target.matrices[end + c]!;
    const goal = places[i]! - at;
    const before = offsets[i]!;
    if (isFirst || !(dt > 0)) {
      offsets[i] = goal;
      speeds[i] = 0;
      left[i] = 0;
      leftSpeeds[i] = 0;
    } else if (stands === 1) {
      if (stood[n] === 0) {
        left[i] = before - goal;
        // It shall stand still: what it is moved by goes back as fast as the body goes on.
        leftSpeeds[i] = speeds[i]! + (at - ends[i]!) / dt;
      }
      springToZero(left, leftSpeeds, i, c === 1 ? DOWN_RATE : HAND_RATE, seconds);
      offsets[i] = goal + left[i]!;
      speeds[i] = (offsets[i]! - before) / dt;
    } else {
      offsets[i] = before - goal;
      springToZero(offsets, speeds, i, HAND_RATE, seconds);
      offsets[i] = offsets[i]! + goal;
    }
    ends[i] = at;
    places[i] = at + offsets[i]!;
  }
  stood[n] = stands;
}

/** Lifts the goal of a hand until no skin of it is under the floor. */
function liftHand(
  { softness, isFirst }: HandsState,
  { places, target, carried, turns, seconds }: Goals,
  { limbs, floor, hipHeight }: GoalSetup,
  n: number,
): void {
  const { skin, target: joints } = limbs[n]!;
  const wanted = carried[n]! > 0 ? 0 : LIVE_SOFTNESS * hipHeight;
  softness[n] = isFirst ? wanted : wanted + (softness[n]! - wanted) * exp(-SOFTNESS_RATE * seconds[0]!);
  const low = places[3 * n + 1]! + lowestWhenTurned(target.matrices, joints.end, skin, turns, 4 * n);
  places[3 * n + 1] = places[3 * n + 1]! + softly(floor - low, softness[n]!);
}
