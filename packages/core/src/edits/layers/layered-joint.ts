import type { VectorCurve } from '../vector-curve.js';

/** A joint that a layer turns. */
export type LayeredJoint = {
  joint: number;
  /** Rotation vectors in radians, model axes of the aligned reference. */
  curve: VectorCurve;
  /** G⁻¹: from those axes to the joint's own. */
  axes: Float64Array;
};
