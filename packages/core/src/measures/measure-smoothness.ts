import { atan2, hypot } from '../base/math/functions.js';
import type { RoleJoints } from '../body/body.js';
import type { Role } from '../body/roles.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import type { Comparison, SampledMotion } from './comparison.js';
import { medianOf } from './summary.js';

/** How smooth a result is beside the plainly copied motion on the same body. */
export type SmoothnessMeasure = {
  /** Jerk of the result over jerk of the copy, joint by joint; the middle of all joints. 1 is as smooth. */
  jerkRatio: number | null;
  /**
   * Instants at which a knee snaps and the copy's does not: its speed changes by more than 8 degrees a frame of 60 Hz,
   * and by more than twice what the copy's does within a twentieth of a second.
   */
  kneePops: number;
  /** Instants at which a knee of the copy itself snaps by the same limit: what comes from the source. */
  copiedKneePops: number;
  /** Instants at which the plane of a bent knee or elbow turns over and the copy's does not. */
  bendFlips: number;
  frames: number;
};

/** A knee that changes its speed by more than this from one frame of 60 Hz to the next snaps: 8 degrees a frame. */
const KNEE_SNAP = (8 * Math.PI) / 180;
/** A limb straighter than this has no plane to speak of. */
const BENT = (10 * Math.PI) / 180;

/** Measures how smooth a result is. Null where the plain copy could not be made. */
export function measureSmoothness({ result, copied, count }: Comparison): SmoothnessMeasure | null {
  if (!copied) return null;
  const ratios: number[] = [];
  const joints = Int32Array.from(Object.values(result.roles));
  const [ours, plainly] = [jerksOf(result, joints), jerksOf(copied, joints)];
  for (let n = 0; n < joints.length; n++) {
    const plain = plainly[n]!;
    // What hardly moves has no jerk to compare: a millionth of the body's size at the rate's cube.
    if (plain > 1e-6 * result.hipHeight * count) ratios.push(ours[n]! / plain);
  }
  let kneePops = 0;
  let copiedKneePops = 0;
  let bendFlips = 0;
  for (const limb of limbsOf(result.roles)) {
    const ours = bendsOf(result, limb);
    const plain = bendsOf(copied, limb);
    if (limb.knee) {
      kneePops += newSnaps(ours.angles, plain.angles);
      copiedKneePops += newSnaps(plain.angles, null);
    }
    bendFlips += newFlips(ours, plain);
  }
  return { jerkRatio: medianOf(ratios), kneePops, copiedKneePops, bendFlips, frames: count };
}

/**
 * Per joint the sum of its third differences, which are its jerk over the rate's cube. Instant by instant, as they lie in
 * memory: joint by joint took twice as long.
 */
function jerksOf({ positions, joints, count }: SampledMotion, wanted: Int32Array): Float64Array {
  const sums = new Float64Array(wanted.length);
  const stride = 3 * joints;
  for (let k = 1; k < count - 2; k++)
    for (let n = 0; n < wanted.length; n++) {
      const i = stride * k + 3 * wanted[n]!;
      const x = differenceAt(positions, i, stride);
      const y = differenceAt(positions, i + 1, stride);
      const z = differenceAt(positions, i + 2, stride);
      sums[n] = sums[n]! + Math.sqrt(x * x + y * y + z * z);
    }
  return sums;
}

/** The third difference of every stride-th number, from the one before `i` on. */
function differenceAt(values: Float64Array, i: number, stride: number): number {
  return values[i + 2 * stride]! - 3 * values[i + stride]! + 3 * values[i]! - values[i - stride]!;
}

/** Upper, middle and end joint of an arm or leg. */
export type TwoBoneLimb = { joints: [number, number, number]; knee: boolean };

/** The arms and legs that a body has whole. */
export function limbsOf(roles: RoleJoints): TwoBoneLimb[] {
  const limbs: TwoBoneLimb[] = [];
  for (const side of ['left', 'right'] as const)
    for (const [knee, upper, middle, end] of [
      [true, 'UpperLeg', 'LowerLeg', 'Foot'],
      [false, 'UpperArm', 'LowerArm', 'Hand'],
    ] as const) {
      const joints = [upper, middle, end].map((part) => roles[`${side}${part}` as Role]);
      const [a, b, c] = joints;
      if (a !== undefined && b !== undefined && c !== undefined) limbs.push({ joints: [a, b, c], knee });
    }
  return limbs;
}

type Bends = { angles: Float64Array; normals: Float64Array };

/** Per instant how far a limb is bent, and the unit normal of its plane. */
function bendsOf({ positions, joints, count }: SampledMotion, { joints: [a, b, c] }: TwoBoneLimb): Bends {
  const angles = new Float64Array(count);
  const normals = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    const o = 3 * joints * k;
    const ux = positions[o + 3 * b]! - positions[o + 3 * a]!;
    const uy = positions[o + 3 * b + 1]! - positions[o + 3 * a + 1]!;
    const uz = positions[o + 3 * b + 2]! - positions[o + 3 * a + 2]!;
    const vx = positions[o + 3 * c]! - positions[o + 3 * b]!;
    const vy = positions[o + 3 * c + 1]! - positions[o + 3 * b + 1]!;
    const vz = positions[o + 3 * c + 2]! - positions[o + 3 * b + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = hypot(nx, ny, nz);
    angles[k] = atan2(length, ux * vx + uy * vy + uz * vz);
    if (length === 0) continue;
    normals[3 * k] = nx / length;
    normals[3 * k + 1] = ny / length;
    normals[3 * k + 2] = nz / length;
  }
  return { angles, normals };
}

/** Snaps of ours that the plain motion, where one is given, has not within a twentieth of a second. */
function newSnaps(ours: Float64Array, plain: Float64Array | null): number {
  const snap = (angles: Float64Array, k: number) =>
    Math.abs(angles[k + 1]! - 2 * angles[k]! + angles[k - 1]!);
  const near = Math.round(0.05 * CONTACT_RATE);
  let count = 0;
  for (let k = 1; k < ours.length - 1; k++) {
    if (snap(ours, k) <= KNEE_SNAP) continue;
    let most = 0;
    for (let i = Math.max(1, k - near); plain && i <= Math.min(ours.length - 2, k + near); i++)
      most = Math.max(most, snap(plain, i));
    if (snap(ours, k) > 2 * most) count++;
  }
  return count;
}

function newFlips(ours: Bends, plain: Bends): number {
  const flips = ({ angles, normals }: Bends, k: number) =>
    angles[k]! > BENT &&
    angles[k - 1]! > BENT &&
    normals[3 * k]! * normals[3 * k - 3]! +
      normals[3 * k + 1]! * normals[3 * k - 2]! +
      normals[3 * k + 2]! * normals[3 * k - 1]! <
      0;
  let count = 0;
  for (let k = 1; k < ours.angles.length; k++) if (flips(ours, k) && !flips(plain, k)) count++;
  return count;
}
