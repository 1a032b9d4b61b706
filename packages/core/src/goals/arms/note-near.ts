import type { ArmState } from './arm-state.js';
import { type ArmFrame, FARTHEST_TOUCH, mostOf } from './arm-system.js';
import { OTHER_ARM, TOUCHED } from './body-shape.js';
import { CLEAR_NUMBERS, NEAR_OTHER, type NearNotes } from './near-notes.js';
import { areNear, BALL_NUMBERS, probesNear, readBalls } from './near-parts.js';
import { gapToPart, innerRoom, PART_NUMBERS } from './part-frame.js';
import { gapsToLine } from './read-gaps.js';
import { MOST_PROBES, PALM_PROBES, probeCount } from './shape-row.js';

/*
 * Frames are looked at again and again while arms are solved, and most of an arm is far from most of its body all the
 * while. So it is noted once per frame which probes are near which parts, with room to move, and only those are looked
 * at until an elbow or a wrist has gone farther than that: a probe goes no farther than they do, since it lies between
 * them, or moves with the wrist as the hand keeps its turn. What is left out could not have been found.
 */

/** How far an elbow or a wrist may go, in arm lengths, before it is noted anew what is near. */
const NEAR_ROOM = 0.05;

/** Whether what was noted for a row holds where both arms are now. */
export function areNoted(
  { places }: NearNotes,
  slot: number,
  states: readonly [ArmState, ArmState],
  unit: number,
): boolean {
  const room = NEAR_ROOM * unit * NEAR_ROOM * unit;
  return areWithin(places, 12 * slot, states, room);
}

/** Whether elbows and wrists of both arms are no farther than so far, squared, from where they were. */
function areWithin(
  places: Float64Array,
  at: number,
  states: readonly [ArmState, ArmState],
  square: number,
): boolean {
  for (let hand = 0; hand < 2; hand++) {
    const { joints } = states[hand]!;
    const i = at + 6 * hand;
    for (let j = 0; j < 6; j += 3) {
      const x = joints[j + 3]! - places[i + j]!;
      const y = joints[j + 4]! - places[i + j + 1]!;
      const z = joints[j + 5]! - places[i + j + 2]!;
      if (!(x * x + y * y + z * z <= square)) return false;
    }
  }
  return true;
}

/**
 * Notes for a row that nothing of what is noted to be near is asked of arms which are where they are now, nor would be
 * while elbows and wrists are within so far of that.
 * @param far Metres, one number, in an array: by itself it would be made on the heap with every call.
 */
export function noteClear(
  { clear }: NearNotes,
  slot: number,
  states: readonly [ArmState, ArmState],
  far: Float64Array,
): void {
  const o = CLEAR_NUMBERS * slot;
  clear[o] = far[0]!;
  for (let hand = 0; hand < 2; hand++)
    for (let c = 0; c < 6; c++) clear[o + 1 + 6 * hand + c] = states[hand]!.joints[3 + c]!;
}

/** Whether arms are still so near to where nothing was asked of them that nothing can be, see {@link noteClear}. */
export function areClear({ clear }: NearNotes, slot: number, states: readonly [ArmState, ArmState]): boolean {
  const o = CLEAR_NUMBERS * slot;
  const far = clear[o]!;
  return far > 0 && areWithin(clear, o + 1, states, far * far);
}

/**
 * Notes for a row that what is near in either of two others, those of frames beside it, is near in it.
 * @returns Whether both of them were noted.
 */
export function joinNotes({ masks, places, row }: NearNotes, slot: number, a: number, b: number): boolean {
  if (!(places[12 * a]! < Number.POSITIVE_INFINITY && places[12 * b]! < Number.POSITIVE_INFINITY))
    return false;
  for (let i = 0; i < row; i++) masks[row * slot + i] = masks[row * a + i]! | masks[row * b + i]!;
  return true;
}

const found = new Float64Array(MOST_PROBES);
const away = new Float64Array(1);
let balls: Float64Array = new Float64Array(0);

/** Notes what is near both arms of a frame as they are now, all of whose probes are placed. */
export function noteNear(notes: NearNotes, slot: number, frame: ArmFrame): void {
  const { setup, row, o, states, wants } = frame;
  const { parts, arms, arm: unit } = setup.target;
  const room = NEAR_ROOM * unit;
  innerRoom[0] = room;
  balls = readBalls(balls, parts, row, o);
  for (let hand = 0; hand < 2; hand++) {
    const arm = arms[hand];
    const state = states[hand]!;
    for (let c = 0; c < 6; c++) notes.places[12 * slot + 6 * hand + c] = state.joints[3 + c]!;
    if (!arm) continue;
    const at = notes.row * slot + notes.hand * hand;
    const count = probeCount(arm);
    let any = 0;
    for (let n = 0; n < parts.length; n++) {
      const isTouched = wants.weights[TOUCHED.length * hand + parts[n]!.touched]! > 0;
      const far = room + (isTouched ? 2 * FARTHEST_TOUCH * unit : 0);
      const b = BALL_NUMBERS * n;
      const last = areNear(balls, b, state.hand, 0, far) ? count : PALM_PROBES;
      let bits = probesNear(balls, b, state.probes, last, far);
      let near = 0;
      while (bits !== 0) {
        const bit = bits & -bits;
        bits ^= bit;
        const p = 31 - Math.clz32(bit);
        found[p] = mostOf(frame, hand, p, n, isTouched) + room;
        gapToPart(found, p, parts[n]!, row, o + PART_NUMBERS * n, state.probes);
        if (found[p]! < Number.POSITIVE_INFINITY) near |= bit;
      }
      notes.masks[at + n] = near;
      any |= near;
    }
    if (arms[1 - hand] && isOtherNear(frame, hand, 2 * room)) any |= NEAR_OTHER;
    notes.masks[at + parts.length] = any;
  }
  innerRoom[0] = 0;
}

/** Whether an arm from its elbow on may be nearer to the other arm than is of interest, and than some room beyond. */
export function isOtherNear({ setup, states, wants }: ArmFrame, hand: number, room: number): boolean {
  const { arms, arm: unit } = setup.target;
  const { thick } = arms[1 - hand]!;
  const state = states[hand]!;
  const other = states[1 - hand]!;
  const isAsked = wants.weights[TOUCHED.length * hand + OTHER_ARM]! > 0;
  const far = room + (isAsked ? 2 * FARTHEST_TOUCH * unit : 0);
  const most = Math.max(thick[0], thick[1], thick[2]) + far;
  for (let i = 0; i < 6; i += 3) {
    gapsToLine(away, state.hand, 0, 1, other.joints, i);
    if (away[0]! <= most) return true;
    gapsToLine(away, state.fore, 0, 1, other.joints, i);
    if (away[0]! <= most) return true;
  }
  return areNear(state.hand, 0, other.hand, 0, far) || areNear(state.fore, 0, other.hand, 0, far);
}
