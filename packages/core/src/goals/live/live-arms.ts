import { fadeEach } from '../../base/math/smooth-curves.js';
import { solveBanded } from '../../base/math/solve-banded.js';
import { springToZero } from '../../base/math/spring.js';
import type { ArmSetup } from '../arms/arm-setup.js';
import { type ArmPlace, createArmState, moveArm, STILL_ARM, UNKNOWNS } from '../arms/arm-state.js';
import {
  type ArmFrame,
  type ArmSystem,
  createArmSystem,
  createArmWants,
  gatherArms,
} from '../arms/arm-system.js';
import { COST, TURN_COST } from '../arms/arm-window.js';
import { OTHER_HAND, TOUCHED } from '../arms/body-shape.js';
import { TOUCH_ENDS, TOUCH_SPEEDS, TOUCHING } from '../arms/find-touches.js';
import { PART_NUMBERS } from '../arms/part-frame.js';
import { createHandGaps, readGaps } from '../arms/read-gaps.js';
import { armAt, readRow, rowLength } from '../arms/shape-row.js';
import { DEEPEST_OWN, TOUCH_DENT, writePalms } from '../arms/write-wants.js';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';

/** How fast arms follow what they are corrected by, per second: out of the body slowly, to what they touch fast. */
const OUT_RATE = 15;
const ARM_RATE = 20;
/** Palms that come so near within this many seconds, as fast as they come now, are about to touch. */
const ABOUT_TO_TOUCH = 0.2;
/** Middles of palms that touch are about so far from each other, in arm lengths. */
const PALMS_APART = 0.12;
/** Touches come and go over gaps from `TOUCHING` to this many times `TOUCH_ENDS`. */
const TOUCH_FADES = 1.5;
const TOUCH_FADING = TOUCH_FADES * TOUCH_ENDS - TOUCHING;
/** Seconds over which it is smoothed how fast a hand goes along what it is near. */
const SPEED_SMOOTHING = 0.092;
/** Seconds over which it is smoothed how fast palms come. */
const CLOSING_SMOOTHING = 0.0225;
/** Rounds in which corrections of a frame are found, from those of the frame before. */
const LIVE_ROUNDS = 2;
/** A step is held back by this, so that a frame does not leap to another way out. */
const LIVE_DAMPING = 0.4;
/** An arm that is worse than it may be by this, in arm lengths, is corrected in full, by less in part. */
const IN_FULL = 0.01;
/** Corrections less than this, in arm lengths and radians, are none. */
const NO_CORRECTION = 1e-4;

/** Arms that touch and stay out of the body, frame by frame. */
export type LiveArms = {
  /** Moves the goals of hands and turns elbows, `goals.seconds` after the frame before. Allocates nothing. */
  update(goals: Goals): void;
  /** Forgets what was before. */
  reset(): void;
};

/** All that is remembered and overwritten from frame to frame. */
type ArmsState = {
  goals: GoalSetup;
  setup: ArmSetup;
  sourceRow: Float64Array;
  gaps: ReturnType<typeof createHandGaps>;
  /** The row of the target, its arms, and what is asked of them. */
  frame: ArmFrame;
  place: ArmPlace;
  course: LiveCourse;
  /** Per hand the corrections that were found, what is done of them, and how fast that changes. */
  found: readonly [Float64Array, Float64Array];
  out: Float64Array;
  speeds: Float64Array;
  /** Per hand how much it is corrected, and how fast that is followed. */
  shares: Float64Array;
  rates: Float64Array;
  /** Per hand how much it touches something now. */
  touching: Float64Array;
  isFirst: boolean;
};

/**
 * Lets hands touch each other where the source's do, and keeps those arms out of the own body, as `planArms` does for a
 * clip; of what is ahead nothing is known. So a touch comes and goes with the gap that the source's hands have, each frame
 * goes on from where the frame before has found its way out, and arms follow that as a critically damped spring does. Arms
 * whose hands do not touch stay as copied, to the last bit, even in the body. Tried: all that touches, or is too deep; but
 * hulls are not the same on both sides of a body, and a run that is mirrored had its hands elsewhere by 2.5 and 5 % of the
 * hip height. What is carried is not known before it was carried for a while: live it is not.
 */
