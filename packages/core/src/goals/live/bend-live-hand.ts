import { springToZero } from '../../base/math/spring.js';
import type { LimbGoal } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { bendHand, createHandOverFloor } from '../parts/bend-hand.js';

/** How fast a hand bends back when it comes to stand, and bends on when it leaves, per second. */
const BEND_RATE = 12;
/** A bend that is left over, in radians, is none. */
const UNBENT = 1e-6;

/** How far a hand is bent back at its wrist, radians, and how fast that changes: as it is remembered. */
export type LiveHandBend = { bend: Float64Array; speed: Float64Array };

/** A hand that is not bent. */
export function createLiveHandBend(): LiveHandBend {
  return { bend: new Float64Array(1), speed: new Float64Array(1) };
}

const hand = createHandOverFloor();

/**
 * turn = by how much a hand is bent back so that its fingers are out of what it stands on, as a rotation vector: the live
 * form of what `planHands` does. Lifted for its fingers instead, it stands on their tips, a palm's length over the floor.
 * @param turn xyz, model space.
 * @param room Per arm how high the wrist of a hand is over what it stands on, metres, −1 where it does not stand: one number.
 * @param seconds Since the frame before, one number; less than 0 where there is none.
 */
export function bendLiveHand(
  turn: Float64Array,
  { bend, speed }: LiveHandBend,
  limb: LimbGoal,
  { target }: Goals,
  room: Float64Array,
  seconds: Float64Array,
): void {
  const stands = room[0]! >= 0;
  if (!stands && !(bend[0]! > UNBENT)) {
    turn.fill(0);
    bend[0] = 0;
    speed[0] = 0;
    return;
  }
  hand.room[0] = stands ? room[0]! : Number.POSITIVE_INFINITY;
  bendHand(hand, limb, target.matrices, 16 * limb.target.end, 4);
  const wanted = stands ? hand.found[0]! : 0;
  if (seconds[0]! < 0) {
    bend[0] = wanted;
    speed[0] = 0;
  } else {
    bend[0] = bend[0]! - wanted;
    springToZero(bend, speed, 0, BEND_RATE, seconds);
    bend[0] = bend[0]! + wanted;
  }
  for (let c = 0; c < 3; c++) turn[c] = bend[0]! * hand.axis[c]!;
}
