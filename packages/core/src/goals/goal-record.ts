import type { ArmRecord } from './arms/arm-record.js';

/** The record that goals of a clip are planned from: the copied motion on the planning grid, frame after frame. */
export type GoalRecord = {
  count: number;
  /** Frames a second of the grid. */
  rate: number;
  /**
   * How many times as far a joint of the record leaps from frame to frame as is seen of it in the result, at 60 frames a
   * second; see {@link paceOf}.
   */
  pace: number;
  /** xyz per point per frame: the source's own places, model space. */
  source: Float64Array;
  /** The same on the target as copied. */
  copied: Float64Array;
  /** xyz per limb per frame: goals as placed. */
  places: Float64Array;
  /** xyz per limb per frame: upper, middle and end joint of the target as copied. */
  uppers: Float64Array;
  middles: Float64Array;
  ends: Float64Array;
  /** Per limb and frame the columns of the matrix of its middle joint: x, y, z; 9 numbers. */
  shins: Float64Array;
  /** Per limb and frame how its upper joint's parent, its upper, middle and end joint are turned: quaternions, model space. */
  turned: Float64Array;
  /** The same before parts that rest are laid on the floor; null where none is. */
  unlaid: Float64Array | null;
  /** Where arms and the rest of both bodies are, where they may touch; null without arms. */
  arms: ArmRecord | null;
  /** Per limb and frame how high the lowest skin of its end is over its end joint as copied; of arms. */
  lows: Float64Array;
  /**
   * Per limb and frame the columns of the matrices of its end joint and its toes: x, y, z, place; 24 numbers.
   */
  frames: Float64Array;
  /** Per point and frame how high the source's is over where it stands, in its hip heights. */
  heights: Float64Array;
  /** Per point and frame 1 where the source's foot treads without standing still, see `findTreading`; empty if none. */
  treading: Uint8Array;
  /** Velocity of the ground under the source, x and z: of one that walks on the spot, else 0. */
  ground: [number, number];
  /** Per surface of `GoalSetup.surfaces` and frame its lowest height on the target as copied, model space. */
  surfaces: Float64Array;
  /** Per limb and frame the columns of the matrix of its upper joint, as `shins`. */
  thighs: Float64Array;
  /** Per part of `GoalSetup.laid` and frame what it was turned by to lie on the floor: rotation vectors. */
  lays: Float64Array;
  /** Per frame the height of the lowest part of torso and head as copied, skin where it is known. */
  trunk: Float64Array;
  /** The same of the source, where it is near its floor; +∞ where not. */
  sourceTrunk: Float64Array;
  /** As `trunk`, with arms and thighs, where the source's trunk is near the floor. */
  lying: Float64Array;
};

/** The grid that a clip is planned on. */
export type PlanningGrid = Pick<GoalRecord, 'count' | 'rate' | 'pace'>;

/** How a record lays parts on the floor: by how much they rest, per surface, or by what they are turned by, per part. */
export type Laying = { rests: Float64Array } | { lays: Float64Array };

/**
 * Where a turn of an unrolled loop begins, in frames of the planning grid, how long it is, in seconds, and how many times
 * as fast it is played as the loop itself.
 */
export type LoopTurn = { lead: number; duration: number; speed: number };