export function createLiveArms(goals: GoalSetup): LiveArms | null {
  const { arms: setup } = goals;
  if (!setup || setup.chest < 0) return null;
  const row = new Float64Array(rowLength(setup.target));
  const state: ArmsState = {
    goals,
    setup,
    sourceRow: new Float64Array(rowLength(setup.source)),
    gaps: createHandGaps(),
    frame: {
      ...{ setup, limbs: setup.limbs, row, o: 0 },
      states: [createArmState(), createArmState()],
      wants: createArmWants(),
      system: createArmSystem(),
      ...{ near: null, slot: 0 },
    },
    place: { row, arm: 0, chest: PART_NUMBERS * setup.chest, base: new Float64Array(3) },
    course: createCourse(),
    found: [new Float64Array(UNKNOWNS), new Float64Array(UNKNOWNS)],
    out: new Float64Array(2 * UNKNOWNS),
    speeds: new Float64Array(2 * UNKNOWNS),
    shares: new Float64Array(2),
    rates: new Float64Array(2),
    touching: new Float64Array(2),
    isFirst: true,
  };
  return {
    update(of) {
      askArms(state, of);
      correctArms(state, of);
      for (let hand = 0; hand < 2; hand++) {
        if (setup.limbs[hand]! < 0) continue;
        followFound(state, hand, of.seconds);
        moveGoal(state, of, hand);
      }
      state.isFirst = false;
    },
    reset() {
      state.isFirst = true;
      for (let hand = 0; hand < 2; hand++) state.found[hand]!.fill(0);
    },
  };
}

/** Reads both bodies, and says what is asked of the arms now. */
function askArms(
  { setup, sourceRow, gaps, frame, course, rates, touching, isFirst }: ArmsState,
  of: Goals,
): void {
  const { row, wants } = frame;
  readRow(sourceRow, 0, setup.source, of.source.matrices);
  gaps.most[0] = TOUCH_FADES * TOUCH_ENDS * setup.source.arm;
  readGaps(gaps, setup.source, sourceRow, 0, setup.sourceDepths);
  readRow(row, 0, setup.target, of.target.matrices);
  writeLiveWants(wants, course, setup, gaps, of.seconds, isFirst);
  for (let hand = 0; hand < 2; hand++) {
    const n = setup.limbs[hand]!;
    // A hand that stands on the floor stays there; live, hands go to each other alone.
    const stands = n >= 0 && of.carried[n]! > 0;
    for (let t = 0; t < TOUCHED.length; t++)
      if (stands || t !== OTHER_HAND) wants.weights[TOUCHED.length * hand + t] = 0;
  }
  const between = Math.min(wants.weights[OTHER_HAND]!, wants.weights[TOUCHED.length + OTHER_HAND]!);
  wants.palms.fill(0);
  if (between > 0) {
    wants.palms[3] = course.between[0]!;
    writePalms(wants, setup, gaps.palms, 0, row, 0);
    wants.palms[3] = wants.palms[3]! * between;
  }
  for (let hand = 0; hand < 2; hand++) {
    touching[hand] = between;
    rates[hand] = OUT_RATE + (ARM_RATE - OUT_RATE) * between;
  }
}

/** Finds corrections of both arms, from those of the frame before on. */
function correctArms(state: ArmsState, of: Goals): void {
  const { setup, frame, found, shares, touching } = state;
  if (touching[0] === 0 && touching[1] === 0) {
    for (let hand = 0; hand < 2; hand++) {
      shares[hand] = 0;
      found[hand]!.fill(0);
    }
    return;
  }
  lookAtArms(state, of, false);
  for (let hand = 0; hand < 2; hand++) shares[hand] = frame.system.worst[hand]! / IN_FULL;
  fadeEach(shares);
  for (let hand = 0; hand < 2; hand++) {
    shares[hand] = setup.limbs[hand]! < 0 ? 0 : Math.min(1, 2 * touching[hand]!) * (1 - shares[hand]!);
    if (shares[hand] === 0) found[hand]!.fill(0);
  }
  if (shares[0] === 0 && shares[1] === 0) return;
  for (let round = 0; round < LIVE_ROUNDS; round++) {
    lookAtArms(state, of, true);
    for (let hand = 0; hand < 2; hand++) if (shares[hand]! > 0) solveArm(frame.system, found[hand]!, hand);
  }
}

