import { squared } from '../../base/math/functions.js';
import { solveBanded } from '../../base/math/solve-banded.js';
import { UNKNOWNS } from './arm-state.js';
import type { ArmSystem } from './arm-system.js';

/** Of a step that is found so much is gone, since surfaces are not flat. */
const STEP = 0.8;
/** How much it costs to move a wrist by an arm's length, to turn an elbow by a radian, to move a hand that stands, … */
export const COST = 0.01;
/** See {@link COST}. */
export const TURN_COST = 0.002;
const HOLD_COST = 1000;
/** … and frames within which it is as dear to go there: λ·n²·|x′|². */
const SLOW_FRAMES = 10;

/** The corrections of one arm over some frames, and the equations that they are found by. */
export type ArmWindow = {
  /** `UNKNOWNS` numbers a frame. */
  found: Float64Array;
  band: Float64Array;
  right: Float64Array;
  /** Per frame what is asked there, linear about where the arm was when it was looked at: JᵀJ, Jᵀr, and that place. */
  asked: Float64Array;
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
    found: new Float64Array(count),
    band: new Float64Array(SIZE * count),
    right: new Float64Array(count),
    asked: new Float64Array(ASKED * frames),
    frames,
    isOpen,
  };
}

/** Keeps what is asked of an arm in a frame, where it is now. */
export function keepFrame({ asked, found }: ArmWindow, system: ArmSystem, hand: number, f: number): void {
  const o = ASKED * f;
  for (let i = 0; i < MATRIX; i++) asked[o + i] = system.matrix[MATRIX * hand + i]!;
  for (let i = 0; i < UNKNOWNS; i++) {
    asked[o + MATRIX + i] = system.right[UNKNOWNS * hand + i]!;
    asked[o + MATRIX + UNKNOWNS + i] = found[UNKNOWNS * f + i]!;
  }
}

/** Whether an arm has moved in a frame since it was looked at there. */
export function hasMoved({ asked, found }: ArmWindow, f: number): boolean {
  const at = ASKED * f + MATRIX + UNKNOWNS;
  for (let i = 0; i < UNKNOWNS; i++)
    if (Math.abs(found[UNKNOWNS * f + i]! - asked[at + i]!) > MOVED) return true;
  return false;
}

/** Adds to the equations of a window what is asked of an arm in a frame: Jᵀr − JᵀJ·(x − x₀) where it was looked at in x₀. */
export function addFrame({ band, right, asked, found }: ArmWindow, f: number): void {
  const o = ASKED * f;
  const at = o + MATRIX + UNKNOWNS;
  for (let i = 0; i < UNKNOWNS; i++) {
    const row = UNKNOWNS * f + i;
    let sum = asked[o + MATRIX + i]!;
    for (let j = 0; j < UNKNOWNS; j++) {
      const entry = j <= i ? asked[o + UNKNOWNS * i + j]! : asked[o + UNKNOWNS * j + i]!;
      sum -= entry * (found[UNKNOWNS * f + j]! - asked[at + j]!);
      if (j <= i) band[SIZE * row + WIDTH - (i - j)]! += entry;
    }
    right[row]! += sum;
  }
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
  solveBanded(band, right, UNKNOWNS * frames, WIDTH);
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
 */
export function beginRound(window: ArmWindow, calmFrames: number): void {
  const { band, right, found, frames } = window;
  band.fill(0);
  right.fill(0);
  for (let i = 0; i < UNKNOWNS; i++) {
    const cost = i < 3 ? COST : TURN_COST;
    for (let f = 0; f < frames; f++) {
      const row = UNKNOWNS * f + i;
      band[SIZE * row + WIDTH]! += cost;
      right[row]! -= cost * found[row]!;
    }
    addSteps(window, i, cost * squared(SLOW_FRAMES), FIRST_DIFFERENCES);
    addSteps(window, i, cost * squared(squared(calmFrames)), SECOND_DIFFERENCES);
  }
}

/** A difference of neighbours, and one of differences. */
const FIRST_DIFFERENCES = [-1, 1] as const;
const SECOND_DIFFERENCES = [1, -2, 1] as const;

/** Adds cost · Σ (Σ wⱼ·x₍ₖ₊ⱼ₎)² of one unknown, over all places where the weights lie in the window or beside it. */
function addSteps(
  { band, right, found, frames, isOpen }: ArmWindow,
  unknown: number,
  cost: number,
  weights: readonly number[],
): void {
  const beyond = weights.length - 1;
  for (let k = isOpen[0] ? 0 : -beyond; k < (isOpen[1] ? frames - beyond : frames); k++) {
    let sum = 0;
    for (let d = 0; d < weights.length; d++)
      if (k + d >= 0 && k + d < frames) sum += weights[d]! * found[UNKNOWNS * (k + d) + unknown]!;
    for (let d = 0; d < weights.length; d++) {
      if (k + d < 0 || k + d >= frames) continue;
      const row = UNKNOWNS * (k + d) + unknown;
      right[row]! -= cost * weights[d]! * sum;
      for (let e = 0; e <= d; e++)
        if (k + e >= 0) band[SIZE * row + WIDTH - UNKNOWNS * (d - e)]! += cost * weights[d]! * weights[e]!;
    }
  }
}
