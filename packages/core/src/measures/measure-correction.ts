import { TO_DEGREES } from '../base/math/angles.js';
import { atan2, hypot } from '../base/math/functions.js';
import { didWork } from '../base/watch-work.js';
import type { Comparison, SampledMotion } from './comparison.js';
import { type Summary, summarise } from './summary.js';

/** How far the passes after the plain copy changed it. */
export type CorrectionMeasure = {
  /** How far joints with a driver are turned from the copy, relative to their parents, in degrees. */
  turn: Summary;
  /** How far the travelling joint is moved from the copy, in % of the hip height. */
  travel: Summary | null;
  /** Means per joint, by name, of those turned by more than a tenth of a degree on average. */
  joints: Record<string, number>;
};

const NOTABLE_CORRECTION = 0.1;

/** Measures the size of the correction. Null where the plain copy could not be made. */
export function measureCorrection({ result, copied, setup, count }: Comparison): CorrectionMeasure | null {
  if (!copied) return null;
  const { parents, names } = setup.target.skeleton;
  const turns = new Float64Array(setup.map.joints.length * count);
  const joints: Record<string, number> = {};
  const { map } = setup;
  const sums = new Float64Array(map.joints.length);
  const driven = Int32Array.from(map.joints, ({ target }) => target);
  const above = driven.map((joint) => parents[joint]!);
  for (let k = 0; k < count; k++) {
    didWork(driven.length);
    turnsBetween(turns, k, sums, [result, copied], { driven, above });
  }
  for (let n = 0; n < driven.length; n++) {
    const mean = ((sums[n]! / count) * 180) / Math.PI;
    if (mean > NOTABLE_CORRECTION) joints[names[driven[n]!]!] = mean;
  }
  const turn = summarise(turns, TO_DEGREES);
  if (!turn) return null;
  const moves = new Float64Array(setup.travel ? count : 0);
  if (setup.travel)
    for (let k = 0; k < count; k++) {
      const i = 3 * (result.joints * k + setup.travel.target);
      const x = result.positions[i]! - copied.positions[i]!;
      const y = result.positions[i + 1]! - copied.positions[i + 1]!;
      const z = result.positions[i + 2]! - copied.positions[i + 2]!;
      moves[k] = hypot(x, y, z) / result.hipHeight;
    }
  return { turn, travel: summarise(moves, 100), joints };
}

/**
 * out = the angles between turns of joints in their parents, of two motions at an instant k, for each joint behind all
 * instants of the one before: with P⁻¹ · Q of each, from the model rotations, what `quaternionAngle` gives; added to the
 * sums. Written out: a call for each joint and frame took as long again. Instant by instant, as rotations lie in memory.
 */
function turnsBetween(
  out: Float64Array,
  k: number,
  sums: Float64Array,
  [a, b]: readonly [SampledMotion, SampledMotion],
  { driven, above }: { driven: Int32Array; above: Int32Array },
): void {
  const ours = a.rotations;
  const plain = b.rotations;
  for (let n = 0; n < driven.length; n++) {
    const isRoot = above[n]! < 0;
    const i = 4 * (a.joints * k + driven[n]!);
    const j = isRoot ? i : 4 * (a.joints * k + above[n]!);
    const px = isRoot ? 0 : -ours[j]!;
    const py = isRoot ? 0 : -ours[j + 1]!;
    const pz = isRoot ? 0 : -ours[j + 2]!;
    const pw = isRoot ? 1 : ours[j + 3]!;
    const qx = ours[i]!;
    const qy = ours[i + 1]!;
    const qz = ours[i + 2]!;
    const qw = ours[i + 3]!;
    const ax = -(pw * qx + px * qw + py * qz - pz * qy);
    const ay = -(pw * qy - px * qz + py * qw + pz * qx);
    const az = -(pw * qz + px * qy - py * qx + pz * qw);
    const aw = pw * qw - px * qx - py * qy - pz * qz;
    const ox = isRoot ? 0 : -plain[j]!;
    const oy = isRoot ? 0 : -plain[j + 1]!;
    const oz = isRoot ? 0 : -plain[j + 2]!;
    const ow = isRoot ? 1 : plain[j + 3]!;
    const rx = plain[i]!;
    const ry = plain[i + 1]!;
    const rz = plain[i + 2]!;
    const rw = plain[i + 3]!;
    const bx = ow * rx + ox * rw + oy * rz - oz * ry;
    const by = ow * ry - ox * rz + oy * rw + oz * rx;
    const bz = ow * rz + ox * ry - oy * rx + oz * rw;
    const bw = ow * rw - ox * rx - oy * ry - oz * rz;
    const x = aw * bx + ax * bw + ay * bz - az * by;
    const y = aw * by - ax * bz + ay * bw + az * bx;
    const z = aw * bz + ax * by - ay * bx + az * bw;
    const w = aw * bw - ax * bx - ay * by - az * bz;
    const angle = 2 * atan2(Math.sqrt(x * x + y * y + z * z), Math.abs(w));
    out[a.count * n + k] = angle;
    sums[n] = sums[n]! + angle;
  }
}
