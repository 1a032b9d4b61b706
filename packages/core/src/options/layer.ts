import type { CurveEase } from '../base/math/easing.js';
import type { Vec3 } from '../base/math/vector.js';

/*
 * Layers as people write and keep them: JSON. What a layer adds is an offset, never a pose: the motion underneath keeps
 * every detail (Bruderlin and Williams; M10, M11).
 */

/** A key of a joint's turn: a rotation vector in degrees, in model axes of the aligned reference. */
export type TurnKey = { time: number; degrees: Vec3; ease?: CurveEase };

/** A key of the hips' way: shares of the hips' height, model axes. */
export type PlaceKey = { time: number; place: Vec3; ease?: CurveEase };

/** A key of a weight. */
export type WeightKey = { time: number; value: number; ease?: CurveEase };

/** Something that is added to a motion. */
export type Layer = {
  /** For people. */
  name?: string;
  /** The clip that it is for; every clip if left out. */
  clip?: string;
  /** Whether corrections and constraints respect it (`before`, if left out), or it has the last word (`after`). */
  when?: 'before' | 'after';
  /** How much of it is added: a number or a curve; 1 if left out. */
  weight?: number | WeightKey[];
  muted?: boolean;
  /** Curves by role, or by joint name where a joint has none. */
  joints?: Record<string, TurnKey[]>;
  /** The way of the joint that carries the body. */
  hips?: PlaceKey[];
  /**
   * Cycles a second, from and to: the layer scales this band of the motion under it instead of adding curves, by
   * `gain` (0 takes it out, 2 doubles it), on the joints that `joints` names without keys, or all.
   */
  band?: [number, number];
  gain?: number;
};
