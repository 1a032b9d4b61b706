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
import {
  type ArmFrame,
  clearance,
  clearSystem,
  createArmSystem,
  createArmWants,
  gatherArms,
} from './arm-system.js';
import { carryLead } from './find-carried.js';
import { createNearNotes, NEAR_OTHER, type NearNotes, notedOf } from './near-notes.js';
import { areClear, areNoted, joinNotes, noteClear, noteNear } from './note-near.js';
import { PART_NUMBERS } from './part-frame.js';
import { armAt, PALM_PROBES, placeArmProbes, placeProbes, rowLength } from './shape-row.js';
import { type TouchedLeg, touchedLegs, turnLeg } from './turn-legs.js';
import { writeWants } from './write-wants.js';

/**
 * A clip whose arms are looked at, and what is known of it by now: closely in frames whose numbers are multiples of the
 * record's stride. What is near in others is what is near there.
 */
export type ArmLook = {
  planning: PlannedClip;
  arms: ArmRecord;
  setup: ArmSetup;
  notes: NearNotes;
  legs: TouchedLeg[];
  /** Per frame 1 where hands touch or carry something. */
  busy: Uint8Array;
  /** Per frame and hand what its wrist is moved by before arms are planned: xyz, metres. */
  bases: Float64Array;
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
    busy: busyFrames(arms),
    bases: readBases(planning, setup),
    turned: new Uint8Array(legs.length * arms.stored),
  };
}

/** Per frame 1 where hands touch or carry something. */
function busyFrames(arms: ArmRecord): Uint8Array {
  const { count } = arms;
  const { touches, carries } = arms.found;
  const lead = carryLead(arms);
  const busy = new Uint8Array(count);
  for (const { first, last } of touches) busy.fill(1, Math.max(0, first), last + 1);
  for (const { first, last } of carries) busy.fill(1, Math.max(0, first - lead), last + lead + 1);
  return busy;
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
  const isLegNoted = isBetween(look, k);
  let isNoted = isLegNoted;
  const isIdle = look.busy[k] === 0;
  const near = notedOf(notes, slot, 0) | notedOf(notes, slot, 1);
  if (isIdle && isNoted && near === 0) {
    clearSystem(system);
    return;
  }
  const o = rowLength(setup.target) * slot;
  place.row = arms.rows;
  place.chest = o + PART_NUMBERS * setup.chest;
  for (let hand = 0; hand < 2; hand++) if (setup.target.arms[hand]) moveHand(look, k, hand, found, at);
  isNoted ||= areNoted(notes, slot, states, setup.target.arm);
  if (isIdle && isNoted && areClear(notes, slot, states)) {
    clearSystem(system);
    return;
  }
  writeWants(wants, planning, arms, setup, k);
  wants.wrists[3]! *= carry;
  turnLegs(look, k, isLegNoted);
  frame.setup = setup;
  frame.limbs = limbs;
  frame.row = arms.rows;
  frame.o = o;
  frame.near = notes;
  frame.slot = slot;
  const other = isNoted ? near & NEAR_OTHER : NEAR_OTHER;
  for (let hand = 0; hand < 2; hand++) {
    const arm = setup.target.arms[hand];
    const noted = other | notedOf(notes, slot, hand);
    if (!arm || noted === 0) continue;
    place.arm = o + armAt(setup.target, hand);
    const { probes, joints } = states[hand]!;
    // A hand that is near nothing need not be placed; and the balls around probes are for what is not known to be near.
    if (noted >> PALM_PROBES === 0) placeArmProbes(probes, arm, joints);
    else if (other === 0) placeProbes(probes, arm, place.row, place.arm, joints);
    else placeAll(states[hand]!, arm, place);
  }
  if (!isNoted) noteNear(notes, slot, frame);
  gatherArms(frame);
  if (isIdle) noteClear(notes, slot, states, clearance);
}

/**
 * Whether a frame lies between two that are looked at closely: then it is noted to have near what they have. In a
 * twentieth of a second nothing comes from farther than there is room and goes again.
 */
function isBetween({ arms, notes }: ArmLook, k: number): boolean {
  const off = k % arms.stride;
  if (off === 0 || k - off + arms.stride >= arms.count) return false;
  const before = arms.slots[k - off]!;
  const after = arms.slots[k - off + arms.stride]!;
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
  { planning: { goals }, setup, bases }: ArmLook,
  k: number,
  hand: number,
  found: readonly [Float64Array, Float64Array] | null,
  at: number,
): void {
  const { base } = place;
  const n = setup.limbs[hand]!;
  let isStill = found === null;
  for (let c = 0; c < 3; c++) {
    base[c] = bases[6 * k + 3 * hand + c]!;
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

/** Per frame and hand what its wrist is moved by as planned up to now, 0 for one that is not solved. */
function readBases({ goals, plan, record }: PlannedClip, { limbs }: ArmSetup): Float64Array {
  const bases = new Float64Array(6 * plan.count);
  for (let hand = 0; hand < 2; hand++) {
    const n = limbs[hand]!;
    if (n < 0) continue;
    for (let k = 0; k < plan.count; k++) {
      const slot = slotOf(goals.limbs.length, k, n);
      for (let c = 0; c < 3; c++) {
        const i = 3 * slot + c;
        bases[6 * k + 3 * hand + c] =
          plan.shifts[i]! + record.places[i]! - record.ends[i]! - plan.holds[slot]! * plan.hips[3 * k + c]!;
      }
    }
  }
  return bases;
}

const UNCORRECTED = new Float64Array(UNKNOWNS);
