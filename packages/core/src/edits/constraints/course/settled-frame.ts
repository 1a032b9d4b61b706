import type { Correction } from './correction.js';

/** A frame as it came out. */
export type SettledFrame = {
  time: number;
  correction: Correction;
  /** Where joints and tips are without constraints, three numbers each, in heights. */
  attraction: Float32Array;
  /** Whether a jump from the frame before to this one was asked for. */
  isBroken: boolean;
  /** Whether it was drawn anew before, and that was no better: it stays, unless it jumps by the rough limit. */
  isSettled?: boolean;
};
