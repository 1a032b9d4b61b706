import { TO_DEGREES } from '../base/math/angles.js';
import { atan2, hypot } from '../base/math/functions.js';
import { didWork } from '../base/watch-work.js';
import type { Comparison, SampledMotion } from './comparison.js';

/** Instants at which a joint jerks and the plainly copied motion does not. */
export type PopMeasure = {
  /**
   * How many: a joint's turn in its parent changes its speed by more than 2.5 degrees a frame of 60 Hz from one frame to
   * the next, and by more than 2.5 times what the copy's does within three frames.
   */
  count: number;
  /** The largest of those changes, degrees a frame and frame; 0 where there is none. */
  worst: number;
  /** The names of the joints that pop, those that pop most first. */
  joints: string[];
};

/** Degrees a frame and frame. */
const POP_LIMIT = 2.5;
/** How many times what the copy does. */
const TIMES = 2.5;
/** Frames to either side within which the copy may do the like. */
const NEAR_POP = 3;

/** A joint that pops: which, at what instant, and by how much, in degrees a frame and frame. */
export type Pop = { joint: number; k: number; change: number };

/** Counts pops of the joints that are driven. Null where the plain copy could not be made. */
export function measurePops(comparison: Comparison): PopMeasure | null {
  if (!comparison.copied) return null;
  const { names } = comparison.setup.target.skeleton;
  const pops = findPops(comparison);
  const counts = new Map<number, number>();
  let worst = 0;
  for (const { joint, change } of pops) {
    counts.set(joint, (counts.get(joint) ?? 0) + 1);
    worst = Math.max(worst, change);
  }
  const joints = [...counts].sort((a, b) => b[1] - a[1]);
  return { count: pops.length, worst, joints: joints.map(([joint]) => names[joint]!) };
}

const found = new WeakMap<Comparison, readonly Pop[]>();

/** Every pop of a joint that is driven, joint by joint; none where the plain copy could not be made. Found once. */
export function findPops(comparison: Comparison): readonly Pop[] {
  const known = found.get(comparison);
  if (known) return known;
  const { setup, result, copied, count } = comparison;
  const { parents } = setup.target.skeleton;
  const pops: Pop[] = [];
  const [ours, plain] = [new Float64Array(3 * count), new Float64Array(3 * count)];
  // By squares, which are quicker, and a little below: whether it is a pop is told by the change itself.
  const near = 0.999 * POP_LIMIT * POP_LIMIT;
  for (const { target: joint } of copied ? setup.map.joints : []) {
    speedsOf(ours, result, joint, parents[joint]!);
    let isRead = false;
    // The first speed is from no frame before it.
    for (let k = 1; k < count - 1; k++) {
      const x = ours[3 * k + 3]! - ours[3 * k]!;
      const y = ours[3 * k + 4]! - ours[3 * k + 1]!;
      const z = ours[3 * k + 5]! - ours[3 * k + 2]!;
      if (x * x + y * y + z * z < near) continue;
      const change = changeAt(ours, k);
      if (!(change > POP_LIMIT)) continue;
      // Most joints never pop: the copy is looked at where one might.
      if (!isRead) speedsOf(plain, copied!, joint, parents[joint]!);
      isRead = true;
      let most = 0;
      for (let i = Math.max(1, k - NEAR_POP); i <= Math.min(count - 2, k + NEAR_POP); i++)
        most = Math.max(most, changeAt(plain, i));
      if (change > TIMES * most) pops.push({ joint, k, change });
    }
  }
  found.set(comparison, pops);
  return pops;
}

/** How much a speed changes from an instant to the next. */
function changeAt(speeds: Float64Array, k: number): number {
  return hypot(
    speeds[3 * k + 3]! - speeds[3 * k]!,
    speeds[3 * k + 4]! - speeds[3 * k + 1]!,
    speeds[3 * k + 5]! - speeds[3 * k + 2]!,
  );
}

/** out = how fast a joint turns in its parent at each instant: xyz about its axis, degrees a frame. */
function speedsOf(
  out: Float64Array,
  { rotations, joints, count }: SampledMotion,
  joint: number,
  parent: number,
): void {
  didWork(count);
  let bx = 0;
  let by = 0;
  let bz = 0;
  let bw = 1;
  for (let k = 0; k < count; k++) {
    const o = 4 * (joints * k + joint);
    let x = rotations[o]!;
    let y = rotations[o + 1]!;
    let z = rotations[o + 2]!;
    let w = rotations[o + 3]!;
    if (parent >= 0) {
      const p = 4 * (joints * k + parent);
      const px = -rotations[p]!;
      const py = -rotations[p + 1]!;
      const pz = -rotations[p + 2]!;
      const pw = rotations[p + 3]!;
      const qx = x;
      const qy = y;
      const qz = z;
      const qw = w;
      x = pw * qx + px * qw + py * qz - pz * qy;
      y = pw * qy - px * qz + py * qw + pz * qx;
      z = pw * qz + px * qy - py * qx + pz * qw;
      w = pw * qw - px * qx - py * qy - pz * qz;
    }
    // The rotation vector of before⁻¹ · now.
    const dx = bw * x - bx * w - by * z + bz * y;
    const dy = bw * y + bx * z - by * w - bz * x;
    const dz = bw * z - bx * y + by * x - bz * w;
    const dw = bw * w + bx * x + by * y + bz * z;
    const sine = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const angle = 2 * atan2(sine, Math.abs(dw)) * (dw < 0 ? -1 : 1);
    const scale = k === 0 || sine < 1e-12 ? 0 : (TO_DEGREES * angle) / sine;
    out[3 * k] = scale * dx;
    out[3 * k + 1] = scale * dy;
    out[3 * k + 2] = scale * dz;
    bx = x;
    by = y;
    bz = z;
    bw = w;
  }
}
