import type { Follower } from '../../align/align-references.js';
import { conjugateQuaternion, multiplyQuaternions, rotateVector } from '../../base/math/quaternion.js';
import type { ModelPose } from '../../scene/pose.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';

/** A joint of a leg that hangs elsewhere, such as a paw on a handle, and all that hangs on it. */
export type AttachedJoint = Pick<Follower, 'joint' | 'carrier' | 'offset' | 'turn'> & {
  /** Itself and what hangs on it, parents first. */
  below: number[];
};

/** Followers that are parts of legs, as goals see them; those above what carries them are none. */
export function attachedJoints(
  skeleton: Skeleton,
  followers: readonly Follower[],
  isPart: (joint: number) => boolean,
): AttachedJoint[] {
  return followers
    .filter(({ joint, above }) => !above && isPart(joint))
    .map(({ joint, carrier, offset, turn }) => ({
      joint,
      carrier,
      offset,
      turn,
      below: skeleton.names.flatMap((_, at) => (isAncestor(skeleton, joint, at) ? [at] : [])),
    }));
}

const place = new Float64Array(3);
const turn = new Float64Array(4);
const back = new Float64Array(4);
const arm = new Float64Array(3);

/**
 * Puts joints that hang elsewhere where `followSkin` will put them in the end, in model space alone: goals are placed,
 * and limbs solved, before the pose itself has them there. What turns with its carrier is turned, with all below it.
 */
export function attachJoints(
  { matrices: m, rotations }: ModelPose,
  attached: readonly AttachedJoint[],
): void {
  for (let n = 0; n < attached.length; n++) {
    const { joint, carrier, offset, turn: rigid, below } = attached[n]!;
    const j = 16 * joint + 12;
    for (let c = 0; c < 3; c++) place[c] = offset[c]!;
    rotateVector(place, 0, rotations, 4 * carrier, place, 0);
    for (let c = 0; c < 3; c++) place[c] = place[c]! + m[16 * carrier + 12 + c]!;
    if (rigid) {
      // From how it is turned to how its carrier holds it: Δ = (G · T) · R⁻¹.
      multiplyQuaternions(turn, 0, rotations, 4 * carrier, rigid, 0);
      conjugateQuaternion(back, 0, rotations, 4 * joint);
      multiplyQuaternions(turn, 0, turn, 0, back, 0);
    }
    const x = m[j]!;
    const y = m[j + 1]!;
    const z = m[j + 2]!;
    for (let k = 0; k < below.length; k++) {
      const at = below[k]!;
      const o = 16 * at + 12;
      arm[0] = m[o]! - x;
      arm[1] = m[o + 1]! - y;
      arm[2] = m[o + 2]! - z;
      if (rigid) {
        rotateVector(arm, 0, turn, 0, arm, 0);
        multiplyQuaternions(rotations, 4 * at, turn, 0, rotations, 4 * at);
        for (let column = 0; column < 12; column += 4)
          rotateVector(m, 16 * at + column, turn, 0, m, 16 * at + column);
      }
      for (let c = 0; c < 3; c++) m[o + c] = place[c]! + arm[c]!;
    }
  }
}
