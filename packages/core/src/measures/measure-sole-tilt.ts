import { TO_DEGREES } from '../base/math/angles.js';
import { atan2, hypot } from '../base/math/functions.js';
import { rotateVector } from '../base/math/quaternion.js';
import type { ModelPose } from '../scene/pose.js';
import type { ComparedSide, Comparison } from './comparison.js';
import { type Summary, summarise } from './summary.js';

/**
 * Measures how differently the soles tilt while the source's feet stand: the angle between the two feet's
 * uprights, each upright in its reference pose, in degrees. Null without feet or contacts.
 */
export function measureSoleTilt(comparison: Comparison): Summary | null {
  const { source, result, setup, count, points } = comparison;
  const angles: number[] = [];
  for (const side of ['left', 'right'] as const) {
    const from = source.roles[`${side}Foot`];
    const to = result.roles[`${side}Foot`];
    if (from === undefined || to === undefined) continue;
    const places = points.flatMap(({ name }, n) =>
      name === `${side}Heel` || name === `${side}Toe` ? [n] : [],
    );
    for (let k = 0; k < count; k++) {
      if (!isOnAny(source.inContact, points.length * k, places)) continue;
      uprightOf(a, source, from, setup.sourceReference, k);
      uprightOf(b, result, to, setup.alignment.model, k);
      angles.push(
        atan2(
          hypot(a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!),
          a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!,
        ),
      );
    }
  }
  return summarise(angles, TO_DEGREES);
}

/** Whether one of some points touches, at the instant whose flags begin at `o`. */
function isOnAny(inContact: Uint8Array, o: number, points: readonly number[]): boolean {
  for (let i = 0; i < points.length; i++) if (inContact[o + points[i]!] === 1) return true;
  return false;
}

const a = new Float64Array(3);
const b = new Float64Array(3);
const q = new Float64Array(4);

/** Where a joint's upright points at an instant: R · A⁻¹ · up, with A its reference rotation. */
function uprightOf(
  out: Float64Array,
  { rotations, joints }: ComparedSide,
  joint: number,
  reference: ModelPose,
  k: number,
): void {
  for (let c = 0; c < 4; c++) q[c] = (c < 3 ? -1 : 1) * reference.rotations[4 * joint + c]!;
  out[0] = 0;
  out[1] = 1;
  out[2] = 0;
  rotateVector(out, 0, q, 0, out, 0);
  for (let c = 0; c < 4; c++) q[c] = rotations[4 * (joints * k + joint) + c]!;
  rotateVector(out, 0, q, 0, out, 0);
}
