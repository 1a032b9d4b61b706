import { TO_DEGREES } from '../base/math/angles.js';
import { atan2, hypot } from '../base/math/functions.js';
import { didWork } from '../base/watch-work.js';
import type { Comparison, SampledMotion } from './comparison.js';
import { measureLoopSeam } from './measure-loop-seam.js';

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
/** A source whose ends differ by less than this, mean of its joints in degrees, is played as a loop. */
const LOOPS = 0.5;

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
  const seam = measureLoopSeam(comparison);
  // Where a loop begins it goes on from its end, and what the copy does there is near too.
  const period = seam && seam.source < LOOPS ? count - 1 : 0;
  const [ours, plain] = [new Float64Array(4 * count), new Float64Array(4 * count)];
  for (const { target: joint } of copied ? setup.map.joints : []) {
    stepsOf(ours, result, joint, parents[joint]!);
    let isRead = false;
    // The first step is from no frame before it.
    for (let k = 1; k < count - 1; k++) {
      if (isSteady(ours, k)) continue;
      const change = changeAt(ours, k);
      if (!(change > POP_LIMIT)) continue;
      // Most joints never pop: the copy is looked at where one might.
      if (!isRead) stepsOf(plain, copied!, joint, parents[joint]!);
      isRead = true;
      let most = 0;
      for (let at = k - NEAR_POP; at <= k + NEAR_POP; at++) {
        const i = at < 1 ? at + period : at > count - 2 ? at - period : at;
        if (i >= 1 && i <= count - 2) most = Math.max(most, changeAt(plain, i));
      }
      if (change > TIMES * most) pops.push({ joint, k, change });
    }
  }
  found.set(comparison, pops);
  return pops;
}

/** A turn of length 1, but for what rounding of float32 does to products of four. */
const NEARLY_ONE = 1.001;

/**
 * Whether a joint surely turns on as fast from an instant to the next, by a bound that needs no arc: nearly all do.
 *
 * A step is the turn (d, w) with |d| = n·sin h and w = n·cos h, n ≈ 1 its length and h half its angle, and its speed is
 * c·d with c = 2h/|d|. Since sin h ≤ h ≤ tan h, c lies within low = 2/n and high = 2/w. So the speeds of two steps differ
 * by |c₁d₁ − c₀d₀| ≤ c₁·|d₁ − d₀| + |c₁ − c₀|·|d₀| ≤ high·|d₁ − d₀| + (high − low)·|d₀|, with high of the lesser w; and
 * the square of a sum is at most twice the sum of the squares.
 */
function isSteady(steps: Float64Array, k: number): boolean {
  const i = 4 * k;
  const w = Math.min(steps[i + 3]!, steps[i + 7]!);
  if (!(w > 0.5)) return false;
  const high = (2 * TO_DEGREES) / w;
  const spread = high - (2 * TO_DEGREES) / NEARLY_ONE;
  const dx = steps[i]!;
  const dy = steps[i + 1]!;
  const dz = steps[i + 2]!;
  const x = steps[i + 4]! - dx;
  const y = steps[i + 5]! - dy;
  const z = steps[i + 6]! - dz;
  const square =
    2 * high * high * (x * x + y * y + z * z) + 2 * spread * spread * (dx * dx + dy * dy + dz * dz);
  return square < 0.999 * POP_LIMIT * POP_LIMIT;
}

/** How much the speed changes from an instant to the next, degrees a frame and frame. */
function changeAt(steps: Float64Array, k: number): number {
  const a = scaleAt(steps, k);
  const b = scaleAt(steps, k + 1);
  return hypot(
    b * steps[4 * k + 4]! - a * steps[4 * k]!,
    b * steps[4 * k + 5]! - a * steps[4 * k + 1]!,
    b * steps[4 * k + 6]! - a * steps[4 * k + 2]!,
  );
}

/** What makes of a step its rotation vector, in degrees; 0 for the first, and for one that is none. */
function scaleAt(steps: Float64Array, k: number): number {
  const x = steps[4 * k]!;
  const y = steps[4 * k + 1]!;
  const z = steps[4 * k + 2]!;
  const sine = Math.sqrt(x * x + y * y + z * z);
  return k === 0 || sine < 1e-12 ? 0 : (TO_DEGREES * 2 * atan2(sine, steps[4 * k + 3]!)) / sine;
}

/** out = how a joint turns in its parent from the instant before to each: xyzw, the shorter way round. */
function stepsOf(
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
    // before⁻¹ · now
    const dx = bw * x - bx * w - by * z + bz * y;
    const dy = bw * y + bx * z - by * w - bz * x;
    const dz = bw * z - bx * y + by * x - bz * w;
    const dw = bw * w + bx * x + by * y + bz * z;
    const sign = dw < 0 ? -1 : 1;
    out[4 * k] = sign * dx;
    out[4 * k + 1] = sign * dy;
    out[4 * k + 2] = sign * dz;
    out[4 * k + 3] = Math.abs(dw);
    bx = x;
    by = y;
    bz = z;
    bw = w;
  }
}
