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
import { TOUCH_ENDS, TOUCHING } from '../arms/find-touches.js';
import { mayHandsMeet, palmReach } from '../arms/hands-apart.js';
import { PART_NUMBERS, readAxes } from '../arms/part-frame.js';
import { createHandGaps, readGaps, readPalms } from '../arms/read-gaps.js';
import { armAt, readArms, readRow, rowLength } from '../arms/shape-row.js';
import { deepestOwn, writePalms } from '../arms/write-wants.js';
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
  /** How far each of the source's palms reaches from its wrist, metres. */
  reaches: Float64Array;
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
  /** One number: how much both hands touch each other now. */
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
    reaches: Float64Array.from(setup.source.arms, (arm) => (arm ? palmReach(arm) : 0)),
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
    touching: new Float64Array(1),
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

/**
 * Says what is asked of the arms now. Live, hands go to each other alone: while they neither meet nor are about to, wrists
 * and fingers of the source are all that is read.
 */
function askArms(state: ArmsState, of: Goals): void {
  const { setup, sourceRow, reaches, gaps, frame, course, rates, touching, isFirst } = state;
  const { row, wants } = frame;
  gaps.most[0] = TOUCH_FADES * TOUCH_ENDS * setup.source.arm;
  readArms(sourceRow, 0, setup.source, of.source.matrices);
  const isNear = mayHandsMeet(setup.source, reaches, sourceRow, 0, gaps.most);
  if (isNear) readSource(state, of);
  else {
    readPalms(gaps, setup.source, sourceRow, 0);
    gaps.gaps[OTHER_HAND] = Number.POSITIVE_INFINITY;
  }
  followPalms(course, setup, gaps, of.seconds, isFirst);
  for (let hand = 0; hand < 2; hand++) {
    const n = setup.limbs[hand]!;
    // A hand that stands on the floor stays there.
    if (n >= 0 && of.carried[n]! > 0) course.touching[0] = 0;
  }
  const between = course.touching[0]!;
  touching[0] = between;
  for (let hand = 0; hand < 2; hand++) rates[hand] = OUT_RATE + (ARM_RATE - OUT_RATE) * between;
  wants.palms.fill(0);
  if (!(between > 0)) return;
  if (!isNear) readSource(state, of);
  readRow(row, 0, setup.target, of.target.matrices);
  writeDepths(wants.depths, setup, gaps);
  wants.palms[3] = course.between[0]!;
  writePalms(wants, setup, gaps.palms, 0, row, 0);
  wants.palms[3] = wants.palms[3]! * between;
}

/** Reads all of the source, and what its arms are near to. */
function readSource({ setup, sourceRow, gaps }: ArmsState, of: Goals): void {
  readRow(sourceRow, 0, setup.source, of.source.matrices);
  readGaps(gaps, setup.source, sourceRow, 0, setup.sourceDepths);
}

/** Finds corrections of both arms, from those of the frame before on. */
function correctArms(state: ArmsState, of: Goals): void {
  const { setup, frame, found, shares, touching } = state;
  if (!(touching[0]! > 0)) {
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
    shares[hand] = setup.limbs[hand]! < 0 ? 0 : Math.min(1, 2 * touching[0]!) * (1 - shares[hand]!);
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
  of.swivels[n] = out[at + 3]!;
  if (out[at] === 0 && out[at + 1] === 0 && out[at + 2] === 0) return;
  readAxes(row, place.chest, of.target.matrices, setup.target.parts[setup.chest]!.joint);
  for (let c = 0; c < 3; c++) {
    const i = place.chest + c;
    const way = row[i]! * out[at]! + row[i + 3]! * out[at + 1]! + row[i + 6]! * out[at + 2]!;
    of.places[3 * n + c] = of.places[3 * n + c]! + length * way;
  }
}

/** How both hands of the source come to each other. */
type LiveCourse = {
  /** The gap between both hands, or about that where they are far, how fast it becomes less, and how far palms are apart: arm lengths, a second. */
  between: Float64Array;
  /** How much both hands touch; behind it how much they are about to, while that is found. */
  touching: Float64Array;
};

function createCourse(): LiveCourse {
  return { between: new Float64Array(3), touching: new Float64Array(2) };
}

/** Follows the gap between both hands, and says how much they touch or are about to. */
function followPalms(
  { between, touching }: LiveCourse,
  { source }: ArmSetup,
  { gaps, palms }: ReturnType<typeof createHandGaps>,
  step: Float64Array,
  isFirst: boolean,
): void {
  const seconds = step[0]!;
  const near = gaps[OTHER_HAND]! / source.arm;
  const x = palms[3]! - palms[0]!;
  const y = palms[4]! - palms[1]!;
  const z = palms[5]! - palms[2]!;
  const apart = Math.sqrt(x * x + y * y + z * z) / source.arm - PALMS_APART;
  const closing = isFirst || !(seconds > 0) ? 0 : (between[2]! - apart) / seconds;
  const changed = 1 - 1 / (1 + seconds / CLOSING_SMOOTHING);
  between[1] = isFirst ? 0 : between[1]! + changed * (closing - between[1]!);
  between[2] = apart;
  between[0] = Number.isFinite(near) ? near : apart;
  touching[0] = (near - TOUCHING) / TOUCH_FADING;
  // Hands that are about to touch come together on the way there: found when they touch, the way would be a leap.
  touching[1] = (between[0]! - Math.max(0, between[1]!) * ABOUT_TO_TOUCH - TOUCHING) / TOUCH_FADING;
  fadeEach(touching);
  touching[0] = Math.max(touching[0]!, touching[1]!);
}

/** Says how deep the source's own hands and arms are in it: those of the target may be too. */
function writeDepths(
  depths: Float64Array,
  setup: ArmSetup,
  { gaps, arms }: ReturnType<typeof createHandGaps>,
): void {
  const own = deepestOwn(setup);
  const width = 2 * TOUCHED.length;
  for (let g = 0; g < width; g++) {
    depths[g] = Math.min(own, Math.max(0, -gaps[g]! / setup.source.arm));
    depths[width + g] = Math.min(own, Math.max(0, -arms[g]! / setup.source.arm));
  }
}
