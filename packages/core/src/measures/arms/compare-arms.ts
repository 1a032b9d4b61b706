import { squared } from '../../base/math/functions.js';
import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { TOUCHED } from '../../goals/arms/body-shape.js';
import {
  createGapCourse,
  type FoundTouch,
  findTouches,
  type GapCourse,
} from '../../goals/arms/find-touches.js';
import { modelPoseOf } from '../../scene/pose.js';
import type { Comparison } from '../comparison.js';
import { type ArmReader, createArmReader } from './arm-course.js';

/** A comparison with what its hands touch: read once for all measures of arms. */
export type ArmComparison = {
  comparison: Comparison;
  source: ArmReader;
  target: ArmReader;
  /** Of the source. */
  course: GapCourse;
  touches: FoundTouch[];
  /** Per instant and hand 1 where the copied arm is in its body by shape, more than 1 % of the arm beyond the source's. */
  pierces: Uint8Array;
};

/** Gaps beyond this, in arm lengths, are of no interest in the source. */
const FAR_APART = 0.1;
/** An arm that is deeper than this in its body, in arm lengths, beyond the source's, goes through it. */
const PIERCES = 0.01;

/** Reads what hands touch in the source; null where one of the bodies has no arms. */
export function compareArms(comparison: Comparison): ArmComparison | null {
  const { setup, source, result, copied, count } = comparison;
  const from = createArmReader(
    setup.source,
    source.roles,
    modelPoseOf(setup.source.skeleton, setup.source.reference.pose),
  );
  const to = createArmReader(setup.target, result.roles, setup.alignment.model);
  if (!from || !to) return null;
  const course = createGapCourse(count);
  const pierces = new Uint8Array(2 * count);
  const width = 2 * TOUCHED.length;
  const { arm } = from.shape;
  const before = new Float64Array(3 * width);
  const parts = new Int32Array(width).fill(-1);
  for (let k = 0; k < count; k++) {
    from.read(source, k, FAR_APART * arm);
    const own = [from.depthOf(0), from.depthOf(1)];
    for (let g = 0; g < width; g++) {
      course.gaps[width * k + g] = from.gaps.gaps[g]! / arm;
      const last = k > 0 ? course.speeds[width * (k - 1) + g]! : 0;
      course.speeds[width * k + g] = speedOf(from, comparison, k, g, parts, before) ?? last;
    }
    if (copied) {
      to.read(copied, k, 0);
      for (let hand = 0; hand < 2; hand++)
        pierces[2 * k + hand] = to.depthOf(hand) - (from.shape.isSkin ? own[hand]! : 0) > PIERCES ? 1 : 0;
    }
    didWork(30);
  }
  return { comparison, source: from, target: to, course, touches: findTouches(course), pierces };
}

/** How fast a palm goes along the joint that it is nearest to, in arm lengths a second; null where that has changed. */
function speedOf(
  { gaps, shape }: ArmReader,
  { source: { positions, rotations, joints } }: Comparison,
  k: number,
  g: number,
  parts: Int32Array,
  before: Float64Array,
): number | null {
  const n = gaps.parts[g]!;
  const was = parts[g];
  parts[g] = n;
  if (n < 0) return null;
  const i = joints * k + shape.parts[n]!.joint;
  const hand = g < TOUCHED.length ? 0 : 1;
  const [x, y, z, w] = [
    rotations[4 * i]!,
    rotations[4 * i + 1]!,
    rotations[4 * i + 2]!,
    rotations[4 * i + 3]!,
  ];
  const v = [0, 1, 2].map((c) => gaps.palms[3 * hand + c]! - positions[3 * i + c]!);
  // The inverse turn of the way: v + 2w (v × q) + 2 (v × q) × q.
  const a = [v[1]! * z - v[2]! * y, v[2]! * x - v[0]! * z, v[0]! * y - v[1]! * x];
  const b = [a[1]! * z - a[2]! * y, a[2]! * x - a[0]! * z, a[0]! * y - a[1]! * x];
  let square = 0;
  for (let c = 0; c < 3; c++) {
    const along = v[c]! + 2 * w * a[c]! + 2 * b[c]!;
    square += squared(along - before[3 * g + c]!);
    before[3 * g + c] = along;
  }
  return was === n ? (Math.sqrt(square) * CONTACT_RATE) / shape.arm : null;
}
