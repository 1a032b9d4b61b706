import { distanceFlat } from '../../base/math/flat-vectors.js';
import type { SampledMotion } from '../comparison.js';
import { type Summary, summarise } from '../summary.js';
import type { ArmComparison } from './compare-arms.js';

/**
 * Hands that hold one thing between them in the source: how much their distance changes in the result while they do, in
 * % of its mean, and how far that mean is from the source's distance scaled as the body is, in %.
 */
export type CarriedHandsMeasure = {
  result: Summary;
  /** The same of the plainly copied motion; null where it could not be made. */
  copied: Summary | null;
  /** Per stretch how far its mean distance is from scale × source. */
  scaled: Summary;
  /** How many stretches there are, and the share of the clip that they are. */
  stretches: number;
  share: number;
};

/** Measures hands that carry; null where none do. */
export function measureCarriedHands(arms: ArmComparison): CarriedHandsMeasure | null {
  const { comparison, carries } = arms;
  const { result, copied, count } = comparison;
  const { changes, off } = changesOf(arms, result);
  const summary = summarise(changes, 100);
  const scaled = summarise(off, 100);
  if (!summary || !scaled) return null;
  const frames = carries.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return {
    result: summary,
    copied: copied && summarise(changesOf(arms, copied).changes, 100),
    scaled,
    stretches: carries.length,
    share: frames / count,
  };
}

/** Per instant by how much of their mean distance hands that carry are nearer or farther, in %; NaN where they do not. */
export function carriedHandsCurve(arms: ArmComparison): number[] {
  const curve = new Array<number>(arms.comparison.count).fill(Number.NaN);
  const { changes } = changesOf(arms, arms.comparison.result);
  let next = 0;
  for (const { first, last } of arms.carries)
    for (let k = first; k <= last && next < changes.length; k++) curve[k] = 100 * changes[next++]!;
  return curve;
}

/** Per instant by how much of the mean hands are nearer or farther; per stretch how far the mean is from what it should be. */
function changesOf({ carries, comparison }: ArmComparison, motion: SampledMotion) {
  const { result, source } = comparison;
  const { leftHand, rightHand } = result.roles;
  const changes: number[] = [];
  const off: number[] = [];
  if (leftHand === undefined || rightHand === undefined) return { changes, off };
  for (const { first, last, apart } of carries) {
    const distances: number[] = [];
    for (let k = first; k <= last; k++) {
      const o = 3 * motion.joints * k;
      distances.push(
        distanceFlat(motion.positions, o + 3 * leftHand, motion.positions, o + 3 * rightHand) /
          result.hipHeight,
      );
    }
    const mean = distances.reduce((sum, each) => sum + each, 0) / distances.length;
    if (!(mean > 0)) continue;
    changes.push(...distances.map((each) => Math.abs(each / mean - 1)));
    off.push(Math.abs((mean * source.hipHeight) / apart - 1));
  }
  return { changes, off };
}
