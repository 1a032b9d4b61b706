import type { Contact } from '../options/contact.js';

/** Numbers that `GoalPlan.solved` has for a limb in a frame: quaternions of three joints, and of the toes. */
export const SOLVED_SIZE = 16;

/**
 * The corrections of one clip, found by looking at the whole of it: curves on a grid of so many frames a second as
 * `gridRateOf` says, read at any time in any order.
 */
export type GoalPlan = {
  /** Number of grid frames, and how many a second has. */
  count: number;
  rate: number;
  /** xyz per limb per frame: what its end's goal is moved by. */
  shifts: Float64Array;
  /** Rotation vectors per limb per frame, model space: what its end is turned by. */
  turns: Float64Array;
  /** Per limb and frame: how much it is held to the ground, 0 to 1, so that it does not come along with the hips. */
  holds: Float64Array;
  /** Per limb and frame: what its elbow is turned by about the line from shoulder to hand, radians; 0 for legs. */
  swivels: Float64Array;
  /** Per limb and frame: how far its toes bend up, in radians. */
  bends: Float64Array;
  /**
   * Rotation vectors of the upper, middle and end joint of each limb per frame, in their own axes: what is turned on top
   * when the limb is solved, so that nothing pops; null where nothing does.
   */
  calms: Float64Array | null;
  /**
   * Per limb and frame what its upper, middle and end joint and its toes are turned by in the end, quaternions in their own
   * axes: all of the above as it was solved while it was planned, so that a frame of the grid need not solve it again; null
   * for a limb that stays as copied. Null where limbs are solved otherwise, or the plan was changed since.
   */
  solved: (Float32Array | null)[] | null;
  /** The first and the last frame in which that holds. */
  solvedFrames: readonly [number, number];
  /** xyz per frame: what the hips give way by. */
  hips: Float64Array;
  /** Rotation vectors per part of `GoalSetup.laid` per frame: what lies is turned by, see `layParts`; null for nothing. */
  lays: Float64Array | null;
  /** Nothing shall be lower than this, model space: the target's floor, or the lowest step that is stood on. */
  floor: number;
  /** Velocity of the ground under the source, see `GoalRecord.ground`. */
  ground: readonly [number, number];
  /** Contacts: what touches what and when, as found or as told, in order of points. */
  contacts: readonly Contact[];
};

/** out = a curve of `size` interleaved numbers on a grid at a time in seconds; still before its beginning and after its end. */
export function samplePlan(
  out: Float64Array,
  curve: Float64Array,
  size: number,
  { count, rate }: { count: number; rate: number },
  time: number,
): void {
  const at = time * rate;
  const last = count - 1;
  const k = at > 0 ? Math.min(Math.floor(at), last) : 0;
  const next = k < last ? k + 1 : last;
  const u = at > k ? Math.min(at - k, 1) : 0;
  for (let c = 0; c < size; c++) {
    const a = curve[k * size + c]!;
    out[c] = a + u * (curve[next * size + c]! - a);
  }
}

/** A time that is nearer to a frame of the grid than this share of itself is that frame's, as a float32 has it. */
const GRID_SLACK = 1e-7;

/** The frame of the grid that is at a time, if it is one of those from one to another; −1 where not, or between two. */
export function gridFrame(
  time: number,
  { rate, frames: [first, last] }: { rate: number; frames: readonly [number, number] },
): number {
  const at = time * rate;
  const frame = Math.round(at);
  return frame >= first && frame <= last && Math.abs(at - frame) <= GRID_SLACK * at ? frame : -1;
}
