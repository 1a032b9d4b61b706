import { borrow } from '../../base/lend-room.js';
import { squared } from '../../base/math/functions.js';
import { UNKNOWNS } from './arm-state.js';
import type { ArmSystem } from './arm-system.js';
import { solveEightBand } from './solve-eight-band.js';

/** Of a step that is found so much is gone, since surfaces are not flat. */
const STEP = 0.8;
/** How much it costs to move a wrist by an arm's length, to turn an elbow by a radian, and to move a hand that stands. */
export const COST = 0.01;
/** See {@link COST}. */
export const TURN_COST = 0.002;
const HOLD_COST = 1000;

/** The corrections of one arm over some frames, and the equations that they are found by. */
export type ArmWindow = {
  /** `UNKNOWNS` numbers a frame. */
  found: Float64Array;
  band: Float64Array;
  right: Float64Array;
  /** Per frame what is asked there, linear about where the arm was when it was looked at: JᵀJ, Jᵀr, and that place. */
  asked: Float64Array;
  /** Per frame whether it was looked at, and whether anything is asked there. */
  isKnown: Uint8Array;
  isAsked: Uint8Array;
  frames: number;
  /** Whether the clip begins, and ends, with the window: then corrections need not come from nothing, or go there. */
  isOpen: readonly [boolean, boolean];
};

/** Numbers of a frame's own equations: their matrix, their right side, and where they were found. */
const MATRIX = UNKNOWNS * UNKNOWNS;
const ASKED = MATRIX + 2 * UNKNOWNS;
/** An arm that has moved by less than this is where it was: arm lengths, radians. */
const MOVED = 0.004;
/** Each frame is tied to the two before it. */
const WIDTH = 2 * UNKNOWNS;
const SIZE = WIDTH + 1;

/** Room for a window, in which nothing is corrected yet. */
export function createArmWindow(frames: number, isOpen: readonly [boolean, boolean]): ArmWindow {
  const count = UNKNOWNS * frames;
  return {
    found: borrow(count),
    band: borrow(SIZE * count),
    right: borrow(count),
    asked: borrow(ASKED * frames),
    isKnown: new Uint8Array(frames),
    isAsked: new Uint8Array(frames),
    frames,
    isOpen,
  };
}

/** Keeps what is asked of an arm in a frame, where it is now. */
export function keepFrame(
  { asked, isKnown, isAsked, found }: ArmWindow,
  system: ArmSystem,
  hand: number,
  f: number,
): void {
  const o = ASKED * f;
  const { matrix, right } = system;
  const m = MATRIX * hand;
  const at = o + MATRIX + UNKNOWNS;
  const x = UNKNOWNS * f;
  for (let i = 0; i < UNKNOWNS; i++) asked[at + i] = found[x + i]!;
  isKnown[f] = 1;
  // The diagonal is 0 where nothing is asked.
  isAsked[f] = matrix[m]! + matrix[m + 5]! + matrix[m + 10]! + matrix[m + 15]! > 0 ? 1 : 0;
  if (isAsked[f] === 0) return;
  for (let i = 0; i < MATRIX; i++) asked[o + i] = matrix[m + i]!;
  for (let i = 0; i < UNKNOWNS; i++) asked[o + MATRIX + i] = right[UNKNOWNS * hand + i]!;
}

/** Takes over what is asked in a frame from the window that was solved before, where it was looked at. */
export function takeOver(window: ArmWindow, f: number, before: ArmWindow, g: number): void {
  window.isKnown[f] = before.isKnown[g]!;
  window.isAsked[f] = before.isAsked[g]!;
  for (let i = 0; i < ASKED; i++) window.asked[ASKED * f + i] = before.asked[ASKED * g + i]!;
}

/** Whether an arm has to be looked at in a frame: it was not yet, or has moved since. */
export function isStale(window: ArmWindow, f: number): boolean {
  return window.isKnown[f] === 0 || hasMoved(window, f);
}

/** Whether an arm has moved in a frame since it was looked at there. */
function hasMoved({ asked, found }: ArmWindow, f: number): boolean {
  const at = ASKED * f + MATRIX + UNKNOWNS;
  for (let i = 0; i < UNKNOWNS; i++)
    if (Math.abs(found[UNKNOWNS * f + i]! - asked[at + i]!) > MOVED) return true;
  return false;
}

/**
 * Adds to the equations of a window what is asked of an arm in a frame: Jᵀr − JᵀJ·(x − x₀) where it was looked at in x₀.
 * @param count How many frames it stands for: itself, and neighbours that are not looked at.
 */
