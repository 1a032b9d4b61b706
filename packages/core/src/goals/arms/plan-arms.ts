import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { type PlannedClip, slotOf } from '../plan/planning.js';
import type { ArmRecord } from './arm-record.js';
import type { ArmSetup } from './arm-setup.js';
import { type ArmPlace, createArmState, moveArm, STILL_ARM, UNKNOWNS } from './arm-state.js';
import { createArmSystem, createArmWants, gatherArms } from './arm-system.js';
import {
  addFrame,
  beginRound,
  createArmWindow,
  endRound,
  hasMoved,
  holdFrame,
  keepFrame,
} from './arm-window.js';
import { PART_NUMBERS } from './part-frame.js';
import { armAt, rowLength } from './shape-row.js';
import { turnLegs } from './turn-legs.js';
import { writeWants } from './write-wants.js';

/** Seconds before and after what arms are corrected for in which that comes and goes. */
export const ARM_EASE = 0.2;
/**
 * Frames within which what changes is as dear as what is, λ·n⁴·|x″|², round by round: what is asked bends with where the
 * arms are, and of several ways out all frames shall take the same. So the first rounds are calmer than the last.
 */
const CALM_FRAMES = [24, 16, 12, 9, 8, 8, 8, 8] as const;
/** How much what is carried counts round by round: arms first come out of the body, then together before it. */
const CARRY_SHARES = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1, 1] as const;
/** Rounds end where no correction of the calmest kind changes by more than this any more: arm lengths, radians. */
const ARMS_SETTLED = 1e-3;

const states = [createArmState(), createArmState()] as const;
const system = createArmSystem();
const wants = createArmWants();
const place: ArmPlace = { row: new Float64Array(0), arm: 0, chest: 0, base: new Float64Array(3) };

/**
 * Plans what arms are moved and turned by so that hands touch what the source's touch, and nothing goes through the own
 * body: in stretches in which something of that is the case, and 0.2 s around them. All else stays as copied, to the last
 * bit. In a stretch the corrections of all frames are found together, as those that meet what is asked best while they
 * are small and change little:
 *
 *   Σ w·(J·x − r)² + λ·|x|² + λ·m²·|x′|² + λ·n⁴·|x″|² → min
 *
 * with x the way of the wrist in the chest's axes and the turn of the elbow about the line from shoulder to hand. Both
 * arms are solved apart, each seeing the other where it was in the round before.
 */
export function planArms(planning: PlannedClip): void {
  const { goals, record } = planning;
  const { arms: setup } = goals;
  const { arms } = record;
  if (!setup || !arms || setup.chest < 0 || arms.stored === 0) return;
  turnLegs(planning, arms, setup);
  const windows = findWindows(planning, arms, setup);
  for (const window of windows) solveWindow(planning, arms, setup, window);
}

/** Frames from one to another in which arms are corrected, and which of them. */
type Window = { first: number; last: number; hands: [boolean, boolean] };

/** Stretches of frames in which arms are to be corrected, with the frames around them. */
function findWindows(planning: PlannedClip, arms: ArmRecord, setup: ArmSetup): Window[] {
  const { count } = planning.plan;
  const windows: Window[] = [];
  const ease = Math.round(ARM_EASE * CONTACT_RATE);
  for (let k = 0; k < count; k++) {
    if (arms.slots[k]! < 0) continue;
    writeWants(wants, planning, arms, setup, k);
    gatherFrame(planning, arms, setup, k, UNCORRECTED, 0);
    const isAsked = [system.worst[0]! > 0, system.worst[1]! > 0] as const;
    if (!isAsked[0] && !isAsked[1]) continue;
    let window = windows.at(-1);
    if (!window || k - ease > window.last + 1) {
      window = { first: Math.max(0, k - ease), last: 0, hands: [false, false] };
      windows.push(window);
    }
    window.last = Math.min(count - 1, k + ease);
    for (let hand = 0; hand < 2; hand++) window.hands[hand] ||= isAsked[hand]!;
    didWork(10);
  }
  return windows;
}

