import { didWork } from '../base/watch-work.js';
import { LARGEST_FLOAT } from '../clips/sound-turns.js';
import { SOLE_POINTS } from '../contacts/body-points.js';
import { extractRoot } from '../passes/extract-root.js';
import { compiledOf } from '../passes/pass.js';
import { compareArms } from './arms/compare-arms.js';
import { type ArmsAloneMeasure, measureArmsAlone } from './arms/measure-arms-alone.js';
import { type CarriedHandsMeasure, measureCarriedHands } from './arms/measure-carried-hands.js';
import { measureSelfContact, type SelfContactMeasure } from './arms/measure-self-contact.js';
import type { Comparison } from './comparison.js';
import { type AgreementMeasure, measureAgreement } from './measure-agreement.js';
import { type CorrectionMeasure, measureCorrection } from './measure-correction.js';
import { type GroundMeasure, measureGround } from './measure-ground.js';
import { type HeightMeasure, measureHeights } from './measure-heights.js';
import { type LimitMeasure, measureLimits } from './measure-limits.js';
import { type LoopSeamMeasure, measureLoopSeam } from './measure-loop-seam.js';
import { measurePops, type PopMeasure } from './measure-pops.js';
import { measureReach, type ReachMeasure } from './measure-reach.js';
import { measureSlide, type SlideMeasure } from './measure-slide.js';
import { measureSmoothness, type SmoothnessMeasure } from './measure-smoothness.js';
import { measureSoleTilt } from './measure-sole-tilt.js';
import { measureSupport, type SupportMeasure } from './measure-support.js';
import type { Summary } from './summary.js';

/** Everything that is measured of a motion over time; null where it cannot be, and `notMeasured` says why. */
export type MotionMeasures = {
  slide: SlideMeasure | null;
  heights: HeightMeasure | null;
  agreement: AgreementMeasure | null;
  support: SupportMeasure | null;
  soleTilt: Summary | null;
  reach: ReachMeasure | null;
  selfContact: SelfContactMeasure | null;
  armsAlone: ArmsAloneMeasure | null;
  carriedHands: CarriedHandsMeasure | null;
  ground: GroundMeasure | null;
  smoothness: SmoothnessMeasure | null;
  pops: PopMeasure | null;
  limits: LimitMeasure | null;
  correction: CorrectionMeasure | null;
  loopSeam: LoopSeamMeasure | null;
  notMeasured: Partial<Record<MotionMeasureName, string>>;
};

/** The name of a measure over time. */
export type MotionMeasureName = Exclude<keyof MotionMeasures, 'notMeasured'>;

/** Measures a comparison in every way. */
export function measureMotion(comparison: Comparison): MotionMeasures {
  const { source, copied, points, setup } = comparison;
  const inPlace = compiledOf(setup, extractRoot)?.mode === 'inPlace';
  const feet = points.some(({ name }) => SOLE_POINTS.includes(name));
  const stands = source.contacts.length > 0;
  // Each goes over all frames, and takes about as long as twenty joints in each.
  const watched = <T>(measured: T): T => {
    didWork(20 * comparison.count);
    return measured;
  };
  const arms = watched(compareArms(comparison));
  const loopSeam = measureLoopSeam(comparison);
  const measures: MotionMeasures = {
    slide: inPlace ? null : watched(measureSlide(comparison)),
    heights: watched(measureHeights(comparison)),
    agreement: inPlace ? null : watched(measureAgreement(comparison)),
    support: inPlace ? null : watched(measureSupport(comparison)),
    soleTilt: watched(measureSoleTilt(comparison)),
    reach: inPlace || !feet ? null : watched(measureReach(comparison)),
    selfContact: arms && watched(measureSelfContact(arms)),
    armsAlone: arms && watched(measureArmsAlone(arms, loopSeam !== null)),
    carriedHands: arms && watched(measureCarriedHands(arms)),
    ground: Object.keys(source.roles).length > 0 ? watched(measureGround(comparison)) : null,
    smoothness: watched(measureSmoothness(comparison)),
    pops: watched(measurePops(comparison)),
    limits: watched(measureLimits(comparison)),
    correction: measureCorrection(comparison),
    loopSeam,
    notMeasured: {},
  };
  const why = measures.notMeasured;
  leaveOutEndless(measures);
  const say = (reason: string, ...names: MotionMeasureName[]) => {
    for (const name of names) if (measures[name] === null) why[name] ??= reason;
  };
  if (inPlace) say('the travel was taken out, so that feet slide', 'slide', 'agreement', 'support', 'reach');
  if (!feet) say('no feet were found on both bodies', 'slide', 'heights', 'agreement', 'soleTilt', 'reach');
  if (!stands)
    say(
      'the source never stands on anything, or moves on the spot',
      'slide',
      'heights',
      'agreement',
      'soleTilt',
    );
  say(
    "the source's feet never stand on anything, or move on the spot",
    'slide',
    'heights',
    'agreement',
    'soleTilt',
  );
  say('no body part was recognised', 'ground');
  say('no part of either body ever rests on anything', 'support');
  if (!arms) say('no whole arms were found on both bodies', 'selfContact', 'armsAlone', 'carriedHands');
  say('no hand touches another part of the body in the source', 'selfContact');
  say('hands never carry something between them in the source', 'carriedHands');
  say('arms are never far from a reason to be turned', 'armsAlone');
  if (!copied) say('the plain copy to compare with could not be made', 'smoothness', 'pops', 'correction');
  say('no joint is driven', 'correction');
  say('no whole legs were found on both bodies', 'limits');
  say('the clip is no loop', 'loopSeam');
  return measures;
}

/** Leaves out measures that are no numbers: of bodies without a size, percentages are without an end. */
function leaveOutEndless(measures: MotionMeasures): void {
  for (const name of Object.keys(measures) as (keyof MotionMeasures)[]) {
    if (name === 'notMeasured' || areNumbers(measures[name])) continue;
    measures[name] = null;
    measures.notMeasured[name] = 'the body has no size that it could be counted in';
  }
}

function areNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= LARGEST_FLOAT;
  return typeof value !== 'object' || value === null || Object.values(value).every(areNumbers);
}
