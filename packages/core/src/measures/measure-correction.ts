import { TO_DEGREES } from '../base/math/angles.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { didWork } from '../base/watch-work.js';
import type { Comparison } from './comparison.js';
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
  const ours = new Float64Array(4);
  const plain = new Float64Array(4);
  const turns = new Float64Array(setup.map.joints.length * count);
  let looked = 0;
  const joints: Record<string, number> = {};
  for (const { target } of setup.map.joints) {
    let sum = 0;
    didWork(count);
    for (let k = 0; k < count; k++) {
      localRotation(ours, result.rotations, result.joints * k, target, parents[target]!);
      localRotation(plain, copied.rotations, copied.joints * k, target, parents[target]!);
      const turn = quaternionAngle(ours, 0, plain, 0);
      turns[looked++] = turn;
      sum += turn;
    }
    const mean = ((sum / count) * 180) / Math.PI;
    if (mean > NOTABLE_CORRECTION) joints[names[target]!] = mean;
  }
  const turn = summarise(turns, TO_DEGREES);
  if (!turn) return null;
  const moves: number[] = [];
  if (setup.travel)
    for (let k = 0; k < count; k++) {
      const i = 3 * (result.joints * k + setup.travel.target);
      const x = result.positions[i]! - copied.positions[i]!;
      const y = result.positions[i + 1]! - copied.positions[i + 1]!;
      const z = result.positions[i + 2]! - copied.positions[i + 2]!;
      moves.push(Math.hypot(x, y, z) / result.hipHeight);
    }
  return { turn, travel: summarise(moves, 100), joints };
}

/** out = P⁻¹ · Q of a joint's and its parent's model rotations. */
function localRotation(
  out: Float64Array,
  rotations: Float32Array,
  base: number,
  joint: number,
  parent: number,
): void {
  const i = 4 * (base + joint);
  const x = rotations[i]!;
  const y = rotations[i + 1]!;
  const z = rotations[i + 2]!;
  const w = rotations[i + 3]!;
  const j = 4 * (base + parent);
  const px = parent < 0 ? 0 : -rotations[j]!;
  const py = parent < 0 ? 0 : -rotations[j + 1]!;
  const pz = parent < 0 ? 0 : -rotations[j + 2]!;
  const pw = parent < 0 ? 1 : rotations[j + 3]!;
  out[0] = pw * x + px * w + py * z - pz * y;
  out[1] = pw * y - px * z + py * w + pz * x;
  out[2] = pw * z + px * y - py * x + pz * w;
  out[3] = pw * w - px * x - py * y - pz * z;
}