/** Puts both arms where corrections would have them, and writes down what is asked of them there. */
function gatherFrame(
  { goals, plan, record }: PlannedClip,
  arms: ArmRecord,
  setup: ArmSetup,
  k: number,
  found: readonly [Float64Array, Float64Array],
  at: number,
): void {
  const o = rowLength(setup.target) * arms.slots[k]!;
  const { base } = place;
  place.row = arms.rows;
  place.chest = o + PART_NUMBERS * setup.chest;
  for (let hand = 0; hand < 2; hand++) {
    const arm = setup.target.arms[hand];
    const n = goals.arms!.limbs[hand]!;
    if (!arm) continue;
    base.fill(0);
    for (let c = 0; c < 3 && n >= 0; c++) {
      const slot = slotOf(goals.limbs.length, k, n);
      const i = 3 * slot + c;
      base[c] =
        plan.shifts[i]! + record.places[i]! - record.ends[i]! - plan.holds[slot]! * plan.hips[3 * k + c]!;
    }
    place.arm = o + armAt(setup.target, hand);
    moveArm(states[hand]!, arm, n >= 0 ? goals.limbs[n]! : STILL_ARM, place, found[hand]!, at);
  }
  gatherArms({ setup, row: arms.rows, o, states, wants, system });
}

const UNCORRECTED = [new Float64Array(UNKNOWNS), new Float64Array(UNKNOWNS)] as const;

/** Finds the corrections of all frames of a window, and adds them to the plan. */
function solveWindow(
  planning: PlannedClip,
  arms: ArmRecord,
  setup: ArmSetup,
  { first, last, hands }: Window,
): void {
  const { plan, goals } = planning;
  const nodes = last - first + 1;
  // A clip that begins or ends in a correction does not ease there.
  const isOpen = [first === 0, last === plan.count - 1] as const;
  const windows = [createArmWindow(nodes, isOpen), createArmWindow(nodes, isOpen)] as const;
  const found = [windows[0].found, windows[1].found] as const;
  // An arm of which nothing is asked in the whole window stays as it is.
  const own: ArmSetup = { ...setup, limbs: [hands[0] ? setup.limbs[0] : -1, hands[1] ? setup.limbs[1] : -1] };
  const carries = arms.found.carries.some((carry) => carry.first <= last && carry.last >= first);
  for (let round = 0; round < CALM_FRAMES.length; round++) {
    for (let hand = 0; hand < 2; hand++) if (hands[hand]) beginRound(windows[hand]!, CALM_FRAMES[round]!);
    for (let f = 0; f < nodes; f++) {
      const k = first + f;
      if (arms.slots[k]! < 0) continue;
      // Equations hold for a while: a frame is looked at again where an arm has moved.
      if (round === 0 || carries || hasMoved(windows[0], f) || hasMoved(windows[1], f)) {
        writeWants(wants, planning, arms, setup, k);
        wants.wrists[3]! *= CARRY_SHARES[round]!;
        gatherFrame(planning, arms, own, k, found, UNKNOWNS * f);
        for (let hand = 0; hand < 2; hand++) keepFrame(windows[hand]!, system, hand, f);
        didWork(20);
      }
      for (let hand = 0; hand < 2; hand++) {
        const n = own.limbs[hand]!;
        if (n < 0) continue;
        addFrame(windows[hand]!, f);
        holdFrame(windows[hand]!, f, plan.holds[slotOf(goals.limbs.length, k, n)]!);
      }
    }
    didWork(2 * nodes);
    let change = 0;
    for (let hand = 0; hand < 2; hand++) if (hands[hand]) change = Math.max(change, endRound(windows[hand]!));
    if (change < ARMS_SETTLED && CALM_FRAMES[round] === CALM_FRAMES.at(-1)) break;
  }
  for (let hand = 0; hand < 2; hand++) {
    const n = own.limbs[hand]!;
    if (n < 0) continue;
    const { length } = goals.limbs[n]!;
    for (let k = first; k <= last; k++) {
      const slot = slotOf(goals.limbs.length, k, n);
      const axes = axesAt(arms, setup, first, last, k);
      const at = UNKNOWNS * (k - first);
      for (let c = 0; c < 3; c++)
        for (let i = 0; i < 3; i++)
          plan.shifts[3 * slot + c]! += length * arms.rows[axes + 3 * i + c]! * found[hand]![at + i]!;
      plan.swivels[slot]! += found[hand]![at + 3]!;
    }
  }
}

/** Where the chest's axes of a frame stand, or those of the nearest frame of a window that is known. */
function axesAt({ slots }: ArmRecord, setup: ArmSetup, first: number, last: number, k: number): number {
  for (let off = 0; off <= last - first; off++)
    for (const at of [k - off, k + off])
      if (at >= first && at <= last && slots[at]! >= 0)
        return rowLength(setup.target) * slots[at]! + PART_NUMBERS * setup.chest;
  return 0;
}