export function addFrame({ band, right, asked, isAsked, found }: ArmWindow, f: number, count: number): void {
  if (isAsked[f] === 0) return;
  const o = ASKED * f;
  const at = o + MATRIX + UNKNOWNS;
  const row = UNKNOWNS * f;
  // How far the arm is from there; and the matrix, of which what is under the diagonal was found.
  const x = found[row]! - asked[at]!;
  const y = found[row + 1]! - asked[at + 1]!;
  const z = found[row + 2]! - asked[at + 2]!;
  const u = found[row + 3]! - asked[at + 3]!;
  const xx = asked[o]!;
  const yx = asked[o + 4]!;
  const yy = asked[o + 5]!;
  const zx = asked[o + 8]!;
  const zy = asked[o + 9]!;
  const zz = asked[o + 10]!;
  const ux = asked[o + 12]!;
  const uy = asked[o + 13]!;
  const uz = asked[o + 14]!;
  const uu = asked[o + 15]!;
  const r = o + MATRIX;
  right[row]! += count * (asked[r]! - xx * x - yx * y - zx * z - ux * u);
  right[row + 1]! += count * (asked[r + 1]! - yx * x - yy * y - zy * z - uy * u);
  right[row + 2]! += count * (asked[r + 2]! - zx * x - zy * y - zz * z - uz * u);
  right[row + 3]! += count * (asked[r + 3]! - ux * x - uy * y - uz * z - uu * u);
  const d = SIZE * row + WIDTH;
  band[d]! += count * xx;
  band[d + SIZE - 1]! += count * yx;
  band[d + SIZE]! += count * yy;
  band[d + 2 * SIZE - 2]! += count * zx;
  band[d + 2 * SIZE - 1]! += count * zy;
  band[d + 2 * SIZE]! += count * zz;
  band[d + 3 * SIZE - 3]! += count * ux;
  band[d + 3 * SIZE - 2]! += count * uy;
  band[d + 3 * SIZE - 1]! += count * uz;
  band[d + 3 * SIZE]! += count * uu;
}

/** Adds that a hand which stands on the floor stays where it is: its elbow alone gives way. */
export function holdFrame({ band, right, found }: ArmWindow, f: number, hold: number): void {
  for (let i = 0; i < 3; i++) {
    const row = UNKNOWNS * f + i;
    band[SIZE * row + WIDTH]! += HOLD_COST * hold;
    right[row]! -= HOLD_COST * hold * found[row]!;
  }
}

/** Solves the equations, goes most of the way that they say, and tells how far the farthest is. */
export function endRound({ band, right, found, frames }: ArmWindow): number {
  solveEightBand(band, right, UNKNOWNS * frames);
  let most = 0;
  for (let i = 0; i < found.length; i++) {
    found[i]! += STEP * right[i]!;
    if (Math.abs(right[i]!) > most) most = Math.abs(right[i]!);
  }
  return most;
}

/**
 * Begins the equations of a round: corrections shall be small and change little, λ·|x|² + λ·m²·Σ (x − x₋)² +
 * λ·n⁴·Σ (x₋ − 2x + x₊)², where x is 0 before and after the window, unless the clip ends there.
 * @param within Frames n and m.
 * @param stride How many frames nodes are apart: differences of nodes are so much larger than those of frames.
 */
export function beginRound(window: ArmWindow, within: { calm: number; slow: number }, stride: number): void {
  const { band, right, found, frames, isOpen } = window;
  band.fill(0);
  const slow = squared(within.slow / stride);
  const calm = squared(squared(within.calm / stride));
  for (let f = 0; f < frames; f++) {
    // How many of the differences that a node is in, and its neighbours one and two before it with it, lie in the window.
    const before = isOpen[0] ? f : 2;
    const after = isOpen[1] ? frames - 1 - f : 2;
    const steps = (before > 0 ? 1 : 0) + (after > 0 ? 1 : 0);
    const bends = (before > 1 ? 1 : 0) + (after > 1 ? 1 : 0);
    const middle = before > 0 && after > 0 ? 4 : 0;
    const own = 1 + slow * steps + calm * (bends + middle);
    const one = f > 0 ? -slow - 2 * calm * ((before > 1 ? 1 : 0) + (after > 0 ? 1 : 0)) : 0;
    const two = f > 1 ? calm : 0;
    for (let i = 0; i < UNKNOWNS; i++) {
      const cost = i < 3 ? COST : TURN_COST;
      const row = UNKNOWNS * f + i;
      const at = SIZE * row;
      band[at + WIDTH] = cost * own;
      if (f > 0) band[at + WIDTH - UNKNOWNS] = cost * one;
      if (f > 1) band[at] = cost * two;
    }
  }
  // The right side is −A·x: where x is, is what it costs to stay there.
  for (let row = 0; row < right.length; row++) {
    let sum = band[SIZE * row + WIDTH]! * found[row]!;
    if (row >= UNKNOWNS) sum += band[SIZE * row + WIDTH - UNKNOWNS]! * found[row - UNKNOWNS]!;
    if (row >= WIDTH) sum += band[SIZE * row]! * found[row - WIDTH]!;
    if (row + UNKNOWNS < right.length)
      sum += band[SIZE * (row + UNKNOWNS) + WIDTH - UNKNOWNS]! * found[row + UNKNOWNS]!;
    if (row + WIDTH < right.length) sum += band[SIZE * (row + WIDTH)]! * found[row + WIDTH]!;
    right[row] = -sum;
  }
}
