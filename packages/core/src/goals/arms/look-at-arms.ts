import { type PlannedClip, slotOf } from '../plan/planning.js';
import type { ArmRecord } from './arm-record.js';
import type { ArmSetup } from './arm-setup.js';
import {
  type ArmPlace,
  createArmState,
  keepJoints,
  moveJoints,
  placeAll,
  STILL_ARM,
  UNKNOWNS,
} from './arm-state.js';
import { type ArmFrame, createArmSystem, createArmWants, gatherArms } from './arm-system.js';
import { createNearNotes, NEAR_OTHER, type NearNotes, notedOf } from './near-notes.js';
import { areNoted, joinNotes, noteNear } from './note-near.js';
import { PART_NUMBERS } from './part-frame.js';
import { armAt, PALM_PROBES, placeArmProbes, rowLength } from './shape-row.js';
import { type TouchedLeg, touchedLegs, turnLeg } from './turn-legs.js';
import { writeWants } from './write-wants.js';

/** Frames that are looked at closely: all whose numbers are multiples of this. What is near in others is what is near there. */
export const LOOK_STRIDE = 3;

/** A clip whose arms are looked at, frame by frame, and what is known of it by now. */
export type ArmLook = {
  planning: PlannedClip;
  arms: ArmRecord;
  setup: ArmSetup;
  notes: NearNotes;
  legs: TouchedLeg[];
  /** Per row and leg whether it was turned as planned. */
  turned: Uint8Array;
};

/** Begins to look at a clip. */
export function createArmLook(planning: PlannedClip, arms: ArmRecord, setup: ArmSetup): ArmLook {
  const legs = touchedLegs(planning.goals, setup.target);
  return {
    planning,
    arms,
    setup,
    notes: createNearNotes(setup.target.parts.length, arms.stored),
    legs,
    turned: new Uint8Array(legs.length * arms.stored),
  };
}

const states = [createArmState(), createArmState()] as const;
/** The equations of the frame that was looked at last. */
export const system = createArmSystem();
const wants = createArmWants();
const frame = { states, wants, system } as ArmFrame;
const place: ArmPlace = { row: new Float64Array(0), arm: 0, chest: 0, base: new Float64Array(3) };

/**
 * Puts both arms of a frame that is stored where corrections would have them, and writes into `system` what is asked there.
 * @param limbs Limbs of the arms that are to be corrected, −1 for none.
 * @param found Per hand the corrections, {@link UNKNOWNS} numbers at `at`; null for none.
 * @param carry How much what is carried counts.
 */
export function lookAtArms(
  look: ArmLook,
  k: number,
  limbs: ArmSetup['limbs'],
  found: readonly [Float64Array, Float64Array] | null,
  at: number,
  carry: number,
): void {
  const { planning, arms, setup, notes } = look;
  const slot = arms.slots[k]!;
  let isNoted = isBetween(look, k);
  const isNothing = isNoted && notedOf(notes, slot, 0) === 0 && notedOf(notes, slot, 1) === 0;
  if (isNothing && arms.found.touches.length === 0 && arms.found.carries.length === 0) {
    clearSystem();
    return;
  }
  writeWants(wants, planning, arms, setup, k);
  wants.wrists[3]! *= carry;
  turnLegs(look, k, isNoted);
  const o = rowLength(setup.target) * slot;
  place.row = arms.rows;
  place.chest = o + PART_NUMBERS * setup.chest;
  for (let hand = 0; hand < 2; hand++) if (setup.target.arms[hand]) moveHand(look, k, hand, found, at);
  frame.setup = setup;
  frame.limbs = limbs;
  frame.row = arms.rows;
  frame.o = o;
  frame.near = notes;
  frame.slot = slot;
  isNoted ||= areNoted(notes, slot, states, setup.target.arm);
  const other = isNoted ? (notedOf(notes, slot, 0) | notedOf(notes, slot, 1)) & NEAR_OTHER : NEAR_OTHER;
  for (let hand = 0; hand < 2; hand++) {
    const arm = setup.target.arms[hand];
    const near = other | notedOf(notes, slot, hand);
    if (!arm || near === 0) continue;
    place.arm = o + armAt(setup.target, hand);
    // A hand that is near nothing need not be placed.
    if (near >> PALM_PROBES === 0) placeArmProbes(states[hand]!.probes, arm, states[hand]!.joints);
    else placeAll(states[hand]!, arm, place);
  }
  if (!isNoted) noteNear(notes, slot, frame);
  gatherArms(frame);
}

function clearSystem(): void {
  system.matrix.fill(0);
  system.right.fill(0);
  system.worst.fill(0);
}

/**
 * Whether a frame lies between two that are looked at closely: then it is noted to have near what they have. In a
 * twentieth of a second nothing comes from farther than there is room and goes again.
 */
function isBetween({ arms, notes }: ArmLook, k: number): boolean {
  const off = k % LOOK_STRIDE;
  if (off === 0 || k - off + LOOK_STRIDE >= arms.count) return false;
  const before = arms.slots[k - off]!;
  const after = arms.slots[k - off + LOOK_STRIDE]!;
  return before >= 0 && after >= 0 && joinNotes(notes, arms.slots[k]!, before, after);
}

/** Turns the legs of a frame as they are planned, or those alone that are noted to be near. */
function turnLegs(
  { planning, arms, setup, notes, legs, turned }: ArmLook,
  k: number,
  isNoted: boolean,
): void {
  const slot = arms.slots[k]!;
  for (let l = 0; l < legs.length; l++) {
    const leg = legs[l]!;
    const i = legs.length * slot + l;
    if (turned[i] !== 0) continue;
    if (isNoted && !isPartNoted(notes, slot, leg.thigh) && !isPartNoted(notes, slot, leg.shin)) continue;
    turnLeg(planning, arms, setup.target, leg, k);
    turned[i] = 1;
  }
}

function isPartNoted({ masks, row, hand }: NearNotes, slot: number, n: number): boolean {
  return n >= 0 && (masks[row * slot + n] !== 0 || masks[row * slot + hand + n] !== 0);
}

/** Moves shoulder, elbow and wrist of an arm to where its goal and corrections have them. */
function moveHand(
  { planning: { goals, plan, record }, setup }: ArmLook,
  k: number,
  hand: number,
  found: readonly [Float64Array, Float64Array] | null,
  at: number,
): void {
  const { base } = place;
  const n = setup.limbs[hand]!;
  const slot = n < 0 ? 0 : slotOf(goals.limbs.length, k, n);
  let isStill = found === null;
  for (let c = 0; c < 3; c++) {
    const i = 3 * slot + c;
    base[c] =
      n < 0
        ? 0
        : plan.shifts[i]! + record.places[i]! - record.ends[i]! - plan.holds[slot]! * plan.hips[3 * k + c]!;
    if (base[c] !== 0) isStill = false;
  }
  place.arm = place.chest - PART_NUMBERS * setup.chest + armAt(setup.target, hand);
  if (isStill) keepJoints(states[hand]!, place);
  else
    moveJoints(
      states[hand]!,
      n < 0 ? STILL_ARM : goals.limbs[n]!,
      place,
      found ? found[hand]! : UNCORRECTED,
      found ? at : 0,
    );
}

const UNCORRECTED = new Float64Array(UNKNOWNS);
