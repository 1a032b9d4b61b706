import { rotateVector } from '../../../base/math/quaternion.js';
import type { MovingBody } from './moving-body.js';

/** Where the mass of a body is: points that joints carry, and their sums while it moves. Lengths in heights. */
export type MassModel = {
  /** Shares of the body's mass, one a point. */
  shares: Float64Array;
  /** The joint, in the body's list, that carries each. */
  joints: Int32Array;
  /** Where each is, in that joint's axes. */
  offsets: Float64Array;
  /** Per joint of the list the share of all mass below it; behind the last, of what the hips carry. */
  masses: Float64Array;
  /** Per joint the centre of that mass, now. */
  centres: Float64Array;
  /** The centre of all mass, now. */
  centre: Float64Array;
};

const point = new Float64Array(3);

/** The centres of mass of a body as it stands. */
export function gatherMass(mass: MassModel, { plan, rotations, positions, carried }: MovingBody): void {
  const { shares, joints, offsets, masses, centres, centre } = mass;
  const count = plan.joints.length;
  masses.fill(0);
  centres.fill(0);
  for (let n = 0; n < shares.length; n++) {
    const i = joints[n]!;
    rotateVector(point, 0, rotations, 4 * i, offsets, 3 * n);
    masses[i] = masses[i]! + shares[n]!;
    for (let c = 0; c < 3; c++)
      centres[3 * i + c] = centres[3 * i + c]! + shares[n]! * (point[c]! + positions[3 * i + c]!);
  }
  centre.fill(0);
  let all = 0;
  // Children first: what a joint carries is carried by its parent too.
  for (let i = count - 1; i >= 0; i--) {
    const p = plan.parents[i]!;
    if (p < 0) {
      all += masses[i]!;
      for (let c = 0; c < 3; c++) centre[c] = centre[c]! + centres[3 * i + c]!;
      if (carried[i] === 1) masses[count] = masses[count]! + masses[i]!;
    } else {
      masses[p] = masses[p]! + masses[i]!;
      for (let c = 0; c < 3; c++) centres[3 * p + c] = centres[3 * p + c]! + centres[3 * i + c]!;
    }
  }
  for (let c = 0; c < 3; c++) centre[c] = all > 0 ? centre[c]! / all : 0;
  for (let i = 0; i < count; i++) {
    const k = masses[i]! > 0 ? 1 / masses[i]! : 0;
    for (let c = 0; c < 3; c++) centres[3 * i + c] = k * centres[3 * i + c]!;
    masses[i] = all > 0 ? masses[i]! / all : 0;
  }
  masses[count] = all > 0 ? masses[count]! / all : 0;
}
