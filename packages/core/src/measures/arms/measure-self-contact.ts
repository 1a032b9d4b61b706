import { didWork } from '../../base/watch-work.js';
import { TOUCHED } from '../../goals/arms/body-shape.js';
import type { FoundTouch } from '../../goals/arms/find-touches.js';
import type { SampledMotion } from '../comparison.js';
import { type Summary, summarise } from '../summary.js';
import type { ArmReader } from './arm-course.js';
import type { ArmComparison } from './compare-arms.js';

/**
 * How far hands that touch something of their own body in the source are from doing so in the result: the difference of
 * the distances from skin to skin, in % of the arm's length.
 */
export type SelfContactMeasure = {
  result: Summary;
  /** The same of the plainly copied motion; null where it could not be made. */
  copied: Summary | null;
  /** Share of what touches that is within 2 %. */
  kept: number;
};

/** Farther than this, in arm lengths, is not measured any more: it counts as so far. */
const FARTHEST_GAP = 1;
/** Touches that are off by less than this, in %, are kept. */
const KEPT = 2;

/** Measures what touches in the source; null where nothing does. */
export function measureSelfContact(arms: ArmComparison): SelfContactMeasure | null {
  const { touches, target, comparison } = arms;
  const errors = errorsOf(arms, touches, target, comparison.result);
  const result = summarise(errors, 100);
  if (!result) return null;
  const copied = comparison.copied && summarise(errorsOf(arms, touches, target, comparison.copied), 100);
  return { result, copied, kept: errors.filter((error) => 100 * error <= KEPT).length / errors.length };
}

/** Per instant how far the worst touch of the result is off, in % of the arm; NaN where nothing touches. */
export function selfContactCurve(arms: ArmComparison): number[] {
  const { touches, target, comparison } = arms;
  const curve = new Array<number>(comparison.count).fill(Number.NaN);
  errorsOf(arms, touches, target, comparison.result, (k, error) => {
    if (!(curve[k]! >= 100 * error)) curve[k] = 100 * error;
  });
  return curve;
}

function errorsOf(
  { course }: ArmComparison,
  touches: readonly FoundTouch[],
  reader: ArmReader,
  motion: SampledMotion,
  visit?: (k: number, error: number) => void,
): number[] {
  const errors: number[] = [];
  const width = 2 * TOUCHED.length;
  const byFrame = new Map<number, FoundTouch[]>();
  for (const touch of touches)
    for (let k = touch.first; k <= touch.last; k++) byFrame.set(k, [...(byFrame.get(k) ?? []), touch]);
  for (const [k, list] of byFrame) {
    reader.read(motion, k, FARTHEST_GAP * reader.shape.arm);
    didWork(20);
    for (const { hand, touched } of list) {
      const g = TOUCHED.length * hand + touched;
      const wanted = Math.max(0, course.gaps[width * k + g]!);
      if (!Number.isFinite(wanted)) continue;
      // What lies in each other touches: how deep it is in there, the skin says.
      const gap = Math.min(FARTHEST_GAP, Math.max(0, reader.gapTo(g) / reader.shape.arm));
      errors.push(Math.abs(gap - wanted));
      visit?.(k, Math.abs(gap - wanted));
    }
  }
  return errors;
}