/** Looks at both arms as copied, or where they would be with what was found. */
function lookAtArms({ goals, setup, frame, place, found }: ArmsState, of: Goals, isFound: boolean): void {
  for (let hand = 0; hand < 2; hand++) {
    const arm = setup.target.arms[hand];
    const n = setup.limbs[hand]!;
    if (!arm) continue;
    for (let c = 0; c < 3; c++)
      place.base[c] =
        n < 0 ? 0 : of.places[3 * n + c]! - of.target.matrices[16 * goals.limbs[n]!.target.end + 12 + c]!;
    place.arm = armAt(setup.target, hand);
    const limb = n < 0 ? STILL_ARM : goals.limbs[n]!;
    moveArm(frame.states[hand]!, arm, limb, place, isFound ? found[hand]! : UNMOVED, 0);
  }
  gatherArms(frame);
}

const UNMOVED = new Float64Array(UNKNOWNS);
const band = new Float64Array(UNKNOWNS * UNKNOWNS);
const right = new Float64Array(UNKNOWNS);

/** Goes a step towards what is asked of an arm: (JᵀJ + λ + μ)·Δx = Jᵀr − λ·x. */
function solveArm(system: ArmSystem, x: Float64Array, hand: number): void {
  for (let i = 0; i < UNKNOWNS; i++) {
    const cost = i < 3 ? COST : TURN_COST;
    right[i] = system.right[UNKNOWNS * hand + i]! - cost * x[i]!;
    for (let j = 0; j <= i; j++)
      band[UNKNOWNS * i + UNKNOWNS - 1 - (i - j)] =
        system.matrix[UNKNOWNS * (UNKNOWNS * hand + i) + j]! + (i === j ? cost + LIVE_DAMPING : 0);
  }
  solveBanded(band, right, UNKNOWNS, UNKNOWNS - 1);
  for (let i = 0; i < UNKNOWNS; i++) x[i] = x[i]! + right[i]!;
}

/** Lets what an arm is moved by follow what was found. */
function followFound(state: ArmsState, hand: number, seconds: Float64Array): void {
  const { found, out, speeds, shares, rates, isFirst } = state;
  let most = 0;
  for (let i = 0; i < UNKNOWNS; i++) {
    const at = UNKNOWNS * hand + i;
    const wanted = shares[hand]! * found[hand]![i]!;
    if (isFirst || !(seconds[0]! > 0)) {
      out[at] = wanted;
      speeds[at] = 0;
    } else {
      out[at] = out[at]! - wanted;
      springToZero(out, speeds, at, rates[hand]!, seconds);
      out[at] = out[at]! + wanted;
    }
    most = Math.max(most, Math.abs(out[at]!));
  }
  if (shares[hand]! > 0 || most > NO_CORRECTION) return;
  for (let i = UNKNOWNS * hand; i < UNKNOWNS * (hand + 1); i++) {
    out[i] = 0;
    speeds[i] = 0;
  }
}

/** Moves the goal of a hand and turns its elbow by what is done now. */
function moveGoal({ goals, setup, frame: { row }, place, out }: ArmsState, of: Goals, hand: number): void {
  const n = setup.limbs[hand]!;
  const { length } = goals.limbs[n]!;
  const at = UNKNOWNS * hand;
  for (let c = 0; c < 3; c++) {
    const i = place.chest + c;
    const way = row[i]! * out[at]! + row[i + 3]! * out[at + 1]! + row[i + 6]! * out[at + 2]!;
    of.places[3 * n + c] = of.places[3 * n + c]! + length * way;
  }
  of.swivels[n] = out[at + 3]!;
}

