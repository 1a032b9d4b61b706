import { squared } from '../../base/math/functions.js';
import { solveBanded } from '../../base/math/solve-banded.js';
import { UNKNOWNS } from './arm-state.js';
import type { ArmSystem } from './arm-system.js';

/** Of a step that is found so much is gone, since surfaces are not flat. */
const STEP = 0.8;
/** How much it costs to move a wrist by an arm's length, to turn an elbow by a radian, to move a hand that stands, … */
const COST = 0.01;
const TURN_COST = 0.002;
const HOLD_COST = 1000;
/** … and frames within which it is as dear to go there: λ·n²·|x′|². */
const SLOW_FRAMES = 10;

/** The corrections of one arm over some frames, and the equations that they are found by. */
export type ArmWindow = {
  /** `UNKNOWNS` numbers a frame. */
  found: Float64Array;
  band: Float64Array;
  right: Float64Array;
  frames: number;
  /** Whether the clip begins, and ends, with the window: then corrections need not come from nothing, or go there. */
  isOpen: readonly [boolean, boolean];
};

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
    frames,
    isOpen,
  };
}

/** Adds to the equations of a window what is asked of an arm in a frame. */
export function addFrame({ band, right }: ArmWindow, system: ArmSystem, hand: number, f: number): void {
  for (let i = 0; i < UNKNOWNS; i++) {
    const row = UNKNOWNS * f + i;
    for (let j = 0; j <= i; j++)
      band[SIZE * row + WIDTH - (i - j)]! += system.matrix[UNKNOWNS * (UNKNOWNS * hand + i) + j]!;
    right[row]! += system.right[UNKNOWNS * hand + i]!;
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

/** Solves the equations, and goes most of the way that they say. */
export function endRound({ band, right, found, frames }: ArmWindow): void {
  solveBanded(band, right, UNKNOWNS * frames, WIDTH);
  for (let i = 0; i < found.length; i++) found[i]! += STEP * right[i]!;
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
