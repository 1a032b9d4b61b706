import { atan2, cos, sin } from '../../base/math/functions.js';
import type { LimbGoal } from '../goal-setup.js';

/** Hands bend back at the wrist by at most so much, radians: 80 degrees. */
const MOST_BEND = (80 * Math.PI) / 180;
/** A hand whose fingertips are so far over the level of its wrist, radians, lies flat: tips are thinner than the ball of a thumb. */
const LIES_FLAT = 0.25;
/** In how many steps it is looked for, and how often the one that is enough is halved: to half a degree. */
const BEND_STEPS = 10;
const HALVINGS = 4;
/** A hand that is in the floor however it bends bends until it is no deeper than it must by this share of its length. */
const NEARLY = 0.05;
/** A hand whose back is down is not bent back: from where its back is so far down, as a cosine, to so far. */
const BACK_DOWN = -0.2;
const BACK_FLAT = -0.6;

/** A hand over the floor: what {@link bendHand} is told of it, and what it finds; in stores, for nothing on the heap. */
export type HandOverFloor = {
  /** How much lower than the wrist skin may be, metres: one number. */
  room: Float64Array;
  /** Found: how far it bends back, radians; and its lowest skin under the wrist when it does, metres, less than 0. */
  found: Float64Array;
  /** The axis that it bends back about: xyz, model space, of length 1. */
  axis: Float64Array;
};

/** A hand of which nothing is known yet. */
export function createHandOverFloor(): HandOverFloor {
  return { room: new Float64Array(1), found: new Float64Array(2), axis: new Float64Array(3) };
}

/**
 * How far the farthest skin of a hand, that of its fingertips, is from its wrist, metres; and how far the hand bends back until
 * they are level with that, radians.
 */
const fingertips = new Float64Array(2);
/** Heights of the matrix's columns when the hand is bent. */
const rows = new Float64Array(3);

/**
 * Finds how far a hand on the floor bends back at the wrist until its fingers are out of it: nobody stands on fingers
 * that point into the ground, but captures have hands as straight as that. No farther than until it lies flat: a palm that is
 * thicker than it should be is lifted, else its fingers would point up. With a the axis across the palm, every skin
 * point r turns as r cos θ + (a × r) sin θ + a (a · r)(1 − cos θ); only its height is needed, that is the second row
 * of the turn.
 * @param axes Columns of the matrix of the hand: x, y and z, each `stride` numbers after the one before.
 * @param at Where they begin.
 */
export function bendHand(
  hand: HandOverFloor,
  { across, skin }: Pick<LimbGoal, 'across' | 'skin'>,
  axes: Float64Array,
  at: number,
  stride: number,
): void {
  const { room, found, axis } = hand;
  for (let c = 0; c < 3; c++)
    axis[c] =
      axes[at + c]! * across[0]! +
      axes[at + stride + c]! * across[1]! +
      axes[at + 2 * stride + c]! * across[2]!;
  const length = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]! + axis[2]! * axis[2]!);
  for (let c = 0; c < 3; c++) axis[c] = length > 1e-9 ? axis[c]! / length : 0;
  found[0] = 0;
  found[1] = lowestWhenBent(axis, skin, axes, at, stride, 0);
  if (!(length > 1e-9) || found[1]! >= -room[0]!) return;
  // Up, as the back of the hand is: across × ahead; `across` stands in the hand's own axes, ahead is its farthest skin.
  const up = backOfHand(axis, skin, axes, at, stride);
  const share = Math.max(0, Math.min(1, (up - BACK_FLAT) / (BACK_DOWN - BACK_FLAT)));
  const most = Math.min(MOST_BEND * share, Math.max(0, fingertips[1]! + LIES_FLAT));
  // The least that is enough; where nothing is, as the skin of the wrist itself is too low, what is nearly as good as any.
  let best = found[1]!;
  for (let i = 1; i <= BEND_STEPS && best < -room[0]!; i++)
    best = Math.max(best, lowestWhenBent(axis, skin, axes, at, stride, (most * i) / BEND_STEPS));
  const enough = best < -room[0]! ? best - NEARLY * fingertips[0]! : -room[0]!;
  for (let i = 1; i <= BEND_STEPS && found[1]! < enough; i++) {
    found[0] = (most * i) / BEND_STEPS;
    found[1] = lowestWhenBent(axis, skin, axes, at, stride, found[0]!);
  }
  if (found[1]! < -room[0]!) return;
  let low = found[0]! - most / BEND_STEPS;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + found[0]!) / 2;
    if (lowestWhenBent(axis, skin, axes, at, stride, middle) >= -room[0]!) found[0] = middle;
    else low = middle;
  }
  found[1] = lowestWhenBent(axis, skin, axes, at, stride, found[0]!);
}

/** How high the lowest skin is over the wrist, metres, when a hand is bent back by an angle. */
export function lowestWhenBent(
  axis: Float64Array,
  skin: Float64Array,
  axes: Float64Array,
  at: number,
  stride: number,
  angle: number,
): number {
  const c = cos(angle);
  const s = sin(angle);
  const x = axis[0]!;
  const y = axis[1]!;
  const z = axis[2]!;
  for (let i = 0; i < 3; i++) {
    const o = at + stride * i;
    const along = x * axes[o]! + y * axes[o + 1]! + z * axes[o + 2]!;
    rows[i] = c * axes[o + 1]! + s * (z * axes[o]! - x * axes[o + 2]!) + (1 - c) * y * along;
  }
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < skin.length; i += 3) {
    const height = rows[0]! * skin[i]! + rows[1]! * skin[i + 1]! + rows[2]! * skin[i + 2]!;
    if (height < lowest) lowest = height;
  }
  return lowest;
}

/**
 * How far the back of a hand looks up, −1 to 1: the height of axis × the way r to its farthest skin. That is level when
 * r cos θ + (a × r) sin θ has no height.
 */
function backOfHand(
  axis: Float64Array,
  skin: Float64Array,
  axes: Float64Array,
  at: number,
  stride: number,
): number {
  let far = 0;
  let up = 0;
  for (let i = 0; i < skin.length; i += 3) {
    const sx = skin[i]!;
    const sy = skin[i + 1]!;
    const sz = skin[i + 2]!;
    const x = axes[at]! * sx + axes[at + stride]! * sy + axes[at + 2 * stride]! * sz;
    const y = axes[at + 1]! * sx + axes[at + stride + 1]! * sy + axes[at + 2 * stride + 1]! * sz;
    const z = axes[at + 2]! * sx + axes[at + stride + 2]! * sy + axes[at + 2 * stride + 2]! * sz;
    const away = Math.sqrt(x * x + y * y + z * z);
    if (!(away > far)) continue;
    far = away;
    up = (axis[2]! * x - axis[0]! * z) / away;
    fingertips[1] = atan2(-y / away, up);
  }
  fingertips[0] = far;
  return up;
}
