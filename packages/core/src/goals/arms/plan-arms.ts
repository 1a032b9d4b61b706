import { didWork } from '../../base/watch-work.js';
import { type PlannedClip, slotOf } from '../plan/planning.js';
import type { ArmSpan } from './arm-nodes.js';
import type { ArmRecord } from './arm-record.js';
import type { ArmSetup } from './arm-setup.js';
import { UNKNOWNS } from './arm-state.js';
import { type ArmWindow, createArmWindow, keepFrame } from './arm-window.js';
import { type ArmLook, createArmLook, lookAtArms, system } from './look-at-arms.js';
import { PART_NUMBERS } from './part-frame.js';
import { rowLength } from './shape-row.js';
import { solveWindow } from './solve-window.js';

/** Seconds before and after what arms are corrected for in which that comes and goes. */
export const ARM_EASE = 0.2;

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
  const look = createArmLook(planning, arms, setup);
  const copied = createSpans(arms);
  for (const window of findWindows(look, copied)) {
    // An arm of which nothing is asked in the whole window stays as it is.
    const { hands } = window;
    const limbs: ArmSetup['limbs'] = [hands[0] ? setup.limbs[0] : -1, hands[1] ? setup.limbs[1] : -1];
    addFound(look, window, limbs, solveWindow(look, window, limbs, copied));
  }
}

/** Frames in which arms are corrected, and which of them. */
type Window = ArmSpan & { hands: [boolean, boolean] };

/** Room for what is asked of both arms as copied, in every frame that is looked at closely. */
function createSpans({ count, stride }: ArmRecord): readonly [ArmWindow, ArmWindow] {
  const nodes = Math.ceil(count / stride);
  return [createArmWindow(nodes, [true, true]), createArmWindow(nodes, [true, true])];
}

/** Stretches of frames in which arms are to be corrected, with the frames around them. */
function findWindows(look: ArmLook, copied: readonly [ArmWindow, ArmWindow]): Window[] {
  const { count } = look.planning.plan;
  const asked = findAsked(look, copied);
  const found: { first: number; last: number; hands: [boolean, boolean] }[] = [];
  const ease = Math.round(ARM_EASE * look.planning.plan.rate);
  for (let k = 0; k < count; k++) {
    if (asked[k] === 0) continue;
    let window = found.at(-1);
    if (!window || k - ease > window.last + 1) {
      window = { first: Math.max(0, k - ease), last: 0, hands: [false, false] };
      found.push(window);
    }
    window.last = Math.min(count - 1, k + ease);
    for (let hand = 0; hand < 2; hand++) window.hands[hand] ||= (asked[k]! & (1 << hand)) !== 0;
  }
  // A clip that begins or ends in a correction does not ease there.
  return found.map((window) => ({ ...window, isOpen: [window.first === 0, window.last === count - 1] }));
}

/**
 * Per frame a bit for each arm of which something is asked. Frames between two that are looked at are as both together:
 * what begins or ends between them is a thirtieth of a second longer at most, and frames are looked at once less.
 */
function findAsked(look: ArmLook, copied: readonly [ArmWindow, ArmWindow]): Uint8Array {
  const { count } = look.planning.plan;
  const { slots, stride } = look.arms;
  const asked = new Uint8Array(count);
  const askedAt = (k: number) => {
    if (slots[k]! < 0) return 0;
    lookAtArms(look, k, look.setup.limbs, null, 0, 1);
    for (let hand = 0; hand < 2 && k % stride === 0; hand++)
      keepFrame(copied[hand]!, system, hand, k / stride);
    didWork(10);
    return (system.worst[0]! > 0 ? 1 : 0) | (system.worst[1]! > 0 ? 2 : 0);
  };
  for (let k = 0; k < count; k += stride) asked[k] = askedAt(k);
  for (let k = 0; k < count; k++) {
    const before = k - (k % stride);
    const after = before + stride;
    if (k === before) continue;
    asked[k] = after < count ? asked[before]! | asked[after]! : askedAt(k);
  }
  return asked;
}

/** Adds what was found for a window to the plan. */
function addFound(
  { planning: { plan, goals }, arms, setup }: ArmLook,
  { first, last }: Window,
  limbs: ArmSetup['limbs'],
  found: readonly [Float64Array, Float64Array],
): void {
  for (let hand = 0; hand < 2; hand++) {
    const n = limbs[hand]!;
    if (n < 0) continue;
    const { length } = goals.limbs[n]!;
    const moved = found[hand]!;
    for (let k = first; k <= last; k++) {
      const slot = slotOf(goals.limbs.length, k, n);
      const o = rowLength(setup.target) * knownRow(arms, first, last, k) + PART_NUMBERS * setup.chest;
      const at = UNKNOWNS * (k - first);
      for (let c = 0; c < 3; c++)
        for (let i = 0; i < 3; i++)
          plan.shifts[3 * slot + c]! += length * arms.rows[o + 3 * i + c]! * moved[at + i]!;
      plan.swivels[slot]! += moved[at + 3]!;
    }
  }
}

/** The row of a frame, or that of the nearest frame of a window that has one. */
function knownRow({ slots }: ArmRecord, first: number, last: number, k: number): number {
  for (let off = 0; off <= last - first; off++) {
    if (k - off >= first && slots[k - off]! >= 0) return slots[k - off]!;
    if (k + off <= last && slots[k + off]! >= 0) return slots[k + off]!;
  }
  return 0;
}
