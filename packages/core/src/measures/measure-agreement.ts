import { SOLE_POINTS } from '../contacts/body-points.js';
import type { PointName } from '../options/contact.js';
import type { ComparedSide, Comparison } from './comparison.js';

/**
 * How well the result's contacts agree with the source's, as counts of instants, so that clips can be pooled.
 * An instant agrees where the other side has the contact at it, or one frame before or after.
 */
export type AgreementMeasure = {
  /** F1 of the result's contacts against the source's, 0 to 1. */
  f1: number;
  sourceFrames: number;
  sourceMatched: number;
  resultFrames: number;
  resultMatched: number;
  /** The share of instants at which some foot of the source stands, 0 to 1. */
  coverage: number;
};

const HANDS: readonly PointName[] = ['leftHand', 'rightHand'];

/**
 * Measures how well contacts of feet and hands agree. A contact of either side is kept where the other's point stands, or
 * where that touches with its outside, see `placesByOutside`: a foot that lies on its instep and a thick palm touch
 * although ball and knuckles are higher than they would stand. Null where neither side has any.
 */
export function measureAgreement({ source, result, points, count }: Comparison): AgreementMeasure | null {
  const width = points.length;
  const counts = { sourceFrames: 0, sourceMatched: 0, resultFrames: 0, resultMatched: 0 };
  const standing = new Uint8Array(count);
  const isNear = (flags: Uint8Array, n: number, k: number) =>
    flags[width * k + n] === 1 ||
    (k > 0 && flags[width * (k - 1) + n] === 1) ||
    (k < count - 1 && flags[width * (k + 1) + n] === 1);
  const near = ({ inContact, outside }: ComparedSide, n: number, k: number) =>
    isNear(inContact, n, k) || isNear(outside.inContact, n, k);
  for (let n = 0; n < width; n++) {
    const { name } = points[n]!;
    if (!SOLE_POINTS.includes(name) && !HANDS.includes(name)) continue;
    for (let k = 0; k < count; k++) {
      if (source.inContact[width * k + n] === 1) {
        counts.sourceFrames++;
        standing[k] = 1;
        if (near(result, n, k)) counts.sourceMatched++;
      }
      if (result.inContact[width * k + n] === 1) {
        counts.resultFrames++;
        if (near(source, n, k)) counts.resultMatched++;
      }
    }
  }
  if (counts.sourceFrames + counts.resultFrames === 0) return null;
  let covered = 0;
  for (let k = 0; k < count; k++) covered += standing[k]!;
  return { f1: f1Of(counts), ...counts, coverage: covered / count };
}

/** F1 by counts: twice the product of precision and recall over their sum. */
export function f1Of(counts: Omit<AgreementMeasure, 'f1' | 'coverage'>): number {
  if (counts.sourceMatched === 0 || counts.resultMatched === 0) return 0;
  const precision = counts.resultMatched / counts.resultFrames;
  const recall = counts.sourceMatched / counts.sourceFrames;
  return (2 * precision * recall) / (precision + recall);
}
