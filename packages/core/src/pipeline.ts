import { copyRotations } from './passes/copy-rotations.js';
import { extractRoot } from './passes/extract-root.js';
import { matchGround } from './passes/match-ground.js';
import { moveRoot } from './passes/move-root.js';
import type { Frame, Setup } from './setup.js';

/** One step that reads and writes a frame. */
export type Pass = {
  name: PassName;
  /** What it does, in a line, without a capital or a full stop. */
  summary: string;
  /** The options that steer it, for people to read. */
  options: { name: string; default: string; meaning: string }[];
  /** Builds the pass's loop for a setup; constants are computed here, once. */
  prepare(setup: Setup): (frame: Frame) => void;
};

/**
 * The frame passes in the order in which they run. Rotations come first since every later correction is made
 * to the copied pose; the root is moved before anything that needs to know where the body is; its height is
 * matched to the ground on top of that (B19); root motion is taken out last, when the hips have their final place.
 */
export const PASSES = [copyRotations, moveRoot, matchGround, extractRoot] as const satisfies readonly Pass[];

/** The name of a pass. */
export type PassName = 'copyRotations' | 'moveRoot' | 'matchGround' | 'extractRoot';

/** The names of the passes, in the order in which they run. */
export const PASS_NAMES: readonly PassName[] = ['copyRotations', 'moveRoot', 'matchGround', 'extractRoot'];