/** How fast hands go along what they are near: per hand and one of `TOUCHED`; and where their palms were. */
type LiveCourse = {
  speeds: Float64Array;
  gaps: Float64Array;
  /** The gap between both hands, or about that where they are far, how fast it becomes less, and how far palms are apart: arm lengths, a second. */
  between: Float64Array;
  /** Per thing how fast a hand may go along it that touches it, in arm lengths a second. */
  limits: Float64Array;
  /** How much each speed lets touch, and how much both hands are about to: overwritten from frame to frame. */
  passes: Float64Array;
  soon: Float64Array;
};

function createCourse(): LiveCourse {
  return {
    speeds: new Float64Array(2 * TOUCHED.length),
    between: new Float64Array(3),
    passes: new Float64Array(2 * TOUCHED.length),
    soon: new Float64Array(1),
    limits: Float64Array.from(TOUCHED, (touched) => TOUCH_SPEEDS[touched]),
    gaps: new Float64Array(2 * TOUCHED.length),
  };
}

/** Says what is asked of both arms by what the source's hands are near to now. */
function writeLiveWants(
  out: ReturnType<typeof createArmWants>,
  course: LiveCourse,
  setup: ArmSetup,
  { gaps, arms, palms }: ReturnType<typeof createHandGaps>,
  step: Float64Array,
  isFirst: boolean,
): void {
  const seconds = step[0]!;
  const own = setup.source.isSkin || !setup.target.isSkin ? DEEPEST_OWN : 0;
  const width = 2 * TOUCHED.length;
  const kept = 1 / (1 + seconds / SPEED_SMOOTHING);
  for (let g = 0; g < width; g++) {
    const gap = gaps[g]! / setup.source.arm;
    out.gaps[g] = gap > -TOUCH_DENT ? gap : -TOUCH_DENT;
    out.depths[g] = Math.min(own, Math.max(0, -gap));
    out.depths[width + g] = Math.min(own, Math.max(0, -arms[g]! / setup.source.arm));
    // A gap that changes fast is of a hand that passes by, or comes: it touches when it is there.
    const before = course.gaps[g]!;
    const isKnown = !isFirst && Number.isFinite(before) && Number.isFinite(gap) && seconds > 0;
    const speed = isKnown ? Math.abs(gap - before) / seconds : 0;
    course.speeds[g] = isKnown ? kept * course.speeds[g]! + (1 - kept) * speed : speed;
    course.gaps[g] = gap;
    // A limit of +∞ lets every speed touch.
    course.passes[g] = course.speeds[g]! / course.limits[g % TOUCHED.length]! - 1;
    out.weights[g] = (gap - TOUCHING) / TOUCH_FADING;
  }
  fadeEach(out.weights);
  fadeEach(course.passes);
  for (let g = 0; g < width; g++) out.weights[g] = course.passes[g]! * out.weights[g]!;
  const { between } = course;
  const near = gaps[OTHER_HAND]! / setup.source.arm;
  const x = palms[3]! - palms[0]!;
  const y = palms[4]! - palms[1]!;
  const z = palms[5]! - palms[2]!;
  const apart = Math.sqrt(x * x + y * y + z * z) / setup.source.arm - PALMS_APART;
  const closing = isFirst || !(seconds > 0) ? 0 : (between[2]! - apart) / seconds;
  const changed = 1 - 1 / (1 + seconds / CLOSING_SMOOTHING);
  between[1] = isFirst ? 0 : between[1]! + changed * (closing - between[1]!);
  between[2] = apart;
  between[0] = Number.isFinite(near) ? near : apart;
  // Hands that are about to touch come together on the way there: found when they touch, the way would be a leap.
  const { soon } = course;
  soon[0] = (between[0]! - Math.max(0, between[1]!) * ABOUT_TO_TOUCH - TOUCHING) / TOUCH_FADING;
  fadeEach(soon);
  out.weights[OTHER_HAND] = Math.max(out.weights[OTHER_HAND]!, soon[0]!);
  out.weights[TOUCHED.length + OTHER_HAND] = out.weights[OTHER_HAND]!;
}
