import { atan2 } from '../base/math/functions.js';
import { conjugateQuaternion, divideQuaternions, rotateVector } from '../base/math/quaternion.js';
import { limitJoints } from '../passes/limit-joints.js';
import { compiledOf } from '../passes/pass.js';
import { type ModelPose, rotationOfMatrix } from '../scene/pose.js';
import { type LimitedJoint, projectJoint } from '../solvers/joint-limits.js';
import type { ComparedSide, Comparison } from './comparison.js';
import { limbsOf, type TwoBoneLimb } from './measure-smoothness.js';

/** How often knees bend the way that no knee does. */
export type LimitMeasure = {
  /**
   * Instants at which a knee bends backwards by more than 5 degrees, or is folded so far that the shin is in the
   * thigh, and the source's is not.
   */
  violations: number;
  /** The farthest that a knee bends backwards, in degrees. */
  worst: number;
  frames: number;
  /** Limits that were asked for: instants at which a joint is outside of one, and the farthest, in degrees. */
  asked?: { violations: number; worst: number; joint: string };
};

/** Degrees by which a knee may bend backwards, and by which it may exceed the source's. */
const KNEE_SLACK = 5;
/** Degrees to which a knee can be folded. */
const FOLDED_KNEE = 170;

/** Measures knees that are bent backwards, and limits that were given. Null without legs and without limits. */
export function measureLimits({ source, result, setup, count }: Comparison): LimitMeasure | null {
  const from = limbsOf(source.roles).filter(({ knee }) => knee);
  const to = limbsOf(result.roles).filter(({ knee }) => knee);
  const limits = compiledOf(setup, limitJoints);
  const asked = limits && measureAsked(result, limits, count);
  if (to.length === 0 || from.length !== to.length)
    return asked && { violations: 0, worst: 0, frames: count, asked };
  let worst = 0;
  const bad = new Uint8Array(count);
  to.forEach((leg, n) => {
    const ours = kneeBends(result, leg, setup.alignment.model);
    const theirs = kneeBends(source, from[n]!, setup.sourceReference);
    for (let k = 0; k < count; k++) {
      if (-ours[k]! > worst) worst = -ours[k]!;
      if (ours[k]! < -KNEE_SLACK && ours[k]! < theirs[k]! - KNEE_SLACK) bad[k] = 1;
      if (ours[k]! > FOLDED_KNEE && ours[k]! > theirs[k]! + KNEE_SLACK) bad[k] = 1;
    }
  });
  let violations = 0;
  for (let k = 0; k < count; k++) violations += bad[k]!;
  return { violations, worst, frames: count, ...(asked && { asked }) };
}

/** Half a degree: less is rounding of keys. */
const ASKED_SLACK = 0.5;
const local = new Float64Array(4);
const above = new Float64Array(4);

/** Counts the instants at which joints are outside of their limits. */
function measureAsked(
  { rotations, joints, rig }: ComparedSide,
  limits: readonly LimitedJoint[],
  count: number,
): NonNullable<LimitMeasure['asked']> {
  const bad = new Uint8Array(count);
  const { names, parents, container } = rig.skeleton;
  const asked = { violations: 0, worst: 0, joint: '' };
  for (const limited of limits) {
    const parent = parents[limited.joint]!;
    if (parent < 0) rotationOfMatrix(above, 0, container, 0);
    for (let k = 0; k < count; k++) {
      const o = 4 * joints * k;
      for (let i = 0; i < 4; i++) {
        local[i] = rotations[o + 4 * limited.joint + i]!;
        if (parent >= 0) above[i] = rotations[o + 4 * parent + i]!;
      }
      divideQuaternions(local, 0, above, 0, local, 0);
      const outside = (projectJoint(local, 0, limited) * 180) / Math.PI;
      if (outside > ASKED_SLACK) bad[k] = 1;
      if (outside <= asked.worst) continue;
      asked.worst = outside;
      asked.joint = names[limited.joint]!;
    }
  }
  for (let k = 0; k < count; k++) asked.violations += bad[k]!;
  return asked;
}

const q = new Float64Array(4);
const axis = new Float64Array(3);
const lateral = new Float64Array(3);

/**
 * Per instant how far a knee is bent, in degrees from −90 to 270; negative where it bends backwards. A thigh that
 * points down and a shin that swings back turn about the character's left, +X, carried along by the thigh.
 */
function kneeBends(
  side: ComparedSide,
  { joints: [a, b, c] }: TwoBoneLimb,
  reference: ModelPose,
): Float64Array {
  const { positions, rotations, joints, count } = side;
  conjugateQuaternion(q, 0, reference.rotations, 4 * a);
  lateral[0] = 1;
  lateral[1] = 0;
  lateral[2] = 0;
  rotateVector(lateral, 0, q, 0, lateral, 0);
  const bends = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const o = 3 * joints * k;
    for (let i = 0; i < 4; i++) q[i] = rotations[4 * (joints * k + a) + i]!;
    rotateVector(axis, 0, q, 0, lateral, 0);
    const ux = positions[o + 3 * b]! - positions[o + 3 * a]!;
    const uy = positions[o + 3 * b + 1]! - positions[o + 3 * a + 1]!;
    const uz = positions[o + 3 * b + 2]! - positions[o + 3 * a + 2]!;
    const vx = positions[o + 3 * c]! - positions[o + 3 * b]!;
    const vy = positions[o + 3 * c + 1]! - positions[o + 3 * b + 1]!;
    const vz = positions[o + 3 * c + 2]! - positions[o + 3 * b + 2]!;
    const about =
      (uy * vz - uz * vy) * axis[0]! + (uz * vx - ux * vz) * axis[1]! + (ux * vy - uy * vx) * axis[2]!;
    const bend = (atan2(about, ux * vx + uy * vy + uz * vz) * 180) / Math.PI;
    bends[k] = bend < -90 ? bend + 360 : bend;
  }
  return bends;
}
