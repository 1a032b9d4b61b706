import { TO_DEGREES } from '../base/math/angles.js';
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

/**
 * Counts pops of the joints that are driven. Null where the plain copy could not be made.
 * @param visit Is told of each pop: the joint, the instant, and how large it is in degrees a frame and frame.
 */
export function measurePops(
  { setup, result, copied, count }: Pick<Comparison, 'setup' | 'result' | 'copied' | 'count'>,
  visit?: (joint: number, k: number, change: number) => void,
): PopMeasure | null {
  if (!copied) return null;
  const { names, parents } = setup.target.skeleton;
  const pops = new Map<number, number>();
  let worst = 0;
  const [ours, plain] = [new Float64Array(count), new Float64Array(count)];
  const [own, others] = [new Float64Array(3 * count), new Float64Array(3 * count)];
  for (const { target: joint } of setup.map.joints) {
    changesOf(ours, own, result, joint, parents[joint]!);
    let isRead = false;
    for (let k = 1; k < count - 1; k++) {
      const change = ours[k]!;
      if (!(change > POP_LIMIT)) continue;
      // Most joints never pop: the copy is looked at where one might.
      if (!isRead) changesOf(plain, others, copied, joint, parents[joint]!);
      isRead = true;
      let most = 0;
      for (let i = Math.max(1, k - NEAR_POP); i <= Math.min(count - 2, k + NEAR_POP); i++)
        most = Math.max(most, plain[i]!);
      if (!(change > TIMES * most)) continue;
      pops.set(joint, (pops.get(joint) ?? 0) + 1);
      worst = Math.max(worst, change);
      visit?.(joint, k, change);
    }
  }
  const joints = [...pops].sort((a, b) => b[1] - a[1]);
  return {
    count: joints.reduce((sum, [, each]) => sum + each, 0),
    worst,
    joints: joints.map(([joint]) => names[joint]!),
  };
}

/** out = how much the speed of a joint's turn in its parent changes at each instant, degrees a frame and frame. */
function changesOf(
  out: Float64Array,
  speeds: Float64Array,
  { rotations, joints, count }: SampledMotion,
  joint: number,
  parent: number,
): void {
  didWork(count);
  let [bx, by, bz, bw] = [0, 0, 0, 1];
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
      [x, y, z, w] = [
        pw * x + px * w + py * z - pz * y,
        pw * y - px * z + py * w + pz * x,
        pw * z + px * y - py * x + pz * w,
        pw * w - px * x - py * y - pz * z,
      ];
    }
    // The rotation vector of before⁻¹ · now.
    const dx = bw * x - bx * w - by * z + bz * y;
    const dy = bw * y + bx * z - by * w - bz * x;
    const dz = bw * z - bx * y + by * x - bz * w;
    const dw = bw * w + bx * x + by * y + bz * z;
    const sine = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const angle = 2 * Math.atan2(sine, Math.abs(dw)) * (dw < 0 ? -1 : 1);
    const scale = k === 0 || sine < 1e-12 ? 0 : (TO_DEGREES * angle) / sine;
    speeds[3 * k] = scale * dx;
    speeds[3 * k + 1] = scale * dy;
    speeds[3 * k + 2] = scale * dz;
    [bx, by, bz, bw] = [x, y, z, w];
  }
  out.fill(0);
  // The first speed is from no frame before it.
  for (let k = 1; k < count - 1; k++)
    out[k] = Math.hypot(
      speeds[3 * k + 3]! - speeds[3 * k]!,
      speeds[3 * k + 4]! - speeds[3 * k + 1]!,
      speeds[3 * k + 5]! - speeds[3 * k + 2]!,
    );
}
